#!/usr/bin/env bash
# `overlap` given what it cannot work on, or options that do not go together: it says which, why and what to do. Given
# too little to find anything in, it finds nothing.
. "$(dirname "$0")/lib.sh"

make_genome t1:3000 t2:500 >t.fa
make_genome q1:800 >q.fa
printf 't1\t0\t+\tq1\t5\t+\n' >places.tsv
printf 't1\t0\t-\tq1\t5\t+\n' >reverse.tsv
printf 't1\t5\t80\n' >t.bed

# bad REGEX ARGUMENTS: input at fault. The output would be out/x.
bad() { expect_fail 2 "$1" -- "$WARPSEED" overlap "${@:2}" -o out/x -q; }
two=(t.fa q.fa)

# Usage.
bad 'MODE' both "${two[@]}"
bad 'TARGET' matches
bad 'QUERY.*--self' matches t.fa
bad '--self.*QUERY' matches "${two[@]}" --self
bad '--self.*QUERY' longest "${two[@]}" --self
for length in 0 -3 ten; do
  bad "--min-length.*$length" matches "${two[@]}" --min-length $length
done
bad '--strand.*up' matches "${two[@]}" --strand up
bad '--format.*sam' matches "${two[@]}" --format sam
bad '--threads' matches "${two[@]}" --threads 0
expect_fail 2 'backend "gpu"' -- "$WARPSEED" overlap matches "${two[@]}" -o out/x --backend gpu -q

# Options of another mode, and such as do not go together.
bad '--unique.*matches' longest "${two[@]}" --unique
bad '--unique-in-target.*matches' pairs "${two[@]}" --table places.tsv --unique-in-target
bad '--unique.*--unique-in-target|--unique-in-target.*--unique' matches "${two[@]}" --unique --unique-in-target
bad 'QUERY' matches t.fa --self --unique
bad '--min-length.*matches' longest "${two[@]}" --min-length 20
bad '--min-length.*matches' pairs "${two[@]}" --table places.tsv --min-length 20
bad '--ties.*longest' matches "${two[@]}" --ties
bad '--table.*pairs' matches "${two[@]}" --table places.tsv
bad '--table' pairs "${two[@]}"
bad '--strand' pairs "${two[@]}" --table places.tsv --strand reverse
bad 'reverse\.tsv.*--strand both' pairs "${two[@]}" --table reverse.tsv --strand forward
bad '--format' pairs "${two[@]}" --table places.tsv --format paf
bad '--fasta' pairs "${two[@]}" --table places.tsv --fasta out/x.fa
bad '--plot' pairs "${two[@]}" --table places.tsv --plot out/x.svg
bad 'svg, .pdf or' matches "${two[@]}" --plot out/x.gif
bad '--plot-title.*--plot' matches "${two[@]}" --plot-title x
bad 'mums.*(tsv|paf)' longest "${two[@]}" --format mums
bad '--strand' longest t.fa --strand reverse
bad '--strand' matches t.fa --self --strand reverse
bad '--annotation' matches "${two[@]}" --label
bad '--annotation' matches "${two[@]}" --feature exon
bad '--annotation' matches "${two[@]}" --allow-missing
bad '--query-annotation' matches t.fa --self --query-annotation t.bed
bad '--label.*tsv' matches "${two[@]}" --annotation t.bed --label --format paf

# Files that would be lost, or read twice.
cp q.fa kept.fa
expect_fail 2 'kept\.fa is an input' -- "$WARPSEED" overlap matches t.fa kept.fa -o kept.fa -q
expect_fail 2 'kept\.fa is an input' -- "$WARPSEED" overlap matches t.fa kept.fa -o out/x --fasta ./kept.fa -q
expect_fail 2 't\.bed is an input' -- "$WARPSEED" overlap matches t.fa q.fa --annotation t.bed -o out/x --plot t.bed -q
same kept.fa q.fa "an input named as output"
bad 'out/x.*own' matches "${two[@]}" --fasta out/x
bad 'out/\./x.*own' matches "${two[@]}" --plot out/./x
expect_fail 2 'standard output.*own' -- "$WARPSEED" overlap matches "${two[@]}" --fasta - -q
expect_fail 2 'standard output.*own' -- "$WARPSEED" overlap matches "${two[@]}" --fasta /dev/stdout -q
bad 'standard input.*twice' matches - -
bad 'standard input.*twice' pairs t.fa - --table -

# Rows that begin with # are comments wherever they stand, even of a sequence whose name does.
printf '>#1\nACGTACGT\n>c\nAAAACG\n' >hash.fa
printf '#1\t0\t+\t#1\t4\t+\nc\t0\t+\tc\t1\t+\n#1\t0\t+\t#1\t4\t+\n' >hash.tsv
run "$WARPSEED" overlap pairs hash.fa --table hash.tsv -q >hash.out
equal "$(grep -c -v '^#' hash.out)" 1 "rows that are no comments"

# Sequences.
bad 'missing\.fa.*(no such file|not exist)' matches missing.fa q.fa
bad 'missing\.fa.*(no such file|not exist)' matches t.fa missing.fa
bad 'missing\.wsi.*(no such file|not exist)' longest missing.wsi
: >empty.fa
bad 'empty\.fa.*empty' matches empty.fa q.fa
bad 'empty\.fa.*empty' longest t.fa empty.fa
bad 'standard input.*empty' matches - q.fa
printf '>a\nAC*T\n' >star.fa
bad "star\\.fa:2: .*'\\*'" matches t.fa star.fa
printf '@r1\nACGT\n+\nIIII\n' >reads.fa
bad 'reads\.fa:1: .*FASTQ' matches t.fa reads.fa
bad 'q.fa.*"q1".*rename' matches t.fa q.fa q.fa
run "$WARPSEED" index t.fa -o t.wsi -q
head -c 3000 t.wsi >cut.wsi
bad 'cut\.wsi.*(truncated|cut|short)' matches cut.wsi q.fa
bad 'cut\.wsi.*(truncated|cut|short)' matches q.fa cut.wsi
cp q.fa not.wsi
bad 'not\.wsi.*not .*index' matches not.wsi q.fa

# Tables of places: the first wrong line, and what is wrong with it.
table() {
  { cat places.tsv; printf '%b\n' "$2"; printf 'wrong as well\n'; } >table.tsv
  bad "table\\.tsv:2: .*$1" pairs "${two[@]}" --table table.tsv
}
table '5 columns' 't1\t0\t+\tq1\t5'
table '1 column' 't1 0 + q1 5 +'
table '"zz"' 't1\t0\t+\tzz\t5\t+'
table '"q1"' 'q1\t0\t+\tq1\t5\t+'
table '"3000".*3000 bases' 't1\t3000\t+\tq1\t5\t+'
table '"-1"' 't1\t-1\t+\tq1\t5\t+'
table '"x"' 't1\tx\t+\tq1\t5\t+'
table '"\*"' 't1\t1\t*\tq1\t5\t+'
bad 'missing\.tsv.*no such file' pairs "${two[@]}" --table missing.tsv

# Outputs: none is left where one of them cannot be written.
broken() { expect_fail 1 "$1" -- "$WARPSEED" overlap "${@:2}" -q; }
full='/dev/full|standard output|no space'
broken 'nowhere/x' matches "${two[@]}" -o nowhere/x
broken 'nowhere/x' pairs "${two[@]}" --table places.tsv -o nowhere/x
broken 'nowhere/y' matches "${two[@]}" -o out/x --fasta nowhere/y
broken 'nowhere/y' matches "${two[@]}" -o out/x --plot nowhere/y.svg
broken "$full" matches "${two[@]}" -o /dev/full
broken "$full" longest "${two[@]}" -o out/x --fasta /dev/full
broken "$full" pairs "${two[@]}" --table places.tsv -o /dev/full
expect_fail 1 "$full" -- bash -c '"$WARPSEED" overlap matches t.fa q.fa --plot out/x.svg -q >/dev/full'

# A PNG is made by another program; where none is, nothing is written.
mkdir bare
expect_fail 2 'PNG.*install.*\.svg' -- \
  env PATH="$work/bare" "$WARPSEED" overlap matches t.fa q.fa -o out/x --fasta out/x.fa --plot out/x.png -q

# Nothing to find is no mistake: a header line, or nothing at all, and exit code 0.
nothing() {
  local lines=$1
  run "$WARPSEED" overlap "${@:2}" -q >nothing.txt
  equal "$(wc -l <nothing.txt)" "$lines" "lines of: overlap ${*:2}"
}
printf '>n\nNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN\n' >n.fa
printf '>short\nACGT\n' >short.fa
printf '>only\nACGTAGCTAGCAAGCTAGATCGATCGA\n' >only.fa
nothing 1 matches n.fa t.fa
nothing 1 matches t.fa n.fa
nothing 1 matches n.fa --self
nothing 1 longest n.fa t.fa
nothing 1 longest n.fa --self
nothing 1 longest only.fa
nothing 1 matches short.fa short.fa
nothing 1 matches short.fa --self
nothing 2 matches t.fa short.fa --format mums
nothing 0 matches t.fa short.fa --format paf
nothing 0 matches t.fa short.fa --format bed
for target in t.fa t.wsi; do
  nothing 1 matches $target q.fa --min-length 18446744073709551615
  nothing 1 matches $target q.fa --min-length 801
  nothing 1 matches $target short.fa
  nothing 1 matches $target n.fa
done
run "$WARPSEED" index n.fa -o n.wsi -q
nothing 1 matches n.wsi t.fa
run "$WARPSEED" overlap matches t.fa n.fa --fasta none.fa --plot none.svg -q >nothing.txt
equal "$(wc -c <none.fa)" 0 "bytes of FASTA for no regions"
contains none.svg 'data-forward="0" data-reverse="0"'

report_failures
