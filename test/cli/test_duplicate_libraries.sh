#!/usr/bin/env bash
# The table of duplicates by library: as counted from the records by read group, and as Picard's MarkDuplicates reports
# it of libraries that share no fragments.
. "$(dirname "$0")/lib.sh"
need samtools python3

make_genome chr1:60000 chr2:20000 >ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q

# Three libraries in four read groups: x in two of them, y, and a group without LB; some reads without a group.
# Each has fragments of its own, drawn several times, with mates that are from nowhere, split reads and failed ones.
python3 - <<'PYTHON'
import random
random.seed(20240607)
text = "".join(line.strip() for line in open("ref.fa") if line[0] != ">")[:60000]
turned = lambda s: s[::-1].translate(str.maketrans("ACGT", "TGCA"))
foreign = lambda n: "".join(random.choices("ACGT", k=n))
sizes = {"a1": 300, "a2": 300, "b": 900, "c": 150, "": 40}
begin, number = 0, 0
with open("reads.sam", "w") as out:
    for line in ("ID:a1\tSM:s\tLB:x 1", "ID:b\tSM:s\tLB:y", "ID:a2\tLB:x 1\tSM:s", "ID:c\tSM:s"):
        out.write(f"@RG\t{line}\n")
    for group, fragments in sizes.items():
        places = [begin + 25 * i for i in range(fragments)]
        begin += 25 * fragments
        for at in random.choices(places, k=int(fragments * 1.3)):
            one, other = text[at : at + 100], turned(text[at + 250 : at + 350])
            kind = random.randrange(12)
            if kind == 0: other = foreign(100)
            if kind == 1: one, other = foreign(100), foreign(100)
            if kind == 2: one = one[:60] + text[(at + 30000) % 50000 :][:60]
            failed = 512 if random.randrange(20) == 0 else 0
            number += 1
            tag = f"\tRG:Z:{group}" if group else ""
            for flag, bases in ((77, one), (141, other)):
                quality = "".join(random.choices("?@AB", k=len(bases)))
                out.write(f"r{number}\t{flag + failed}\t*\t0\t0\t*\t*\t0\t0\t{bases}\t{quality}{tag}\n")
PYTHON

# counted BAM: a line a library, from the records.
cat >count.py <<'PYTHON'
import subprocess, sys
header = subprocess.run(["samtools", "view", "-H", sys.argv[1]], capture_output=True, text=True, check=True).stdout
library, rows = {}, {}
for line in header.splitlines():
    if line.startswith("@RG"):
        fields = dict(field.split(":", 1) for field in line.split("\t")[1:])
        library[fields["ID"]] = fields.get("LB", "Unknown Library")
        rows.setdefault(library[fields["ID"]], [0] * 7)
records = subprocess.run(["samtools", "view", sys.argv[1]], capture_output=True, text=True, check=True).stdout
for line in records.splitlines():
    fields = line.split("\t")
    flag = int(fields[1])
    group = next((field[5:] for field in fields[11:] if field.startswith("RG:Z:")), "")
    row = rows.setdefault(library.get(group, "Unknown Library"), [0] * 7)
    if flag & 4: row[3] += 1
    elif flag & 0x900: row[2] += 1
    elif flag & 512: row[4] += 1
    else:
        pair = flag & 1 and not flag & 8
        row[1 if pair else 0] += 1
        if flag & 1024: row[6 if pair else 5] += 1
for name, row in rows.items():
    single, pairs, other, unmapped, failed, single_marked, pairs_marked = row
    print(name, single, pairs // 2, other, unmapped, failed, single_marked, pairs_marked // 2,
          f"{(single_marked + pairs_marked) / max(single + pairs, 1):.4f}", sep="\t")
PYTHON
# reported JSON: the same, of the report.
cat >reported.py <<'PYTHON'
import json, sys
for row in json.load(open(sys.argv[1]))["duplicates"]["libraries"]:
    size = row.pop("estimated_library_size")
    share = row.pop("duplicate_share") or 0
    print(*row.values(), f"{share:.4f}", *([size] if len(sys.argv) > 2 else []), sep="\t")
PYTHON

# as_counted NAME ARGUMENTS...
as_counted() {
  local name=$1
  shift
  run "$WARPSEED" align ref.wsi "$@" --quiet --sort --mark-duplicates --json "$name.json" --html "$name.html" -o "$name.bam"
  python3 count.py "$name.bam" >wanted.txt
  python3 reported.py "$name.json" >found.txt
  same wanted.txt found.txt "$name: duplicates by library"
  python3 "$WARPSEED_SOURCE/test/cli/json_schema.py" "$WARPSEED_SOURCE/share/schema/align_report.schema.json" "$name.json" ||
    fail "$name: the schema does not fit"
  python3 "$WARPSEED_SOURCE/test/cli/check_html_report.py" "$name.html" "$name.json" >page.txt || fail "$name: the page"
}
as_counted libraries reads.sam
equal "$(cut -f 1 found.txt | paste -sd ,)" 'x 1,y,Unknown Library' "libraries in the order of the header"
awk -F '\t' '{ ok += $2 && $3 && $4 && $5 && $6 && $7 && $8 } END { exit ok != 3 }' found.txt || fail "a column is empty"
contains libraries.html '<th scope="row">x 1</th>'
as_counted all reads.sam -a
as_counted one reads.sam -R '@RG\tID:z\tSM:s\tLB:all'
equal "$(cut -f 1 found.txt)" all "the library of -R"
as_counted group reads.sam -R '@RG\tID:z\tSM:s'
equal "$(cut -f 1 found.txt)" 'Unknown Library' "a read group without a library"
samtools fastq -1 r_1.fq -2 r_2.fq -n reads.sam 2>/dev/null
as_counted bare r_1.fq r_2.fq
equal "$(cut -f 1 found.txt)" 'Unknown Library' "reads without a read group"
: >empty.fq
run "$WARPSEED" align ref.wsi empty.fq --quiet --sort --mark-duplicates --json empty.json -o empty.bam
contains empty.json '"estimated_library_size": null'
for threads in 1 2; do
  run "$WARPSEED" align ref.wsi reads.sam -t $threads --sort-memory 100K --quiet --sort --mark-duplicates \
    --json t.json -o t.bam
  python3 reported.py t.json size >t$threads.txt
done
same t1.txt t2.txt "1 and 2 threads"
python3 reported.py libraries.json size >t2.txt
same t1.txt t2.txt "little and much memory"

# Picard looks at failed reads as at others and counts optical duplicates by names of a form that ours have not.
if ! command -v PicardCommandLine >/dev/null; then
  echo "skipped: picard (share/setup.sh --judges installs it)"
  exit 0
fi
awk -F '\t' -v OFS='\t' '!/^@/ { $2 = $2 % 512 } { print }' reads.sam >passed.sam
as_counted passed passed.sam
PicardCommandLine MarkDuplicates I=passed.bam O=picard.bam M=metrics.txt >picard.log 2>&1 || {
  tail -n 20 picard.log >&2
  fail "picard"
}
python3 - <<'PYTHON' || fail "not as from picard"
import json, sys
lines = open("metrics.txt").read().splitlines()
start = next(i for i, line in enumerate(lines) if line.startswith("LIBRARY"))
names = lines[start].split("\t")
theirs = {}
for line in lines[start + 1 :]:
    if not line: break
    row = dict(zip(names, line.split("\t")))
    theirs[row["LIBRARY"]] = row
ours = json.load(open("passed.json"))["duplicates"]["libraries"]
same = {"UNPAIRED_READS_EXAMINED": "unpaired_reads_examined", "READ_PAIRS_EXAMINED": "read_pairs_examined",
        "SECONDARY_OR_SUPPLEMENTARY_RDS": "secondary_or_supplementary", "UNMAPPED_READS": "unmapped",
        "UNPAIRED_READ_DUPLICATES": "unpaired_duplicates", "READ_PAIR_DUPLICATES": "pair_duplicates"}
if {row["library"] for row in ours} != set(theirs): sys.exit(f"picard's libraries are {set(theirs)}")
for row in ours:
    judge = theirs[row["library"]]
    for theirs_name, name in same.items():
        if int(judge[theirs_name]) != row[name]: sys.exit(f"{row['library']}: {name} {row[name]}, picard {judge[theirs_name]}")
    for theirs_name, name, limit in (("PERCENT_DUPLICATION", "duplicate_share", 2e-6), ("ESTIMATED_LIBRARY_SIZE", "estimated_library_size", 1)):
        if abs(float(judge[theirs_name]) - row[name]) > limit: sys.exit(f"{row['library']}: {name} {row[name]}, picard {judge[theirs_name]}")
    print(row["library"], row["read_pairs_examined"], row["pair_duplicates"], row["duplicate_share"], row["estimated_library_size"], judge["ESTIMATED_LIBRARY_SIZE"])
PYTHON
