#!/usr/bin/env bash
# Variants that bcftools finds in warpseed's alignments and in bwa mem's, compared with the simulated ones.
#   compare_variants.sh REF.fa                                 simulated pairs 2 x 150 with dwgsim's variants
#   compare_variants.sh REF.fa R1 R2 TRUTH.vcf [REGIONS.bed]   real pairs; only inside of the regions, if given
# DEPTH (20) of the simulated pairs, VARIANTS ('-r 0.0012'; for instance '-r 0.0016 -R 0.33 -I 5 -X 0.85': a third of them
# indels of 5 to about 30 bases) as dwgsim's options, QUALITY (20): the least QUAL of a call, THREADS (2) and WARPSEED
# (build/release/bin/warpseed) in the environment change the rest. Variants are compared as CHROM POS REF ALT after
# bcftools norm; genotypes are not. Truth on a whole chromosome fits a reference record that is named
# CHROMOSOME_START_END (1-based, with or without `chr`) as a piece of it.
. "$(dirname "$0")/lib.sh"
if [ $# -ne 1 ] && [ $# -ne 4 ] && [ $# -ne 5 ]; then
  echo "usage: compare_variants.sh REF.fa [R1 R2 TRUTH.vcf [REGIONS.bed]]" >&2
  exit 2
fi
need bwa samtools bcftools
plain "$1" "$work/ref.fa"
samtools faidx "$work/ref.fa"

# onto_reference COLUMNS <TABLE: contigs and positions of a VCF (COLUMNS 2) or BED (2 and 3) in the reference's terms.
onto_reference() {
  awk -v columns="$1" 'BEGIN { FS = OFS = "\t"; count = split(columns, column, " ") }
    FILENAME == ARGV[1] {
      known[$1]
      contigs = contigs "##contig=<ID=" $1 ",length=" $2 ">\n"
      if (match($1, /_[0-9]+_[0-9]+$/)) {
        chromosome = substr($1, 1, RSTART - 1); sub(/^chr/, "", chromosome)
        split(substr($1, RSTART + 1), ends, "_"); piece[chromosome] = $1; before[chromosome] = ends[1] - 1
        size[chromosome] = $2
      }
      next
    }
    /^#CHROM/ { printf "%s", contigs }
    /^#/ { if ($0 !~ /^##contig/) print; next }
    $1 in known { print; next }
    { chromosome = $1; sub(/^chr/, "", chromosome) }
    chromosome in piece {
      $1 = piece[chromosome]
      for (i = 1; i <= count; i++) $column[i] -= before[chromosome]
      if ($2 >= 0 && $column[count] <= size[chromosome]) print
    }' "$work/ref.fa.fai" -
}

# comparable OUT.vcf.gz <VCF: one allele a line, leftmost, sorted.
comparable() {
  bcftools norm -m -any -Ou - 2>/dev/null | bcftools norm -f "$work/ref.fa" -d exact -Ou - 2>/dev/null |
    bcftools annotate -x INFO,FORMAT -Ou - | bcftools sort -Oz -o "$1" - 2>/dev/null
  bcftools index -f "$1"
}

inputs() { # inputs [R1 R2 TRUTH [REGIONS]]: reads, truth.vcf.gz and inside, what restricts the calls
  inside=()
  if [ $# -eq 0 ]; then
    need dwgsim
    local letters variants
    read -ra variants <<<"${VARIANTS:--r 0.0012}"
    letters=$(awk '{ n += $2 } END { print n }' "$work/ref.fa.fai")
    simulate "$work/ref.fa" "$work/sim" -z 12 -y 0 -N $((letters * ${DEPTH:-20} / 300)) -1 150 -2 150 "${variants[@]}"
    reads=("$work"/sim.bwa.read[12].fastq.gz)
    onto_reference 2 <"$work/sim.mutations.vcf" | comparable "$work/truth.vcf.gz"
    return
  fi
  reads=("$1" "$2")
  if [ $# -ge 4 ]; then
    onto_reference "2 3" <"$4" >"$work/regions.bed"
    inside=(-T "$work/regions.bed")
  fi
  plain "$3" "$work/truth.vcf"
  onto_reference 2 <"$work/truth.vcf" | bcftools view "${inside[@]}" - | comparable "$work/truth.vcf.gz"
}

call() { # call NAME: NAME.vcf.gz of NAME.bam
  bcftools mpileup -f "$work/ref.fa" "${inside[@]}" "$work/$1.bam" -Ou 2>/dev/null |
    bcftools call -mv -Ou - 2>/dev/null | bcftools view -i "QUAL>=${QUALITY:-20}" - | comparable "$work/$1.vcf.gz"
}

# score NAME TYPE: a row of the table for snps or indels
score() {
  local of_type=(-v "$2" -H) found there both
  found=$(bcftools view "${of_type[@]}" "$work/$1.vcf.gz" | wc -l)
  there=$(bcftools view "${of_type[@]}" "$work/truth.vcf.gz" | wc -l)
  both=$(bcftools isec -n =2 -w 1 -Ou "$work/$1.vcf.gz" "$work/truth.vcf.gz" | bcftools view "${of_type[@]}" - | wc -l)
  awk -v who="$3" -v type="$2" -v found="$found" -v there="$there" -v both="$both" 'BEGIN {
    printf "%-7s %-9s %8d %8d %8d %9.4f %9.4f %9.4f\n", type, who, there, found, both, there ? both / there : 1,
      found ? both / found : 1, found + there ? 2 * both / (found + there) : 1 }'
}

inputs "${@:2}"
group='@RG\tID:a\tSM:b'
bwa index "$work/ref.fa" 2>/dev/null
"$warpseed" index "$work/ref.fa" -o "$work/ref.wsi" -t "$threads" -q
bwa mem -t "$threads" -R "$group" "$work/ref.fa" "${reads[@]}" 2>/dev/null |
  samtools sort -o "$work/bwa.bam" - 2>/dev/null
"$warpseed" align "$work/ref.wsi" "${reads[@]}" -t "$threads" -R "$group" --sort --quiet -o "$work/ours.bam"
call bwa &
call ours
wait $!

echo "genome: $(basename "$1"), calls of QUAL >= ${QUALITY:-20}"
printf '%-7s %-9s %8s %8s %8s %9s %9s %9s\n' '' '' 'to find' called right recall precision F1
for type in snps indels; do
  score bwa "$type" 'bwa mem'
  score ours "$type" warpseed
done
