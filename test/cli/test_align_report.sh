#!/usr/bin/env bash
# What `align` says about a run: the summary, in its own form and in bowtie2's, and --json, each against counts of the
# records themselves.
. "$(dirname "$0")/lib.sh"
need samtools python3

{
  make_genome chr1:60000
  make_genome chr1:60000 | sed 's/chr1/copy/' | awk 'NR <= 100' # places that are there twice
} >ref.fa
make_pairs ref.fa 2000 r
{ # a pair apart, a mate lost, a pair lost
  sed -n 1,8p r_1.fq
  printf '@none\n%s\n+\n%s\n' "$(printf 'AC%.0s' {1..50})" "$(printf 'I%.0s' {1..100})"
} | sed '1~4s/^@/@odd/' >odd_1.fq
{
  sed -n '401,404p' r_2.fq | sed "1s/.*/$(sed -n 1p r_2.fq)/"
  sed -n '5,8p' r_2.fq | sed '2s/.*/NNNNNNNNNNNNNNNNNNNNNNNNNNNNNN/;4s/.*/IIIIIIIIIIIIIIIIIIIIIIIIIIIIII/'
  printf '@none\n%s\n+\n%s\n' "$(printf 'AG%.0s' {1..50})" "$(printf 'I%.0s' {1..100})"
} | sed '1~4s/^@/@odd/' >odd_2.fq
cat odd_1.fq >>r_1.fq
cat odd_2.fq >>r_2.fq
run "$WARPSEED" index ref.fa -o ref.wsi -q

for kind in single pairs; do
  files=(r_1.fq)
  if [ $kind = pairs ]; then files=(r_1.fq r_2.fq); fi
  run "$WARPSEED" align ref.wsi "${files[@]}" --json $kind.json --summary bowtie2 -o $kind.sam
  grep -v '^warpseed' run.err >$kind.log
  run "$WARPSEED" align ref.wsi "${files[@]}" -o again.sam
  sed -n '/reads mapped/,/^warpseed.*wall/p' run.err | sed '$d' >$kind.summary
done

cat >check.py <<'PYTHON'
"""Counts the records of SAM on standard input anew and compares with the report and the summary."""
import collections, json, re, sys

kind = sys.argv[1]
report = json.load(open(kind + ".json"))
reads = [line.rstrip("\n").split("\t") for line in sys.stdin if not line.startswith("@")]
flags = [int(read[1]) for read in reads]
primary = [(read, flag) for read, flag in zip(reads, flags) if not flag & 0x900]
state = [2 if flag & 4 else int(read[4]) == 0 for read, flag in primary]  # 0 unique, 1 repeated, 2 unmapped


def same(name, is_, wanted):
    if is_ != wanted:
        sys.exit(f"{kind}: {name}: {is_}, wanted {wanted}")


same("reads", report["reads"], dict(total=len(primary), mapped=len(primary) - state.count(2), unique=state.count(0),
                                    repeated=state.count(1), unmapped=state.count(2)))
same("records", report["records"], dict(primary=len(primary), secondary=sum(f & 0x100 > 0 for f in flags),
                                        supplementary=sum(f & 0x800 > 0 for f in flags)))
qualities = collections.Counter(int(read[4]) for read, flag in primary if not flag & 4)
same("mapping qualities", report["mapping_qualities"], [qualities[i] for i in range(61)])

positions = {}
for read, flag in primary:
    if flag & 4:
        continue
    end = "reads" if not flag & 1 else "first_mates" if flag & 0x40 else "second_mates"
    at = positions.setdefault(end, collections.defaultdict(collections.Counter))
    letters = read[9]
    md = dict(tag.split(":", 2)[::2] for tag in read[11:])["MD"]
    genome = []  # the letters under aligned bases: None for equal
    for run, deleted, letter in re.findall(r"(\d+)|(\^[A-Z]+)|([A-Z])", md):
        genome += [None] * int(run) if run else [letter] if letter else []
    genome = iter(genome)
    place = 0
    sequencer = lambda i: len(letters) - 1 - i if flag & 16 else i
    for i in range(len(letters)):
        at["mapped_reads"][i] += 1
    for count, op in re.findall(r"(\d+)([MIDS])", read[5]):
        if op == "D":
            at["deletions"][sequencer(place if flag & 16 else place - 1)] += 1
            continue
        for _ in range(int(count)):
            p = sequencer(place)
            if op == "M":
                under = next(genome)
                if letters[place] != "N" and under != "N":
                    at["aligned_bases"][p] += 1
                    at["mismatches"][p] += under is not None
            else:
                at["inserted_bases" if op == "I" else "soft_clipped_bases"][p] += 1
            place += 1
for end, counted in report["by_position"].items():
    for name, values in counted.items():
        if not name.endswith("_rate"):
            same(f"{end} {name}", values, [positions[end][name][i] for i in range(len(values))])
    for i, rate in enumerate(counted["mismatch_rate"]):
        same("a rate", rate, float("%.6g" % (counted["mismatches"][i] / counted["aligned_bases"][i])))

own = open(kind + ".summary").read()
numbers = [int(n) for n in re.findall(r"^ +(\d+) ", own, re.M)]
total = report["reads"]["total"]
shares = re.findall(r"^ +\d+ +([\d.]+)% ", own, re.M)
mapped = total - state.count(2)
head = "warpseed align: %d of %d reads mapped (%.2f%%)" % (mapped, total, 100 * mapped / total)
same("headline", own.splitlines()[0], head)
counted = [total, state.count(0), state.count(1), state.count(2)]
if kind == "pairs":
    mates = [(one, two, both) for one, two, both in
             ((primary[i], primary[i + 1], {state[i], state[i + 1]}) for i in range(0, total, 2))]
    both_mapped = [(one[1] & 2 > 0, both == {0}) for one, two, both in mates if 2 not in both]
    fates = ((True, True), (True, False), (False, True), (False, False))
    counted += [len(mates), *(both_mapped.count(fate) for fate in fates), sum(2 in both and both != {2} for _, _, both in mates),
                sum(both == {2} for _, _, both in mates)]
same("the summary of its own", numbers, counted)
same("shares of reads", shares[:3], ["%.2f" % (100 * part / total) for part in counted[1:4]])
said = [(int(n), what) for n, what in re.findall(r"^ *(\d+)(?: \([\d.]+%\))? (.*)", open(kind + ".log").read(), re.M)]
if kind == "single":
    wanted = [len(primary), len(primary), state.count(2), state.count(0), state.count(1)]
else:
    pairs = [(primary[i], primary[i + 1], {state[i], state[i + 1]}) for i in range(0, len(primary), 2)]
    proper = [both for one, two, both in pairs if one[1] & 2]
    others = [(one, two, both) for one, two, both in pairs if not one[1] & 2]
    apart = [both for one, two, both in others if both == {0}]
    rest = [state[i + mate] for i in range(0, len(primary), 2) for mate in (0, 1)
            if not primary[i][1] & 2 and {state[i], state[i + 1]} != {0}]
    wanted = [len(pairs), len(pairs), len(others), proper.count({0}), len(proper) - proper.count({0}), len(others),
              len(apart), len(others) - len(apart), len(rest), rest.count(2), rest.count(0), rest.count(1)]
    mapped = [sum(not mate[1] & 4 for mate in pair[:2]) for pair in pairs]
    same("pairs", report["pairs"], dict(total=len(pairs), proper=len(proper), proper_unique=proper.count({0}),
         discordant=mapped.count(2) - len(proper), discordant_unique=len(apart), lone=mapped.count(1),
         unmapped=mapped.count(0)))
    group = report["insert_sizes"][0]
    same("pairs of the group", (group["read_group"], group["pairs"]), (None, len(pairs)))
    sizes = collections.Counter(abs(int(one[0][8])) for one, two, both in pairs if one[1] & 2)
    same("insert sizes", group["proper_sizes"], [[size, sizes[size]] for size in sorted(sizes)])
    model = group["models"]["FR"]
    same("orientations", list(group["models"]), ["FR"])
    if not model["low"] <= min(sizes) <= model["mean"] <= max(sizes) <= model["high"]:
        sys.exit("bounds of the insert size")
same("bowtie2's summary", [n for n, what in said][: len(wanted)], wanted)
if min(state.count(1), state.count(2)) == 0:
    sys.exit("the data are too easy")
PYTHON
for kind in single pairs; do
  python3 check.py $kind <$kind.sam || fail "the numbers of $kind"
done

# The same bytes from any number of threads, the command apart.
for threads in 1 3; do
  run "$WARPSEED" align ref.wsi r_1.fq r_2.fq --quiet -t $threads --json threads.json -o threads.sam
  cmp <(grep -v '"command"' threads.json) <(grep -v '"command"' pairs.json) || fail "--json -t $threads: other bytes"
done

# Names that JSON has to escape; an empty input.
run "$WARPSEED" align ref.wsi r_1.fq r_2.fq --quiet -R $'@RG\tID:a"\\\\b\tSM:\xe4' --json quote.json -o quote.sam
python3 -c 'import json; assert json.load(open("quote.json"))["insert_sizes"][0]["read_group"] == "a\"\\b"' || fail "escapes"
for files in "empty.fq" "empty.fq empty2.fq"; do
  : >empty.fq && : >empty2.fq
  # shellcheck disable=SC2086
  run "$WARPSEED" align ref.wsi $files --quiet --json empty.json -o empty.sam
  python3 -m json.tool empty.json >/dev/null || fail "no JSON of nothing"
done
run "$WARPSEED" align ref.wsi r_1.fq --quiet --json - -o quiet.sam >standard.json
python3 -m json.tool standard.json >/dev/null || fail "--json on standard output"

# Complete or not at all.
expect_fail 2 'two outputs go to standard output' -- "$WARPSEED" align ref.wsi r_1.fq --quiet --json -
expect_fail 2 'two outputs go to out/x' -- "$WARPSEED" align ref.wsi r_1.fq --quiet --json out/x -o out/x
expect_fail 1 'nowhere' -- "$WARPSEED" align ref.wsi r_1.fq --quiet --json nowhere/x.json -o out/x.bam
expect_fail 1 '/dev/full' -- "$WARPSEED" align ref.wsi r_1.fq --quiet --json /dev/full -o out/x.bam
head -c 10000 r_1.fq >cut.fq
expect_fail 2 'cut\.fq' -- "$WARPSEED" align ref.wsi cut.fq --quiet --json out/x.json -o out/x.bam
report_failures

if command -v multiqc >/dev/null; then
  mkdir logs && cp single.log pairs.log logs
  multiqc --quiet --module bowtie2 --outdir multiqc logs >/dev/null 2>&1 || fail "multiqc"
  python3 - <<'PYTHON' || fail "what MultiQC read is not what the summary says"
import csv, json
for row in csv.DictReader(open("multiqc/multiqc_data/multiqc_bowtie2.txt"), delimiter="\t"):
    report = json.load(open(row["Sample"] + ".json"))
    assert abs(float(row["overall_alignment_rate"]) - 100 * report["reads"]["mapped"] / report["reads"]["total"]) < 0.01
    if row["Sample"] == "single":
        assert int(row["unpaired_aligned_one"]) == report["reads"]["unique"]
        assert int(row["unpaired_aligned_multi"]) == report["reads"]["repeated"]
    else:
        assert int(row["paired_total"]) == report["pairs"]["total"]
        assert int(row["paired_aligned_one"]) == report["pairs"]["proper_unique"]
        assert int(row["paired_aligned_discord_one"]) == report["pairs"]["discordant_unique"]
PYTHON
fi
