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
  run "$WARPSEED" ${command/REF/ref.fa.wsi} --quiet >wanted.txt
  # shellcheck disable=SC2086
  run "$WARPSEED" ${command/REF/ref.fa} --quiet >got.txt
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

# An unknown flag is named alone, with the nearest one; so is a surplus argument.
expect_fail 2 '^warpseed align: unknown flag --mark-duplicate; did you mean --mark-duplicates\? \(see --help\)$' -- \
  "$WARPSEED" mem ref.fa r_1.fq r_2.fq --mark-duplicate --sort -o out/x.bam
expect_fail 2 '^warpseed align: unknown flag --sorted; did you mean --sort\?' -- "$WARPSEED" align --sorted=yes
expect_fail 2 '^warpseed align: unknown flag -Z \(' -- "$WARPSEED" align -5Z ref.fa r_1.fq -o out/x.sam
expect_fail 2 '^warpseed index: unknown flag --threadz; did you mean --threads\?' -- "$WARPSEED" index ref.fa --threadz 4
expect_fail 2 '^warpseed inspect: unknown flag --fastq; did you mean --fasta\?' -- "$WARPSEED" inspect ref.fa --fastq
expect_fail 2 '^warpseed query: unknown flag --nothing-like-it \(' -- "$WARPSEED" query ref.fa r_1.fq --nothing-like-it
expect_fail 2 '^warpseed align: unexpected argument "third" \(' -- "$WARPSEED" align ref.fa r_1.fq r_2.fq third fourth

# GATK's line: one note for each flag without effect, and for the second file, which is not read.
paste - - - - <r_1.fq >rows_1.txt
paste - - - - <r_2.fq >rows_2.txt
paste -d '\n' rows_1.txt rows_2.txt | tr '\t' '\n' >mates.fq
run "$WARPSEED" mem -p -Y -t 2 ref.fa mates.fq >wanted.sam
run "$WARPSEED" mem -K 100000000 -p -v 3 -t 2 -Y ref.fa /dev/stdin - <mates.fq >got.sam
same <(without_pg wanted.sam) <(without_pg got.sam) "GATK's line"
contains run.err 'warpseed align: -K has no effect: the output does not depend'
contains run.err 'with -p R1 holds both mates: "-" is not read'
run "$WARPSEED" mem -p -t 2 -Y -K 9 -K 10 -s 10 -W 0 -G 10000 -N 1 -V -X 0.5 -Q 50 ref.fa mates.fq absent.fq >got.sam
same <(without_pg wanted.sam) <(without_pg got.sam) "flags without effect"
equal "$(grep -c 'has no effect' run.err)" 8 "notes"
run "$WARPSEED" mem -v 1 -K 9 ref.fa r_1.fq >/dev/null
equal "$(wc -c <run.err)" 0 "bytes on standard error with -v 1"
run "$WARPSEED" mem -v 4 ref.fa r_1.fq >/dev/null
contains run.err 'busy'

# Chimeric mates: 40 bases of one place, then 60 of another; the second part is the longer one.
one_line ref.fa | awk -v seed=$seed "$turned"'
  /^>/ { name[++contigs] = substr($1, 2); next }
  { text[contigs] = $0 }
  function bases(n,  c, s) {
    c = 1 + int(rand() * contigs)
    s = substr(text[c], 1 + int(rand() * (length(text[c]) - n)), n)
    return rand() < 0.5 ? s : turned(s)
  }
  function put(file, n, s,  q) { q = s; gsub(/./, "I", q); printf "@%d\n%s\n+\n%s\n", n, s, q > file }
  END {
    srand(seed)
    for (n = 0; n < 200; n++) {
      put("hic_1.fq", n, bases(40) bases(60))
      put("hic_2.fq", n, bases(100))
    }
  }'

# first_parts FILE.sam: reads whose primary record does not begin first in the read, and all split ones.
first_parts() {
  awk '
    /^@/ { next }
    {
      cigar = $6; clip = 0
      if (int($2 / 16) % 2) { if (match(cigar, /[0-9]+[SH]$/)) clip = substr(cigar, RSTART) + 0 }
      else if (match(cigar, /^[0-9]+[SH]/)) clip = substr(cigar, 1, RLENGTH) + 0
      mate = $1 "/" int($2 / 64) % 4
      if (int($2 / 2048) % 2 == 0) primary[mate] = clip
      else { split_reads[mate] = 1; if (!(mate in least) || clip < least[mate]) least[mate] = clip }
    }
    END {
      for (mate in split_reads) { all++; if (primary[mate] > least[mate]) late++ }
      print late + 0, all + 0
    }' "$1"
}
run "$WARPSEED" mem -SP -t 2 ref.fa hic_1.fq hic_2.fq >without.sam
read -r late all < <(first_parts without.sam)
if [ "$late" -lt 100 ]; then fail "only $late of $all split reads have a later part as primary record without -5"; fi
run "$WARPSEED" mem -5SP -t 2 ref.fa hic_1.fq hic_2.fq >with.sam
read -r late all < <(first_parts with.sam)
equal "$late" 0 "split reads whose primary record is a later part, with -5"
if [ "$all" -lt 100 ]; then fail "only $all split reads"; fi
# The same alignments, one primary record a mate, all mates linked to primary ones.
parts() { awk '!/^@/ { gsub("H", "S", $6); print $1, int($2 / 64) % 4, $3, $4, $6 }' "$1" | LC_ALL=C sort; }
same <(parts without.sam) <(parts with.sam) "alignments with and without -5"
if command -v bwa >/dev/null; then
  run bwa index ref.fa
  run bwa mem -5SP -t 2 ref.fa hic_1.fq hic_2.fq >bwa.sam
  primaries() { awk '!/^@/ && $2 < 2048 { print $1, int($2 / 64) % 4, $3, $4, int($2 / 16) % 2 }' "$1"; }
  differing=$(diff <(primaries bwa.sam) <(primaries with.sam) | grep -c '^>' || true)
  not_above "$differing" 4 "primary records of 400 that differ from those of bwa mem -5SP"
fi
# A pair that is not proper after the change is not called so; both mates agree.
run "$WARPSEED" mem -5 -I 350,50 ref.fa hic_1.fq hic_2.fq >proper.sam
equal "$(awk '!/^@/ && $2 < 2048 { n[$1] += int($2 / 2) % 2 } END { for (r in n) if (n[r] == 1) odd++; print odd + 0 }' proper.sam)" 0 \
  "pairs of which one mate is proper"

# -q keeps the MAPQ of supplementary records, which is at most the primary one's without it.
highest() { awk '!/^@/ { m = $1 "/" int($2 / 64) % 4; if ($2 < 2048) p[m] = $5; else if ($5 > p[m]) n++ } END { print n + 0 }' "$1"; }
equal "$(highest without.sam)" 0 "supplementary records with a higher MAPQ than the primary one"
run "$WARPSEED" mem -SPq -t 2 ref.fa hic_1.fq hic_2.fq >kept.sam
same <(cut -f 1-4 kept.sam | grep -v '^@PG') <(cut -f 1-4 without.sam | grep -v '^@PG') "positions with -q"

# -H: lines by themselves and in a file; @SQ lines replace those of the index, in its order.
length=$(one_line ref.fa | sed -n 2p | tr -d '\n' | wc -c)
contig=$(sed -n '1{s/>//;s/ .*//;p}' ref.fa)
printf '@SQ\tSN:%s\tLN:%d\tM5:00112233445566778899aabbccddeeff\n@CO\tfrom a file\n@HD\tVN:1.0\n' \
  "$contig" "$length" >lines.txt
run "$WARPSEED" mem -H '@CO\tone\ttwo' -H lines.txt -H '@RG\tID:h\tSM:s' -t 2 ref.fa r_1.fq >with_lines.sam
contains run.err '@HD is left out'
grep '^@' with_lines.sam >header.txt
contains header.txt "^@SQ	SN:$contig	LN:$length	M5:00112233445566778899aabbccddeeff\$"
contains header.txt '^@CO	one	two$'
contains header.txt '^@CO	from a file$'
contains header.txt '^@RG	ID:h	SM:s$'
equal "$(grep -c '^@SQ' header.txt)" "$(grep -c '>' ref.fa)" "@SQ lines"
equal "$(grep -c '^@HD' header.txt)" 1 "@HD lines"
run "$WARPSEED" mem -t 2 ref.fa r_1.fq >without_lines.sam
same <(grep -v '^@' without_lines.sam) <(grep -v '^@' with_lines.sam) "records with -H"
printf '@CO\tfine\n@SQ\tSN:%s\tLN:7\n' "$contig" >wrong.txt
expect_fail 2 'wrong.txt:2: contig .* in the index, LN:7 here' -- "$WARPSEED" mem -H wrong.txt ref.fa r_1.fq -o out/x.sam
expect_fail 2 'no contig "nowhere"' -- "$WARPSEED" mem -H '@SQ\tSN:nowhere\tLN:7' ref.fa r_1.fq -o out/x.sam
expect_fail 2 '@RG line has the ID "a"' -- \
  "$WARPSEED" mem -R '@RG\tID:a\tSM:a' -H '@RG\tID:a\tSM:b' ref.fa r_1.fq -o out/x.sam
expect_fail 2 'is no header line' -- "$WARPSEED" mem -H '@XX\tid' ref.fa r_1.fq -o out/x.sam
report_failures
