#!/usr/bin/env bash
# Structural variants that long reads show when warpseed align and minimap2 align them: reads of a changed genome
# (structural_variants.awk), aligned to the unchanged one, and how many breakpoints are within 10 bases (breakpoints.awk).
#   compare_breakpoints.sh REF.fa      its first sequence
# COUNTS (200,200,50 insertions, deletions, inversions), DEPTH (10), CELLS ('15000:0.003 10000:0.05', LENGTH:ERROR),
# MINIMAP2 (minimap2), THREADS (2) and WARPSEED (as for compare_long_reads.sh) in the environment change the rest.
. "$(dirname "$0")/lib.sh"
[ $# -eq 1 ] || { echo "usage: compare_breakpoints.sh REF.fa" >&2 && exit 2; }
generate=$(dirname "$warpseed")/generate_long_reads
minimap2=${MINIMAP2:-minimap2}
need "$generate" "$minimap2"
plain "$1" "$work/all.fa"
cd "$work"
awk '/^>/ && n++ { exit } { print }' all.fa >ref.fa
{ head -n 1 ref.fa && tail -n +2 ref.fa | tr -d '\n' && echo; } >one_line.fa
awk -v counts="${COUNTS:-200,200,50}" -v seed=1 -v truth=truth.tsv -f "$bench/structural_variants.awk" one_line.fa >changed.fa
"$warpseed" index ref.fa -o ref.wsi -t "$threads" -q
"$warpseed" index changed.fa -o changed.wsi -t "$threads" -q
bases=$(($(tail -n +2 changed.fa | tr -d '\nNn' | wc -c) * ${DEPTH:-10}))
judge_breakpoints() { awk -v truth=truth.tsv -f "$bench/sam.awk" -f "$bench/breakpoints.awk"; }
machine
for cell in ${CELLS:-15000:0.003 10000:0.05}; do
  length=${cell%:*} error=${cell#*:}
  preset=map-hifi
  if awk -v e="$error" 'BEGIN { exit !(e > 0.02) }'; then preset=map-ont; fi
  "$generate" changed.wsi --bases "$bases" --mean "$length" --error "$error" -o reads.fq
  echo "reads of $length bases on average, $error errors a base, depth ${DEPTH:-10}"
  printf '%-9s %s\n' warpseed "$("$warpseed" align ref.wsi reads.fq -t "$threads" --quiet | judge_breakpoints)"
  printf '%-9s %s\n' minimap2 "$("$minimap2" -ax "$preset" -t "$threads" ref.fa reads.fq 2>/dev/null | judge_breakpoints)"
done
