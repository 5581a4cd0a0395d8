#!/usr/bin/env bash
# `align` warns of what is allowed but seldom meant, once, and not with --quiet; where all is well it does not.
. "$(dirname "$0")/lib.sh"

make_genome chr1:60000 >ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q
make_pairs ref.fa 600 all
paste <(paste - - - - <all_1.fq) <(paste - - - - <all_2.fq) | tr '\t' '\n' >mixed.fq

# align REGEX ARGUMENTS...: one warning, which matches; REGEX "": none. Never with --quiet.
align() {
  local regex=$1
  shift
  run "$WARPSEED" align ref.wsi "$@" >out.sam
  grep 'warning: ' run.err >warnings.txt || true
  if [ -z "$regex" ]; then
    equal "$(cat warnings.txt)" "" "warnings of align $*"
  else
    equal "$(wc -l <warnings.txt)" 1 "warnings of align $*: $(cat warnings.txt)"
    contains warnings.txt "^warpseed align: warning: .*$regex"
  fi
  run "$WARPSEED" align ref.wsi "$@" --quiet >out.sam
  equal "$(cat run.err)" "" "messages of align --quiet $*"
}

align "" all_1.fq all_2.fq
align "" all_1.fq

# Few reads mapped: of 1,200 reads none, of 1,200 one in ten, of 600 none.
awk 'NR % 4 == 2 { gsub(/./, "A") } { print }' all_1.fq >none_1.fq
awk 'NR % 4 == 2 { gsub(/./, "A") } { print }' all_2.fq >none_2.fq
align '0\.0% of the reads are mapped; is ref\.wsi the right index' none_1.fq none_2.fq
align "" none_1.fq
awk 'NR % 4 == 2 && NR % 40 != 2 { gsub(/./, "A") } { print }' mixed.fq >tenth.fq
align "" -p tenth.fq

# Read groups without a sample: of -R, of one of several, of BAM input.
align "read group 'a' has no sample" all_1.fq -R '@RG\tID:a\tLB:SM:'
align "" all_1.fq -R '@RG\tID:a\tSM:s'
align "read group 'b' has no sample" all_1.fq,all_2.fq -R '@RG\tID:a\tSM:s' -R '@RG\tID:b'
printf '@RG\tID:c\tPL:x\nr\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\tIIII\n' >group.sam
align "read group 'c' has no sample" group.sam

# RG in comments.
sed 's/^@[0-9].*/& RG:Z:lane1/' all_1.fq >comments.fq
align "comments have RG tags" -C comments.fq
align "" comments.fq
align "" -C comments.fq -R '@RG\tID:lane1\tSM:s'
sed 's/^@[0-9].*/& BC:Z:ACGT/' all_1.fq >barcodes.fq
align "" -C barcodes.fq

# Mates one after the other.
align "500 of the first 1000 reads have the name of the read before" mixed.fq
align "" -p mixed.fq
awk 'NR <= 16' mixed.fq >two.fq
align "2 of the first 4 reads have the name" two.fq
awk 'NR <= 8' all_1.fq | cat - <(awk 'NR <= 4' all_1.fq) >again.fq # one name twice, not one after the other
align "" again.fq

# Names of outputs.
align "x\.bam is written as SAM" all_1.fq -o x.bam --output-format sam
align "x\.sam is written as BAM" all_1.fq -o x.sam --output-format bam
align "x\.sam\.gz is written as SAM, not compressed" all_1.fq -o x.sam.gz
align "x\.bam\.bai has the name of an index" all_1.fq -o x.bam.bai
align "" all_1.fq -o x.bam
align "" all_1.fq -o x.txt --output-format bam
align "" all_1.fq -o x.paf
