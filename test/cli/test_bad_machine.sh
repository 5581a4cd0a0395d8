#!/usr/bin/env bash
# Full disks, folders that cannot be written, too little memory, no device, wrong usage.
. "$(dirname "$0")/lib.sh"

make_genome chr1:200000 >ref.fa
make_pairs ref.fa 2000 reads
make_pairs ref.fa 10000 many
run "$WARPSEED" index ref.fa -o ref.wsi -q
pairs=(reads_1.fq reads_2.fq)

# Every command that writes, to a full disk: through -o and through standard output.
full='/dev/full|standard output|no space'
expect_fail 1 "$full" -- "$WARPSEED" index ref.fa -o /dev/full -q
expect_fail 1 "$full" -- "$WARPSEED" inspect ref.wsi --fasta -o /dev/full -q
expect_fail 1 "$full" -- "$WARPSEED" query ref.wsi reads_1.fq -o /dev/full -q
expect_fail 1 "$full" -- bash -c '"$WARPSEED" inspect ref.wsi --fasta -q >/dev/full'
expect_fail 1 "$full" -- bash -c '"$WARPSEED" inspect ref.wsi --summary -q >/dev/full'
expect_fail 1 "$full" -- bash -c '"$WARPSEED" query ref.wsi reads_1.fq -q >/dev/full'
expect_fail 1 "$full" -- bash -c '"$WARPSEED" backends >/dev/full'
for format in sam bam cram; do
  expect_fail 1 "$full" -- "$WARPSEED" align ref.wsi "${pairs[@]}" -o /dev/full --output-format $format --quiet
  expect_fail 1 "$full" -- \
    bash -c '"$WARPSEED" align ref.wsi reads_1.fq reads_2.fq --output-format '$format' --quiet >/dev/full'
done

# Disks that fill up on the way: by the runs of a sort, by the file that they go to.
sort_to_full() { # sort_to_full MEMORY: where a file has 400 KiB at most
  # shellcheck disable=SC2016
  bash -c 'ulimit -f 400
    exec "$WARPSEED" align ref.wsi many_1.fq many_2.fq --sort --sort-memory '"$1"' -o out/x.bam --quiet'
}
expect_fail 1 'temporary file for sorting.*large' -- sort_to_full 4M
expect_fail 1 'x.bam.*large' -- sort_to_full 1G

# Two files that belong together: there is no room for one, and none is there.
head -n 2000 reads_2.fq >long.fq
head -n 2000 reads_1.fq | awk 'NR % 2 { print; next } { print substr($0, 1, 1) }' >short.fq
collapse_to_full() { # collapse_to_full READS READS2: where a file has 40 KiB at most
  # shellcheck disable=SC2016
  bash -c 'ulimit -f 40
    exec "$WARPSEED" collapse '"$1 $2"' --format fasta -o out/a.fa -O out/b.fa -q'
}
expect_fail 1 'b.fa.*large' -- collapse_to_full short.fq long.fq
expect_fail 1 'a.fa.*large' -- collapse_to_full long.fq short.fq

# Outputs that are inputs would be lost.
for own in ref.wsi reads_1.fq; do cp $own own.$own; done
ln own.reads_1.fq linked.fq
is_input='is an input; name another'
expect_fail 2 "$is_input" -- "$WARPSEED" index ref.fa -o ./ref.fa -q
expect_fail 2 "$is_input" -- "$WARPSEED" inspect own.ref.wsi --fasta -o own.ref.wsi -q
expect_fail 2 "$is_input" -- "$WARPSEED" query ref.wsi own.reads_1.fq -o linked.fq -q
expect_fail 2 "$is_input" -- "$WARPSEED" collapse own.reads_1.fq -o own.reads_1.fq -q
expect_fail 2 "$is_input" -- "$WARPSEED" collapse reads_2.fq own.reads_1.fq -o out/x.fq -O own.reads_1.fq -q
expect_fail 2 "$is_input" -- "$WARPSEED" align ref.wsi reads_2.fq own.reads_1.fq -o own.reads_1.fq --quiet
expect_fail 2 "$is_input" -- "$WARPSEED" align own.ref.wsi reads_2.fq -o out/x.sam --json own.ref.wsi --quiet
expect_fail 2 'out/./x.*own' -- "$WARPSEED" align ref.wsi reads_1.fq -o out/x --json out/./x --quiet
expect_fail 2 'standard input.*twice' -- "$WARPSEED" align ref.wsi - - --quiet
same own.ref.wsi ref.wsi "an index named as output"
same own.reads_1.fq reads_1.fq "reads named as output"

# Standard output by another name, also where it is a file.
run "$WARPSEED" query ref.wsi reads_1.fq -q >wanted.tsv
run "$WARPSEED" query ref.wsi reads_1.fq -q -o /dev/stdout >got.tsv
same got.tsv wanted.tsv "/dev/stdout that is a file"
"$WARPSEED" query ref.wsi reads_1.fq -q -o /dev/stdout | cat >got.tsv
same got.tsv wanted.tsv "/dev/stdout that is a pipe"
run "$WARPSEED" align ref.wsi "${pairs[@]}" --output-format bam --sort --quiet >wanted.bam
run "$WARPSEED" align ref.wsi "${pairs[@]}" --output-format bam --sort -o /dev/stdout --quiet >got.bam
same <(samtools view got.bam) <(samtools view wanted.bam) "BAM to /dev/stdout"

# Folders: one that is missing, and one that cannot be written (root can write anywhere but in /proc).
locked=/proc
if [ "$(id -u)" -ne 0 ]; then
  mkdir locked && chmod a-w locked
  locked=locked
fi
mkdir taken
for place in nowhere/x $locked/x taken; do
  expect_fail 1 "$place" -- "$WARPSEED" index ref.fa -o "$place" -q
  expect_fail 1 "$place" -- "$WARPSEED" inspect ref.wsi --fasta -o "$place" -q
  expect_fail 1 "$place" -- "$WARPSEED" query ref.wsi reads_1.fq -o "$place" -q
  expect_fail 1 "$place" -- "$WARPSEED" collapse reads_1.fq -o "$place" -q
  expect_fail 1 "$place" -- "$WARPSEED" collapse "${pairs[@]}" -o out/x -O "$place" -q
  expect_fail 1 "$place" -- "$WARPSEED" overlap matches ref.fa ref.fa -o "$place" -q
  expect_fail 1 "$place" -- "$WARPSEED" align ref.wsi "${pairs[@]}" --output-format bam -o "$place" --quiet
  expect_fail 1 "$place" -- "$WARPSEED" align ref.wsi "${pairs[@]}" --output-format bam --sort -o "$place" --quiet
done

# Backends.
expect_fail 2 'backend "gpu"' -- "$WARPSEED" index ref.fa -o out/x.wsi --backend gpu -q
expect_fail 2 'backend "cuda:x"' -- "$WARPSEED" query ref.wsi reads_1.fq -o out/x.tsv --backend cuda:x -q
if "$WARPSEED" backends | grep -q '^cuda:'; then
  absent=cuda:99
else
  absent=cuda
fi
expect_fail 1 "\"$absent\".*" -- "$WARPSEED" index ref.fa -o out/x.wsi --backend $absent -q
expect_fail 1 "\"$absent\".*" -- "$WARPSEED" query ref.wsi reads_1.fq -o out/x.tsv --backend $absent -q
expect_fail 1 "\"$absent\".*" -- "$WARPSEED" align ref.wsi "${pairs[@]}" -o out/x.bam --backend $absent --quiet

# Memory, said before the work starts: 20 Mb of genome in an address space that holds the program and little more.
awk 'BEGIN { for (i = 0; i < 1000; i++) line = line "ACGTTGCAAC"; print ">a"; for (i = 0; i < 2000; i++) print line }' >large.fa
expect_fail 1 'memory' -- \
  bash -c 'ulimit -v 100000; exec "$WARPSEED" index large.fa -o out/x.wsi -t 1 --backend cpu -q'

# Wrong usage.
usage() {
  local code=0
  "$WARPSEED" "$@" >usage.out 2>usage.err </dev/null || code=$?
  equal $code 2 "exit code of: warpseed $*"
  [ -s usage.err ] || fail "nothing said about: warpseed $*"
  [ -z "$(ls -A out)" ] || fail "left behind by warpseed $*: $(ls -A out)"
}
usage
usage frobnicate
usage index
usage index - # no name to derive that of the output from
usage index ref.fa -o out/x.wsi --frobnicate
usage index ref.fa -o out/x.wsi -t 0
usage index ref.fa -o out/x.wsi --sa-sample 3
usage inspect
usage query ref.wsi
usage query ref.wsi reads_1.fq --strand sideways
usage query ref.wsi reads_1.fq --format xml
usage query ref.wsi reads_1.fq --locate --max-hits -3
usage align ref.wsi
usage align ref.wsi reads_1.fq -o out/x.bam --output-format xyz
usage align ref.wsi reads_1.fq -o out/x.bam --sort --sort-memory much
usage align ref.wsi reads_1.fq -o out/x.bam -k nineteen
usage align ref.wsi reads_1.fq -o out/x.bam -I wide
usage align ref.wsi reads_1.fq -o out/x.bam -I 400,50,300,500 # the smallest is above the largest
usage align ref.wsi reads_1.fq -o out/x.bam -L 2147483647
usage align ref.wsi reads_1.fq -o out/x.bam -E 1,2000
usage align ref.wsi reads_1.fq -o out/x.cram --reference missing.fa

# Help is no mistake.
for command in index inspect query overlap align collapse backends; do
  run "$WARPSEED" $command --help >help.txt
  [ -s help.txt ] || fail "warpseed $command --help says nothing"
done
run "$WARPSEED" --version >version.txt
contains version.txt '^warpseed [0-9]+\.[0-9]+\.[0-9]+$'

report_failures
