#!/usr/bin/env bash
# `align --html`: pages of pairs, of long reads and of a hundred contigs are well-formed, load nothing, show the numbers
# of --json, which its schema describes, and run in a browser without an error. Where Chromium is installed, that is.
. "$(dirname "$0")/lib.sh"
need python3 xmllint
tests=$WARPSEED_SOURCE/test/cli

gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q

# Long reads of 3 to 30 kb with an error in every 40 bases, and some short ones among them.
one_line ref.fa | sed -n 2p | awk -v seed=$seed '
  BEGIN { srand(seed) }
  { for (n = 0; n < 120; ++n) {
      size = n % 12 == 0 ? 150 : 3000 + int(rand() * rand() * 27000)
      do bases = toupper(substr($0, 1 + int(rand() * (length($0) - size)), size)); while (bases ~ /N/)
      read = ""
      while (length(bases) > 40) {
        read = read substr(bases, 1, 39) substr("ACGT", 1 + int(rand() * 4), 1)
        bases = substr(bases, 40 + (rand() < 0.5))
      }
      read = read bases
      quality = read; gsub(/./, "5", quality)
      print "@" n "\n" read "\n+\n" quality
    } }' >long.fq
# A hundred contigs, with gaps, names that markup would take for its own, and reads of two groups and a lost one.
python3 - <<'PYTHON'
import random
random.seed(20240607)
with open("many.fa", "w") as out:
    for i in range(100):
        bases = "".join(random.choices("ACGT", k=int(30000 * 0.96**i) + 300))
        if i % 9 == 4:
            bases = bases[:3000] + "N" * 5000 + bases[3000:]
        out.write(f">contig&{i}\n{bases}\n")
PYTHON
run "$WARPSEED" index many.fa -o 'many&more.wsi' -q
sed "s/N*//g" many.fa >known.fa
make_pairs known.fa 4000 m
{ # unaligned BAM's text: two groups
  printf '@RG\tID:one<b>\tSM:s\n@RG\tID:two&"\tSM:s\n'
  paste <(paste - - - - <m_1.fq) <(paste - - - - <m_2.fq) | awk -F '\t' -v OFS='\t' '{
    name = substr($1, 2); group = NR % 3 ? "RG:Z:one<b>" : "RG:Z:two&\""
    if (NR == 7) $6 = sprintf("%50s", ""); gsub(/ /, "N", $6)
    print name, 77, "*", 0, 0, "*", "*", 0, 0, $2, substr($4, 1, length($2)), group
    print name, 141, "*", 0, 0, "*", "*", 0, 0, $6, substr($8, 1, length($6)), group }'
} >unaligned.sam

# report NAME ARGUMENTS...: aligns, with both reports.
report() {
  local name=$1
  shift
  run "$WARPSEED" align "$@" --quiet --html "$name.html" --json "$name.json" -o "$name.bam"
}
report pairs ref.wsi "$demo"/NA12878*_R1.fastq.gz "$demo"/NA12878*_R2.fastq.gz -R '@RG\tID:NA12878\tSM:a' --sort --mark-duplicates
report long ref.wsi long.fq
report many 'many&more.wsi' unaligned.sam
: >empty.fq
report none ref.wsi empty.fq
report short ref.wsi <(head -n 400 m_1.fq | sed '2~4s/.*/NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN/;4~4s/.*/IIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIII/')
for name in pairs long many none short; do
  xmllint --noout "$name.html" || fail "$name.html is not well-formed"
  [ $name = none ] || [ $name = short ] || python3 "$tests/check_html_report.py" $name.html $name.json || fail "the page of $name"
  python3 "$tests/json_schema.py" "$WARPSEED_SOURCE/share/schema/align_report.schema.json" $name.json ||
    fail "the schema does not fit the report of $name"
  [ "$(wc -c <$name.html)" -lt 2000000 ] || fail "$name.html is large"
done
contains many.html 'many&amp;more\.wsi'
contains many.html 'one&lt;b&gt;'
contains many.html 'class="gap"'
contains long.html 'N50 of long reads'
# The checks can fail.
sed 's/<td data-json="reads.unique" data-value="/&1/' pairs.html >wrong.html
if python3 "$tests/check_html_report.py" wrong.html pairs.json >/dev/null 2>&1; then fail "a page with a wrong number passes"; fi
sed 's/"mapped": [0-9]*/"mapped": -1/' pairs.json >wrong.json
if python3 "$tests/json_schema.py" "$WARPSEED_SOURCE/share/schema/align_report.schema.json" wrong.json 2>/dev/null; then
  fail "a report that breaks its schema passes"
fi

# Depth and coverage as samtools counts them.
if command -v samtools >/dev/null; then
  samtools sort -o sorted.bam many.bam && samtools index sorted.bam
  samtools coverage -q 0 -Q 0 --ff UNMAP,SECONDARY sorted.bam | awk 'NR > 1 { print $1, $3, $5 }' >wanted.txt
  python3 -c '
import json
for contig in json.load(open("many.json"))["coverage"]["contigs"]:
    print(contig["name"], contig["length"], contig["covered_bases"])' >found.txt
  same wanted.txt found.txt "covered bases of each contig"
fi

# The same page from any number of threads, but for what is known of the run.
for threads in 1 3; do
  run "$WARPSEED" align ref.wsi long.fq -t $threads --quiet --html t$threads.html -o t.bam
  sed '/<section id="run"/,$d; /class="run-line"/d' t$threads.html >t$threads.txt
done
same t1.txt t3.txt "--html with 1 and 3 threads"

# Complete or not at all.
expect_fail 2 'two outputs go to standard output' -- "$WARPSEED" align ref.wsi long.fq --quiet --html -
expect_fail 2 'two outputs go to out/x' -- "$WARPSEED" align ref.wsi long.fq --quiet --html out/x --json out/x -o out/y.bam
expect_fail 1 'nowhere' -- "$WARPSEED" align ref.wsi long.fq --quiet --html nowhere/x.html -o out/x.bam
expect_fail 1 '/dev/full' -- "$WARPSEED" align ref.wsi long.fq --quiet --html /dev/full --json out/x.json -o out/x.bam
head -c 10000 long.fq >cut.fq
expect_fail 2 'cut\.fq' -- "$WARPSEED" align ref.wsi cut.fq --quiet --html out/x.html -o out/x.bam
report_failures

if ! command -v chromium >/dev/null; then
  echo "without chromium no page was opened"
  exit 0
fi
# Uses each page as a reader does, in a frame of WIDTH pixels: theme, sorting, values under the pointer, no scrolling aside.
cat >probe.html <<'HTML'
<script>
addEventListener("load", () => {
  const said = [], page = document.documentElement;
  const want = (ok, what) => { if (!ok) said.push(what); };
  const before = getComputedStyle(document.body).backgroundColor;
  document.getElementById("theme").click();
  want(getComputedStyle(document.body).backgroundColor !== before, "the theme stays");
  for (const table of document.querySelectorAll("table.sortable")) {
    const heading = table.tHead.rows[0].cells[1];
    heading.click();
    heading.click();
    const numbers = [...table.tBodies[0].rows].map((row) => Number(row.cells[1].textContent.replaceAll(",", "")));
    want(numbers.every((n, i) => i === 0 || Number.isNaN(n) || numbers[i - 1] <= n), "not sorted: " + table.caption.textContent);
  }
  const plots = document.querySelectorAll(".plot");
  want(plots.length > 3, "plots: " + plots.length);
  for (const plot of plots) {
    const box = plot.getBoundingClientRect();
    plot.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + box.width / 2, clientY: box.top + 5 }));
    const values = document.getElementById("values");
    want(!values.hidden && /\d/.test(values.textContent), "no values: " + plot.parentElement.id);
    plot.dispatchEvent(new PointerEvent("pointerleave"));
    want(values.hidden, "values stay");
    const labels = [...plot.querySelectorAll("span")].filter((span) => span.offsetParent).map((span) => span.getBoundingClientRect());
    want(!labels.some((a, i) => labels.some((b, k) => k < i && a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1)),
      "labels overlap: " + plot.parentElement.id);
  }
  want(page.scrollWidth <= page.clientWidth, `${page.scrollWidth} pixels in ${page.clientWidth}`);
  parent.postMessage(said.join("; ") || "fine", "*");
});
</script>
HTML
frames=''
for name in pairs long many; do
  sed -e '/^<\/body>/{' -e 'r probe.html' -e 'N' -e '}' $name.html >probed_$name.html
  for width in 400 700 1400; do
    frames+="<iframe src=\"probed_$name.html\" title=\"$name at $width\" style=\"width:${width}px;height:800px\"></iframe>"
  done
done
cat >frames.html <<HTML
<!DOCTYPE html><meta charset="utf-8"><body><ol></ol><script>
addEventListener("message", (event) => {
  const frame = [...document.querySelectorAll("iframe")].find((one) => one.contentWindow === event.source);
  document.querySelector("ol").insertAdjacentHTML("beforeend", "<li></li>");
  document.querySelector("ol").lastChild.textContent = frame.title + ": " + event.data;
});
</script>$frames
HTML
mkdir profile
timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync --user-data-dir="$work/profile" --enable-logging=stderr \
  --virtual-time-budget=20000 --window-size=1600,900 --dump-dom "file://$work/frames.html" >dom.html 2>chromium.log ||
  fail "chromium: $(tail -n 3 chromium.log)"
if grep -E 'CONSOLE' chromium.log; then fail "the console of the browser"; fi
grep -o '<li>[^<]*' dom.html | sed 's/<li>//' >said.txt || true
equal "$(grep -c ': fine$' said.txt)" 9 "pages that work in a browser ($(grep -v ': fine$' said.txt | head -n 3))"
