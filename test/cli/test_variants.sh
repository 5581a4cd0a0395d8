#!/usr/bin/env bash
# Reads from a genome with known variants: bcftools finds as many of them in our alignments as in bwa's.
. "$(dirname "$0")/lib.sh"
need dwgsim bwa samtools bcftools

# 300 kb of the bundled region at a depth of 20.
gzip -dc "$demo/chr20_9-11Mb.fa.gz" >all.fa
samtools faidx all.fa 20_9000001_11000000:800001-1100000 | sed '1s/.*/>region/' >ref.fa
samtools faidx ref.fa
dwgsim -z 12 -N 20000 -1 150 -2 150 -e 0.001-0.006 -E 0.002-0.012 -r 0.0012 -o 1 ref.fa sim >/dev/null 2>&1
reads=(sim.bwa.read1.fastq.gz sim.bwa.read2.fastq.gz)
group='@RG\tID:a\tSM:b'

# Variants as CHROM POS REF ALT, leftmost and shortest, so that two ways to write one compare equal.
plain() { bcftools norm -f ref.fa -m -any - 2>/dev/null | bcftools query -f '%CHROM\t%POS\t%REF\t%ALT\n' - | sort -u; }
call() { bcftools mpileup -f ref.fa "$1" 2>/dev/null | bcftools call -mv -Ov - 2>/dev/null | plain >"$2"; }
plain <sim.mutations.vcf >truth.txt

bwa index ref.fa 2>/dev/null
bwa mem -t 2 -R "$group" ref.fa "${reads[@]}" 2>/dev/null | samtools sort -o bwa.bam - 2>/dev/null
run "$WARPSEED" index ref.fa -o ref.wsi -q
run "$WARPSEED" align ref.wsi "${reads[@]}" -t 2 -R "$group" --sort --quiet -o ours.bam
call bwa.bam bwa.txt &
call ours.bam ours.txt
wait $!

f1() {
  local found both
  found=$(wc -l <"$1")
  both=$(comm -12 "$1" truth.txt | wc -l)
  awk -v found="$found" -v both="$both" -v true_ones="$(wc -l <truth.txt)" \
    'BEGIN { printf "%.4f", 2 * both / (found + true_ones) }'
}
[ "$(wc -l <truth.txt)" -gt 200 ] || fail "the simulation has only $(wc -l <truth.txt) variants"
echo "variants $(wc -l <truth.txt), F1 on bwa's alignments $(f1 bwa.txt), on ours $(f1 ours.txt)"
not_above "$(f1 bwa.txt)" "$(awk -v a="$(f1 ours.txt)" 'BEGIN { print a + 0.005 }')" "F1, bwa's against ours + 0.005"
