#!/usr/bin/env bash
# Reads that fit nowhere or hardly: of length 0, of N alone, shorter than a seed, longer than their contig, over the
# edges of contigs and N runs. Each comes out as a record that samtools takes.
. "$(dirname "$0")/lib.sh"
need samtools

{
  make_genome chr1:3000 | sed '20s/.*/NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN/'
  printf '>short\nACGTTGCAACGGATTACAGGCTTAGCAGGACTATCTTACGAGCGGC\n>dot\nA\n>void\nNNNNNNNNNN\n'
} >ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q
one_line ref.fa | sed -n 2p >chr1.txt
short=$(one_line ref.fa | sed -n 4p)
text() { cut -c "$1" chr1.txt; }

# read NAME SEQUENCE
read_of() { printf '@%s\n%s\n+\n%s\n' "$1" "$2" "$(printf %s "$2" | tr -c '' I)"; }
long=$(for _ in 1 2 3 4 5; do text 1-1140; done | tr -d '\n')
{
  read_of fits "$(text 201-300)"
  read_of empty ""
  read_of one A
  read_of all_n NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN
  read_of one_n N
  read_of below_seed "$(text 401-418)"
  read_of seed_alone "$(text 401-419)"
  read_of poly_a AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
  read_of iupac "$(text 501-550)RYSWKMBDHV$(text 561-600)"
  read_of lower "$(text 601-700 | tr ACGT acgt)"
  read_of over_the_end "$(text 2951-3000)$(text 101-110)"
  read_of over_the_start "TTTTTTTTTT$(text 1-60)"
  read_of over_n "$(text 1081-1200)"
  read_of longer_than_short "GGGGGGGGGGCCCCCCCCCC${short}TTTTTTTTTTTTTTTTTTTT"
  read_of all_of_short "$short"
  read_of very_long "$long"
} >odd.fq
run "$WARPSEED" align ref.wsi odd.fq --quiet -o odd.sam
samtools quickcheck odd.sam
samtools view odd.sam >odd.txt

sed -n '1~4s/@//p' odd.fq >names.txt
samtools view -F 0x900 odd.sam | cut -f 1 | cmp - names.txt || fail "not one primary record a read, in input order"

# state NAME: "unmapped" or contig:position of the primary record
state() {
  awk -F '\t' -v name="$1" '$1 == name && int($2 / 256) % 2 == 0 && int($2 / 2048) % 2 == 0 {
    print (int($2 / 4) % 2 ? "unmapped" : $3 ":" $4) }' odd.txt
}
for name in empty one all_n one_n below_seed; do
  equal "$(state $name)" unmapped "$name"
done
equal "$(state fits)" chr1:201 fits
equal "$(state iupac)" chr1:501 iupac
equal "$(state lower)" chr1:601 lower
equal "$(state over_the_end)" chr1:2951 over_the_end
equal "$(state over_the_start)" chr1:1 over_the_start
equal "$(state all_of_short)" short:1 all_of_short
equal "$(state longer_than_short)" short:1 longer_than_short
equal "$(awk -F '\t' '$1 == "empty" { print $10 $11 }' odd.txt)" '**' "SEQ and QUAL of an empty read"
awk -F '\t' 'int($2 / 4) % 2 && ($6 != "*" || $5 != 0) { exit 1 }' odd.txt || fail "an unmapped record with CIGAR or MAPQ"

# No alignment runs over the end of its contig or over an N (N runs are never matched, so a clip ends there).
samtools faidx ref.fa
awk -F '\t' 'NR == FNR { size[$1] = $2; next }
  int($2 / 4) % 2 == 0 {
    end = $4 - 1; cigar = $6
    while (match(cigar, /^[0-9]+[A-Z=]/)) {
      n = substr(cigar, 1, RLENGTH - 1); op = substr(cigar, RLENGTH, 1); cigar = substr(cigar, RLENGTH + 1)
      if (op ~ /[MDN=X]/) end += n
    }
    if (end > size[$3]) exit 1
  }' ref.fa.fai odd.txt || fail "an alignment over the end of its contig"

# As mates of each other, in every format, sorted and not; with an odd mate a good one still finds its place.
fits=$(sed -n 1,4p odd.fq)
while read -r name; do printf '%s\n' "$fits" | sed "1s/.*/@$name/"; done <names.txt >good.fq
for format in sam bam cram; do
  run "$WARPSEED" align ref.wsi odd.fq good.fq --quiet -o pairs.$format
  samtools quickcheck pairs.$format || fail "pairs.$format"
  equal "$(samtools view -T ref.fa -c -F 0x900 pairs.$format)" $((2 * $(wc -l <names.txt))) "primary records, $format"
done
equal "$(samtools view -f 0x80 -F 0x904 pairs.bam | awk '$3 == "chr1" && $4 == 201' | wc -l)" "$(wc -l <names.txt)" \
  "good mates in their place"
run "$WARPSEED" align ref.wsi good.fq odd.fq --quiet --sort -o sorted.bam
samtools quickcheck sorted.bam
samtools view -c sorted.bam chr1:201-300 >/dev/null

# FASTA reads have no qualities; no reads give a header alone.
awk 'NR % 4 == 1 { print ">" substr($0, 2) } NR % 4 == 2' odd.fq | sed '3,4d' >odd.fa
run "$WARPSEED" align ref.wsi odd.fa --quiet -o fasta.sam
equal "$(samtools view fasta.sam | awk -F '\t' '$1 == "fits" { print $11 }')" '*' "qualities of a FASTA read"
: >none.fq
: >none_2.fq
for files in none.fq "none.fq none_2.fq" "-p none.fq"; do
  # shellcheck disable=SC2086
  run "$WARPSEED" align ref.wsi $files --quiet -o none.bam
  samtools quickcheck none.bam
  equal "$(samtools view -c none.bam)" 0 "records of no reads"
done
run "$WARPSEED" align ref.wsi none.fq --quiet --sort -o none.bam
samtools quickcheck none.bam
