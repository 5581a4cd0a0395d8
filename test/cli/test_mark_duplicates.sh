#!/usr/bin/env bash
# `align --sort --mark-duplicates` flags the records that samtools markdup flags in the same alignments.
. "$(dirname "$0")/lib.sh"
need samtools

{
  make_genome chr1:60000 chr2:20000 chr3:400
  make_genome chr1:3000 | sed 's/chr1/again/'
} >ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q

# make_copies COUNT PREFIX: PREFIX_1.fq and PREFIX_2.fq with COUNT fragments, most of them copied: with other qualities,
# of which many add up to the same; with a foreign 5' end, so that it is clipped; shorter; read from the other end; with
# a mate that is from nowhere. The fragments' mates face each other, overlap, pass each other, lie on one strand or on
# two contigs, or begin at the same base; some reads are of two places. The names are in no order.
make_copies() {
  one_line ref.fa | awk -v seed=$seed -v count="$1" -v first="$2_1.fq" -v second="$2_2.fq" "$turned"'
    function below(n) { return int(rand() * n) }
    function foreign(n,  s) { while (length(s) < n) s = s substr("ACGT", below(4) + 1, 1); return s }
    function qualities(n,  s, i) { # steps of one value, so that sums meet; some letters below 15
      s = sprintf("%" n "s", "")
      gsub(/ /, substr("?@AB", below(3) + 1, 1), s)
      for (i = below(4); i > 0; i--) s = substr(s, 2) substr("#/0", below(3) + 1, 1)
      return s
    }
    function copy(s, kind) {
      if (kind == 1) s = foreign(5 + below(25)) substr(s, 31)
      if (kind == 2) s = substr(s, 1, length(s) - 1 - below(30))
      if (kind == 3) s = foreign(length(s))
      if (kind == 4) s = substr(s, 1, 60) foreign(length(s) - 60)
      if (kind == 5) s = substr(s, 1, 50) substr(s, 53) # a deletion
      return s
    }
    function name() { return sprintf(style[below(4) + 1], below(900)) "n" (++made * 7919) % 100003 }
    function put(file, name, s) { printf "@%s\n%s\n+\n%s\n", name, s, qualities(length(s)) > file }
    /^>/ { next }
    { text[++contigs] = $0 }
    function piece(c, at, n, back) {
      if (at < 1) at = 1
      if (at + n - 1 > length(text[c])) at = length(text[c]) - n + 1
      return back ? turned(substr(text[c], at, n)) : substr(text[c], at, n)
    }
    END {
      srand(seed)
      split("d%d: d%05d: d%x: D%d_", style, " ")
      while (done < count) {
        c = below(5) ? 1 : 2
        at = 200 + below(19000)
        n = below(4) ? 100 : 80 + below(60)
        shape = below(12)
        back = shape == 7 || shape == 8 ? below(2) : 0
        a = piece(c, at, n, back)
        if (shape < 6) b = piece(c, at + below(300), n, 1)
        else if (shape == 6) b = piece(c, at - below(150), n, 1)               # past each other
        else if (shape == 7) b = piece(c, at + below(2) * below(300), n, back) # on one strand
        else if (shape == 8) b = piece(3 - c, at, n, below(2))
        else if (shape == 9) b = piece(c, at - n + 1, n, 1)                    # both begin at one base
        else if (shape == 10) { a = piece(c, at, 60, 0) piece(3 - c, at, 60, below(2)); b = piece(c, at + 200, n, 1) }
        else b = foreign(n)
        for (copies = below(5) ? 1 + below(6) : 1; copies > 0 && done < count; copies--) {
          x = copy(a, below(9)); y = copy(b, below(9)); who = name()
          if (below(3) == 0) { s = x; x = y; y = s }
          put(first, who, x); put(second, who, y)
          done++
        }
      }
    }'
}

# marked_by_samtools FILE OUT: fixmate -p leaves proper pairs alone; markdup takes no read to be longer than -l.
marked_by_samtools() {
  samtools sort -n "$1" 2>/dev/null | samtools fixmate -m -p - - | samtools sort - 2>/dev/null |
    samtools markdup -l 1000 -s -f "$2.txt" - "$2" 2>markdup.log || { cat markdup.log >&2 && fail "samtools markdup"; }
}

# flags FILE: of every record, in one order.
flags() { samtools view "$1" | cut -f 1-4,6 | LC_ALL=C sort; }

# as_samtools NAME LEAST READS...: the flags, and at least LEAST records that have 0x400.
as_samtools() {
  local name=$1 least=$2 marked
  shift 2
  run "$WARPSEED" align ref.wsi "$@" --quiet --sort -o "$name.plain.bam"
  run "$WARPSEED" align ref.wsi "$@" --sort --mark-duplicates -o "$name.bam" --json "$name.json"
  cp run.err "$name.err"
  marked_by_samtools "$name.plain.bam" "$name.samtools.bam"
  flags "$name.bam" >ours.txt
  flags "$name.samtools.bam" >theirs.txt
  cmp ours.txt theirs.txt || {
    diff ours.txt theirs.txt | head -n 20 >&2
    fail "$name: flags are not as from samtools"
  }
  samtools quickcheck "$name.bam" || fail "$name: not whole"
  [ -s "$name.bam.bai" ] || fail "$name: no index"
  marked=$(samtools view -c -f 0x400 "$name.bam")
  [ "$marked" -ge "$least" ] || fail "$name: only $marked records are marked"
  told_as_samtools "$name"
  echo "$name: $marked of $(wc -l <ours.txt) records marked, as by samtools markdup"
}

# told_as_samtools NAME: the counts on standard error and in JSON.
told_as_samtools() {
  local pairs single all
  pairs=$(sed -n 's/^DUPLICATE PAIR: //p' "$1.samtools.bam.txt")
  single=$(sed -n 's/^DUPLICATE SINGLE: //p' "$1.samtools.bam.txt")
  all=$(sed -n 's/^EXAMINED: //p' "$1.samtools.bam.txt")
  contains "$1.err" "^warpseed align: $((pairs + single)) of $all reads marked as duplicates "
  contains "$1.err" ", $pairs of pairs and $single single$"
  contains "$1.json" "\"compared\": $all,"
  contains "$1.json" "\"marked\": $((pairs + single)),"
}

make_copies 4000 copies
as_samtools pairs 2000 copies_1.fq copies_2.fq
as_samtools single 1000 copies_1.fq
as_samtools all 1000 copies_1.fq -a
as_samtools split 2000 copies_1.fq copies_2.fq -M
as_samtools apart 1800 copies_1.fq copies_2.fq -P -S
[ "$(samtools view -c -f 0x800 pairs.bam)" -gt 100 ] || fail "too few split reads to tell"
[ "$(samtools view -c -f 0x100 all.bam)" -gt 100 ] || fail "too few secondary records to tell"
[ "$(samtools view -c -f 0x8 -F 0x4 pairs.bam)" -gt 100 ] || fail "too few reads without their mate to tell"

# Without qualities the sum goes by the length.
for mate in 1 2; do awk 'NR % 4 == 1 { print ">" substr($0, 2) } NR % 4 == 2' copies_$mate.fq >copies_$mate.fa; done
as_samtools fasta 2000 copies_1.fa copies_2.fa

# Reads that failed the filters are left out and are in nobody's way; read groups and libraries are not told apart.
samtools import -1 copies_1.fq -2 copies_2.fq -O SAM 2>/dev/null | awk -F '\t' -v OFS='\t' '
  /^@/ { print; next }
  !told++ { print "@RG\tID:a\tSM:s\tLB:x"; print "@RG\tID:b\tSM:s\tLB:y" }
  { if (int(told / 14) % 5 == 0 || told % 11 == 0) $2 += 512
    print $0, "RG:Z:" (int(told / 2) % 2 ? "a" : "b") }' >reads.sam
as_samtools filtered 1300 reads.sam
[ "$(samtools view -c -f 0x600 filtered.bam)" -eq 0 ] || fail "records that failed the filters are marked"

# The same records for any number of threads and any memory; the same flags in SAM and CRAM.
flagged=(copies_1.fq copies_2.fq --quiet --sort --mark-duplicates)
for format in sam bam cram; do
  run "$WARPSEED" align ref.wsi "${flagged[@]}" -t 1 -o one.$format
  run "$WARPSEED" align ref.wsi "${flagged[@]}" -t 2 -o two.$format
  run "$WARPSEED" align ref.wsi "${flagged[@]}" -t 1 --sort-memory 500K -o low.$format
  run "$WARPSEED" align ref.wsi "${flagged[@]}" -t 2 --sort-memory 60K -o less.$format
  for other in two low less; do
    cmp <(samtools view --no-PG -T ref.fa one.$format) <(samtools view --no-PG -T ref.fa $other.$format) ||
      fail "$other.$format: other records"
  done
  flags one.$format >ours.txt
  cmp ours.txt <(flags pairs.bam) || fail "$format: other flags than in BAM"
done

# All else of a record is as without the flag.
unmarked() { samtools view "$1" | awk -F '\t' -v OFS='\t' '{ $2 -= int($2 / 1024) % 2 * 1024; print }'; }
cmp <(unmarked pairs.bam) <(samtools view pairs.plain.bam) || fail "something besides flag 0x400 differs"

expect_fail 2 'mark-duplicates .*add --sort' -- "$WARPSEED" align ref.wsi copies_1.fq --mark-duplicates -o out/x.bam

# Real reads, and some of them twice.
gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
run "$WARPSEED" index ref.fa -o ref.wsi -q
for mate in 1 2; do
  gzip -dc "$demo/NA12878_chr20_10.0-10.1Mb_R$mate.fastq.gz" >real_$mate.fq
  awk 'NR % 4 == 1 { n++; taken = n % 10 == 0; sub(/@/, "@copy") } taken' real_$mate.fq >again.fq
  cat again.fq >>real_$mate.fq
done
as_samtools real 1000 real_1.fq real_2.fq
report_failures
