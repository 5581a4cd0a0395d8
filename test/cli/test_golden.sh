#!/usr/bin/env bash
# `align` on some hundreds of real reads writes what it wrote before, every byte: test/cli/golden/*.sam, without @PG.
#   test_golden.sh --update    writes these files anew, where a change of the records is meant; git diff shows it
# Reads are chosen by their place in the bundled files, not by what becomes of them.
. "$(dirname "$0")/lib.sh"

golden=$WARPSEED_SOURCE/test/cli/golden
gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
# All pairs, one a line: name, and bases and qualities of both mates.
paste <(gzip -dc "$demo/NA12878_chr20_10.0-10.1Mb_R1.fastq.gz" | paste - - - -) \
  <(gzip -dc "$demo/NA12878_chr20_10.0-10.1Mb_R2.fastq.gz" | paste - - - -) |
  awk -F '\t' -v OFS='\t' '{ sub(/[ \/].*/, "", $1); print substr($1, 2), $2, $4, $6, $8 }' >table.txt
# every N FIRST: each Nth line of the table.
every() { awk -v n="$1" -v first="$2" 'NR >= first && (NR - first) % n == 0' table.txt; }
# fastq NAME: a table on standard input as NAME_1.fq and NAME_2.fq.
fastq() {
  awk -F '\t' -v one="$1_1.fq" -v two="$1_2.fq" '{
    printf "@%s\n%s\n+\n%s\n", $1, $2, $3 >one
    printf "@%s\n%s\n+\n%s\n", $1, $4, $5 >two }'
}

every 150 1 | fastq pairs
every 300 2 | fastq single
every 100 3 | fastq all
# Split reads: the first mate of one pair goes on with that of the next, whose second mate it keeps.
awk -F '\t' -v OFS='\t' '
  NR % 900 == 5 { print $1, before[2] $2, before[3] $3, $4, $5 }
  { split($0, before) }' table.txt | fastq splits
every 500 6 | fastq alt
# Two read groups with tags, as SAM.
every 500 7 | awk -F '\t' -v OFS='\t' '
  BEGIN { print "@HD\tVN:1.6\tSO:unsorted"; print "@RG\tID:x\tSM:s\tPL:ILLUMINA"; print "@RG\tID:y\tSM:s\tPL:ILLUMINA" }
  { fail = NR % 9 ? 0 : 512; tags = "RG:Z:" (NR % 3 ? "x" : "y") "\tBC:Z:ACGT\tOQ:Z:"
    print $1, 77 + fail, "*", 0, 0, "*", "*", 0, 0, $2, $3, tags $3
    print $1, 141 + fail, "*", 0, 0, "*", "*", 0, 0, $4, $5, tags $5 }' >groups_in.sam

# Two ALT contigs: the first is a worn copy of its stretch, of the second it is the primary assembly that is worn.
one_line ref.fa | awk '
  function worn(s, step,  i) {
    for (i = step; i <= length(s); i += step)
      s = substr(s, 1, i - 1) substr("CATG", index("ACGT", substr(s, i, 1)), 1) substr(s, i + 1)
    return s
  }
  /^>/ { print; next }
  { print substr($0, 1, 1060000) worn(substr($0, 1060001, 20000), 70) substr($0, 1080001)
    print ">first_alt\n" worn(substr($0, 1020001, 20000), 70)
    print ">second_alt\n" substr($0, 1060001, 20000) }' >ref_alt.fa
printf 'first_alt\t0\nsecond_alt\t0\n' >alt.txt

run "$WARPSEED" index ref.fa -o ref.wsi -q
run "$WARPSEED" index ref_alt.fa -o alt.wsi -q
align() { run "$WARPSEED" align "${@:2}" --quiet -o "made_$1.sam" && without_pg "made_$1.sam" >"$1.sam"; }
group='@RG\tID:a\tSM:b\tPL:ILLUMINA\tLB:c'
align pairs ref.wsi pairs_1.fq pairs_2.fq -R "$group"
align single ref.wsi single_1.fq
align all ref.wsi all_1.fq -a
align splits ref.wsi splits_1.fq splits_2.fq
align splits_soft ref.wsi splits_1.fq splits_2.fq -Y
align splits_secondary ref.wsi splits_1.fq splits_2.fq -M
align alt alt.wsi alt_1.fq alt_2.fq --alt alt.txt
align groups ref.wsi groups_in.sam
cases=(pairs single all splits splits_soft splits_secondary alt groups)

if [ "${1-}" = --update ]; then
  mkdir -p "$golden"
  for name in "${cases[@]}"; do cp "$name.sam" "$golden/$name.sam"; done
  echo "written: $golden/*.sam; look at the change with git diff, and say in the commit why it is meant"
  exit 0
fi

# differences GOLDEN MADE: the first lines that differ, without bases and qualities where something else tells.
differences() {
  diff <(cut -f 1-9,12- "$1") <(cut -f 1-9,12- "$2") >diff.txt || true
  [ -s diff.txt ] || diff "$1" "$2" >diff.txt || true
  echo "of $(wc -l <"$1") lines $(grep -c '^<' diff.txt) have gone (<), $(grep -c '^>' diff.txt) are new (>):"
  grep '^[<>]' diff.txt | head -n 8
}
for name in "${cases[@]}"; do
  if cmp -s "$golden/$name.sam" "$name.sam"; then continue; fi
  failures=$((failures + 1))
  echo "FAILED: test/cli/golden/$name.sam: $(differences "$golden/$name.sam" "$name.sam")" >&2
done
[ "$failures" -eq 0 ] || fail "$failures files: other records than before. If that is meant: test_golden.sh --update"
