#!/usr/bin/env bash
# `align` with libraries of every orientation, read length and given insert size: flags and places as from bwa mem.
. "$(dirname "$0")/lib.sh"
need bwa samtools

make_genome chr1:200000 chr2:100000 >ref.fa
bwa index ref.fa 2>/dev/null
run "$WARPSEED" index ref.fa -o ref.wsi -q
make_pairs ref.fa 3000 fr

turn() { awk "$turned"' NR % 4 == 2 { print turned($0); next } { print }' "$1"; }
cut_to() { awk -v n="$2" 'NR % 2 == 0 { print substr($0, 1, n); next } { print }' "$1"; } # of FASTQ: the first n bases
turn fr_1.fq >rf_1.fq
turn fr_2.fq >rf_2.fq
cp fr_1.fq ff_1.fq
turn fr_2.fq >ff_2.fq
turn fr_1.fq >rr_1.fq
cp fr_2.fq rr_2.fq
cut_to fr_1.fq 36 >short_1.fq
cut_to fr_2.fq 36 >short_2.fq
cp short_1.fq mixed_1.fq
cp fr_2.fq mixed_2.fq

# as_bwa NAME FLAGS...: flag, contig, position, CIGAR and template length of the primary records, as bwa mem's.
as_bwa() {
  local name=$1
  shift
  bwa mem -t 2 "$@" ref.fa "${name}_1.fq" "${name}_2.fq" 2>/dev/null |
    samtools view -F 0x900 | cut -f 1-4,6-9 >bwas.txt
  run "$WARPSEED" align ref.wsi --quiet "$@" "${name}_1.fq" "${name}_2.fq" >ours.sam
  samtools view -F 0x900 ours.sam | cut -f 1-4,6-9 >ours.txt
  equal "$(wc -l <ours.txt)" "$(wc -l <bwas.txt)" "$name $*: primary records"
  paste ours.txt bwas.txt | awk -F '\t' '
    { n++; same = 1; for (i = 1; i <= 8; i++) if ($i != $(i + 8)) same = 0 }
    { alike += same; proper += int($2 / 2) % 2 }
    END { printf "%.4f of the records as from bwa mem, %.4f in proper pairs\n", alike / n, proper / n
          exit !(alike / n >= 0.995) }' >share.txt || fail "$name $*: $(cat share.txt)"
  echo "$name $*: $(cat share.txt)"
}
for library in fr rf ff rr short mixed; do
  as_bwa $library
  awk '{ exit !($(NF - 3) > 0.98) }' share.txt || fail "$library: pairs that are not proper: $(cat share.txt)"
done
# Given: all of these fragments are proper, few of them, none.
as_bwa fr -I 350,30
as_bwa fr -I 320,10
as_bwa fr -I 1000,20
as_bwa fr -I 350,30,380,340
as_bwa rf -I 350,30
