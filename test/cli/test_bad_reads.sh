#!/usr/bin/env bash
# Reads and patterns that are missing, cut, malformed or unlike their mates: the line names file, line and read.
. "$(dirname "$0")/lib.sh"

make_genome chr1:20000 >ref.fa
make_pairs ref.fa 2000 good
run "$WARPSEED" index ref.fa -o ref.wsi -q

align() { expect_fail 2 "$1" -- "$WARPSEED" align ref.wsi "${@:2}" -o out/x.bam --quiet; }
query() { expect_fail 2 "$1" -- "$WARPSEED" query ref.wsi "${@:2}" -o out/x.tsv -q; }
both() {
  align "$1" "$2"
  query "$1" "$2"
}

both 'missing\.fq.*(no such file|not exist)' missing.fq
align 'missing\.fq.*(no such file|not exist)' good_1.fq missing.fq
mkdir folder.fq
both 'folder\.fq.*directory' folder.fq
printf 'ACGTACGT\n' >letters.fq
align 'letters\.fq:1: ' letters.fq
printf '@\nACGT\n+\nIIII\n' >nameless.fq
align 'nameless\.fq:1: .*name' nameless.fq

# Each of these is wrong in its second record, called "bad".
record='@fine\nACGTACGT\n+\nIIIIIIII\n'
bad() { # bad FILE TEXT REGEX
  # shellcheck disable=SC2059
  printf "$record$2" >"$1"
  both "$1:[5-9]: .*bad.*$3|$1:[5-9]: .*$3.*bad" "$1"
}
bad short_quality.fq '@bad\nACGTACGT\n+\nIIIII\n@next\nACGT\n+\nIIII\n' '(quality|qualities).*'
bad long_quality.fq '@bad\nACGT\n+\nIIIIIIII\n' '(quality|qualities).*'
bad cut_after_name.fq '@bad\n' ''
bad cut_after_letters.fq '@bad\nACGT\n' ''
bad cut_after_plus.fq '@bad\nACGT\n+\n' ''
bad cut_in_quality.fq '@bad\nACGT\n+\nII' ''
bad no_plus.fq '@bad\nACGT\nIIII\n@next\nACGT\n+\nIIII\n' "'?\\+'?"
bad letter.fq '@bad\nAC*T\n+\nIIII\n' "'\\*'"
# shellcheck disable=SC2059
printf "${record}bad\nACGT\n+\nIIII\n" >no_at.fq
both 'no_at\.fq:5: .*@' no_at.fq

gzip -c good_1.fq >good_1.fq.gz
head -c 20000 good_1.fq.gz >cut.fq.gz
both 'cut\.fq\.gz.*(cut|truncated|ends)' cut.fq.gz
align 'cut\.fq\.gz.*(cut|truncated|ends)' cut.fq.gz good_2.fq

# Mates: a name changed in the middle, one read less on either side. collapse -p takes no single reads.
sed '2001s/.*/@stranger/' good_2.fq >renamed_2.fq
name=$(sed -n '2001s/@//p' good_1.fq)
align "renamed_2\\.fq:2001.*(stranger.*$name|$name.*stranger)|$name.*stranger.*renamed_2\\.fq:2001" good_1.fq renamed_2.fq
head -n 4000 good_2.fq >fewer_2.fq
name=$(sed -n '4001s/@//p' good_1.fq)
align "fewer_2\\.fq.*$name|$name.*fewer_2\\.fq" good_1.fq fewer_2.fq
align "fewer_2\\.fq.*$name|$name.*fewer_2\\.fq" fewer_2.fq good_1.fq
head -n 4 good_1.fq >odd.fq
name=$(sed -n '1s/@//p' good_1.fq)
collapse() { expect_fail 2 "$1" -- "$WARPSEED" collapse "${@:2}" -o out/x.fq -q; }
collapse "odd\\.fq.*$name" -p odd.fq
{
  head -n 4 good_1.fq
  sed -n 5,8p good_2.fq
} >strangers.fq
collapse "strangers\\.fq:[15]: .*$name" -p strangers.fq

# Patterns, one a line.
printf 'ACGT\nACXT\n' >patterns.txt
query "patterns\\.txt:2: .*'X'" patterns.txt
"$WARPSEED" query ref.wsi patterns.txt >header.txt 2>/dev/null && fail "bad patterns are none"
[ ! -s header.txt ] || fail "query wrote its header before it knew of patterns"

# A bad comment for -C and a bad read group.
printf '@r not_a_tag\nACGT\n+\nIIII\n' >comment.fq
align '"?r"?.*not_a_tag|not_a_tag.*"?r"?' -C comment.fq
align '@RG' -R 'ID:x' good_1.fq
align 'ID' -R '@RG\tSM:x' good_1.fq

report_failures
