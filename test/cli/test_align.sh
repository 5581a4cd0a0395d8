#!/usr/bin/env bash
# `align`: every way in and out gives the same records, every read one primary record, places that are right.
. "$(dirname "$0")/lib.sh"
need samtools

{
  make_genome chr1:60000 chr2:20000 | sed '300s/.*/NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN/'
  printf '>tiny\nACGTTGCAACGGATTACA\n'
} >ref.fa
make_pairs ref.fa 2000 r
run "$WARPSEED" index ref.fa -o ref.wsi -q
samtools faidx ref.fa

align() { run "$WARPSEED" align ref.wsi --quiet "$@"; }
records() { samtools view "$1"; } # without the header

align r_1.fq r_2.fq >pairs.sam
samtools quickcheck pairs.sam

# The header: version, the contigs in order, who wrote it.
grep '^@' pairs.sam >header.txt
contains header.txt '^@HD'
contains header.txt '^@PG.*ID:warpseed.*VN:'
grep '^@SQ' header.txt | tr '\t' '\n' | sed -n 's/^SN://p' >names.txt
printf 'chr1\nchr2\ntiny\n' | cmp - names.txt || fail "@SQ lines: $(cat names.txt)"

# primary_once SAM COUNT READS...: each read has one primary record; those of mates follow each other in input order.
primary_once() {
  records "$1" | awk -F '\t' 'int($2 / 256) % 2 == 0 && int($2 / 2048) % 2 == 0 {
    print $1 (int($2 / 64) % 2 ? "/1" : int($2 / 128) % 2 ? "/2" : "") }' >primary.txt
  cmp primary.txt "$2" || fail "$1: primary records are not the reads, once each, in input order"
}
paste -d '\n' <(sed -n '1~4s/@\(.*\)/\1\/1/p' r_1.fq) <(sed -n '1~4s/@\(.*\)/\1\/2/p' r_2.fq) >pair_names.txt
primary_once pairs.sam pair_names.txt

# Reads from a text without repeats go where they came from, mates as proper pairs.
samtools view -F 0x900 pairs.sam | awk -F '\t' '
  { split($1, from, ":"); first = int($2 / 64) % 2; start = from[first ? 3 : 4] }
  { clip = match($6, /^[0-9]+S/) ? substr($6, 1, RLENGTH - 1) : 0 }
  $3 == from[2] && $4 - 1 - clip >= start - 5 && $4 - 1 - clip <= start + 5 { right++ }
  int($2 / 2) % 2 { proper++ }
  $5 >= 30 { sure++ }
  END { print right / NR, proper / NR, sure / NR; exit !(right / NR > 0.995 && proper / NR > 0.99 && sure / NR > 0.99) }
' >shares.txt || fail "right, proper, MAPQ >= 30 of all: $(cat shares.txt)"

# Bases and qualities come through: the reads back from the SAM file are those that went in.
samtools fastq -n -1 back_1.fq -2 back_2.fq -s /dev/null -0 /dev/null pairs.sam 2>/dev/null
same back_1.fq r_1.fq "reads through SAM"
same back_2.fq r_2.fq "mates through SAM"

# One record, many ways in.
records pairs.sam >pairs.txt
same_records() {
  records "$1" | cmp - pairs.txt || fail "$2: other records than from two plain files"
}
paste -d '\n' <(paste - - - - <r_1.fq) <(paste - - - - <r_2.fq) | tr '\t' '\n' >inter.fq
align -p inter.fq >inter.sam
same_records inter.sam "-p"
align -p - <inter.fq >stdin.sam
same_records stdin.sam "-p from standard input"
gzip -kf r_1.fq r_2.fq inter.fq
align r_1.fq.gz r_2.fq.gz >gzip.sam
same_records gzip.sam "gzip"
align -p - <inter.fq.gz >stdin_gzip.sam
same_records stdin_gzip.sam "gzip from standard input"
sed '1~4s/$/\/1 a comment/' r_1.fq >slash_1.fq
sed '1~4s/$/\/2 a comment/' r_2.fq >slash_2.fq
align slash_1.fq slash_2.fq >slash.sam
same_records slash.sam "names that end in /1 and /2"

# Many ways out.
align r_1.fq r_2.fq -o out.sam
same_records out.sam "-o .sam"
align r_1.fq r_2.fq -o out.bam
same_records out.bam "-o .bam"
align r_1.fq r_2.fq --output-format bam >stdout.bam
same_records stdout.bam "BAM on standard output"
align r_1.fq r_2.fq -o level.bam --compression-level 0
same_records level.bam "--compression-level 0"
align r_1.fq r_2.fq -o out.cram
align r_1.fq r_2.fq -o with_reference.cram --reference ref.fa
for file in out.sam out.bam stdout.bam out.cram with_reference.cram; do
  samtools quickcheck $file || fail "samtools quickcheck $file"
done
# CRAM keeps what a record means, not the order of its tags.
for file in out.cram with_reference.cram; do
  samtools view -T ref.fa $file | cut -f 1-11 | cmp - <(cut -f 1-11 pairs.txt) || fail "$file: other records"
done
rm -rf out && mkdir out

# The same bytes from any number of threads.
for threads in 1 2 5; do
  align r_1.fq r_2.fq -t $threads -o threads.sam
  without_pg threads.sam | cmp - <(without_pg pairs.sam) || fail "align -t $threads: other bytes"
done
align r_1.fq r_2.fq -t 1 --sort -o one.bam
align r_1.fq r_2.fq -t 2 --sort -o two.bam
cmp <(records one.bam) <(records two.bam) || fail "align --sort: other records with -t 2"

# --sort: in coordinate order, the same records, an index that samtools uses, also when runs go to disk.
samtools view -H one.bam | grep -q 'SO:coordinate' || fail "no SO:coordinate"
records one.bam | LC_ALL=C sort | cmp - <(LC_ALL=C sort pairs.txt) || fail "--sort: other records"
samtools index -c one.bam again.csi || fail "--sort: samtools does not find it sorted"
samtools view one.bam chr1:10001-20000 | LC_ALL=C sort >region.txt
samtools sort pairs.sam -O bam -o judge.bam
samtools index judge.bam
samtools view judge.bam chr1:10001-20000 | LC_ALL=C sort | cmp - region.txt || fail "--sort: a region by the index"
align r_1.fq r_2.fq --sort --sort-memory 1M -o spilled.bam
cmp <(records spilled.bam) <(records one.bam) || fail "--sort-memory 1M: other records"
align r_1.fq r_2.fq --sort --reference ref.fa -o sorted.cram
samtools view -c -T ref.fa sorted.cram chr2:1-5000 >/dev/null || fail "--sort: the index of a CRAM file"
[ -z "$(find . -name '*unfinished*' -o -name '*.tmp*')" ] || fail "left behind: $(find . -name '*unfinished*')"

# Single end.
align r_1.fq >single.sam
sed -n '1~4s/@//p' r_1.fq >single_names.txt
primary_once single.sam single_names.txt
[ "$(samtools view -c -f 1 single.sam)" -eq 0 ] || fail "single reads marked as paired"

# Read group, comments, all alignments.
align r_1.fq r_2.fq -R '@RG\tID:lane1\tSM:sample' >group.sam
contains group.sam '^@RG	ID:lane1	SM:sample$'
equal "$(records group.sam | grep -c 'RG:Z:lane1')" "$(records group.sam | wc -l)" "records with the read group"
sed '1~4s/$/ BC:Z:ACGT/' r_1.fq >comment.fq
align -C comment.fq >comment.sam
equal "$(records comment.sam | grep -c 'BC:Z:ACGT')" "$(records comment.sam | wc -l)" "records with the comment"

# The summary on standard error, in its own form or in bowtie2's.
"$WARPSEED" align ref.wsi r_1.fq r_2.fq --summary bowtie2 -o out.sam 2>talk.txt
contains talk.txt '%? overall alignment rate'
"$WARPSEED" align ref.wsi r_1.fq r_2.fq -o out.sam 2>talk.txt
contains talk.txt '^warpseed align: [0-9]+ of [0-9]+ reads mapped \([0-9.]+%\)$'
if grep -q 'reads; of these' talk.txt; then fail "the summary has bowtie2's form without being asked to"; fi
contains talk.txt 's wall, .* peak memory'

# A pipe that closes is an error, not a success or a hang.
code=0
{ timeout 60 "$WARPSEED" align ref.wsi r_1.fq r_2.fq --quiet 2>/dev/null || echo $? >code.txt; } | head -c 100 >/dev/null
[ -s code.txt ] || fail "a closed pipe went unnoticed"
[ "$(cat code.txt)" -ne 124 ] || fail "a closed pipe makes align hang"

# A killed run leaves nothing under the final name, sorted or not.
for options in "" --sort; do
  mkfifo slow.fq
  { cat r_1.fq && exec sleep 60; } >slow.fq 2>/dev/null &
  feeder=$!
  # shellcheck disable=SC2086
  "$WARPSEED" align ref.wsi slow.fq --quiet $options -o killed.bam &
  victim=$!
  sleep 0.5
  kill -9 $victim
  wait $victim 2>/dev/null || true
  kill $feeder 2>/dev/null || true
  [ -z "$(find . -name killed.bam -o -name "killed.bam.*i")" ] || fail "a killed run left killed.bam"
  rm slow.fq
done
