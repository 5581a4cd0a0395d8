#!/usr/bin/env bash
# Simulated reads of known origin: as many placed right as by bwa mem, and as many of them surely.
. "$(dirname "$0")/lib.sh"
need dwgsim bwa samtools
bench=$WARPSEED_SOURCE/share/bench

gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
dwgsim -z 11 -N 15000 -1 150 -2 150 -e 0.001-0.006 -E 0.002-0.012 -r 0.0012 -o 1 ref.fa sim >/dev/null 2>&1
reads=(sim.bwa.read1.fastq.gz sim.bwa.read2.fastq.gz)

bwa index ref.fa 2>/dev/null
bwa mem -t 2 ref.fa "${reads[@]}" 2>/dev/null | awk -v reads=30000 -f "$bench/sam.awk" -f "$bench/judge.awk" >bwa.txt
run "$WARPSEED" index ref.fa -o ref.wsi -q
run "$WARPSEED" align ref.wsi "${reads[@]}" -t 2 -q -o ours.sam
awk -v reads=30000 -f "$bench/sam.awk" -f "$bench/judge.awk" ours.sam >ours.txt
echo "bwa mem:  $(cat bwa.txt)"
echo "warpseed: $(cat ours.txt)"

figure() { awk -v name="$2" '{ for (i = 1; i < NF; i++) if ($i == name) print $(i + 1) }' "$1"; }
below() { # below NAME LIMIT: how far ours may lie below bwa's, in points
  not_above "$(figure bwa.txt "$1")" "$(awk -v a="$(figure ours.txt "$1")" -v b="$2" 'BEGIN { print a + b }')" \
    "$1 %, bwa's against ours + $2"
}
below mapped 0.3
below correct 0.1
below sure 0.2

# Real pairs: mapped as often, and at MAPQ 30 and more in both at the same place.
pairs=("$demo"/NA12878_chr20_10.0-10.1Mb_R[12].fastq.gz)
primary() { samtools view -F 0x900 - | awk -F '\t' '{ print $3, $4, $5, int($2 / 16) % 2, int($2 / 4) % 2 }'; }
bwa mem -t 2 ref.fa "${pairs[@]}" 2>/dev/null | primary >bwa_places.txt
run "$WARPSEED" align ref.wsi "${pairs[@]}" -t 2 -q -o real.sam
primary <real.sam >our_places.txt
equal "$(wc -l <our_places.txt)" "$(wc -l <bwa_places.txt)" "primary records"
paste -d ' ' bwa_places.txt our_places.txt | awk '
  { mapped_bwa += !$5; mapped_ours += !$10 }
  !$5 && !$10 && $3 >= 30 && $8 >= 30 {
    both++
    # Starts differ where one clips what the other aligns: within 20 bases it is one place.
    if ($1 == $6 && $4 == $9 && $2 - $7 <= 20 && $7 - $2 <= 20) alike++
  }
  END {
    printf "mapped: bwa %.3f %%, warpseed %.3f %%; same place at MAPQ >= 30: %.3f %%\n",
      100 * mapped_bwa / NR, 100 * mapped_ours / NR, 100 * alike / both
    exit !(100 * (mapped_bwa - mapped_ours) / NR <= 0.3 && 100 * alike / both >= 99.5)
  }' || fail "real pairs: too far from bwa mem"
