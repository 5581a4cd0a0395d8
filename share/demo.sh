#!/usr/bin/env bash
# From reads to a sorted BAM file: indexes 2 Mb of human chromosome 20, aligns 21,405 pairs of real reads (NA12878) to
# it and sums up what came out. Runs the program that is there: $WARPSEED, the one built in build/release, the one
# installed together with this script, or, if it has this version, the one on the PATH. In a source tree without any of
# them it sets up and builds first.
#   share/demo.sh [FOLDER]                    results in FOLDER; by default build/demo, installed warpseed-demo
#   WARPSEED=path share/demo.sh [FOLDER]      the same with a program of choice
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
data=$here/demo
top=$(dirname "$here")  # the root of the repository, or share/ of an installation
contig=20_9000001_11000000  # its position 1 is 20:9,000,001
first=9000000

# The version of the sources around this script; nothing where it is installed.
source_version() {
  sed -n 's/.*version = "\(.*\)".*/\1/p' "$top/src/include/warpseed/version.hpp" 2>/dev/null || true
}

# Prints the program to run; nothing if there is none.
find_program() {
  local on_path
  on_path=$(command -v warpseed || true)
  if [ -n "${WARPSEED-}" ]; then
    echo "$WARPSEED"
  elif [ -z "$(source_version)" ]; then
    if [ -x "$top/../bin/warpseed" ]; then realpath "$top/../bin/warpseed"; else echo "$on_path"; fi
  elif [ -x "$top/build/release/bin/warpseed" ]; then
    echo "$top/build/release/bin/warpseed"
  elif [ -n "$on_path" ] && [ "$("$on_path" --version)" = "warpseed $(source_version)" ]; then
    echo "$on_path"
  fi
}

WARPSEED=$(find_program)
if [ -z "$WARPSEED" ] && [ -z "$(source_version)" ]; then
  echo "demo: there is no program warpseed in $(realpath -m "$top/../bin") or on the PATH; name it: WARPSEED=path $0" >&2
  exit 1
elif [ -z "$WARPSEED" ]; then
  "$top/share/setup.sh"
  "$top/share/build.sh" warpseed_app
  WARPSEED=$top/build/release/bin/warpseed
fi
if ! command -v samtools >/dev/null; then
  echo "demo: samtools is missing, which sums up the result. Install it: apt-get install samtools" >&2
  exit 1
fi
if [ -n "$(source_version)" ]; then out=$top/build/demo; else out=warpseed-demo; fi
out=$(realpath -m "${1:-$out}")
mkdir -p "$out"

say() { printf '\n== %s\n' "$1"; }

# Mean depth of each exon of the SAF table (1-based, closed) that lies in 20:10.0-10.1 Mb.
exon_depths() {
  gzip -dc "$data/hg19_RefSeq_exon.chr20_9-11Mb.saf.gz" |
    awk -v OFS='\t' -v contig=$contig -v first=$first \
      'NR > 1 && $3 > 10000000 && $4 <= 10100000 { print contig, $3 - 1 - first, $4 - first, $1 }' |
    sort -u -k 2,2n -k 3,3n >"$out/exons.bed"
  samtools bedcov "$out/exons.bed" "$out/NA12878.bam" |
    awk -v first=$first '{ printf "  20:%d-%d  gene %-9s %5.1f\n", $2 + 1 + first, $3 + first, $4, $5 / ($3 - $2) }'
}

summarise() {
  samtools stats "$out/NA12878.bam" | awk -F '\t' '
    $1 == "SN" { value[$2] = $3 }
    END {
      reads = value["raw total sequences:"]
      printf "reads              %d\n", reads
      printf "mapped             %.2f %%\n", 100 * value["reads mapped:"] / reads
      printf "properly paired    %.2f %%\n", 100 * value["reads properly paired:"] / reads
      printf "insert size        %.0f +- %.0f bases\n", value["insert size average:"],
        value["insert size standard deviation:"]
      printf "mismatches         %.2f %% of the aligned bases\n", 100 * value["error rate:"]
    }'
  samtools coverage --no-header --region "$contig:1000001-1100000" "$out/NA12878.bam" |
    awk '{ printf "20:10.0-10.1 Mb    mean depth %.1f, %.2f %% of the bases covered\n", $7, $6 }'
  echo "mean depth of its exons (RefSeq; genes by their Entrez numbers):"
  exon_depths
}

say "what can compute here, by $WARPSEED"
"$WARPSEED" backends
backend=$("$WARPSEED" backends | awk '/^cuda:/ { print $1; exit }')
backend=${backend:-cpu}

say "index"
"$WARPSEED" index "$data/chr20_9-11Mb.fa.gz" -o "$out/chr20_9-11Mb.wsi"

say "align"
"$WARPSEED" align "$out/chr20_9-11Mb.wsi" "$data"/NA12878_chr20_10.0-10.1Mb_R[12].fastq.gz \
  -R '@RG\tID:NA12878\tSM:NA12878\tPL:ILLUMINA' --sort -o "$out/NA12878.bam"

say "summary"
samtools quickcheck "$out/NA12878.bam"
summarise | tee "$out/summary.txt"

say "files (computed on $backend)"
for file in chr20_9-11Mb.wsi NA12878.bam NA12878.bam.bai summary.txt; do
  printf '%10d bytes  %s\n' "$(stat -c %s "$out/$file")" "$out/$file"
done
