#!/usr/bin/env bash
# warpseed overlap matches beside mummer -maxmatch -b -n: wall time and peak memory from FASTA to matches, both strands;
# the matches must be the same. Then the targets' index in place of their FASTA, made once, compared with the same mummer.
#   compare_with_mummer.sh TARGET.fa QUERY.fa
# MIN_LENGTH (20), THREADS (2), REPEATS (3) and WARPSEED (build/release/bin/warpseed) in the environment change the rest.
. "$(dirname "$0")/lib.sh"
[ $# -eq 2 ] || { echo "usage: compare_with_mummer.sh TARGET.fa QUERY.fa" >&2 && exit 2; }
need mummer time
length=${MIN_LENGTH:-20}

plain "$1" "$work/target.fa"
plain "$2" "$work/query.fa"
cd "$work"
"$warpseed" index target.fa -o target.wsi -t "$threads" --backend cpu -q
ours() { # ours TIMES TARGET
  measured "$1" "$warpseed" overlap matches "$2" query.fa --min-length "$length" --format mums -o ours.mums \
    -t "$threads" --backend cpu -q
}
for ((i = 0; i < repeats; i++)); do
  measured mummer.times mummer -maxmatch -b -n -c -F -l "$length" target.fa query.fa >mummer.mums 2>/dev/null
  ours index.times target.wsi
  ours ours.times target.fa
done
sort mummer.mums >mummer.sorted
sort ours.mums | cmp - mummer.sorted || { echo "the matches differ" >&2 && exit 1; }

row() { # row NAME TIMES
  awk -v name="$1" -v wall="$(median "$2" 1)" -v cpu="$(cpu "$2")" -v kib="$(median "$2" 2)" 'BEGIN {
    printf "%-15s %8.2f s wall %8.2f s CPU %8.1f MiB peak\n", name, wall, cpu, kib / 1024 }'
}
machine
echo "input: $(basename "$1") and $(basename "$2"), $(grep -vc '^>' mummer.mums) matches of $length bases and more," \
  "the same from both; $threads threads (mummer has one), median of $repeats"
row mummer mummer.times
row "warpseed FASTA" ours.times
row "warpseed index" index.times
ratios mummer mummer.times ours.times
ratios mummer mummer.times index.times
