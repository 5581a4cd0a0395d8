#!/usr/bin/env bash
# Command lines of bwa mem with `warpseed` in the place of `bwa`.
. "$(dirname "$0")/lib.sh"

make_genome chr1:20000 chr2:5000 >ref.fa
make_pairs ref.fa 200 r
expect_fail 2 'ref\.fa: is not an index.*warpseed index ref\.fa$' -- "$WARPSEED" mem ref.fa r_1.fq -o out/x.sam
expect_fail 2 'none: no such file, and no none\.wsi.*warpseed index' -- "$WARPSEED" query none r_1.fq -o out/x.tsv
run "$WARPSEED" index ref.fa -q

# The name of the FASTA file is a name of the index next to it, in every command that takes one; mem is align.
run "$WARPSEED" align ref.fa.wsi r_1.fq r_2.fq >wanted.sam
run "$WARPSEED" mem ref.fa r_1.fq r_2.fq >got.sam
same <(without_pg wanted.sam) <(without_pg got.sam) "mem with the FASTA's name"
for command in 'query REF r_1.fq' 'inspect REF'; do
  # shellcheck disable=SC2086
  run "$WARPSEED" ${command/REF/ref.fa.wsi} -q >wanted.txt
  # shellcheck disable=SC2086
  run "$WARPSEED" ${command/REF/ref.fa} -q >got.txt
  same wanted.txt got.txt "$command"
done

# Version and help.
equal "$("$WARPSEED" -V)" "$("$WARPSEED" --version)" "-V"
"$WARPSEED" align --help >wanted.txt
for line in 'help align' 'help mem' 'align -h' 'mem -h'; do
  # shellcheck disable=SC2086
  run "$WARPSEED" $line >got.txt
  same wanted.txt got.txt "$line"
done
"$WARPSEED" query --help >wanted.txt
run "$WARPSEED" help query >got.txt
same wanted.txt got.txt "help query"
code=0
"$WARPSEED" help nothing 2>usage.err || code=$?
equal $code 2 "exit code of help for a command that is none"

report_failures
