#!/usr/bin/env bash
# Long reads of known origin by warpseed align, minimap2 and, where MINIBWA names the program, minibwa: wall time, index
# load included, and how many reads each aligns to their origin (judge_long.awk says what the figures mean).
#   compare_long_reads.sh REF.fa [LENGTH:ERROR...]     15000:0.003 15000:0.01 10000:0.05 8000:0.12 100000:0.05 if not given
# BASES (150000000 a cell), MINIMAP2 (minimap2), BACKEND (cpu), THREADS (2), REPEATS (3) and WARPSEED
# (build/release/bin/warpseed, with generate_long_reads next to it: -DWS_BENCH=ON) in the environment change the rest.
. "$(dirname "$0")/lib.sh"
[ $# -ge 1 ] || { echo "usage: compare_long_reads.sh REF.fa [LENGTH:ERROR...]" >&2 && exit 2; }
generate=$(dirname "$warpseed")/generate_long_reads
minimap2=${MINIMAP2:-minimap2} minibwa=${MINIBWA:-}
need "$generate" "$minimap2" time
plain "$1" "$work/ref.fa"
shift
cells=("$@")
[ $# -gt 0 ] || cells=(15000:0.003 15000:0.01 10000:0.05 8000:0.12 100000:0.05)

by_warpseed() { measured warpseed.times "$warpseed" align ref.wsi reads.fq -t "$threads" --backend "${BACKEND:-cpu}" --quiet -o warpseed.sam; }
by_minimap2() { measured minimap2.times "$minimap2" -ax "$preset" -t "$threads" "$preset.mmi" reads.fq -o minimap2.sam 2>/dev/null; }
by_minibwa() { measured minibwa.times "$minibwa" map -t "$threads" minibwa.idx reads.fq >minibwa.sam 2>/dev/null; }

cd "$work"
"$warpseed" index ref.fa -o ref.wsi -t "$threads" -q
programs=(warpseed minimap2)
if [ -n "$minibwa" ]; then
  programs+=(minibwa)
  "$minibwa" index -t "$threads" ref.fa minibwa.idx >/dev/null 2>&1
fi
machine
for cell in "${cells[@]}"; do
  length=${cell%:*} error=${cell#*:}
  preset=map-hifi
  if awk -v e="$error" 'BEGIN { exit !(e > 0.02) }'; then preset=map-ont; fi
  [ -f "$preset.mmi" ] || "$minimap2" -x "$preset" -t "$threads" -d "$preset.mmi" ref.fa 2>/dev/null
  "$generate" ref.wsi --bases "${BASES:-150000000}" --mean "$length" --error "$error" -o reads.fq
  count=$(($(wc -l <reads.fq) / 4))
  echo "$count reads of $length bases on average, $error errors a base; $threads threads, median of $repeats"
  rm -f ./*.times
  for ((i = 0; i < repeats; i++)); do
    for program in "${programs[@]}"; do "by_$program"; done
  done
  for program in "${programs[@]}"; do
    printf '%-9s %7s s wall %7s s CPU %6d MiB   %s\n' "$program" "$(median "$program.times" 1)" \
      "$(cpu "$program.times")" "$(($(median "$program.times" 2) / 1024))" \
      "$(awk -v reads="$count" -f "$bench/sam.awk" -f "$bench/judge_long.awk" "$program.sam")"
  done
done
