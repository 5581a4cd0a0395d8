#!/usr/bin/env bash
# `index` given what is no reference: the line says which file, where, why and what to do.
. "$(dirname "$0")/lib.sh"

index() { expect_fail 2 "$1" -- "$WARPSEED" index "${@:2}" -o out/x.wsi -q; }

make_genome chr1:3000 chr2:500 >good.fa

index 'missing\.fa.*(no such file|not exist)' missing.fa
index 'missing\.fa.*(no such file|not exist)' good.fa missing.fa
mkdir folder.fa
index 'folder\.fa.*directory' folder.fa
: >empty.fa
index 'empty\.fa.*empty' empty.fa
gzip -c empty.fa >empty.fa.gz
index 'empty\.fa\.gz.*empty' empty.fa.gz
printf '\n\n' >blank.fa
index 'blank\.fa' blank.fa

printf '@r1\nACGT\n+\nIIII\n' >reads.fa
index 'reads\.fa:1: .*FASTQ' reads.fa
printf 'ACGTACGT\n' >letters.fa
index 'letters\.fa:1: .*>' letters.fa
printf '>\nACGT\n' >nameless.fa
index 'nameless\.fa:1: .*name' nameless.fa
printf '>a\nACGT\n> b\nACGT\n' >nameless_second.fa
index 'nameless_second\.fa:3: .*name' nameless_second.fa
printf '>a\0b\nACGT\n' >nul.fa
index 'nul\.fa:1: .*0x00.*name' nul.fa
printf '>a\n>b\nACGT\n' >hollow_first.fa
index 'hollow_first\.fa:1: .*sequence' hollow_first.fa
printf '>a\nACGT\n>b\n' >hollow_last.fa
index 'hollow_last\.fa:3: .*sequence' hollow_last.fa

printf '>a\nACGT\n>b\nACGT\n>a second\nACGT\n' >twice.fa
index 'twice\.fa:5: .*"?a"?' twice.fa
index 'good\.fa:1: .*chr1' good.fa good.fa
printf '>a\nACGT\nAC*T\n' >star.fa
index "star\\.fa:3: .*'\\*'" star.fa
printf '>a\r\nACGT\r\nAC-T\r\n' >gap.fa
index "gap\\.fa:3: .*'-'" gap.fa
printf '>a\nAC\0T\n' >zero.fa
index 'zero\.fa:2: ' zero.fa

make_genome a:60000 >big.fa
gzip -c big.fa >big.fa.gz
for bytes in 5 100 10000; do
  head -c $bytes big.fa.gz >cut.fa.gz
  index 'cut\.fa\.gz.*(cut|truncated|ends)' cut.fa.gz
done
{
  head -c 10000 big.fa.gz
  printf 'XXXXXXXXXXXX'
  tail -c +10013 big.fa.gz
} >damaged.fa.gz
index 'damaged\.fa\.gz' damaged.fa.gz
if command -v bgzip >/dev/null; then
  bgzip -c big.fa >big.fa.bgz
  head -c 9000 big.fa.bgz >cut.fa.bgz
  index 'cut\.fa\.bgz.*(cut|truncated|ends)' cut.fa.bgz
fi

# Options that make no sense.
expect_fail 2 '--sa-sample.*1,2,4' -- "$WARPSEED" index good.fa -o out/x.wsi -q --sa-sample 3
expect_fail 2 'sorter|quicksort' -- "$WARPSEED" index good.fa -o out/x.wsi -q --sorter quicksort

report_failures
