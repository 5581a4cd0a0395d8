#!/usr/bin/env bash
# Long reads cut from 2 Mb of human chromosome 20, with errors of all kinds: aligned where they come from, as one record
# each, the same for any threads and backend; judged by samtools and, where it is there, picard. PAF, cs, =/X, CG, MM and ML.
. "$(dirname "$0")/lib.sh"
need samtools

gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
samtools faidx ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q
one_line ref.fa | sed -n 2p >genome.txt

# cut_reads COUNT LENGTH ERRORS FILE: reads NUMBER!BEGIN!END!STRAND as FASTQ; a third each of substitutions, insertions
# and deletions.
cut_reads() {
  awk -v count="$1" -v size="$2" -v rate="$3" -v seed=$seed '
    BEGIN { srand(seed); split("A C G T", bases_of, " "); split("T G C A N", other, " ")
            for (i = 1; i <= 5; ++i) complement[substr("ACGTN", i, 1)] = other[i] }
    { genome = toupper($0)
      for (n = 0; n < count; ++n) {
        do { begin = int(rand() * (length(genome) - size)); bases = substr(genome, begin + 1, size) } while (bases ~ /N/)
        read = ""
        for (i = 1; i <= size; ++i) {
          base = substr(bases, i, 1)
          if (rand() >= rate) { read = read base; continue }
          kind = rand()
          if (kind < 0.33) read = read bases_of[1 + int(rand() * 4)]
          else if (kind < 0.66) read = read base bases_of[1 + int(rand() * 4)]
        }
        strand = rand() < 0.5 ? "+" : "-"
        if (strand == "-") { other_strand = ""
          for (i = length(read); i > 0; --i) other_strand = other_strand complement[substr(read, i, 1)]
          read = other_strand }
        quality = read; gsub(/./, "I", quality)
        print "@" n "!" begin "!" begin + size "!" strand "\n" read "\n+\n" quality
      } }' genome.txt >"$4"
}

cut_reads 150 9000 0.01 hifi.fq
cut_reads 100 7000 0.10 ont.fq
cut_reads 30 600 0.01 short.fq
cat hifi.fq ont.fq short.fq >all.fq

run "$WARPSEED" align ref.wsi all.fq --quiet -o all.sam
samtools quickcheck all.sam
# Of each kind nearly all are primary records at their origin, whole.
for file in hifi ont; do
  count=$(($(wc -l <$file.fq) / 4))
  run "$WARPSEED" align ref.wsi $file.fq --quiet -o $file.paf
  right=$(awk -F '\t' '{ split($1, of, "!"); from = $8 - of[2]; to = $9 - of[3]
    if ($13 == "tp:A:P" && $5 == of[4] && from * from < 2500 && to * to < 2500 && $4 - $3 > 0.98 * $2) print }' $file.paf | wc -l)
  if [ "$right" -lt $((count * 97 / 100)) ]; then fail "$file: $right of $count reads are whole and at their origin"; fi
  sure=$(awk -F '\t' '$12 == 60' $file.paf | wc -l)
  if [ "$sure" -lt $((count * 90 / 100)) ]; then fail "$file: $sure of $count reads at MAPQ 60"; fi
done

# The same bytes for any threads; a batch of BAM, a pipe.
for threads in 1 3; do
  run "$WARPSEED" align ref.wsi all.fq --quiet -t $threads -o t$threads.sam
  grep -v '^@PG' t$threads.sam | cmp - <(grep -v '^@PG' all.sam) || fail "$threads threads give other records"
done
samtools import -0 all.fq -o unaligned.bam 2>/dev/null
run "$WARPSEED" align ref.wsi unaligned.bam --quiet -o from_bam.sam
grep -v '^@' from_bam.sam | cmp - <(grep -v '^@' all.sam) || fail "reads from BAM give other records"

# NM and MD as samtools computes them; SEQ and QUAL are the read's.
samtools calmd -Q all.sam ref.fa 2>calmd.err >calmd.sam
if grep -q different calmd.err; then fail "NM or MD differ from calmd's: $(head -n 2 calmd.err)"; fi
samtools fastq -F 0x900 all.sam 2>/dev/null | cmp - all.fq || fail "the primary records do not hold the reads"

# Sorted BAM and CRAM hold the records.
run "$WARPSEED" align ref.wsi all.fq --quiet --sort -o sorted.bam
run "$WARPSEED" align ref.wsi all.fq --quiet --sort --reference ref.fa -o sorted.cram
equal "$(samtools view -c sorted.bam)" "$(grep -vc '^@' all.sam)" "records in BAM"
equal "$(samtools view -c -T ref.fa sorted.cram)" "$(grep -vc '^@' all.sam)" "records in CRAM"
if command -v PicardCommandLine >/dev/null; then
  run "$WARPSEED" align ref.wsi all.fq -R '@RG\tID:a\tSM:b\tPL:ONT' --quiet --sort -o judged.bam
  samtools dict ref.fa -o ref.dict
  PicardCommandLine ValidateSamFile I=judged.bam R=ref.fa MODE=SUMMARY O=validation.txt >picard.log 2>&1 || true
  grep -q 'No errors found' validation.txt || fail "picard: $(cat validation.txt)"
fi

# PAF has the fields of the SAM records; cs and =/X agree with NM.
run "$WARPSEED" align ref.wsi hifi.fq --quiet --cs short --eqx -o hifi.sam
run "$WARPSEED" align ref.wsi hifi.fq --quiet --cs short -o cs.paf
samtools view -F 4 hifi.sam | awk -F '\t' '{
  edits = 0; cigar = $6
  while (match(cigar, /^[0-9]+[MIDNSHP=X]/)) {
    if (substr(cigar, RLENGTH, 1) ~ /[XID]/) edits += substr(cigar, 1, RLENGTH - 1)
    if (substr(cigar, RLENGTH, 1) == "M") bad = 1
    cigar = substr(cigar, RLENGTH + 1)
  }
  for (i = 12; i <= NF; ++i) if ($i ~ /^NM:i:/ && substr($i, 6) != edits) bad = 1
  } END { exit bad }' || fail "=/X and NM disagree"
equal "$(awk -F '\t' '{ print $1, $10 }' cs.paf | sort | cksum)" "$(awk -F '\t' '{
  same = 0; for (i = 13; i <= NF; ++i) if ($i ~ /^cs:Z:/) { cs = substr($i, 6)
    while (match(cs, /:[0-9]+/)) { same += substr(cs, RSTART + 1, RLENGTH - 1); cs = substr(cs, RSTART + RLENGTH) } }
  print $1, same }' cs.paf | sort | cksum)" "equal bases in PAF's column 10 and in cs"

# A CIGAR of more than 65,535 operations goes through BAM.
cut_reads 1 900000 0.12 huge.fq
run "$WARPSEED" align ref.wsi huge.fq --quiet -o huge.sam
run "$WARPSEED" align ref.wsi huge.fq --quiet -o huge.bam
operations=$(samtools view huge.bam | head -n 1 | cut -f 6 | tr -d '0-9' | tr -d '\n' | wc -c)
if [ "$operations" -le 65535 ]; then fail "only $operations operations"; fi
equal "$(samtools view huge.bam | cksum)" "$(samtools view huge.sam | cksum)" "the records of SAM and BAM"

# Base modifications: of the whole read in the primary record, of its part in a hard-clipped one.
{
  one=$(cut -c 300001-304000 genome.txt | tr acgt ACGT)
  two=$(cut -c 900001-903000 genome.txt | tr acgt ACGT | rev | tr ACGT TGCA)
  printf '@chimera MM:Z:C+m?,%s;\tML:B:C,%s\tMN:i:7000\n%s%s\n+\n%s\n' 0,0,0 1,2,3 "$one" "$two" \
    "$(printf '%s%s' "$one" "$two" | tr ACGTN IIIII)"
} >modified.fq
run "$WARPSEED" align ref.wsi modified.fq -C --quiet -o modified.sam
equal "$(samtools view -c modified.sam)" 2 "records of a chimera"
samtools view -F 0x800 modified.sam >primary.txt
samtools view -f 0x800 modified.sam >clipped.txt
grep -q 'MM:Z:C+m?,0,0,0;' primary.txt || fail "MM of the primary record changed"
grep -q 'MN:i:30[0-9][0-9]' clipped.txt || fail "MN of the hard-clipped record is not its length"
grep -q 'MM:Z:C+m?;' clipped.txt || fail "MM of the hard-clipped record counts bases that it lacks"

# Options.
run "$WARPSEED" align ref.wsi hifi.fq --quiet -x map-hifi -o preset.sam
run "$WARPSEED" align ref.wsi short.fq --quiet -x sr -o sr.sam
run "$WARPSEED" align ref.wsi short.fq --quiet -o auto.sam
grep -v '^@' sr.sam | cmp - <(grep -v '^@' auto.sam) || fail "-x sr changes short reads"
expect_fail 2 'hifi' -- "$WARPSEED" align ref.wsi hifi.fq --quiet -x longest -o out/x.sam
expect_fail 2 'PAF is not sorted' -- "$WARPSEED" align ref.wsi hifi.fq --quiet --sort -o out/x.paf
run "$WARPSEED" align ref.wsi all.fq --quiet -o counted.bam --json counted.json
grep -q '"reads": 250' counted.json || fail "the report does not count 250 long reads"
report_failures
