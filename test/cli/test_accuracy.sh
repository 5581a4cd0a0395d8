#!/usr/bin/env bash
# As good as bwa mem: simulated reads of known origin in twelve cells (share/bench/compare_accuracy.sh), and real pairs.
# Seeds are fixed, so that the figures move only with the program; the margins tell a loss of a tenth of a point.
. "$(dirname "$0")/lib.sh"
need dwgsim bwa samtools
bench=$WARPSEED_SOURCE/share/bench

# The judge itself: pairs of which the first ones are wrong.
judge_planted() { # judge_planted PAIRS WRONG MAPQ1 MAPQ2
  awk -v pairs="$1" -v wrong="$2" -v mapq1="$3" -v mapq2="$4" 'BEGIN {
    OFS = "\t"; read = "ACGTACGTAC"
    for (i = 1; i <= pairs; i++) {
      name = "chr1_1000_1200_0_1_0_0_0:0:0_0:0:0_" i; moved = i <= wrong ? 5000 : 0
      print name, 99, "chr1", 1000 + moved, mapq1, "10M", "=", 1200 + moved, 210, read, read
      print name, 147, "chr1", 1200 + moved, mapq2, "10M", "=", 1000 + moved, -210, read, read
    }
  }' | awk -f "$bench/sam.awk" -f "$bench/judge.awk" | sed 's/.* lies //'
}
expect_lies() { # expect_lies WANTED JUDGE_PLANTED...
  local wanted=$1 got
  shift
  got=$(judge_planted "$@")
  [ "$got" = "$wanted" ] || fail "judge.awk on $*: '$got', wanted '$wanted'"
}
expect_lies 0 1000 4 30 30  # six reads of 2,000 are allowed, and eight no wonder
expect_lies '1 30:24/2000' 1000 12 30 30
expect_lies '2 31:12/1000 30:12/1000' 1000 12 30 31
expect_lies 0 100 1 50 20  # one error tells nothing, and MAPQs of 20 and less are not asked
expect_lies '1 50:2/200' 100 1 50 50
expect_lies '1 50-49:2/200' 100 1 50 49

# How far a figure may lie below bwa's, in points: one cell (10 reads of 10,000), and the mean of all cells.
PAIRS=5000 THREADS=2 run "$bench/compare_accuracy.sh" "$demo/chr20_9-11Mb.fa.gz" >cells.txt
awk -v of_cell=0.1 -v of_mean=0.03 '
  BEGIN { figures = split("mapped correct sure sure4", names, " ") }
  $2 == "bwa" { for (i = 1; i <= figures; i++) bwa[$1, i] = $(i + 2) }
  $2 == "warpseed" {
    cells++
    if ($NF != 0) complain($1 ": MAPQs that promise too much: " $0)
    for (i = 1; i <= figures; i++) {
      below = bwa[$1, i] - $(i + 2)
      sum[i] += below
      if (below > of_cell + 1e-9) complain($1 ": " names[i] " " $(i + 2) " %, bwa mem " bwa[$1, i] " %")
    }
  }
  function complain(what) { print what; failed = 1 }
  END {
    if (cells != 12) complain(cells + 0 " cells, wanted 12")
    for (i = 1; i <= figures && cells; i++) {
      printf "%s: %+.4f points beside bwa mem in the mean of %d cells\n", names[i], -sum[i] / cells, cells
      if (sum[i] / cells > of_mean) complain(names[i] " is too far below")
    }
    exit failed
  }' cells.txt || { cat cells.txt && fail "simulated reads: not as good as bwa mem"; }

# Real pairs: mapped as often, and where both are sure almost every record the same and every one at the same position.
gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
bwa index ref.fa 2>/dev/null
run "$WARPSEED" index ref.fa -o ref.wsi -q
pairs=("$demo"/NA12878_chr20_10.0-10.1Mb_R[12].fastq.gz)
bwa mem -t 2 ref.fa "${pairs[@]}" >bwa.sam 2>/dev/null
run "$WARPSEED" align ref.wsi "${pairs[@]}" -t 2 --quiet -o ours.sam
run "$bench/compare_positions.sh" ours.sam bwa.sam >positions.txt
awk '
  /^reads/ { ours = $5; theirs = $8 }
  /^same record/ { same = $(NF - 2) + $(NF - 1) + $NF }
  /^(same record|other clips|other gaps|other part|other position) / { both += $(NF - 2) + $(NF - 1) + $NF }
  /^other position/ { elsewhere = $(NF - 2) + $(NF - 1) + $NF }
  END {
    printf "real pairs: mapped %.3f %%, bwa mem %.3f %%; of %d that both place surely %.3f %% the same, %d elsewhere\n",
      ours, theirs, both, 100 * same / both, elsewhere
    exit !(theirs - ours <= 0.1 && both > 0.985 * 42810 && same >= 0.998 * both && elsewhere == 0)
  }' positions.txt || { cat positions.txt && fail "real pairs: too far from bwa mem"; }

# Copies that nothing tells apart, on both strands: the lots are bwa mem's, read by read and pair by pair.
awk '!/^>/ { text = text $0 }
  END {
    text = toupper(substr(text, 500001, 60000))
    for (i = length(text); i > 0; i--) {
      at = index("ACGT", substr(text, i, 1))
      turned = turned (at ? substr("TGCA", at, 1) : "N")
    }
    printf ">one\n%s\n>two\n%s\n>three\n%s\n", text, text, turned
  }' ref.fa >copies.fa
bwa index copies.fa 2>/dev/null
run "$WARPSEED" index copies.fa -o copies.wsi -q
dwgsim -z 13 -1 150 -2 150 -d 400 -s 60 -N 5000 -r 0.0012 -y 0.01 -e 0.001-0.006 -E 0.002-0.012 -o 1 copies.fa copies \
  >/dev/null 2>&1
primary_places() { awk '!/^@/ && $2 < 256 { print $1, $2, $3, $4 }'; }
for reads in 1 "1 2"; do
  files=()
  for mate in $reads; do files+=("copies.bwa.read$mate.fastq.gz"); done
  bwa mem -t 2 copies.fa "${files[@]}" 2>/dev/null | primary_places >theirs.txt
  run "$WARPSEED" align copies.wsi "${files[@]}" -t 2 --quiet | primary_places >ours.txt
  count=$(wc -l <theirs.txt)
  same=$(comm -12 <(sort ours.txt) <(sort theirs.txt) | wc -l)
  echo "three copies: $same of $count reads as bwa mem places them"
  for copy in one two three; do
    [ $((4 * $(grep -cw "$copy" ours.txt))) -ge "$count" ] || fail "copies: $copy is hardly ever drawn"
  done
  [ $((1000 * same)) -ge $((999 * count)) ] || fail "copies: other lots than bwa mem's"
done
