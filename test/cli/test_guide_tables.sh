#!/usr/bin/env bash
# Every row of guide.md's tables holds: each has a check here, by its table and its first two columns. A row without a check
# fails, and so does a check without a row. bwa and mummer judge where they are installed.
# shellcheck disable=SC2016  # backquotes are part of the rows
. "$(dirname "$0")/lib.sh"
need samtools

gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
run "$WARPSEED" index ref.fa -q
for mate in 1 2; do
  # In two steps: a reader that leaves early would end gzip with an error.
  gzip -dc "$demo/NA12878_chr20_10.0-10.1Mb_R$mate.fastq.gz" >all_$mate.fq
  head -n 8000 all_$mate.fq >r_$mate.fq
done
paste -d '\n' <(paste - - - - <r_1.fq) <(paste - - - - <r_2.fq) | tr '\t' '\n' >mates.fq
# Long reads of 3,000 bases and reads of two places, 40 and 60 bases; errors are substitutions and gaps of 1 to 12 bases.
one_line ref.fa | sed -n 2p | awk -v seed=$seed '
  function piece(n,  s) { do s = toupper(substr($0, 1 + int(rand() * (length($0) - n)), n)); while (s ~ /N/); return s }
  function worn(s,  i, t, x) {
    for (i = 1; i <= length(s); i++) {
      x = rand()
      if (x < 0.02) t = t substr("ACGT", 1 + int(rand() * 4), 1)
      else if (x < 0.024) t = t substr("ACGTACGTACGT", 1, 1 + int(rand() * 12)) substr(s, i, 1)
      else if (x < 0.028) i += int(rand() * 12)
      else t = t substr(s, i, 1)
    }
    return t
  }
  function put(file, n, s,  q) { q = s; gsub(/./, "I", q); printf "@%d\n%s\n+\n%s\n", n, s, q > file }
  BEGIN { srand(seed) }
  { for (n = 0; n < 20; n++) put("long.fq", n, worn(piece(3000)))
    for (n = 0; n < 100; n++) put("split.fq", n, piece(40) piece(60))
    for (n = 0; n < 300; n++) put("worn.fq", n, worn(piece(250))) }'

# records ARGUMENTS...: of `align ref.fa`, without the header.
records() { run "$WARPSEED" align ref.fa "$@" --quiet >records.sam; grep -v '^@' records.sam; }
pairs=(r_1.fq r_2.fq)
records "${pairs[@]}" >pairs.txt
records worn.fq >worn.txt
records long.fq >long.txt
records split.fq >split.txt
# like FILE ARGUMENTS..., unlike FILE ARGUMENTS...: the records are those of FILE, or not.
like() { records "${@:2}" >got.txt && same "$1" got.txt "${*:2}"; }
unlike() { records "${@:2}" >got.txt && if cmp -s "$1" got.txt; then fail "no effect: ${*:2}"; fi; }
# count PROGRAM [FILE]: lines of FILE, else of the last records, for which the awk condition holds.
count() { awk -F '\t' "$1 { n++ } END { print n + 0 }" "${2-got.txt}"; }
# unknown COMMAND FLAG...: is not taken.
unknown() {
  for flag in "${@:2}"; do
    expect_fail 2 "unknown flag $flag" -- "$WARPSEED" "$1" ref.fa r_1.fq "$flag" -o out/x
  done
}
without_effect() {
  like pairs.txt "${pairs[@]}" "$@"
  run "$WARPSEED" align ref.fa r_1.fq "$@" -o x.sam
  contains run.err "$1 has no effect"
}

# above NUMBER LIMIT WHAT
above() { [ "$1" -gt "$2" ] || fail "$3: $1, wanted more than $2"; }

declare -A check seen
row() { check["$1 | $2 | $3"]=$4; }

# ---- bwa mem
same_defaults() {
  local option
  bwa mem >usage.txt 2>&1 || true
  for option in '-k 19' '-w 100' '-d 100' '-r 1.5' '-c 500' '-D 0.50' '-m 50' '-A 1' '-B 4' '-O 6' '-E 1' '-L 5' '-U 17' \
    '-T 30' '-h 5'; do
    # shellcheck disable=SC2086
    like pairs.txt "${pairs[@]}" $option
    if command -v bwa >/dev/null; then
      grep -Eq -- "^ +${option% *} .*\[${option#* }[],]" usage.txt || fail "bwa's default is not $option"
    fi
  done
  # shellcheck disable=SC2086
  for option in '-k 60' '-c 1' '-A 3' '-B 1' '-O 1' '-E 5' '-L 50' '-T 200'; do unlike worn.txt worn.fq $option; done
  # shellcheck disable=SC2086
  for option in '-w 2' '-d 1'; do unlike worn.txt worn.fq $option; done
  # shellcheck disable=SC2086
  for option in '-U 0' '-m 0' '-D 1' '-h 0' '-r 100'; do unlike pairs.txt "${pairs[@]}" $option; done
}
row 'bwa mem' '`-k -w -d -r -c -D -m -A -B -O -E -L -U -T -h`' 'the same flags and defaults' same_defaults
third_round() { like pairs.txt "${pairs[@]}" -y 20 && unlike pairs.txt "${pairs[@]}" -y 0; }
row 'bwa mem' '`-y`' '`-y`' third_round
same_flags() {
  unlike pairs.txt "${pairs[@]}" -S
  like pairs.txt "${pairs[@]}" -j
  records "${pairs[@]}" -P >got.txt
  equal "$(count 'int($2 / 2) % 2')" 0 "proper pairs with -P"
  records r_1.fq -a >got.txt
  above "$(count 'int($2 / 256) % 2')" 0 "secondary records with -a"
  records split.fq -M >got.txt
  equal "$(count 'int($2 / 256) % 2')" "$(count 'int($2 / 2048) % 2' split.txt)" "secondary records with -M"
  records split.fq -Y >got.txt
  above "$(count '$6 ~ /H/' split.txt)" 0 "hard clips without -Y"
  equal "$(count '$6 ~ /H/')" 0 "hard clips with -Y"
  samtools import -1 r_1.fq -2 r_2.fq -r ID:old -r SM:s -o reads.bam 2>/dev/null
  records reads.bam -R '@RG\tID:new\tSM:t' >got.txt
  equal "$(count '/RG:Z:new/')" "$(count 1)" "reads in the group of -R"
  records r_1.fq,r_2.fq -R '@RG\tID:one\tSM:t' -R '@RG\tID:two\tSM:t' >got.txt
  equal "$(count '/RG:Z:two/ && $2 < 256')" 2000 "reads of the second lane"
}
row 'bwa mem' '`-R -S -P -a -M -Y -j`' 'the same flags' same_flags
threads() {
  like pairs.txt "${pairs[@]}" -t 1
  used() {
    run "$@" "$WARPSEED" align ref.fa r_1.fq --html x.html -o x.sam
    sed -n '/CPU threads/{n;s/<[^>]*>//gp}' x.html
  }
  equal "$(used taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')")" 1 "threads on one processor"
  not_above "$(used env)" "$(nproc)" "threads by default" # or fewer, by a control group's quota
}
row 'bwa mem' '`-t`' '`-t`' threads
interleaved() {
  like pairs.txt mates.fq -p
  like pairs.txt mates.fq absent.fq -p
  # Single reads among pairs do not change these.
  { sed -n 1,4p all_1.fq | sed '1s/.*/@single/' && cat mates.fq; } >mixed.fq
  records mixed.fq -p >mixed.txt
  equal "$(awk -F '\t' '$1 == "single" { print $2 % 2 }' mixed.txt)" 0 "a single read's flag 0x1 with -p"
  grep -v '^single' mixed.txt | cmp -s pairs.txt - || fail "pairs of -p among which there is a single read"
}
row 'bwa mem' '`-p`' '`-p`' interleaved
insert_sizes() {
  for mate in 1 2; do awk "$turned"'NR % 4 == 2 { print turned($0); next } { print }' r_$mate.fq >rf_$mate.fq; done
  local forward
  records "${pairs[@]}" -I 300,100 >got.txt
  forward=$(count 'int($2 / 2) % 2')
  records rf_1.fq rf_2.fq -I 300,100 >got.txt
  above "$forward" 3000 "proper reads of FR pairs with -I"
  not_above "$(count 'int($2 / 2) % 2')" 100 "proper reads of RF pairs with -I"
  records rf_1.fq rf_2.fq >got.txt
  above "$(count 'int($2 / 2) % 2')" 3000 "proper reads of RF pairs"
  unlike pairs.txt "${pairs[@]}" -I 2000,10
}
row 'bwa mem' '`-I`' '`-I`' insert_sizes
row 'minimap2' '`-F` (fragment length)' '`-I`' insert_sizes
comments() {
  awk 'NR % 4 == 1 { print $1 " XX:Z:a\tNM:i:99\tRG:Z:b"; next } { print }' r_1.fq >comments.fq
  records comments.fq -C -R '@RG\tID:a\tSM:s' >got.txt
  equal "$(count '$2 < 256 && /\tXX:Z:a/ && !/NM:i:99/ && !/RG:Z:b/ && /RG:Z:a/')" 2000 "records with the comment's tag"
}
row 'bwa mem' '`-C`' '`-C`' comments
row 'minimap2' '`-y` (copy comments)' '`-C`' comments
formats() {
  for format in bam cram; do run "$WARPSEED" align ref.fa r_1.fq --quiet -o x.$format; done
  contains <(samtools view -H x.bam) '^@SQ' && equal "$(head -c 2 x.bam | od -An -tx1)" ' 1f 8b' "BAM"
  equal "$(head -c 4 x.cram)" CRAM "CRAM"
}
row 'bwa mem' '`-o`' '`-o`' formats
supplementary_mapq() {
  records split.fq -q >got.txt
  same <(cut -f 1-4,6 split.txt) <(cut -f 1-4,6 got.txt) "positions with -q"
  run "$WARPSEED" align ref.fa r_1.fq -q -o x.sam && contains run.err 'reads mapped'
}
row 'bwa mem' '`-q` (keep MAPQ of supplementary)' '`-q`' supplementary_mapq
first_part() {
  records split.fq >got.txt
  local late='$2 < 256 && /SA:Z/ && (int($2 / 16) % 2 ? $6 ~ /[5-9][0-9]M[0-9]+S$/ : $6 ~ /^[0-9]+S/)'
  above "$(count "$late")" 5 "later parts that are primary"
  records split.fq -5 >got.txt
  equal "$(count "$late")" 0 "later parts that are primary with -5"
}
row 'bwa mem' '`-5`' '`-5`' first_part
verbosity() {
  run "$WARPSEED" align ref.fa r_1.fq -v 2 -o x.sam && equal "$(wc -c <run.err)" 0 "bytes with -v 2"
  run "$WARPSEED" align ref.fa r_1.fq -v 3 -o x.sam && cp run.err three.txt && contains three.txt 'reads mapped'
  run "$WARPSEED" align ref.fa r_1.fq -v 4 -o x.sam && contains run.err ': busy '
  if grep -q ': busy ' three.txt; then fail "-v 3 is --verbose"; fi
}
row 'bwa mem' '`-v`' '`-v`' verbosity
batch() { without_effect -K 100; }
row 'bwa mem' '`-K`' 'accepted' batch
fixed() { for flag in '-s 5' '-W 3' '-G 99' '-N 7' '-X 0.1' '-Q 9'; do without_effect ${flag}; done; }
row 'bwa mem' '`-s -W -G -N -X -Q`' 'accepted' fixed
bwa_kinds() {
  like long.txt long.fq -x pacbio && like long.txt long.fq -x ont2d
  unlike long.txt long.fq -x intractg
  records worn.fq -B 9 -O 16 >contigs.txt
  like contigs.txt worn.fq -x intractg && unlike worn.txt worn.fq -x intractg && like worn.txt worn.fq -x intractg -B 4 -O 6
}
row 'bwa mem' '`-x` pacbio, ont2d, intractg' 'accepted' bwa_kinds
header_lines() {
  run "$WARPSEED" align ref.fa r_1.fq -H '@CO\twords' -H '@HD\tVN:1.0' -o x.sam
  contains x.sam '^@CO	words$' && contains run.err '@HD'
  expect_fail 2 'nowhere' -- "$WARPSEED" align ref.fa r_1.fq -H '@SQ\tSN:nowhere\tLN:7' -o out/x.sam
}
row 'bwa mem' '`-H`' '`-H`' header_lines
row 'bwa mem' '`-V`' 'accepted' without_descriptions
without_descriptions() { without_effect -V; }
alt_list() {
  one_line ref.fa | sed -n 2p | awk '{ print ">main\n" substr($0, 300001, 40000) "\n>other\n" substr($0, 310001, 6000) }' >alt.fa
  rm -f alt.fa.alt
  run "$WARPSEED" index alt.fa -q && printf 'other\n' >list.txt
  one_line alt.fa | sed -n 2p | awk '{ for (i = 10500; i < 15000; i += 50) print ">" i "\n" substr($0, i, 150) }' >alt_reads.fa
  run "$WARPSEED" align alt.fa alt_reads.fa --quiet -o without.sam
  run "$WARPSEED" align alt.fa alt_reads.fa --quiet --alt list.txt -o given.sam
  cp list.txt alt.fa.alt
  run "$WARPSEED" align alt.fa alt_reads.fa --quiet -o found.sam
  same <(without_pg given.sam) <(without_pg found.sam) "the list next to the index"
  equal "$(count '!/^@/ && $3 == "main" && $5 > 20' without.sam)" 0 "sure reads without the list"
  above "$(count '!/^@/ && $3 == "main" && $5 > 20' found.sam)" 80 "sure reads with the list"
}
row 'bwa mem' '`idxbase.alt`' '`REF.fa.alt` next to `REF.fa.wsi`, or `--alt`' alt_list
row 'minimap2' '`--alt FILE`' '`--alt FILE`' alt_list
sorted() {
  run "$WARPSEED" align ref.fa "${pairs[@]}" --quiet --sort -o sorted.bam
  run "$WARPSEED" align ref.fa "${pairs[@]}" --quiet -o plain.bam
  cmp <(samtools view sorted.bam | cut -f 1-4) <(samtools sort plain.bam 2>/dev/null | samtools view - | cut -f 1-4) ||
    fail "--sort: not the order of samtools sort"
  samtools view sorted.bam 20_9000001_11000000:1000000-1000500 >region.txt && [ -s region.txt ] || fail "--sort: no index"
}
row 'bwa mem' '`samtools sort`, `samtools index`' '`--sort`' sorted
duplicates() {
  for mate in 1 2; do
    awk 'NR > 400 { exit } NR % 4 == 1 { sub(/@/, "@copy") } { print }' r_$mate.fq | cat r_$mate.fq - >d_$mate.fq
  done
  run "$WARPSEED" align ref.fa d_1.fq d_2.fq --quiet -o plain.bam
  run "$WARPSEED" align ref.fa d_1.fq d_2.fq --quiet --sort --mark-duplicates -o marked.bam
  samtools sort -n plain.bam 2>/dev/null | samtools fixmate -m -p - - | samtools sort - 2>/dev/null |
    samtools markdup - judge.bam 2>/dev/null
  for file in marked judge; do samtools view -f 1024 $file.bam | cut -f 1,2 | LC_ALL=C sort >$file.txt; done
  above "$(wc -l <judge.txt)" 150 duplicates
  same marked.txt judge.txt duplicates
}
row 'bwa mem' '`samtools fixmate`, `samtools markdup`' '`--sort --mark-duplicates`' duplicates

# ---- mummer: sets of lines, each with the query's name and strand
{ printf '>t\n' && one_line ref.fa | sed -n 2p | cut -c 1000001-1040000; } >t.fa
{ printf '>q\n' && one_line t.fa | sed -n 2p | cut -c 5001-9000 && printf 'NNNN\n>back\n' &&
  one_line t.fa | sed -n 2p | cut -c 20001-30000 | awk "$turned"'{ print turned(toupper($0)) }'; } >q.fa
overlap() { run "$WARPSEED" overlap matches "$@" --quiet; }
sets() { awk '/^>/ { name = $0; next } { $1 = $1; print name, $0 }' | LC_ALL=C sort; }
# as_mummer 'MUMMERS FLAGS' FLAGS...
as_mummer() {
  overlap t.fa q.fa --format mums "${@:2}" | sets >ours.txt
  [ -s ours.txt ] || fail "no matches with $*" # with -c where there are reverse ones, which mummer insists on
  command -v mummer >/dev/null || return 0
  # shellcheck disable=SC2086
  mummer $1 -n -F t.fa q.fa 2>/dev/null | sets >theirs.txt
  same theirs.txt ours.txt "mummer $1"
}
maximal() { as_mummer '-maxmatch -l 20 -b -c'; }
row mummer '`-maxmatch`' 'no flag' maximal
row mummer '`-b`' '`--strand both`' both_strands
both_strands() { as_mummer '-maxmatch -l 20 -b -c' --strand both; }
unique_in_target() {
  as_mummer '-mumreference -l 20 -b -c' --unique-in-target
  as_mummer '-mumcand -l 20 -b -c' --unique-in-target
  as_mummer '-l 20 -b -c' --unique-in-target
}
row mummer '`-mumreference`, `-mumcand` (the default)' '`--unique-in-target`' unique_in_target
unique() { as_mummer '-mum -l 20 -b -c' --unique; }
row mummer '`-mum`' '`--unique`' unique
least_length() { as_mummer '-maxmatch -b -c' --min-length 20 && as_mummer '-maxmatch -b -c -l 33' --min-length 33; }
row mummer '`-l N` (20)' '`--min-length N` (20)' least_length
forward() { as_mummer '-maxmatch' --strand forward; }
row mummer 'no flag' '`--strand forward`' forward
reverse() { as_mummer '-maxmatch -r -c' --strand reverse; }
row mummer '`-r`' '`--strand reverse`' reverse
letters() {
  sed '/^>/! s/[Aa]/N/' q.fa >n.fa
  overlap t.fa n.fa --format paf -o n.paf
  awk '/^>/ { name = substr($1, 2); next } { text[name] = text[name] toupper($0) }
    END {
      while ((getline line < "n.paf") > 0) {
        split(line, f, "\t")
        n++; wrong += substr(text[f[1]], f[3] + 1, f[4] - f[3]) ~ /[^ACGT]/
      }
      exit !n || wrong
    }' n.fa ||
    fail "a match holds another base than A, C, G, T"
}
row mummer '`-n`' 'always' letters
row mummer '`-c`' 'always' reverse
row mummer '`-F`' '`--format mums`' columns
columns() {
  overlap t.fa q.fa --format mums | awk '!/^>/ { n++; if (NF != 4) exit 1 } END { exit !n }' || fail "not four columns"
  for format in tsv bed paf; do overlap t.fa q.fa --format $format -o x.$format && [ -s x.$format ] || fail "--format $format"; done
}
bases() {
  overlap t.fa q.fa --fasta bases.fa -o x.tsv
  equal "$(grep -v '^>' bases.fa | tr -d '\n' | wc -c)" "$(awk '!/^#/ { n += $8 } END { print n }' x.tsv)" "bases of --fasta"
}
row mummer '`-s`' '`--fasta FILE`' bases
lengths() {
  expect_fail 2 'unknown flag -L' -- "$WARPSEED" overlap matches t.fa q.fa -L -o out/x
  overlap t.fa q.fa --format paf | awk '$7 != 40000 { exit 1 } END { exit !NR }' || fail "PAF lacks the lengths"
}
row mummer '`-L`' 'none' lengths
plot() {
  overlap t.fa q.fa --plot x.svg --html x.html -o x.tsv
  contains x.svg '^<svg ' && contains x.html '<svg ' && contains x.html 'id="detail"'
}
row mummer '`mummerplot`' '`--plot FILE.svg`, `--html FILE.html`' plot
plot_formats() {
  overlap t.fa q.fa --plot x.pdf --plot-title Words -o x.tsv
  equal "$(head -c 5 x.pdf)" '%PDF-' "PDF" && contains x.pdf '/Title <FEFF0057006F007200640073>'
  if command -v rsvg-convert >/dev/null; then overlap t.fa q.fa --plot x.png -o x.tsv && contains <(head -c 4 x.png) PNG; fi
}
row mummer '`mummerplot -t png`, `-t postscript`, `-title`' '`--plot FILE.png`, `--plot FILE.pdf`, `--plot-title`' plot_formats
other_programs() {
  local code=0
  for name in nucmer dnadiff; do
    "$WARPSEED" $name t.fa q.fa >usage.txt 2>&1 || code=$?
    equal $code 2 "exit code of a command that is none" && contains usage.txt 'usage: warpseed COMMAND'
  done
}
row mummer '`nucmer`, `dnadiff`' 'none' other_programs
annotated() {
  printf 't\t5000\t9500\n' >t.bed
  overlap t.fa q.fa --annotation t.bed | awk '!/^#/ && $2 < 9500 && $3 > 5000 { exit 1 }' || fail "--annotation does not mask"
  overlap t.fa q.fa --annotation t.bed --label >x.tsv
  above "$(head -n 1 x.tsv | wc -w)" 8 "columns with --label"
  equal "$(count '!/^#/' x.tsv)" "$(overlap t.fa q.fa | grep -vc '^#')" "labelled regions"
}
row mummer 'none' '`--annotation`, `--label`' annotated
index_as_target() {
  run "$WARPSEED" index t.fa -q
  overlap t.fa q.fa >x.tsv && overlap t.fa.wsi q.fa >y.tsv && same x.tsv y.tsv "an index as TARGET"
}
row mummer 'none' 'an index (`.wsi`) as TARGET' index_as_target

# ---- what --estimate prints
# estimated NAME: its number for the pairs, sorted within a little memory and unsorted.
estimated() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' estimate.txt; }
estimate() { run "$WARPSEED" align --estimate ref.fa "${pairs[@]}" --backend cpu -o x.bam "$@" >estimate.txt; }
estimated_input() {
  estimate
  equal "$(estimated input-bytes)" "$(cat "${pairs[@]}" | wc -c)" "bytes of the input"
  above "$(estimated reads)" 3600 reads && not_above "$(estimated reads)" 4400 reads
  above "$(estimated bases)" 360000 bases && not_above "$(estimated bases)" 450000 bases
}
row name '`input-bytes`, `reads`, `bases`' 'size of the input, and what it holds' estimated_input
estimated_memory() {
  estimate
  above "$(estimated memory-bytes)" "$(stat -c %s ref.fa.wsi)" "memory with the index"
  if [ -x /usr/bin/time ]; then
    /usr/bin/time -f %M -o peak.txt "$WARPSEED" align ref.fa "${pairs[@]}" --backend cpu --quiet -o x.bam
    not_above "$((1024 * $(tail -n 1 peak.txt)))" "$(estimated memory-bytes)" "peak memory"
  fi
}
row name '`memory-bytes`' 'memory of the process at its peak, the index included: an upper bound; runs take at least a third of it' estimated_memory
on_no_device() { estimate && equal "$(estimated device-memory-bytes)" 0 "device memory on the CPU"; }
row name '`device-memory-bytes`' 'of each GPU; 0 on the CPU' on_no_device
estimated_disk() {
  local size
  estimate
  run "$WARPSEED" align ref.fa "${pairs[@]}" --quiet -o x.bam
  size=$(stat -c %s x.bam)
  above "$(estimated output-bytes)" $((size / 2)) "bytes of records"
  not_above "$(estimated output-bytes)" $((2 * size)) "bytes of records"
  equal "$(estimated temporary-bytes)" 0 "bytes of runs, unsorted"
  estimate --sort --sort-memory 100K
  above "$(estimated temporary-bytes)" 0 "bytes of runs"
  equal "$(estimated disk-bytes)" $(($(estimated output-bytes) + $(estimated temporary-bytes))) "both"
}
row name '`output-bytes`' 'the index file, or the records' estimated_disk
row name '`temporary-bytes`' 'sorted runs, where the records do not fit into the sort memory' estimated_disk
row name '`disk-bytes`' 'both; right within a factor of two' estimated_disk
estimated_time() { estimate && above "$(estimated seconds)" 0 seconds; }
row name '`seconds`' 'a rough figure: per thread, as measured on one machine' estimated_time

# ---- minimap2
index_step() {
  run "$WARPSEED" index t.fa -o t.wsi -q
  run "$WARPSEED" align t.wsi r_1.fq --quiet -o x.sam
  contains x.sam '^@SQ	SN:t'
}
row minimap2 '`-d ref.mmi`' '`warpseed index -o ref.wsi`' index_step
paf() {
  run "$WARPSEED" align ref.fa long.fq --quiet -o x.paf
  run "$WARPSEED" align ref.fa long.fq --quiet --output-format paf >y.paf
  same x.paf y.paf PAF && equal "$(count 'NF > 12 && /\tcg:Z:/' x.paf)" "$(count 1 x.paf)" "lines of PAF with cg"
}
row minimap2 '`-a`, `-o FILE`' 'SAM, BAM or CRAM; `-o`' paf
short_kind() { like pairs.txt "${pairs[@]}" -x sr && unlike long.txt long.fq -x sr; }
row minimap2 '`-x sr`' 'the default for up to 1,000 bases and for pairs' short_kind
ont() { for kind in map-ont map-pb lr:hq; do like long.txt long.fq -x $kind; done; }
row minimap2 '`-x map-ont`, `map-pb`, `lr:hq`' 'the default beyond 1,000 bases' ont
hifi() { unlike long.txt long.fq -x hifi && cp got.txt hifi.txt && like hifi.txt long.fq -x map-hifi; }
row minimap2 '`-x map-hifi`' '`-x hifi` or `-x map-hifi`' hifi
other_kinds() {
  for kind in splice asm5 ava-ont; do
    expect_fail 2 "$kind" -- "$WARPSEED" align ref.fa long.fq -x $kind -o out/x
  done
}
row minimap2 '`-x splice`, `asm5`, `ava-*`' 'none' other_kinds
three_flags() { threads && same_flags; }
row minimap2 '`-t`, `-R`, `-Y`' '`-t`, `-R`, `-Y`' three_flags
always_md() {
  for file in pairs long; do
    equal "$(count 'int($2 / 4) % 2 == 0 && !(/\tMD:Z:/ && /\tNM:i:/)' $file.txt)" 0 "aligned records without MD and NM"
  done
}
row minimap2 '`--MD`' 'always' always_md
difference_tags() {
  local aligned='$3 != "*"'
  records long.fq --cs short --ds --eqx >got.txt
  equal "$(count '/\tcs:Z:[:*+-]/ && /\tds:Z:/ && $6 ~ /[=X]/ && $6 !~ /M/')" "$(count "$aligned")" "records with all of them"
  records long.fq --cs long >got.txt
  equal "$(count '/\tcs:Z:[=*+-]/')" "$(count "$aligned")" "records with --cs long"
}
row minimap2 '`--cs`, `--cs=long`, `--ds`, `--eqx`' '`--cs short`, `--cs long`, `--ds`, `--eqx`' difference_tags
no_secondary() {
  equal "$(count 'int($2 / 256) % 2' pairs.txt)" 0 "secondary records"
  above "$(count '/\tXA:Z:/' pairs.txt)" 0 "records with XA"
  records r_1.fq -a >got.txt
  above "$(count 'int($2 / 256) % 2')" 0 "secondary records with -a"
}
row minimap2 '`--secondary=no`' 'the default' no_secondary
alternatives() {
  records "${pairs[@]}" -h 1 >got.txt
  above "$(count '/XA:Z:[^\t;]*;[^\t]/' pairs.txt)" 0 "records with two alternatives"
  equal "$(count '/XA:Z:[^\t;]*;[^\t]/')" 0 "records with two alternatives with -h 1"
}
row minimap2 '`-N`, `-p`' '`-h`' alternatives
shortest_seed() { unlike worn.txt worn.fq -k 60; }
row minimap2 '`-k` (minimizer)' '`-k` (shortest seed)' shortest_seed
no_minimizers() { unknown align -f -g -n -e && unlike worn.txt worn.fq -c 1; }
row minimap2 '`-w`, `-H`, `-f`, `-U`, `-g`, `-n`, `-e` (minimizers)' 'none' no_minimizers
rescues() { unlike pairs.txt "${pairs[@]}" -m 0 && unlike pairs.txt "${pairs[@]}" -D 1; }
row minimap2 '`-m` (chaining score)' 'none' rescues
band() { unlike worn.txt worn.fq -w 2; }
row minimap2 '`-r` (bandwidth)' '`-w`' band
scores() {
  like worn.txt worn.fq -A 1 -B 4 -O 6,6 -E 1,1
  unlike worn.txt worn.fq -O 6,30 && unlike worn.txt worn.fq -O 30,6
}
row minimap2 '`-A -B -O -E`' '`-A -B -O -E`' scores
drop() { unlike worn.txt worn.fq -d 1; }
row minimap2 '`-z`' '`-d`' drop
least_score() {
  local low='$3 != "*" && match($0, /AS:i:[0-9]+/) && substr($0, RSTART + 5, RLENGTH - 5) + 0 < 200'
  records worn.fq -T 200 >got.txt
  above "$(count "$low" worn.txt)" 0 "scores below 200"
  equal "$(count "$low")" 0 "scores below -T"
}
row minimap2 '`-s`' '`-T`' least_score
one_index() { unknown align --split-prefix; }
row minimap2 '`-I`, `-K`, `--split-prefix`' 'none' one_index
mates_flag() { like pairs.txt -1 r_1.fq -2 r_2.fq; }
row minimap2 '`-2`' 'none' mates_flag
all_reads() {
  unknown align --sam-hit-only
  printf '@lost\nNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN\n+\nIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIII\n' >lost.fq
  records lost.fq >got.txt && equal "$(count 'int($2 / 4) % 2')" 1 "unmapped records"
}
row minimap2 '`--sam-hit-only`, `-Q`, `-L`' 'none' all_reads
exact_paf() { overlap t.fa q.fa --format paf | awk 'NF < 12 || $10 != $11 { exit 1 } END { exit !NR }' || fail "PAF of overlap"; }
row minimap2 '`-x asm5 a.fa b.fa` (PAF)' '`overlap matches a.fa b.fa --format paf`' exact_paf

# The rows of the guide: table (its first heading), first and second column.
awk -F ' *\\| *' '/^\|/ { if (!inside) { table = $2; inside = 1 } else if ($2 !~ /^-+$/) print table " | " $2 " | " $3; next }
  { inside = 0 }' "$WARPSEED_SOURCE/share/doc/guide.md" >rows.txt
above "$(wc -l <rows.txt)" 40 "rows found in guide.md"
# check_rows FILE
check_rows() {
  local row
  while read -r row <&3; do
    [ -n "${check[$row]-}" ] || fail "guide.md has the row '$row', which no check is for"
    seen[$row]=1
    [ "${seen[${check[$row]}]-}" = 1 ] || ${check[$row]}
    seen[${check[$row]}]=1
  done 3<"$1"
  for row in "${!check[@]}"; do
    [ "${seen[$row]-}" = 1 ] || fail "a check is for the row '$row', which guide.md does not have"
  done
}
check_rows rows.txt
# The checks can fail.
if (check_rows <(cat rows.txt && echo 'mummer | `-new` | none')) 2>/dev/null; then fail "a row without a check passes"; fi
if (seen=() && check_rows /dev/null) 2>/dev/null; then fail "a check without a row passes"; fi
if (unlike pairs.txt "${pairs[@]}" -t 1) 2>/dev/null; then fail "a flag without effect passes"; fi
report_failures
echo "$(wc -l <rows.txt) rows"
