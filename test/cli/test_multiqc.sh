#!/usr/bin/env bash
# The plugin for MultiQC: three samples' reports of --json are found by their content, their numbers are those of the
# JSON, the page has a section of warpseed and none of bowtie2, and a report that is not known is left out with a line in
# the log.
. "$(dirname "$0")/lib.sh"
need multiqc python3
# The interpreter of MultiQC, which has its own packages.
python=$(sed -n '1s/^#! *\([^ ]*python[^ ]*\).*/\1/p' "$(command -v multiqc)")
if ! "${python:=python3}" -m pip --version >/dev/null 2>&1 ||
  ! "$python" -c 'import setuptools, wheel, multiqc' 2>/dev/null; then
  echo "skipped: $python has no pip, setuptools or wheel, or is not MultiQC's"
  exit 77
fi

cp -r "$WARPSEED_SOURCE/share/multiqc" plugin # pip builds next to the sources
run "$python" -m pip --quiet install --no-index --no-build-isolation --no-deps --no-cache-dir --target packages ./plugin
export PYTHONPATH=$work/packages
contains packages/multiqc_warpseed-*.dist-info/METADATA "^Version: $("$WARPSEED" --version | cut -d ' ' -f 2)\$"

# Three samples: two thirds of the pairs, as two read groups, with duplicates; the other third, against a reference of
# two contigs, of every twentieth pair one mate alone; long reads, and some short ones, without a read group.
gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
{
  one_line ref.fa | awk 'NR == 2 { print ">one\n" substr($0, 1, 1050000) "\n>two\n" substr($0, 1050001) }'
} >two.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q
run "$WARPSEED" index two.fa -o two.wsi -q
for mate in 1 2; do
  for part in 0 1 2; do
    gzip -dc "$demo"/NA12878*_R$mate.fastq.gz | awk -v part=$part 'int((NR - 1) / 4) % 3 == part' >p${part}_$mate.fq
  done
done
one_line ref.fa | sed -n 2p | awk -v seed=$seed '
  BEGIN { srand(seed) }
  { for (n = 0; n < 60; ++n) {
      size = n % 12 == 0 ? 150 : 2000 + int(rand() * 8000)
      do bases = toupper(substr($0, 1 + int(rand() * (length($0) - size)), size)); while (bases ~ /N/)
      read = ""
      while (length(bases) > 60) {
        read = read substr(bases, 1, 30 + int(rand() * 29)) substr("ACGT", 1 + int(rand() * 4), 1)
        bases = substr(bases, 60)
      }
      quality = read; gsub(/./, "5", quality)
      print "@" n "\n" read "\n+\n" quality
    } }' >long.fq
mkdir data
run "$WARPSEED" align ref.wsi -1 p0_1.fq p1_1.fq -2 p0_2.fq p1_2.fq \
  -R '@RG\tID:a\tSM:alpha' -R '@RG\tID:b<i>\tSM:alpha' --sort --mark-duplicates --json data/first.report -o alpha.bam
cp run.err data/alpha.log # the summary, which no module may take for another program's
paste -d '\n' <(paste - - - - <p2_1.fq) <(paste - - - - <p2_2.fq) | awk 'NR % 40 != 7' | tr '\t' '\n' >p2.fq
run "$WARPSEED" align two.wsi -p p2.fq -R '@RG\tID:a\tSM:beta' --json data/second.json -o beta.bam
run "$WARPSEED" align ref.wsi long.fq --json data/nanopore.json -o long.bam

multiqc --no-ansi --outdir out data >multiqc.txt 2>&1 || { cat multiqc.txt >&2 && fail "multiqc"; }
contains multiqc.txt 'Found 3 reports'
cat >check.py <<'PYTHON'
"""Compares what MultiQC wrote with the reports, and its page with what it must have."""
import csv, json, re, statistics, sys

reports = {"alpha": "first.report", "beta": "second.json", "nanopore": "nanopore.json"}
reports = {name: json.load(open("data/" + file)) for name, file in reports.items()}


def same(name, is_, wanted):
    if is_ != wanted and not (isinstance(is_, float) and abs(is_ - wanted) <= 1e-9 * abs(wanted)):
        sys.exit(f"{name}: {is_}, wanted {wanted}")


def rows(file):
    return {row["Sample"]: row for row in csv.DictReader(open("out/multiqc_data/" + file), delimiter="\t")}


found, general = rows("multiqc_warpseed.txt"), rows("multiqc_general_stats.txt")
same("samples", sorted(found), sorted(reports))
same("samples of the general statistics", sorted(general), sorted(reports))
columns = 0
for sample, report in reports.items():
    row = found[sample]
    wanted = {"version": report["version"], "reference_checksum": report["reference"]["checksum"],
              "mean_depth": report["coverage"]["mean_depth"],
              "percent_covered": 100 * report["coverage"]["covered_bases"] / report["coverage"]["known_bases"],
              "percent_mapped": 100 * report["reads"]["mapped"] / report["reads"]["total"]}
    for group in ("reads", "pairs", "single_reads", "records", "duplicates"):
        wanted.update({f"{group}_{name}": value for name, value in report.get(group, {}).items() if name != "libraries"})
    good = sum(n for q, n in enumerate(report["mapping_qualities"]) if q >= 20)
    wanted.update(reads_mapq20=good, percent_mapq20=100 * good / report["reads"]["total"])
    ends = report["by_position"].values()
    mismatches, aligned = (sum(sum(end[what]) for end in ends) for what in ("mismatches", "aligned_bases"))
    wanted["percent_mismatches"] = 100 * mismatches / aligned
    if report["paired"]:
        wanted["percent_proper"] = 100 * report["pairs"]["proper"] / report["pairs"]["total"]
        sizes = [size for group in report["insert_sizes"] for size, n in group["proper_sizes"] for _ in range(n)]
        wanted["insert_size_median"] = statistics.median_low(sizes)
    if "duplicates" in report:
        wanted["percent_duplicates"] = 100 * report["duplicates"]["marked"] / report["duplicates"]["compared"]
    if "long_reads" in report:
        wanted.update({f"long_{name}": report["long_reads"][name]
                       for name in ("reads", "bases", "n50", "mapped_reads", "mapped_bases")})
        wanted["long_identity_median"] = statistics.median_low(
            [i for i, n in enumerate(report["long_reads"]["identity_percent"]) for _ in range(n)])
    for name, value in wanted.items():
        same(f"{sample} {name}", type(value)(row[name]), value)
    for name in row:
        if row[name] != "" and name not in wanted and name not in (
                "Sample", "reference", "reference_bases", "aligned_bases", "mismatches"):
            sys.exit(f"{sample} has {name}, which its report has not")
    for column, value in general[sample].items():
        if column != "Sample" and value != "":
            columns += 1
            name = next((name for name in wanted if column.endswith("-" + name)), None)
            in_millions = name == "reads_total" and float(value) != wanted[name]  # MultiQC 1.22 and later
            same(f"{sample} {column}", float(value) * (1e6 if in_millions else 1), float(wanted[name]))
if reports["beta"]["single_reads"]["total"] < 100 or "single_reads" in reports["alpha"]:
    sys.exit("single reads among pairs are not those of the test")
same("values of the general statistics", columns, 9 + 8 + 8)

by_library = rows("multiqc_warpseed_libraries.txt")
(library,) = reports["alpha"]["duplicates"]["libraries"]
same("libraries", list(by_library), ["alpha, Unknown Library"])
for what, value in library.items():
    same(f"{what} of the library", by_library["alpha, Unknown Library"][what], str(value))

page = open("out/multiqc_report.html").read()
for text in ('id="warpseed"', "Insert size", "Duplicates by library", "Differences by cycle", "Depth by contig", "Long reads",
             reports["alpha"]["version"], reports["beta"]["reference"]["checksum"]):
    if text not in page:
        sys.exit(f"the page lacks {text}")
if re.search("bowtie", page, re.I):
    sys.exit("the page has a section of bowtie")
with open("out/multiqc_data/multiqc_sources.txt") as sources:
    same("modules with files", {row["Module"] for row in csv.DictReader(sources, delimiter="\t")}, {"warpseed"})
PYTHON
python3 check.py || fail "MultiQC's data"

# The lines of plots: made by the package's functions, which MultiQC is not needed for.
cat >lines.py <<'PYTHON'
import json
from multiqc_warpseed import reports as read, series

report = json.load(open("data/first.report"))
nanopore = json.load(open("data/nanopore.json"))
reports = {"alpha": report, "long": nanopore}
reads, pairs, singles, records = series.fates(reports)
assert singles == {}
assert list(pairs) == ["alpha"] and sum(pairs["alpha"].values()) == report["pairs"]["total"]
assert sum(reads["long"].values()) == nanopore["reads"]["total"] and records["long"] == nanopore["records"]
mapq = series.mapping_qualities(reports)["alpha"]
assert list(mapq) == list(series.MAPQ_NAMES) and sum(mapq.values()) == report["reads"]["total"]
assert mapq["mapq_1"] == sum(report["mapping_qualities"][1:20]) and mapq["mapq_0"] == report["mapping_qualities"][0]
counts, shares, parts = series.insert_size_lines(reports)
assert sum(counts["alpha"].values()) == report["pairs"]["proper"] and abs(sum(shares["alpha"].values()) - 100) < 1e-6
groups = {group["read_group"]: group for group in report["insert_sizes"]}
assert list(groups) == ["a", "b<i>"]
for name, group in groups.items():
    line = parts[f"alpha, {name}, FR"]
    assert [[size, n] for size, n in line.items() if n] == group["proper_sizes_by_orientation"]["FR"]
    assert len(line) == max(line) - min(line) + 1
rates = series.by_position(reports, "by_position", "mismatch_rate", 100)
assert rates["alpha, second mates"][101] == 100 * report["by_position"]["second_mates"]["mismatch_rate"][100]
means = series.by_position(reports, "base_qualities", "mean")
assert means["alpha, first mates"][1] == report["base_qualities"]["first_mates"]["mean"][0]
gc = series.gc_content(reports)
assert set(gc) == {"alpha, first mates", "alpha, second mates", "long", "long, long reads"}
assert all(abs(sum(line.values()) - 100) < 1e-6 and len(line) == 101 for line in gc.values())
depth = series.depth_along_genome(reports)["alpha"]
contig = report["coverage"]["contigs"][0]
assert list(depth.values()) == [d for d in contig["depth"] if d is not None]
assert list(depth)[1] == report["coverage"]["window_bases"] / 1e6
beta = json.load(open("data/second.json"))
assert series.depth_along_genome({**reports, "beta": beta}) == {} and series.depth_by_contig(reports) == ({}, {})
by_contig, covered = series.depth_by_contig({"beta": beta})
assert list(by_contig["beta"]) == ["one", "two"]
assert by_contig["beta"]["two"] == beta["coverage"]["contigs"][1]["mean_depth"]
edges = {**beta, "mapping_qualities": [0] * 19 + [3, 5] + [0] * 39 + [7]}
assert read.numbers(edges)["reads_mapq20"] == 12 and series.mapping_qualities({"x": edges})["x"]["mapq_20"] == 5
assert [read.median(counts) for counts in ({}, {4: 1, 2: 1}, {1: 0, 9: 3, 2: 2})] == [None, 2, 9]
groups = [{"id": "a", "sample": "s"}, {"id": "b", "sample": None}]
assert read.sample_of({}) is read.sample_of({"read_groups": groups}) is None
assert read.sample_of({"read_groups": groups[:1]}) == "s"
lengths, identities = series.long_reads(reports)
assert list(lengths) == ["long"] and sum(lengths["long"].values()) == nanopore["long_reads"]["reads"]
PYTHON
"$python" lines.py || fail "lines of plots"

# Left out, each with a line: another version, a file that is cut off, one that lacks a member. One sample in two files:
# both are shown, under the files' names.
mkdir bad
sed 's/"schema_version": 1/"schema_version": 2/' data/second.json >bad/future.json
head -n 40 data/second.json >bad/cut.json
grep -v '"mapping_qualities"' data/second.json >bad/poor.json
cp data/second.json bad/lane1.json
python3 -c 'import json; print(json.dumps(json.load(open("data/second.json")), separators=(",", ":")))' >bad/lane2.json
multiqc --no-ansi --outdir bad_out bad >multiqc.txt 2>&1 || { cat multiqc.txt >&2 && fail "multiqc of bad files"; }
contains multiqc.txt 'future\.json is left out: it has schema_version 2, but multiqc_warpseed knows 1 alone'
contains multiqc.txt 'cut\.json is left out: it is no JSON'
contains multiqc.txt 'poor\.json is left out: it is not as its schema says \(KeyError'
contains multiqc.txt 'Found 2 reports'
equal "$(cut -f 1 bad_out/multiqc_data/multiqc_warpseed.txt | tr '\n' ' ')" "Sample lane1 lane2 " "samples of two files"
# Without any report MultiQC has nothing to write, which is no failure of the module.
mkdir none && cp bad/future.json none
multiqc --no-ansi --outdir none_out none >multiqc.txt 2>&1 || true
contains multiqc.txt "[Nn]o analysis"
if grep -qi 'traceback\|module .* raised' multiqc.txt; then fail "the module failed: $(cat multiqc.txt)"; fi
