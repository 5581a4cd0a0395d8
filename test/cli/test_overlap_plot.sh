#!/usr/bin/env bash
# `overlap --plot FILE.pdf` and --plot-title: PDF that qpdf finds no fault with, of the size of the SVG, whose text
# pdftotext reads, with names in any script, no word over another, and lines where the matches are.
. "$(dirname "$0")/lib.sh"
need python3 qpdf pdftotext pdfinfo pdftoppm

overlap() { run "$WARPSEED" overlap matches "$@" --quiet -o table.tsv; }

# One sequence each: 20,000 bases in both, the middle half reversed in the query.
make_genome chr1:20000 | one_line - >a.fa
awk "$turned"'/^>/ { print ">é染色体🧬(x\\)"; next }
  { print substr($0, 1, 5000) turned(substr($0, 5001, 10000)) substr($0, 15001) }' a.fa >b.fa
# Sixty sequences with long names, some of them in Greek, against all of them.
make_genome $(seq -f 's%g:1500' 60) | sed 's/^>\(s.*\)/>\1_γονιδίωμα_with_a_name_of_some_length/' >many.fa

# pdf NAME: checks NAME.pdf against NAME.svg, whose size it has.
pdf() {
  qpdf --check "$1.pdf" >qpdf.txt 2>&1 || fail "$1.pdf: $(cat qpdf.txt)"
  contains qpdf.txt 'No syntax or stream encoding errors'
  pdfinfo "$1.pdf" >info.txt 2>&1
  contains info.txt '^Pages: +1$'
  python3 - "$1" <<'PYTHON' || fail "$1.pdf: the page"
import re, subprocess, sys
name = sys.argv[1]
svg = open(f"{name}.svg").read()
width, height = (float(re.search(rf'<svg[^>]* {what}="([\d.]+)"', svg)[1]) for what in ("width", "height"))
found = re.search(r"Page size: +([\d.]+) x ([\d.]+) pts", open("info.txt").read())
if any(abs(float(points) - 0.75 * pixels) > 0.01 for points, pixels in zip(found.groups(), (width, height))):
    sys.exit(f"{found[0]} of {width} x {height} pixels")
page = subprocess.run(["pdftotext", "-bbox", f"{name}.pdf", "-"], capture_output=True, text=True, check=True).stdout
words = [(*map(float, box), word) for *box, word in
         re.findall(r'<word xMin="([^"]*)" yMin="([^"]*)" xMax="([^"]*)" yMax="([^"]*)">([^<]*)', page)]
if len(words) < 20: sys.exit(f"{len(words)} words")
for left, top, right, bottom, word in words:
    if left < 0 or top < 0 or right > 0.75 * width or bottom > 0.75 * height: sys.exit(f"{word} is not on the page")
# Slanted names have boxes that overlap, though the names do not.
upright = [word for word in words if word[3] - word[1] < 20]
for i, a in enumerate(upright):
    for b in upright[:i]:
        if min(a[2], b[2]) - max(a[0], b[0]) > 0.5 and min(a[3], b[3]) - max(a[1], b[1]) > 3:
            sys.exit(f"{a} is over {b}")
PYTHON
  pdftotext "$1.pdf" "$1.txt"
}
# plots NAME ARGUMENTS...: the same as SVG and PDF.
plots() {
  overlap "${@:2}" --plot "$1.svg"
  overlap "${@:2}" --plot "$1.pdf"
  pdf "$1"
}

plots pair a.fa b.fa
contains pair.txt '^a\.fa against b\.fa$'
contains pair.txt '^target: chr1, 20,000 bases$'
grep -qF '>query: é染色体🧬(x\), 20,000 bases<' pair.svg || fail "the query's name is not in the SVG"
grep -qF 'query: é染色体🧬(x\), 20,000 bases' pair.txt || fail "the query's name is not found in the PDF"
contains pair.txt '^2 forward matches, 1 reverse match; '
# The middles of the three lines, and of what is between them.
pdftoppm -r 96 -singlefile pair.pdf pair
python3 - <<'PYTHON' || fail "pair.pdf: lines"
import re, sys
left, top, size = map(float, re.search(r'data-box="([^"]*)"', open("pair.svg").read())[1].split())
data = open("pair.ppm", "rb").read()
_, shape, _, pixels = data.split(b"\n", 3)
width = int(shape.split()[0])
def color(x, y):  # shares of the axes
    at = 3 * (round(top + (1 - y) * size) * width + round(left + x * size))
    return max((pixels[at + d : at + d + 3] for d in (-3, 0, 3)), key=lambda p: max(p) - min(p))
for x, y, wanted in ((0.125, 0.125, (0, 0x72, 0xB2)), (0.5, 0.5, (0xD5, 0x5E, 0)), (0.3, 0.7, (0xD5, 0x5E, 0)),
                     (0.875, 0.875, (0, 0x72, 0xB2)), (0.3, 0.3, (255, 255, 255)), (0.9, 0.1, (255, 255, 255))):
    if max(abs(a - b) for a, b in zip(color(x, y), wanted)) > 90: sys.exit(f"{tuple(color(x, y))} at {x}, {y}")
PYTHON

# The axis' title is centred by the widths that poppler has for Helvetica, too.
pdftotext -bbox pair.pdf words.html
python3 - <<'PYTHON' || fail "pair.pdf: the middle of an axis' title"
import re, sys
left, _, size = map(float, re.search(r'data-box="([^"]*)"', open("pair.svg").read())[1].split())
words = re.findall(r'<word xMin="([^"]*)" yMin="([^"]*)" xMax="([^"]*)" yMax="[^"]*">([^<]*)', open("words.html").read())
(line,) = [top for _, top, _, word in words if word == "target:"]
middle = (min(float(w[0]) for w in words if w[1] == line) + max(float(w[2]) for w in words if w[1] == line)) / 2
if abs(middle - 0.75 * (left + size / 2)) > 0.1: sys.exit(f"the middle of the title is at {middle}")
PYTHON

plots many many.fa many.fa
contains many.txt '^target: many\.fa, 60 sequences, 90,000 bases \([0-9]+ named\)$'
contains many.txt 's[0-9]+_γονιδίωμα' # '?' is drawn, the name is found
plots self many.fa --self --min-length 12
printf '>unknown\nNNNN\n' >unknown.fa
plots none a.fa unknown.fa
contains none.txt '^0 forward matches'

# A title of one's own, in each format; a long one is made smaller, then shortened.
title='Größe <&"> of 染色体'
plots titled a.fa b.fa --plot-title "$title"
pdfinfo titled.pdf | grep -qF "Title:           $title" || fail "the title of the PDF is $(pdfinfo titled.pdf | head -n 1)"
grep -qxF "$title" titled.txt || fail "the title is not on the page: $(head -n 3 titled.txt)"
grep -qF '>Größe &lt;&amp;&quot;&gt; of 染色体<' titled.svg || fail "the title is not in the SVG"
overlap a.fa b.fa --plot-title "$title" --html titled.html
grep -qF '>Größe &lt;&amp;&quot;&gt; of 染色体<' titled.html || fail "the title is not in the page"
plots long a.fa b.fa --plot-title "$(seq -s ' ' 60)"
contains long.txt '^1 2 3 .* 38 39'
plots longer a.fa b.fa --plot-title "$(seq -s ' ' 300)"
contains longer.txt '^1 2 3 .*…$'
plots bytes a.fa b.fa --plot-title $'bad \xff\x01 bytes'
if command -v rsvg-convert >/dev/null; then
  overlap a.fa b.fa --plot-title one --plot one.png
  overlap a.fa b.fa --plot-title two --plot two.png
  cmp -s one.png two.png && fail "the title is not in the PNG"
else
  echo "without rsvg-convert no PNG was made"
fi

# Many lines and cells: some megabytes of operators, compressed.
gzip -dc "$demo/chr20_9-11Mb.fa.gz" >chr20.fa
plots large chr20.fa --self --min-length 16
[ "$(wc -c <large.pdf)" -lt "$(wc -c <large.svg)" ] || fail "the PDF is larger than the SVG"
overlap chr20.fa --self --min-length 16 -t 1 --plot again.pdf
same large.pdf again.pdf "--plot with one thread"

expect_fail 1 '/dev/full|nowhere' -- "$WARPSEED" overlap matches a.fa b.fa --plot nowhere/x.pdf -o out/x -q
report_failures
