#!/usr/bin/env bash
# Shards (align --shard), merged, are the file of one run, byte for byte after the header: pairs across the slices from
# which insert sizes are learnt, read groups, BAM input, single reads, long ones, single reads among pairs. So are the
# reports: the same JSON but for the command line, and the same page but for what is known of the run.
. "$(dirname "$0")/lib.sh"
need samtools python3 bgzip

gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q
for i in 1 2; do gzip -dc "$demo/NA12878_chr20_10.0-10.1Mb_R$i.fastq.gz" >all_$i.fq; done

# after_header BAM: the file without its first block, which holds the header.
after_header() { python3 -c '
import shutil, struct, sys
file = open(sys.argv[1], "rb")
file.seek(struct.unpack("<H", file.read(18)[16:])[0] + 1)
shutil.copyfileobj(file, sys.stdout.buffer)' "$1"; }
# header BAM: without the command line.
header() { samtools view --no-PG -H "$1" | sed '/^@PG/s/\tCL:.*//'; }

# without_command JSON, without_run HTML: the lines that are of the reads alone.
without_command() { grep -v '^  "command": ' "$1"; }
without_run() {
  grep -v '<code id="command">' "$1" |
    awk '!skip; { skip = /<dt>(Backend|CPU threads|Date|Time|Peak memory)<\/dt>/ }' | sed 's/20..-..-.. ..:..:.. UTC//g'
}

# check NUMBERS OPTION...: the merged shards are one run's file, for each number of parts, and so are the reports. Every second
# part goes by a plan.
check() {
  local parts i plan
  run "$WARPSEED" align ref.wsi "${@:2}" --quiet -o one.bam --json one.json --html one.html
  run "$WARPSEED" align ref.wsi "${@:2}" --quiet --learn-only -o run.plan
  for parts in $1; do
    rm -f shard.*
    for i in $(seq "$parts"); do
      plan=()
      [ $((i % 2)) -eq 1 ] || plan=(--plan run.plan)
      run "$WARPSEED" align ref.wsi "${@:2}" "${plan[@]}" --quiet -t $((i % 3 + 1)) --shard "$i/$parts" -o "shard.$i.bam" --json "shard.$i.json"
    done
    # shellcheck disable=SC2046
    run "$WARPSEED" merge -q -t $((parts % 3 + 1)) -o merged.bam --json merged.json --html merged.html $(printf '%s\n' shard.*.bam | sort -r)
    cmp <(after_header one.bam) <(after_header merged.bam) || fail "$parts shards of ${*:2}: another file than one run's"
    cmp <(header one.bam) <(header merged.bam) || fail "$parts shards of ${*:2}: another header"
    samtools quickcheck merged.bam || fail "$parts shards of ${*:2}: samtools quickcheck"
    cmp <(without_command one.json) <(without_command merged.json) || fail "$parts shards of ${*:2}: another JSON report"
    cmp <(without_run one.html) <(without_run merged.html) || fail "$parts shards of ${*:2}: another page"
  done
}
sorted=(--sort --mark-duplicates)

check "1 2 3 7 16" all_1.fq all_2.fq "${sorted[@]}" -R '@RG\tID:a\tSM:s\tLB:l'
cmp <(samtools idxstats one.bam) <(samtools idxstats merged.bam) || fail "the index of the merged file"
[ "$(samtools view -c -f 0x400 one.bam)" -gt 50 ] || fail "no duplicates to be marked"
run "$WARPSEED" align ref.wsi all_1.fq all_2.fq --quiet -o one.bam --json one.json
python3 - one.json shard.*.json <<'P' || fail "the counts of the shards do not add up"
import json, sys
one, *shards = [json.load(open(path)) for path in sys.argv[1:]]
for part in "reads", "pairs", "records":
    for key, value in one[part].items():
        assert sum(shard[part][key] for shard in shards) == value, (part, key)
for quality, count in enumerate(one["mapping_qualities"]):
    assert sum(shard["mapping_qualities"][quality] for shard in shards) == count, quality
P

check 3 all_1.fq all_2.fq # not sorted

# With a plan nothing but the part is read: what is damaged before it does not matter. Files of each kind begin in the middle.
bgzip -c all_1.fq >all_1.fq.gz
gzip -c all_2.fq >all_2.fq.gz
bgzip -c all_2.fq >bgzf_2.fq.gz
check 2 all_1.fq.gz all_2.fq.gz "${sorted[@]}"
grep -q $'^mark\t32768\t' run.plan || fail "no part can begin in the middle"
run "$WARPSEED" align ref.wsi all_1.fq.gz bgzf_2.fq.gz --learn-only -o pairs.plan --quiet
run "$WARPSEED" align ref.wsi all_1.fq.gz bgzf_2.fq.gz --plan pairs.plan --shard 7/7 -o wanted.bam --quiet
for file in all_1.fq.gz bgzf_2.fq.gz; do
  printf 'damage' | dd of="$file" bs=1 seek=100000 conv=notrunc status=none
done
run "$WARPSEED" align ref.wsi all_1.fq.gz bgzf_2.fq.gz --plan pairs.plan --shard 7/7 -o found.bam --quiet
cmp <(after_header wanted.bam) <(after_header found.bam) || fail "a part that begins in the middle of BGZF"
awk 'NR == 70000 { $0 = "not a quality \001" } { print }' all_1.fq >wrong_1.fq # of the last part
run "$WARPSEED" align ref.wsi all_1.fq all_2.fq --learn-only -o pairs.plan --quiet
truncate -s "$(stat -c %s all_1.fq)" wrong_1.fq
expect_fail 2 'wrong_1\.fq:70000: ' -- "$WARPSEED" align ref.wsi wrong_1.fq all_2.fq --plan pairs.plan --shard 7/7 -o out/x.bam --quiet

check "2 5" all_1.fq "${sorted[@]}"
cat all_1.fq all_2.fq >both.fq
check 6 both.fq -a --sort
check 2 all_1.fq all_2.fq -M -I 400,50 --sort # insert sizes that are given

# Two lanes with read groups: the second group's insert sizes are learnt in the middle. Then the same from BAM.
head -n 48000 all_1.fq >L1_1.fq
head -n 48000 all_2.fq >L1_2.fq
tail -n +48001 all_1.fq >L2_1.fq
tail -n +48001 all_2.fq >L2_2.fq
groups=(-R '@RG\tID:a\tSM:s\tLB:l' -R '@RG\tID:b\tSM:s\tLB:m')
check "2 5" -1 L1_1.fq L2_1.fq -2 L1_2.fq L2_2.fq "${groups[@]}" "${sorted[@]}"
run "$WARPSEED" align ref.wsi -1 L1_1.fq L2_1.fq -2 L1_2.fq L2_2.fq "${groups[@]}" --quiet -o input.bam
check 6 input.bam "${sorted[@]}"

# Single reads among pairs, so that the border of a slice may part mates.
paste <(paste - - - - <all_1.fq) <(paste - - - - <all_2.fq) |
  awk -F '\t' -v OFS='\n' -v seed=$seed 'BEGIN { srand(seed) }
    { r = rand(); if (r > 0.1) print $1, $2, $3, $4; if (r < 0.9) print $5, $6, $7, $8 }' >mixed.fq
check "2 8" -p mixed.fq "${sorted[@]}"

# More parts than reads, and no reads: the last part has nothing to align, but knows what there is.
for i in 1 2; do head -n 4 all_$i.fq >few_$i.fq && : >none_$i.fq; done
check 3 few_1.fq few_2.fq "${sorted[@]}"
check 2 none_1.fq none_2.fq "${sorted[@]}"

# Long reads: pieces of the genome with errors.
one_line ref.fa | tail -n 1 | awk -v seed=$seed 'BEGIN { srand(seed) }
  { for (i = 0; i < 40; i++) {
      s = substr($0, int(rand() * (length($0) - 9000)) + 1, 1500 + int(rand() * 7000)); t = ""
      for (k = 1; k <= length(s); k += 50) t = t substr(s, k, 49) (rand() < 0.5 ? "A" : "")
      printf ">long%d\n%s\n", i, t
  } }' >long.fa
check "1 3 44" long.fa "${sorted[@]}" # some parts have no reads

# A merged CRAM and SAM hold the same records.
run "$WARPSEED" align ref.wsi all_1.fq all_2.fq "${sorted[@]}" --quiet -o one.bam
for i in 1 2; do run "$WARPSEED" align ref.wsi all_1.fq all_2.fq "${sorted[@]}" --quiet --shard $i/2 -o two.$i.bam; done
run "$WARPSEED" merge -q two.1.bam two.2.bam -o merged.cram --reference ref.fa
run "$WARPSEED" align ref.wsi all_1.fq all_2.fq "${sorted[@]}" --reference ref.fa --quiet -o one.cram
cmp <(samtools view -T ref.fa one.cram) <(samtools view -T ref.fa merged.cram) || fail "a merged CRAM"
[ -s merged.cram.crai ] || fail "no index of a merged CRAM"
run "$WARPSEED" merge -q two.1.bam two.2.bam >merged.sam
cmp <(samtools view one.bam) <(samtools view merged.sam) || fail "a merged SAM"

# What does not fit.
align() { expect_fail 2 "$1" -- "$WARPSEED" align ref.wsi "${@:2}" --quiet; }
for part in 0/3 4/3 1 1/ /3 1/3x -1/3 1/0 1/100001; do align "shard.*part.*number" all_1.fq --shard=$part -o out/x.bam; done
align "shard.*BAM.*-o" all_1.fq --shard 1/2 -o out/x.sam
align "shard.*BAM.*-o" all_1.fq --shard 1/2 --output-format bam
align "standard input.*twice" - --shard 1/2 -o out/x.bam

# Plans of other runs, and no plans.
align "standard input.*learn-only.*twice" - --learn-only -o out/x.plan
align "learn-only.*json" all_1.fq --learn-only -o out/x.plan --json out/x.json
align "learn-only.*shard" all_1.fq --learn-only -o out/x.bam --shard 1/2
align "plan.*shard" all_1.fq --plan pairs.plan -o out/x.bam
by_plan() { align "$1" "${@:2}" --shard 1/2 -o out/x.bam; }
by_plan "pairs\.plan.*2 files.*not 1.*learn-only" all_1.fq --plan pairs.plan
by_plan "pairs\.plan.*all_1\.fq had [0-9]* bytes.*L1_1.fq has" L1_1.fq L1_2.fq --plan pairs.plan
by_plan "pairs\.plan.*A=1.*not A=2" all_1.fq all_2.fq --plan pairs.plan -A 2
by_plan "pairs\.plan.*I=learnt, not .*I=300" all_1.fq all_2.fq --plan pairs.plan -I 300
by_plan "pairs\.plan.*lanes=f .*not .*lanes=g" all_1.fq all_2.fq --plan pairs.plan -R '@RG\tID:a\tSM:s'
by_plan "ref\.fa.*no plan" all_1.fq all_2.fq --plan ref.fa
by_plan "no such file" all_1.fq all_2.fq --plan missing.plan
sed 's/^reads.*/reads\t12/' pairs.plan >changed.plan
by_plan "changed\.plan.*changed.*learn-only" all_1.fq all_2.fq --plan changed.plan
head -n 5 pairs.plan >cut.plan
by_plan "cut\.plan.*cut short" all_1.fq all_2.fq --plan cut.plan
sed '3s/.*/nonsense/' pairs.plan >nonsense.plan
by_plan "nonsense\.plan:3: no line of a plan" all_1.fq all_2.fq --plan nonsense.plan
merge() { expect_fail 2 "$1" -- "$WARPSEED" merge "${@:2}" -o out/x.bam -q; }
merge "part 2 of 2 is missing" two.1.bam
merge "both are part 1 of 2" two.1.bam two.1.bam two.2.bam
merge "one\.bam: no shard" one.bam
merge "no such file|not exist" missing.bam two.1.bam
merge "all_1.fq" all_1.fq
samtools view -h --no-PG two.2.bam | samtools view -b --no-PG -x zq -o untagged.bam -
merge "untagged\.bam: record.*zq" two.1.bam untagged.bam
head -c 100000 two.2.bam >cut.bam
merge "cut\.bam.*(cut|truncated|ends)" two.1.bam cut.bam

# Reports need the statistics of every shard, of the run that wrote it. Without reports they do not matter.
report() { expect_fail "$1" "$2" -- "$WARPSEED" merge "${@:3}" -o out/x.bam --json out/x.json --html out/x.html -q; }
report 2 "two\.1\.bam\.statistics: no such file.*--json or --html" two.1.bam two.2.bam
for i in 1 2; do
  run "$WARPSEED" align ref.wsi all_1.fq all_2.fq "${sorted[@]}" --quiet --shard $i/2 -o part.$i.bam --html part.$i.html
done
report 2 "two\.1\.bam\.statistics: no such file.*--json or --html" two.1.bam part.2.bam
cp part.1.bam.statistics two.1.bam.statistics
report 2 "two\.1\.bam\.statistics: of another run than two\.1\.bam" two.1.bam part.2.bam
cp part.2.bam.statistics whole.statistics
head -c 10000 whole.statistics >part.2.bam.statistics
report 2 "part\.2\.bam\.statistics: cut short or damaged" part.1.bam part.2.bam
cp all_1.fq part.2.bam.statistics
report 2 "part\.2\.bam\.statistics: not the statistics of a shard" part.1.bam part.2.bam
: >part.2.bam.statistics
report 2 "part\.2\.bam\.statistics: not the statistics of a shard" part.1.bam part.2.bam
run "$WARPSEED" merge -q part.1.bam part.2.bam -o merged.bam
cp whole.statistics part.2.bam.statistics
expect_fail 2 "part\.1\.bam\.statistics.*(input|twice|both|same)" -- "$WARPSEED" merge part.1.bam part.2.bam -o out/x.bam --json part.1.bam.statistics -q
expect_fail 2 "two outputs go to out/x\.bam" -- "$WARPSEED" merge part.1.bam part.2.bam -o out/x.bam --json out/x.bam -q
align "two outputs go to out/x\.bam\.statistics" all_1.fq --shard 1/2 -o out/x.bam --json out/x.bam.statistics
if [ -e /dev/full ]; then
  expect_fail 1 "/dev/full" -- "$WARPSEED" merge part.1.bam part.2.bam -o out/x.bam --html /dev/full --json out/x.json -q
fi
samtools view -b --no-PG -F 4 part.2.bam -o fewer.bam
cp whole.statistics fewer.bam.statistics
report 2 "the shards hold .* records, and by their statistics" part.1.bam fewer.bam
run "$WARPSEED" index ref.fa --sa-sample 64 -o other.wsi -q
run "$WARPSEED" align other.wsi all_1.fq all_2.fq "${sorted[@]}" --quiet --shard 2/2 -o other.2.bam --html other.2.html
report 2 "other\.2\.bam\.statistics: of another index.*other\.wsi" part.1.bam other.2.bam
expect_fail 2 "PAF" -- "$WARPSEED" merge two.1.bam two.2.bam -o out/x.paf -q
report_failures
