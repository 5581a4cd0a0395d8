#!/usr/bin/env bash
# `align -p` with single reads among the pairs: flags and positions are those of bwa mem -p, every read is there once and
# in its order, for any number of threads, in FASTQ, lanes and BAM; reports count pairs and single reads.
. "$(dirname "$0")/lib.sh"
need samtools

gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
run "$WARPSEED" index ref.fa -q
for mate in 1 2; do gzip -dc "$demo/NA12878_chr20_10.0-10.1Mb_R$mate.fastq.gz" | paste - - - - >$mate.txt; done
# Every tenth pair has lost a mate, the first or the second. 38,530 reads of pairs and 2,140 single ones: more than the
# 32,768 from which insert sizes are learnt.
paste 1.txt 2.txt | awk -F '\t' -v OFS='\n' '
  NR % 10 { print $1, $2, $3, $4, $5, $6, $7, $8 }
  NR % 20 == 0 { print $1, $2, $3, $4 }
  NR % 20 == 10 { print $5, $6, $7, $8 }' >mixed.fq

align() { run "$WARPSEED" align ref.fa -p "$@"; }
primary() { samtools view -F 0x900 "$@"; }
# same_records WHAT FILE
same_records() { cmp <(without_pg mixed.sam) <(without_pg "$2") || fail "$1"; }

align mixed.fq --json mixed.json -o mixed.sam
contains run.err '^  19265 pairs$'
contains run.err '^  2140 single reads$'
cmp <(awk 'NR % 4 == 1 { print substr($1, 2) }' mixed.fq) <(primary mixed.sam | cut -f 1) ||
  fail "reads and their order"
equal "$(primary -c -f 1 mixed.sam)" 38530 "reads of pairs"
equal "$(primary -c -F 1 mixed.sam)" 2140 "single reads"
equal "$(primary -F 1 mixed.sam | awk -F '\t' '$2 != 0 && $2 != 4 && $2 != 16 || $7 != "*"' | wc -l)" 0 \
  "single reads with flags or fields of a mate"
if command -v python3 >/dev/null; then
  schema=$WARPSEED_SOURCE/share/schema/align_report.schema.json
  python3 "$WARPSEED_SOURCE/test/cli/json_schema.py" "$schema" mixed.json ||
    fail "the report is not as its schema says"
  equal "$(python3 -c '
import json
report = json.load(open("mixed.json"))
print(report["reads"]["total"], report["pairs"]["total"], *report["single_reads"].values())')" \
    "40670 19265 2140 $(primary -c -F 5 mixed.sam) $(primary -c -F 5 -q 1 mixed.sam) $(
      primary -F 5 mixed.sam | awk '$5 == 0' | wc -l) $(primary -c -F 1 -f 4 mixed.sam)" "counts of the report"
fi

# bwa mem: the same single reads at the same positions. Of mates some are rescued in one program alone, as without single
# reads among them, and the strand of an unmapped mate (0x10, 0x20) is set by bwa alone.
if command -v bwa >/dev/null; then
  bwa index ref.fa 2>/dev/null
  bwa mem -p ref.fa mixed.fq 2>/dev/null >bwa.sam
  positions() {
    primary "$@" |
      awk -F '\t' -v OFS='\t' '{ if (int($2 / 4) % 4) $2 -= 16 * (int($2 / 16) % 4); print $1, $2, $3, $4 }'
  }
  cmp <(positions -F 1 mixed.sam) <(positions -F 1 bwa.sam) || fail "flags and positions of single reads are not bwa's"
  different=$(paste <(positions -f 1 mixed.sam) <(positions -f 1 bwa.sam) |
    awk -F '\t' '$1 != $5 || $2 != $6 || $3 $4 != $7 $8' | wc -l)
  not_above "$different" 120 "mates of 38,530 with other flags or positions than bwa's"
fi

for threads in 1 3; do
  align mixed.fq -t $threads --quiet -o got.sam
  same_records "$threads threads" got.sam
done
align - --quiet -o got.sam <mixed.fq
same_records "standard input" got.sam
# Lanes: of one pair, without reads, and two that end within a batch.
head -n 8 mixed.fq >L1.fq
: >L2.fq
sed -n 9,80000p mixed.fq | gzip -c >L3.fq.gz
sed -n '80001,$p' mixed.fq >L4.fq
equal "$(sed -n 79997p mixed.fq)" "$(sed -n 79993p mixed.fq)" "the name at the end of a lane"
align L1.fq,L2.fq,L3.fq.gz,L4.fq --quiet -o got.sam
same_records "lanes" got.sam

# Unaligned BAM: with -p names decide, whatever the flags; without it single reads among pairs are an error.
paste - - - - <mixed.fq | awk -F '\t' -v OFS='\t' '
  function put(flag, t) { print substr(t[1], 2), flag, "*", 0, 0, "*", "*", 0, 0, t[2], t[4] }
  BEGIN { print "@HD", "VN:1.6", "SO:unsorted" }
  { split($0, now, "\t") }
  NR > 1 && last != "" && now[1] == before[1] { put(77, before); put(141, now); last = ""; next }
  { if (last != "") put(++n % 2 ? 4 : 77, before); for (i in now) before[i] = now[i]; last = $1 }
  END { if (last != "") put(4, before) }' | samtools view -b -o mixed.bam -
align mixed.bam --quiet -o got.sam
same_records "unaligned BAM" got.sam
expect_fail 2 "align -p takes" -- "$WARPSEED" align ref.fa mixed.bam -o out/x.sam

# An aligned, sorted file has its mates elsewhere; collated it gives what its reads give in that order.
align mixed.fq --sort --mark-duplicates --quiet -o sorted.bam
samtools quickcheck sorted.bam
equal "$(primary -c sorted.bam)" 40670 "reads of the sorted file"
expect_fail 2 "sorted by coordinate.*samtools collate" -- "$WARPSEED" align ref.fa -p sorted.bam -o out/x.sam
samtools collate -O sorted.bam 2>/dev/null >collated.bam
align collated.bam --quiet -o got.sam
cmp <(primary mixed.sam | cut -f 1,2 | sort) \
  <(primary got.sam | awk -F '\t' -v OFS='\t' '{ print $1, $2 % 1024 }' | sort) ||
  fail "flags of collated reads"

# Names that say nothing: all equal, of an odd number the last is single; all different, all are single, with a warning.
awk 'NR % 4 == 1 { $0 = "@same" } NR <= 20' mixed.fq >same.fq
align same.fq -o got.sam
equal "$(primary -c -f 1 got.sam) $(primary -c -F 1 got.sam)" "4 1" "mates and single reads of five of one name"
awk 'NR % 4 == 1 { $0 = "@r" NR } NR <= 400' mixed.fq >different.fq
align different.fq -o got.sam
contains run.err "warning: 100 of the first 100 reads have no mate next to them"
equal "$(primary -c -F 1 got.sam)" 100 "single reads of 100 with different names"
run "$WARPSEED" align ref.fa different.fq --quiet -o single.sam
cmp <(without_pg single.sam) <(without_pg got.sam) || fail "single reads with -p"
report_failures
