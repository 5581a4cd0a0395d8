#!/usr/bin/env bash
# What GATK asks of a BAM file (share/doc/gatk.md), of sorted pairs: a header that agrees with the reference, read
# groups, CIGARs that its read filters keep, mates that say the same of each other, an index. The values of NM and MD
# are for picard to judge (test_picard.sh).
. "$(dirname "$0")/lib.sh"
need samtools

# Contigs in an order that is neither that of names nor that of lengths.
{ make_genome z:40000 && gzip -dc "$demo/chr20_9-11Mb.fa.gz" && make_genome m:300 a:30000 | tr ACGT CAGT; } >ref.fa
samtools faidx ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q

# One pair a line: real ones; some on two contigs, split, over an edge; some with one mate or both that fit
# nowhere; some with other bases, and another number of them, in the place of some.
make_pairs <(samtools faidx ref.fa z m a) 500 made
paste <(paste - - - - <made_1.fq) <(paste - - - - <made_2.fq) >made.txt
paste <(gzip -dc "$demo/NA12878_chr20_10.0-10.1Mb_R1.fastq.gz" | paste - - - -) \
  <(gzip -dc "$demo/NA12878_chr20_10.0-10.1Mb_R2.fastq.gz" | paste - - - -) | awk 'NR % 7 == 1' >real.txt
edges="$(samtools faidx ref.fa a:29951-30000 z:1-50 | grep -v '>' | tr -d '\n')"
foreign="$(make_genome other:400 | grep -v '>' | tr -d '\n' | rev | cut -c 1-100)"
{
  cat made.txt real.txt
  paste made.txt <(tail -n 500 real.txt) | awk -F '\t' -v OFS='\t' -v edges="$edges" -v foreign="$foreign" '
    { $1 = "@odd" NR; second = substr($8, 1, 100); far = $14 }
    NR % 7 == 0 { print $1, $2, "+", $4, $1, far, "+", $16 }               # on two contigs
    NR % 7 == 1 { print $1, $2 far, "+", $4 $16, $1, $6, "+", second }     # split
    NR % 7 == 2 { print $1, edges, "+", $4, $1, $6, "+", second }          # over an edge
    NR % 7 == 3 { print $1, foreign, "+", $4, $1, $6, "+", second }        # one end unmapped
    NR % 7 == 4 { print $1, foreign, "+", $4, $1, foreign, "+", second }   # both
    NR % 7 == 5 { print $1, $2 far, "+", $4 $16, $1, foreign, "+", second } # split, the other end unmapped
    NR % 7 == 6 { other = substr("GATTACACCG", 1, 3 + NR % 8)               # other bases in the place of four
                  print $1, $2, "+", $4, $1, substr($6, 1, 50) other substr($6, 55), "+", substr($8 $8, 1, length($6) + NR % 8 - 1) }'
} >pairs.txt
awk -F '\t' -v OFS='\n' '{ print $1, $2, $3, $4 >"r_1.fq"; print $5, $6, $7, $8 >"r_2.fq" }' pairs.txt

group='@RG\tID:a\tSM:b\tPL:ILLUMINA\tLB:c'
run "$WARPSEED" align ref.wsi r_1.fq r_2.fq -R "$group" --sort --quiet -o sorted.bam
run "$WARPSEED" align ref.wsi r_1.fq r_2.fq -R "$group" --quiet -o plain.bam

# The header.
samtools view -H --no-PG sorted.bam >header.txt
head -n 1 header.txt >first.txt
contains first.txt '^@HD	VN:1\.[0-9]+	SO:coordinate'
samtools view -H --no-PG plain.bam | head -n 1 >first.txt
if grep -q 'SO:coordinate' first.txt; then fail "a file that is not sorted says that it is"; fi
contigs() { sed -n 's/^@SQ\tSN:\([^\t]*\)\tLN:\([0-9]*\).*/\1 \2/p'; }
samtools dict ref.fa | contigs >dict.txt
contigs <header.txt | cmp - dict.txt || fail "@SQ: not as in the reference"
equal "$(grep '^@RG' header.txt)" "$(printf '%b' "$group")" "@RG"

# chain HEADER: @PG lines have IDs of their own, what PP names is there, and no way leads in a circle.
chain() {
  grep '^@PG' "$1" | awk -F '\t' '
    { id = before = ""
      for (i = 2; i <= NF; i++) { if ($i ~ /^ID:/) id = substr($i, 4); if ($i ~ /^PP:/) before = substr($i, 4) }
      if (id == "" || id in seen) wrong("an ID that is missing or not its own: " $0)
      seen[id] = 1; previous[id] = before }
    function wrong(what) { print what; failed = 1 }
    END {
      for (id in previous) {
        for (steps = 0; id != "" && steps <= NR; steps++) {
          if (!(id in seen)) wrong("no @PG of ID " id)
          id = previous[id]
        }
        if (steps > NR) wrong("a circle")
      }
      exit failed }' >chain.txt || fail "$1: @PG: $(cat chain.txt)"
}
chain header.txt
# What is aligned once more goes on with the chain, under another ID.
samtools collate -O sorted.bam collate.tmp 2>/dev/null >collated.bam
run "$WARPSEED" align ref.wsi collated.bam --quiet --sort -o again.bam
samtools view -H --no-PG again.bam >again.txt
chain again.txt
[ "$(grep -c '^@PG.*PN:warpseed' again.txt)" -eq 2 ] || fail "aligned twice, and not two lines @PG of warpseed"

# Records, one by one and beside their mates.
cat >check.awk <<'AWK'
function bit(flag, value) { return int(flag / value) % 2 }
function wrong(what, values) { if (++count[what] == 1) example[what] = $1 " " $2 " " $3 " " $4 " " $6 " " values }
# Sets read_bases, genome_bases and the first and last operations that are no clips.
function take_apart(cigar,  n, op, previous, ends) {
  read_bases = genome_bases = ends = 0
  first_op = last_op = previous = ""
  if (cigar !~ /^([0-9]+H)?([0-9]+S)?([0-9]+[MID])+([0-9]+S)?([0-9]+H)?$/) return wrong("a CIGAR that is none")
  while (match(cigar, /^[0-9]+/)) {
    n = substr(cigar, 1, RLENGTH); op = substr(cigar, RLENGTH + 1, 1); cigar = substr(cigar, RLENGTH + 2)
    if (n + 0 == 0) wrong("a CIGAR with an operation of no length")
    if (op == previous) wrong("a CIGAR with one operation twice")
    if (op ~ /[ID]/ && previous ~ /[ID]/) wrong("a CIGAR with gaps side by side")
    if (op ~ /[MIS]/) read_bases += n
    if (op ~ /[MD]/) genome_bases += n
    if (op ~ /[MID]/) { if (first_op == "") first_op = op; last_op = op }
    previous = op
  }
  if (first_op != "M" || last_op != "M") wrong("a CIGAR that begins or ends with a gap")
}
BEGIN { FS = "\t"; order = -1 }
FNR == NR { size[$1] = $2; number[$1] = FNR; next } # ref.fa.fai
{
  records++
  split("", tag)
  for (i = 12; i <= NF; i++) tag[substr($i, 1, 2)] = substr($i, 6)
  unmapped = bit($2, 4); reverse = bit($2, 16)
  extra = bit($2, 256) || bit($2, 2048)

  # Its place and its bases.
  at = $3 == "*" ? 1000 : number[$3]
  if (at < order || (at == order && $4 < position)) wrong("a record out of order")
  order = at; position = $4 + 0
  if (tag["RG"] != "a") wrong("a record without its read group")
  if ($10 == "*" || length($10) != length($11)) wrong("not as many bases as qualities")
  if ($5 > 60) wrong("a MAPQ above 60")
  genome_bases = 0
  if (unmapped) {
    if ($6 != "*" || $5 != 0 || bit($2, 2) || extra || "NM" in tag) wrong("an unmapped record that claims a place")
  } else {
    take_apart($6)
    if (read_bases != length($10)) wrong("a CIGAR of another length than the bases")
    if (genome_bases == 0 || $4 < 1 || $4 + genome_bases - 1 > size[$3]) wrong("not within a contig")
    if (!("NM" in tag) || !("MD" in tag)) wrong("no NM or no MD")
  }
  if (bit($2, 2048) && !("SA" in tag)) wrong("a supplementary record without SA")

  # What its mate must say; supplementary records speak of the mate as the primary one does.
  if (!bit($2, 1) || bit($2, 64) == bit($2, 128)) wrong("not one of two mates")
  other = $1 SUBSEP (bit($2, 64) ? 2 : 1)
  mine = $1 SUBSEP (bit($2, 64) ? 1 : 2)
  line[records] = $1 " " $2 " " $3 " " $4 " " $6
  mate[records] = other
  says[records] = $7 == "=" ? $3 : $7
  says[records] = says[records] " " $8 " " bit($2, 8) " " bit($2, 32) " " tag["MC"] " " tag["MQ"]
  if ($7 == $3 && $7 != "*") wrong("RNEXT that should be =")
  if (extra) next
  if (mine in is) wrong("two primary records of one read")
  is[mine] = $3 " " $4 " " unmapped " " reverse " " (unmapped ? "" : $6) " "
  quality[mine] = unmapped ? "" : $5
  proper[mine] = bit($2, 2); length_of[mine] = $9; missing[mine] = unmapped; contig[mine] = $3; start[mine] = $4
  five[mine] = reverse ? $4 + genome_bases - 1 : $4
}
END {
  for (i = 1; i <= records; i++) {
    $0 = line[i]
    if (!(mate[i] in is)) { wrong("a mate is missing"); continue }
    told = is[mate[i]] quality[mate[i]]
    if (says[i] != told) wrong("other things said of the mate than it says", says[i] " beside " told)
  }
  for (key in is) {
    split(key, part, SUBSEP)
    if (part[2] == 2) continue
    one = key; two = part[1] SUBSEP 2
    $0 = part[1]
    if (proper[one] != proper[two]) wrong("one mate alone is proper")
    if (proper[one] && (missing[one] || missing[two] || contig[one] != contig[two])) wrong("a proper pair that is none")
    lonely = missing[one] != missing[two]
    if (lonely && (contig[one] != contig[two] || start[one] != start[two])) wrong("an unmapped mate elsewhere")
    far = missing[one] || missing[two] || contig[one] != contig[two]
    wanted = far ? 0 : five[two] - five[one]
    wanted += wanted > 0 ? 1 : wanted < 0 ? -1 : 0
    if (length_of[one] != -length_of[two]) wrong("TLEN that is not its mate's with the other sign")
    if (length_of[one] != wanted) wrong("TLEN that is not from 5' end to 5' end", length_of[one] " beside " wanted)
    pairs++; lone += lonely; apart += !missing[one] && !missing[two] && contig[one] != contig[two]
  }
  for (what in count) { print count[what] " times " what ", as in: " example[what]; failed = 1 }
  printf "%d records, %d pairs, %d with one mate mapped, %d on two contigs\n", records, pairs, lone, apart
  exit failed
}
AWK
samtools view sorted.bam | awk -f check.awk ref.fa.fai - >said.txt || { cat said.txt >&2 && fail "records"; }
cat said.txt
equal "$(sed -n 's/.* \([0-9]*\) pairs.*/\1/p' said.txt)" "$(wc -l <pairs.txt)" "pairs that were looked at"
[ "$(samtools view -c -f 0x800 sorted.bam)" -ge 100 ] || fail "few split reads in the test"

# The index: what it counts, and what it leads to.
samtools quickcheck sorted.bam
[ -s sorted.bam.bai ] || fail "no index"
samtools idxstats sorted.bam | awk '{ n += $3 + $4 } END { print n }' >count.txt
equal "$(cat count.txt)" "$(samtools view -c sorted.bam)" "records that the index counts"
for contig in z m a; do
  equal "$(samtools view -c sorted.bam $contig)" "$(samtools view sorted.bam | awk -v c=$contig '$3 == c' | wc -l)" \
    "records on $contig by the index"
done
