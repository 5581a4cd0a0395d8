#!/usr/bin/env bash
# warpseed align compared with bwa mem: wall time of both, alternating, and how many reads each aligns correctly.
#   compare_with_bwa.sh REF.fa [PAIRS]     100,000 simulated pairs of 2 x 150 by default
# THREADS (2), REPEATS (3) and WARPSEED (build/release/bin/warpseed) in the environment change the rest.
. "$(dirname "$0")/lib.sh"
[ $# -ge 1 ] || { echo "usage: compare_with_bwa.sh REF.fa [PAIRS]" >&2 && exit 2; }
need bwa dwgsim samtools time
pairs=${2:-100000}

plain "$1" "$work/ref.fa"
cd "$work"
simulate ref.fa sim -z 13 -N "$pairs" -1 150 -2 150 -r 0.0012
reads=(sim.bwa.read1.fastq.gz sim.bwa.read2.fastq.gz)
bwa index ref.fa 2>/dev/null
"$warpseed" index ref.fa -o ref.wsi -q

by_bwa() { measured bwa.times bwa mem -t "$threads" ref.fa "${reads[@]}" >bwa.sam 2>/dev/null; }
by_us() { measured ours.times "$warpseed" align ref.wsi "${reads[@]}" -t "$threads" --quiet >ours.sam; }
for ((i = 0; i < repeats; i++)); do
  by_bwa
  by_us
done

machine
echo "input: $(basename "$1"), $pairs pairs 2 x 150, $threads threads, median of $repeats"
row() { # row NAME PREFIX
  printf '%-9s %9s s wall %9s s CPU %6d MiB peak   %s\n' "$1" "$(median "$2.times" 1)" "$(cpu "$2.times")" \
    "$(($(median "$2.times" 2) / 1024))" "$(judge $((2 * pairs)) <"$2.sam")"
}
row 'bwa mem' bwa
row warpseed ours
ratios bwa bwa.times ours.times
