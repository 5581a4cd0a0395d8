#!/usr/bin/env bash
# `align` from SAM, BAM and CRAM: the same records as from the FASTQ that the file was made of, with its read groups,
# tags and header lines.
. "$(dirname "$0")/lib.sh"
need samtools

make_genome chr1:60000 chr2:20000 >ref.fa
make_pairs ref.fa 1500 r
run "$WARPSEED" index ref.fa -o ref.wsi -q
align() { run "$WARPSEED" align ref.wsi --quiet "$@"; }
records() { samtools view "$1"; } # without the header

# Two read groups whose inserts differ, a tag a read, some reads that failed the sequencer's checks.
paste <(paste - - - - <r_1.fq) <(paste - - - - <r_2.fq) | awk -F '\t' '
  BEGIN { print "@HD\tVN:1.6\tSO:unsorted"; print "@RG\tID:a\tSM:s\tLB:one"; print "@RG\tID:b\tSM:s\tLB:two"
          print "@PG\tID:maker\tPN:maker"; print "@CO\tfor a test" }
  { group = NR % 3 ? "a" : "b"; fail = NR % 7 ? 0 : 512; name = substr($1, 2)
    tags = "RG:Z:" group "\tBC:Z:ACGT" NR "\tXn:B:s,1,-" NR
    print name, 77 + fail, "*", 0, 0, "*", "*", 0, 0, $2, $4, tags
    print name, 141 + fail, "*", 0, 0, "*", "*", 0, 0, $6, $8, tags }' OFS='\t' >u.sam
samtools view -b -o u.bam u.sam
samtools view -C -o u.cram u.sam 2>/dev/null
gzip -k u.sam

align u.bam >u.out
samtools quickcheck u.out

# The header: read groups, comments and the chain of programs go on.
samtools view -H --no-PG u.out >header.txt
contains header.txt '^@RG	ID:a	SM:s	LB:one$'
contains header.txt '^@RG	ID:b	SM:s	LB:two$'
contains header.txt '^@CO	for a test$'
contains header.txt '^@PG	ID:maker	PN:maker$'
contains header.txt '^@PG.*PN:warpseed	PP:[a-zA-Z0-9.]+	'

# Every way in gives the same.
for file in u.sam u.sam.gz u.cram; do
  align $file >other.out
  cmp <(records other.out) <(records u.out) || fail "$file: other records than from BAM"
done
for file in u.sam u.bam u.cram; do
  align - <$file >other.out
  cmp <(records other.out) <(records u.out) || fail "$file from standard input: other records than from the file"
done
align -p u.bam >other.out
cmp <(records other.out) <(records u.out) || fail "-p, where the flags say it: other records"
for threads in 1 3; do
  align -t $threads u.bam >other.out
  cmp <(without_pg other.out | grep -v '^@PG') <(without_pg u.out) || fail "-t $threads: other bytes"
done

# What is said of the reads is on every record.
records u.out | awk -F '\t' '{ n = int(++line[$1]); if (!/RG:Z:[ab]/ || !/BC:Z:ACGT/ || !/Xn:B:s,1,-/) exit 1 }' ||
  fail "a record without RG, BC or Xn"
records u.sam | awk -F '\t' '{ print $1, $12, $13, $14, int($2 / 512) % 2 }' | sort -u >wanted.txt
records u.out | awk -F '\t' '{ for (i = 12; i <= NF; i++) tag[substr($i, 1, 2)] = $i
  print $1, tag["RG"], tag["BC"], tag["Xn"], int($2 / 512) % 2 }' | sort -u | cmp - wanted.txt || fail "tags or flag 0x200"

# sorted_tags SAM: records with their tags in alphabetical order and without flag 0x200, which FASTQ does not keep.
sorted_tags() {
  samtools view "$1" | awk -F '\t' '{
    $2 -= int($2 / 512) % 2 * 512
    for (i = 13; i <= NF; i++) for (j = i; j > 12 && $j < $(j - 1); j--) { t = $j; $j = $(j - 1); $(j - 1) = t }
    print }' OFS='\t'
}
# The same from FASTQ with comments; there insert sizes are not told apart by read group, here they are the same.
samtools fastq -T '*' u.bam 2>/dev/null >tagged.fq
align -C -p tagged.fq >tagged.out
cmp <(sorted_tags tagged.out) <(sorted_tags u.out) || fail "-C: other records than from BAM"

# -R replaces.
align -R '@RG\tID:mine\tSM:t' u.bam >mine.out
equal "$(samtools view -H mine.out | grep -c '^@RG')" 1 "read groups with -R"
equal "$(records mine.out | grep -c 'RG:Z:mine')" "$(records mine.out | wc -l)" "records with the read group of -R"
align -R '@RG\tID:mine\tSM:t' r_1.fq r_2.fq >plain.out
cmp <(records mine.out | cut -f 1,3-11) <(records plain.out | cut -f 1,3-11) || fail "-R: other alignments than from FASTQ"
samtools view -h u.sam | grep -v '^@' >headless.sam
align -R '@RG\tID:mine\tSM:t' headless.sam >headless.out
cmp <(records headless.out) <(records mine.out) || fail "SAM without a header"

# What was aligned is aligned again, wherever it was; here the positions are the same, and tags of the first time go.
align --sort -o sorted.bam u.bam
samtools collate -O sorted.bam collate.tmp 2>/dev/null >collated.bam
align collated.bam >again.out
cmp <(records again.out | LC_ALL=C sort) <(records u.out | LC_ALL=C sort) || fail "an aligned file: other records"
samtools view -C -T ref.fa -o collated.cram collated.bam 2>/dev/null
align --input-reference ref.fa collated.cram >again.out
cmp <(records again.out | cut -f 1-11 | LC_ALL=C sort) <(records u.out | cut -f 1-11 | LC_ALL=C sort) ||
  fail "an aligned CRAM file: other records"

# Single reads.
samtools view -h u.sam | awk -F '\t' '/^@/ || int($2 / 64) % 2 { if (!/^@/) $2 = 4; print }' OFS='\t' >single.sam
align single.sam >single.out
align r_1.fq >single_fastq.out
cmp <(records single.out | cut -f 1-11) <(records single_fastq.out | cut -f 1-11) || fail "single reads from SAM"

# collapse takes the same files.
run "$WARPSEED" collapse u.bam -q -o from_bam.fq
run "$WARPSEED" collapse -p <(samtools fastq u.bam 2>/dev/null) -q -o from_fastq.fq
same from_bam.fq from_fastq.fq "collapse from BAM"

# A run of reads with different inserts: what is proper is told by the read group.
make_genome far:50000 >far.fa
run "$WARPSEED" index far.fa -o far.wsi -q
one_line far.fa | awk -F '\t' "$turned"'
  /^>/ { next }
  { text = $0 }
  END {
    print "@RG\tID:near\tSM:s"; print "@RG\tID:wide\tSM:s"
    for (i = 0; i < 50; i++) quality = quality "I"
    for (n = 0; n < 400; n++) {
      insert = n % 2 ? 200 + n % 7 : 900 + n % 7
      if (n == 301) insert = 900
      at = n * 100 + 1
      tags = "RG:Z:" (n % 2 ? "near" : "wide")
      print "p" n, 77, "*", 0, 0, "*", "*", 0, 0, substr(text, at, 50), quality, tags
      print "p" n, 141, "*", 0, 0, "*", "*", 0, 0, turned(substr(text, at + insert - 50, 50)), quality, tags
    }
  }' OFS='\t' >libraries.sam
run "$WARPSEED" align far.wsi libraries.sam -o libraries.out --output-format sam
contains run.err 'read group near: insert size 203'
contains run.err 'read group wide: insert size 903'
equal "$(records libraries.out | awk -F '\t' 'int($2 / 2) % 2 == 0 { print $1 }' | sort -u)" p301 "pairs that are not proper"

# Errors: nothing is left.
bad() { expect_fail 2 "$1" -- "$WARPSEED" align ref.wsi "${@:2}" -o out/x.bam --quiet; }
size=$(stat -c %s u.bam)
for missing in 1 28 1000; do
  head -c $((size - missing)) u.bam >cut.bam
  bad 'cut\.bam: cut short' cut.bam
done
head -c $(($(stat -c %s u.cram) - 38)) u.cram >cut.cram
bad 'cut\.cram: .*cut short' cut.cram
head -c 2000 u.sam >cut.sam
bad 'cut\.sam:[0-9]+: cut short' cut.sam
bad "sorted\\.bam: record [0-9]+: read '.*samtools collate" sorted.bam
awk 'NR != 8' u.sam >odd.sam
bad "odd\\.sam:8: read '.*mate" odd.sam
bad 'u\.bam: .*name it alone' u.bam r_2.fq
bad 'u\.bam: .*name it alone' r_1.fq u.bam
bad 'no_reference|missing\.fa' --input-reference missing.fa u.cram
sed 's/RG:Z:a/RG:Z:nobody/' u.sam >nobody.sam
bad "nobody\\.sam:6: read '.*nobody.*-R" nobody.sam
report_failures
