#!/usr/bin/env bash
# Several files of reads in one run of `align` give what their concatenation gives, whatever the threads; each lane has
# its read group; arguments that do not fit each other are refused.
. "$(dirname "$0")/lib.sh"
need samtools

make_genome chr1:100000 chr2:50000 >ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q
make_pairs ref.fa 27000 all # more than a slice of 32,768 reads, from which insert sizes are learnt

# Lanes whose borders are not those of batches, and one without reads. cut_out FIRST LAST PREFIX, in pairs.
cut_out() { for i in 1 2; do sed -n "$((4 * $1 + 1)),$((4 * $2))p" all_$i.fq >"$3_$i.fq"; done; }
cut_out 0 7001 L1
cut_out 7001 20002 L2
cut_out 20002 27000 L4
: >L3_1.fq
: >L3_2.fq
gzip -c L2_1.fq >L2_1.fq.gz
ones=L1_1.fq,L2_1.fq.gz,L3_1.fq,L4_1.fq
twos=L1_2.fq,L2_2.fq,L3_2.fq,L4_2.fq

align() { run "$WARPSEED" align ref.wsi --quiet "$@"; }
# same_records WHAT A B: the same but for @PG.
same_records() { cmp <(without_pg "$2") <(without_pg "$3") || fail "$1"; }

align all_1.fq all_2.fq >all.sam
for threads in 1 3; do
  align $ones $twos -t $threads >lanes.sam
  same_records "lanes of pairs, $threads threads, are not their concatenation" all.sam lanes.sam
done
align -1 L1_1.fq L2_1.fq -1 L3_1.fq,L4_1.fq -2 L1_2.fq L2_2.fq L3_2.fq L4_2.fq >lanes.sam
same_records "lanes by -1 and -2 are not their concatenation" all.sam lanes.sam
align $ones $twos -R '@RG\tID:a\tSM:s' >lanes.sam
align all_1.fq all_2.fq -R '@RG\tID:a\tSM:s' >group.sam
same_records "lanes of one read group are not their concatenation" group.sam lanes.sam

align all_1.fq >single.sam
align $ones >lanes.sam
same_records "lanes of single reads are not their concatenation" single.sam lanes.sam

paste_mates() { paste <(paste - - - - <"$1_1.fq") <(paste - - - - <"$1_2.fq") | tr '\t' '\n'; }
for lane in L1 L2 L4; do paste_mates $lane >$lane.fq; done
align -p L1.fq,L2.fq,L4.fq >lanes.sam
same_records "interleaved lanes are not their concatenation" all.sam lanes.sam
align -p - <<<"$(cat L1.fq L2.fq L4.fq)" >lanes.sam
same_records "interleaved standard input is not its lanes" all.sam lanes.sam

# A file whose name has a comma is one file.
cp L1_1.fq 'odd,name_1.fq'
align 'odd,name_1.fq' L1_2.fq >odd.sam
align L1_1.fq L1_2.fq >plain.sam
same_records "a file with a comma in its name" odd.sam plain.sam

# A read group each: the records of lane i have the tag of the i-th -R.
align L1_1.fq,L4_1.fq L1_2.fq,L4_2.fq -R '@RG\tID:one\tSM:s' -R '@RG\tID:four\tSM:s' >groups.sam
equal "$(grep -c '^@RG' groups.sam)" 2 "@RG lines"
for lane in L1:one L4:four; do
  samtools view -F 0x900 -r "${lane#*:}" groups.sam | cut -f 1 | uniq >names.txt
  awk 'NR % 4 == 1 { print substr($1, 2) }' "${lane%:*}_1.fq" | cmp - names.txt || fail "reads of read group ${lane#*:}"
done
align L1_1.fq,L4_1.fq L1_2.fq,L4_2.fq -R '@RG\tID:one\tSM:s' -R '@RG\tID:one\tSM:s' >groups.sam
equal "$(grep -c '^@RG' groups.sam)" 1 "equal @RG lines are one"

# BAM lanes keep their groups; programs with one ID get different ones.
for lane in L1:x L2:y L4:x; do
  name=${lane%:*}
  samtools import -1 "${name}_1.fq" -2 "${name}_2.fq" -r "ID:${lane#*:}" -r SM:s -o import.bam
  samtools view -o "$name.bam" import.bam # adds @PG
done
align L1.bam,L2.bam,L4.bam >bams.sam
equal "$(grep '^@RG' bams.sam | cut -f 2 | tr '\n' ' ')" "ID:x ID:y " "@RG lines of BAM lanes"
samtools view -F 0x900 bams.sam | awk '{ match($0, /RG:Z:./); print $1, substr($0, RSTART + 5, 1) }' | uniq >got.txt
for lane in L1:x L2:y L4:x; do
  awk -v g="${lane#*:}" 'NR % 4 == 1 { print substr($1, 2), g }' "${lane%:*}_1.fq"
done | cmp - got.txt || fail "read groups of the reads of BAM lanes"
equal "$(grep '^@PG' bams.sam | cut -f 2 | sort | uniq -d)" "" "@PG lines with one ID"
equal "$(grep -c '^@PG' bams.sam)" 6 "@PG lines: three of samtools, each with one of warpseed"
samtools quickcheck bams.sam

# What does not fit is refused.
rejects() { expect_fail 2 "$1" -- "$WARPSEED" align ref.wsi -o out/x.sam "${@:2}"; }
rejects '2 files in R1, 1 in R2' L1_1.fq,L2_1.fq L1_2.fq
rejects '1 files in -1, 2 in -2' -1 L1_1.fq -2 L1_2.fq L2_2.fq
rejects '-2 needs -1' -2 L1_2.fq
rejects 'R1 is required'
rejects 'instead of R1' L1_1.fq -1 L2_1.fq
rejects 'missing next to a comma' L1_1.fq,,L2_1.fq
rejects 'missing next to a comma' L1_1.fq,
rejects 'L1_1.fq: named twice' L1_1.fq,L2_1.fq ./L2_2.fq,./L1_1.fq
rejects 'given 2 times' L1_1.fq -R '@RG\tID:a' -R '@RG\tID:b'
rejects 'has the same ID' L1_1.fq,L2_1.fq -R '@RG\tID:a\tSM:a' -R '@RG\tID:a\tSM:b'
rejects 'L2_1.fq: single reads, but L1.bam holds pairs' L1.bam,L2_1.fq
rejects 'L9.fq' L1_1.fq,L9.fq
expect_fail 2 'L4_1.fq is an input' -- "$WARPSEED" align ref.wsi L1_1.fq,L4_1.fq -o L4_1.fq
samtools reheader <(samtools view -H L2.bam | sed 's/ID:y/ID:x/; s/SM:s/SM:t/') L2.bam >other.bam
rejects 'other.bam: its read group' L1.bam,other.bam
report_failures
