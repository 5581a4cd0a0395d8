#!/usr/bin/env bash
# `overlap --html`: a page that is well-formed, loads nothing and holds the matches of the table; where Chromium is
# installed, a part of the plot that is chosen with the pointer lists the matches that the table has there.
. "$(dirname "$0")/lib.sh"
need python3 xmllint

gzip -dc "$demo/chr20_9-11Mb.fa.gz" | sed -n 1,8000p >ref.fa
{ # two sequences with names that markup would take for its own, one of them turned
  printf ">a</script>&\"b\n"
  sed -n '1000,3000p' ref.fa
  one_line ref.fa | sed -n 2p | cut -c 200001-260000 | tr acgt ACGT | rev | tr ACGT TGCA | fold -w 80 | sed '1i >turned'
} >query.fa
run "$WARPSEED" overlap matches ref.fa query.fa --min-length 40 --html pair.html --plot pair.svg -o pair.tsv -q
run "$WARPSEED" overlap matches ref.fa --self --min-length 40 --html self.html -o self.tsv -q
run "$WARPSEED" overlap longest ref.fa query.fa --html longest.html -o longest.tsv -q
printf '>n\nNNNN\n' >none.fa
run "$WARPSEED" overlap matches none.fa ref.fa --html none.html -o none.tsv -q

cat >check.py <<'PYTHON'
"""The data of the page are the regions of the table; what it loads is nothing."""
import json, re, sys

name = sys.argv[1]
text = open(name + ".html", encoding="utf-8").read()
data = json.loads(re.search(r'<script type="application/json" id="matches">(.*?)</script>', text, re.S)[1])
names = [[sequence[0] for sequence in data[side]] for side in ("targets", "queries")]
found = sorted((names[0][t], b, b + n, names[1][q], c, c + n, "-" if reverse else "+") for t, b, q, c, n, reverse in data["regions"])
wanted = []
for line in open(name + ".tsv", encoding="utf-8"):
    if not line.startswith("#"):
        t, b, e, q, c, d, strand = line.split("\t")[:7]
        wanted.append((t, int(b), int(e), q, int(c), int(d), strand.strip()))
assert found == sorted(wanted), (len(found), len(wanted))
assert data["symmetric"] == (name == "self")
lengths = [region[4] for region in data["regions"]]
assert lengths == sorted(lengths, reverse=True)
addresses = set(re.findall(r"https?://[^\s\"']*", text))
assert addresses == {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"}, addresses
assert not re.search(r'(src|href)="|@import|url\(', text)
ids = re.findall(r'\sid="([^"]*)"', text)
assert len(ids) == len(set(ids)), ids
assert text.count("<tr>") - 1 == min(50, len(found))
PYTHON
for name in pair self longest none; do
  xmllint --noout $name.html || fail "$name.html is not well-formed"
  python3 check.py $name || fail "the page of $name"
done
[ "$(grep -vc '^#' pair.tsv)" -gt 50 ] || fail "the data are too easy"
# The picture in the page is that of --plot.
sed -n '/<svg/,/<\/svg>/p' pair.html | sed 's/.*<svg/<svg/' | head -n "$(sed 1d pair.svg | wc -l)" >in_page.svg
sed 1d pair.svg | cmp - in_page.svg || fail "the page has another picture than --plot"
run "$WARPSEED" overlap matches ref.fa query.fa --min-length 40 --html again.html -o pair.tsv -q -t 1
same <(sed '/<section id="run"/,/<\/section>/d' again.html) <(sed '/<section id="run"/,/<\/section>/d' pair.html) "--html with one thread"

# Complete or not at all.
expect_fail 2 '--html' -- "$WARPSEED" overlap pairs ref.fa query.fa --table pair.tsv --html out/x.html -q
expect_fail 2 'two outputs go to out/x' -- "$WARPSEED" overlap matches ref.fa query.fa --html out/x -o out/x -q
expect_fail 1 'nowhere' -- "$WARPSEED" overlap matches ref.fa query.fa --html nowhere/x.html -o out/x -q
expect_fail 1 '/dev/full' -- "$WARPSEED" overlap matches ref.fa query.fa --html /dev/full -o out/x --plot out/x.svg -q
report_failures

if ! command -v chromium >/dev/null; then
  echo "without chromium no page was opened"
  exit 0
fi
# Drags over the middle of the plot, then over the left half of what that shows; then the page is as narrow as a telephone's.
cat >probe.html <<'HTML'
<script>
addEventListener("load", () => {
  const drag = (box, from, to) => {
    const at = box.getBoundingClientRect();
    const send = (kind, [x, y]) => box.dispatchEvent(new PointerEvent(kind, { button: 0, pointerId: 1,
      clientX: at.left + x * at.width, clientY: at.top + y * at.height }));
    send("pointerdown", from), send("pointermove", to), send("pointerup", to);
  };
  const said = () => document.getElementById("where").textContent;
  const out = [said()];
  drag(document.querySelector(".overlay"), [0.25, 0.25], [0.75, 0.75]);
  out.push(said());
  drag(document.getElementById("part"), [0, 0], [0.5, 1]);
  out.push(said());
  document.getElementById("whole").click();
  out.push(said());
  out.push(document.documentElement.scrollWidth <= document.documentElement.clientWidth ? "fits" : "too wide");
  document.body.style.width = "230px";
  dispatchEvent(new Event("resize"));
  const boxes = (kind) => [...document.querySelectorAll("#part ." + kind)].map((tick) => tick.getBoundingClientRect());
  const across = boxes("x-tick"), edge = document.getElementById("detail").getBoundingClientRect().left;
  const apart = across.every((box, i) => i === 0 || across[i - 1].right < box.left) && boxes("y-tick").every((box) => box.left >= edge);
  out.push(across.length > 0 && apart ? "labels apart" : "labels overlap");
  document.body.replaceChildren(...out.map((line) => Object.assign(document.createElement("pre"), { textContent: line })));
});
</script>
HTML
mkdir profile
for name in pair self; do
  sed -e '/^<\/body>/{' -e 'r probe.html' -e 'N' -e '}' $name.html >probed.html
  timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync --user-data-dir="$work/profile" \
    --enable-logging=stderr --virtual-time-budget=10000 --window-size=1400,900 --dump-dom "file://$work/probed.html" \
    >dom.html 2>chromium.log || fail "chromium: $(tail -n 3 chromium.log)"
  if grep 'CONSOLE' chromium.log; then fail "the console of the browser"; fi
  grep -o '<pre>[^<]*' dom.html | sed 's/<pre>//' >said.txt || true
  python3 - $name <<'PYTHON' || fail "the parts of the plot of $name: $(cat said.txt)"
import json, re, sys

name = sys.argv[1]
text = open(name + ".html", encoding="utf-8").read()
data = json.loads(re.search(r'id="matches">(.*?)</script>', text, re.S)[1])
sides = [data["targets"], data["targets"] if data["symmetric"] else data["queries"]]
begins = [[sum(length for _, length in side[:i]) for i in range(len(side) + 1)] for side in sides]
matches = [(begins[0][t] + b, begins[1][q] + c, n) for t, b, q, c, n, reverse in data["regions"]]
if data["symmetric"]:
    matches += [(y, x, n) for x, y, n in matches]
said = [line.rstrip("\n") for line in open("said.txt", encoding="utf-8")]
assert said[4:] == ["fits", "labels apart"], said


def count(left, right, low, high):
    width, height = begins[0][-1], begins[1][-1]
    return sum(x < right * width and x + n > left * width and y < high * height and y + n > low * height for x, y, n in matches)


shown = [int(line.split()[0].replace(",", "")) for line in said[:4]]
wanted = [count(*part) for part in ((0, 1, 0, 1), (0.25, 0.75, 0.25, 0.75), (0.25, 0.5, 0.25, 0.75), (0, 1, 0, 1))]
# A pixel more or less at a border.
assert shown[0] == shown[3] == wanted[0], (shown, wanted)
assert all(abs(a - b) <= 2 + b // 50 for a, b in zip(shown, wanted)), (shown, wanted)
assert 0 < shown[2] < shown[1] < shown[0], shown
PYTHON
done
