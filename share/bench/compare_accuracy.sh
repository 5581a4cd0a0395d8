#!/usr/bin/env bash
# warpseed align compared with bwa mem: simulated reads aligned correctly, and what the MAPQs of both are worth. Twelve cells for
# every genome: 2 x 150, 2 x 100, 2 x 250 and single 100 bases, each
#   usual    0.12 % variants, as dwgsim mixes them
#   diverged a read differs in 2 % of its bases from the reference
#   indels   one pair of ten (single read of ten) holds an indel of 5 to about 30 bases
#   compare_accuracy.sh REF.fa...
# PAIRS (50000; twice as many single reads), CELLS ('*', or a pattern such as '2x150.*'), THREADS (2) and WARPSEED
# (build/release/bin/warpseed) in the environment change the rest. judge.awk says what the figures mean. Both aligners
# get the same reads: how far chance moves a figure is seen from the reads that only one of them aligns wrongly, whose
# counts stand in the third line of a cell; `behind` names the figures in which warpseed is below bwa mem.
. "$(dirname "$0")/lib.sh"
[ $# -ge 1 ] || { echo "usage: compare_accuracy.sh REF.fa..." >&2 && exit 2; }
need bwa dwgsim
pairs=${PAIRS:-50000}
cells=${CELLS:-*}

# shape NAME: dwgsim's lengths and distances; what it sets for `indels` makes a tenth of the pairs hold one. A third of
# dwgsim's variants is on both haplotypes, so that a read sees two thirds of -r.
shape() {
  case $1 in
    2x150) options=(-1 150 -2 150 -d 400 -s 60 -N "$pairs") indels=(-r 0.0016 -R 0.33) ;;
    2x100) options=(-1 100 -2 100 -d 350 -s 50 -N "$pairs") indels=(-r 0.0019 -R 0.42) ;;
    2x250) options=(-1 250 -2 250 -d 600 -s 70 -N "$pairs") indels=(-r 0.0014 -R 0.23) ;;
    1x100) options=(-1 100 -2 0 -N $((2 * pairs))) indels=(-r 0.0027 -R 0.59) ;;
  esac
}

variants() { # variants KIND: after shape
  case $1 in
    usual) options+=(-r 0.0012 -R 0.1) ;;
    diverged) options+=(-r 0.03 -R 0.1) ;;
    indels) options+=("${indels[@]}" -I 5 -X 0.85) ;;
  esac
}

# wrong_alone OUR_WRONG THEIR_WRONG: how many reads only one of the two aligns wrongly.
wrong_alone() {
  awk '{ key = $1 " " $2 }
    FILENAME == ARGV[1] { ours[key]; a++; next }
    { b++; if (key in ours) both++ }
    END { printf "only ours wrong %d, only bwa'"'"'s %d, both %d", a - both, b - both, both }' "$1" "$2"
}

report() { # report CELL: two rows of figures, then what lies between them
  awk -v cell="$1" -v wrong_alone="$(wrong_alone ours.wrong bwa.wrong)" '
    { for (i = 1; i < NF; i++) figure[NR, $i] = $(i + 1); lies[NR] = $0; sub(/.* lies /, "", lies[NR]) }
    function row(who, n) {
      printf "%-15s %-8s %8.3f %8.3f %8.3f %8.3f  %s\n", cell, who, figure[n, "mapped"], figure[n, "correct"],
        figure[n, "sure"], figure[n, "sure4"], lies[n]
    }
    END {
      row("bwa", 1); row("warpseed", 2)
      count = split("mapped correct sure sure4", names, " ")
      for (i = 1; i <= count; i++) if (figure[2, names[i]] < figure[1, names[i]]) behind = behind " " names[i]
      if (lies[2] + 0 > 0) behind = behind " lies"
      printf "%-15s %s; behind:%s\n", cell, wrong_alone, behind == "" ? " nowhere" : behind
    }' bwa.figures ours.figures
}

compare() { # compare CELL: SHAPE.KIND
  shape "${1%%.*}"
  variants "${1##*.}"
  simulate ref.fa sim -z 13 -y 0.01 "${options[@]}"
  local reads=(sim.bwa.read1.fastq.gz) judging=("$((2 * pairs))")
  case $1 in 1x100.*) ;; *) reads+=(sim.bwa.read2.fastq.gz) ;; esac
  case $1 in *.indels) judging+=(-v wiggle=70) ;; esac # see judge.awk; longer ones are 1 of 3,000
  : >bwa.wrong
  : >ours.wrong
  bwa mem -t "$threads" ref.fa "${reads[@]}" 2>/dev/null |
    judge "${judging[@]}" -v wrong_names=bwa.wrong >bwa.figures
  "$warpseed" align ref.wsi "${reads[@]}" -t "$threads" --quiet |
    judge "${judging[@]}" -v wrong_names=ours.wrong >ours.figures
  report "$1"
}

machine
from=$PWD
for genome in "$@"; do
  cd "$from"
  plain "$genome" "$work/ref.fa"
  cd "$work"
  bwa index ref.fa 2>/dev/null
  "$warpseed" index ref.fa -o ref.wsi -t "$threads" -q
  echo "genome: $(basename "$genome"), $((2 * pairs)) reads a cell"
  printf '%-15s %-8s %8s %8s %8s %8s  %s\n' cell '' mapped correct sure sure4 'lies (MAPQ:wrong/records)'
  for shape in 2x150 2x100 1x100 2x250; do
    for kind in usual diverged indels; do
      # shellcheck disable=SC2254 # a pattern on purpose
      case $shape.$kind in $cells) compare "$shape.$kind" ;; esac
    done
  done
done
