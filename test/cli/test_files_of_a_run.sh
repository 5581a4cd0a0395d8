#!/usr/bin/env bash
# The files of a run: empty names, one file in two roles, streams that are closed or full, options that take files'
# places. What is refused leaves nothing behind, and leaves what was there as it was.
# shellcheck disable=SC2016
. "$(dirname "$0")/lib.sh"

make_genome chr1:20000 >ref.fa
make_pairs ref.fa 200 reads
run "$WARPSEED" index ref.fa -o ref.wsi -q
printf 'chr1\t100\t200\n' >ref.bed
pairs=(reads_1.fq reads_2.fq)

# refused REGEX COMMAND...: exit code 2, one line, no file that was not there before.
refused() {
  local before
  rm -f complaint.out complaint.err
  before=$(ls -A)
  expect_fail 2 "$1" -- "${@:2}"
  rm -f complaint.out complaint.err
  if [ "$(ls -A)" != "$before" ]; then
    failures=$((failures + 1))
    printf 'FAILED: %s\n  left behind: %s\n' "${*:2}" "$(diff <(echo "$before") <(ls -A) || true)" >&2
  fi
}

# An empty name is what "$UNSET" gives: no file, and not the same as no option.
empty() { refused "$1.*empty" "$WARPSEED" "${@:2}"; }
empty '--output' index ref.fa -o ''
empty 'REF' index ref.fa ''
empty '--output' inspect ref.wsi -o ''
empty 'REF.wsi' inspect ''
empty '--output' query ref.wsi reads_1.fq -o ''
empty 'PATTERNS' query ref.wsi ''
empty '--output' overlap matches ref.fa ref.fa -o ''
empty 'QUERY' overlap matches ref.fa ref.fa '' -o out/x
for flag in --annotation --query-annotation --fasta --plot --html --feature; do
  empty "$flag" overlap matches ref.fa ref.fa $flag '' -o out/x
done
empty '--table' overlap pairs ref.fa --table '' -o out/x
empty '--output' collapse reads_1.fq -o ''
empty '--output2' collapse "${pairs[@]}" -o out/x -O ''
empty 'READS2' collapse reads_1.fq '' -o out/x
empty '--output' align ref.wsi "${pairs[@]}" -o ''
empty 'R2' align ref.wsi reads_1.fq '' -o out/x.sam
for flag in --alt --json --html --reference --input-reference --read-group -O -E -L -I -h --output-format -k --sort-memory; do
  empty "$flag" align ref.wsi "${pairs[@]}" $flag '' -o out/x.sam
done
empty '--backend' align ref.wsi "${pairs[@]}" --backend '' -o out/x.sam
# Glued to its option it would take the next argument for its value: here the second mates for the report.
empty '--json' align ref.wsi reads_1.fq --json= reads_2.fq -o out/x.sam
[ -s reads_2.fq ] || fail "the second mates are gone"

# One file for both mates, however it is spelled.
ln -s reads_1.fq link.fq
ln reads_1.fq hard.fq
for other in ./reads_1.fq link.fq hard.fq "$PWD/reads_1.fq"; do
  refused 'both mates' "$WARPSEED" align ref.wsi reads_1.fq "$other" -o out/x.sam --quiet
  refused 'both mates' "$WARPSEED" collapse reads_1.fq "$other" -o out/x.fq -q
done
refused 'standard input.*twice' bash -c '"$WARPSEED" align ref.wsi - /dev/stdin -o out/x.sam --quiet <reads_1.fq'
refused 'both mates' bash -c '"$WARPSEED" align ref.wsi - reads_1.fq -o out/x.sam --quiet <reads_1.fq'
refused 'standard input.*twice' bash -c 'cat reads_1.fq | "$WARPSEED" align ref.wsi - /dev/stdin -o out/x.sam --quiet'
refused 'standard input.*twice' bash -c 'cat ref.fa | "$WARPSEED" overlap matches - /dev/fd/0 -o out/x -q'
mkfifo pipe.fa
refused 'pipe\.fa.*once' timeout 10 "$WARPSEED" overlap matches pipe.fa ./pipe.fa -o out/x -q
rm pipe.fa
run "$WARPSEED" align ref.wsi <(cat reads_1.fq) <(cat reads_2.fq) -o two_pipes.sam --quiet
run "$WARPSEED" align ref.wsi "${pairs[@]}" -o two_files.sam --quiet
same <(without_pg two_pipes.sam) <(without_pg two_files.sam) "mates from two pipes"

# Outputs that follow from others.
cp reads_1.fq taken.bam.bai
cp reads_1.fq taken.bam.csi
cp reads_1.fq taken.cram.crai
cp reads_1.fq ref.alt
cp ref.fa cram.fa
for ending in bam.bai bam.csi cram.crai; do
  refused "taken\\.$ending.*is an input" "$WARPSEED" align ref.wsi taken.$ending -o taken.${ending%.*} --sort --quiet
  same taken.$ending reads_1.fq "reads under the name of the output's index"
  refused "two outputs.*new\\.$ending" \
    "$WARPSEED" align ref.wsi reads_1.fq --sort -o new.${ending%.*} --json ./new.$ending --quiet
done
refused 'ref\.alt.*is an input.*ref\.wsi' "$WARPSEED" align ref.wsi reads_1.fq -j -o ref.alt --quiet
same ref.alt reads_1.fq "the list of ALT contigs"
rm ref.alt
refused 'ref\.alt.*is an input.*ref\.wsi' "$WARPSEED" align ref.wsi reads_1.fq -o ref.alt --quiet
for index in fai gzi; do
  refused "cram\\.fa\\.$index.*is an input.*cram\\.fa" \
    "$WARPSEED" align ref.wsi reads_1.fq --reference cram.fa --output-format cram -o ./cram.fa.$index --quiet
  refused "cram\\.fa\\.$index.*is an input.*cram\\.fa" \
    "$WARPSEED" align ref.wsi reads_1.fq --input-reference cram.fa --json cram.fa.$index -o out/x.sam --quiet
done
ln -s not_there dangling
refused 'two outputs.*' "$WARPSEED" align ref.wsi reads_1.fq -o dangling --json not_there --quiet
refused 'two outputs.*' "$WARPSEED" overlap matches ref.fa ref.fa -o x.svg --plot ./x.svg -q
refused 'reads_1\.fq.*is an input' bash -c '"$WARPSEED" query ref.wsi - -o reads_1.fq -q <reads_1.fq'
cp reads_1.fq growing.fq
refused 'standard output is an input' bash -c '"$WARPSEED" align ref.wsi growing.fq --quiet >>growing.fq'
same growing.fq reads_1.fq "reads that standard output goes to"
touch report.json
refused 'two outputs' bash -c '"$WARPSEED" align ref.wsi reads_1.fq --json report.json --quiet >>report.json'
[ ! -s report.json ] || fail "records and report went to one file"
run "$WARPSEED" align ref.wsi reads_1.fq -o /dev/null --json /dev/null --quiet >/dev/null
# What sorted output leaves out, its index, is free where there is none.
run "$WARPSEED" align ref.wsi reads_1.fq -o plain.bam --json plain.bam.bai --quiet

# Standard error that cannot be written: everything else is as it would be.
run "$WARPSEED" query ref.wsi reads_1.fq >wanted.tsv
for closed in '2>&-' '2>/dev/full' '2> >(exec true)'; do
  code=0
  bash -c '"$WARPSEED" query ref.wsi reads_1.fq --verbose -o got.tsv '"$closed" || code=$?
  equal $code 0 "exit code with $closed"
  same got.tsv wanted.tsv "output with $closed"
  rm got.tsv
  code=0
  bash -c '"$WARPSEED" align ref.wsi "$@" --verbose -o got.sam '"$closed" x "${pairs[@]}" || code=$?
  equal $code 0 "exit code of align with $closed"
  same <(without_pg got.sam) <(without_pg two_files.sam) "records with $closed"
  rm got.sam
  for arguments in 'query ref.wsi missing.fq' 'frobnicate' 'index ref.fa --frobnicate'; do
    code=0
    bash -c '"$WARPSEED" '"$arguments $closed" || code=$?
    equal $code 2 "exit code of $arguments with $closed"
  done
done

sed '401s/.*/no name/' reads_1.fq >broken.fq
for closed in '2>&-' '2>/dev/full' '2> >(exec true)'; do
  for output in 'out/x.sam --json out/x.json' 'out/x.bam --sort' 'out/x.cram --sort' '/dev/full --json out/x.json'; do
    code=0
    bash -c '"$WARPSEED" align ref.wsi broken.fq --verbose -o '"$output $closed" || code=$?
    equal $code 2 "exit code of broken reads to $output with $closed"
    [ -z "$(ls -A out)" ] || fail "left behind with $closed: $(ls -A out)"
  done
done

# Standard input or output that is closed: no file that is opened later takes its place.
cp ref.fa own.fa
cp ref.wsi own.wsi
printf 'chr1\n' >own.alt
stream='standard input is closed'
expect_fail 2 "$stream" -- bash -c '"$WARPSEED" align own.wsi - -o out/x.sam --quiet <&-'
expect_fail 2 "$stream" -- bash -c '"$WARPSEED" align own.wsi /dev/stdin -o out/x.sam --quiet <&-'
expect_fail 2 "$stream" -- bash -c '"$WARPSEED" index - -o out/x.wsi -q <&-'
expect_fail 2 "$stream" -- bash -c '"$WARPSEED" query ref.wsi - -o out/x -q <&-'
expect_fail 2 "$stream" -- bash -c '"$WARPSEED" overlap longest - -o out/x -q <&-'
expect_fail 2 "$stream" -- bash -c '"$WARPSEED" collapse - -o out/x -q <&-'
expect_fail 1 'standard output.*closed' -- bash -c '"$WARPSEED" query ref.wsi reads_1.fq -q >&-'
expect_fail 1 'standard output.*closed' -- bash -c '"$WARPSEED" align ref.wsi reads_1.fq --quiet >&-'
expect_fail 1 'standard output.*closed' -- bash -c '"$WARPSEED" align ref.wsi reads_1.fq --json out/x.json --quiet >&-'
expect_fail 1 'standard output.*closed' -- bash -c '"$WARPSEED" collapse reads_1.fq reads_2.fq -O out/x.fq -q >&-'
expect_fail 1 'standard output.*space' -- \
  bash -c '"$WARPSEED" align ref.wsi reads_1.fq --json out/x.json --quiet >/dev/full'
expect_fail 1 'standard output.*closed' -- bash -c '"$WARPSEED" --version >&-'
run bash -c '"$WARPSEED" query ref.wsi reads_1.fq -o got.tsv -q <&- >&- 2>&-'
same got.tsv wanted.tsv "output without any standard stream"
run bash -c '"$WARPSEED" query ref.wsi reads_1.fq -o /dev/null -q >&-'

# What goes to standard output is written, or the exit code says that it is not.
for arguments in --help --version help version backends 'backends --help' 'index --help' 'inspect --help' \
  'query --help' 'overlap --help' 'align --help' 'collapse --help'; do
  expect_fail 1 'standard output.*space' -- bash -c '"$WARPSEED" '"$arguments"' >/dev/full'
done

# An option takes the one argument behind it; the next is a file.
printf 'chr1\tx\tgene\t101\t200\t.\t+\t.\tID=g\nchr1\tx\tCDS\t301\t400\t.\t+\t0\tID=c\n' >ref.gff
run "$WARPSEED" overlap matches ref.fa ref.fa --annotation ref.gff --feature gene --feature CDS -o wanted.txt -q
run "$WARPSEED" overlap matches --annotation ref.gff --feature gene --feature CDS ref.fa ref.fa -o got.txt -q
same got.txt wanted.txt "features in front of the files"
[ "$(wc -l <got.txt)" -gt 1 ] || fail "no regions between two features"
expect_fail 2 '--annotation' -- "$WARPSEED" overlap matches --feature gene ref.fa ref.fa -o out/x -q

report_failures
