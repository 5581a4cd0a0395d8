#!/usr/bin/env bash
# `align` with ALT contigs: the records that bwa mem writes, flags, contigs and mapping qualities alike.
. "$(dirname "$0")/lib.sh"
need dwgsim bwa samtools

# A chromosome, and two other versions of stretches of it: one letter in a hundred changed, in two hundred with
# 3,000 bases of its own in the middle.
make_genome chr1:120000 chr2:40000 own:3000 >plain.fa
one_line plain.fa | awk -v seed=$seed '
  function worn(s, every,  i, t) {
    for (i = 1; i <= length(s); i++)
      t = t (rand() * every < 1 ? substr("CATG", index("ACGT", substr(s, i, 1)), 1) : substr(s, i, 1))
    return t
  }
  /^>/ { name = substr($0, 2); next }
  { text[name] = $0 }
  END {
    srand(seed + 1)
    printf ">chr1\n%s\n>chr2\n%s\n", text["chr1"], text["chr2"]
    printf ">chr1_a_alt\n%s\n", worn(substr(text["chr1"], 20001, 30000), 100)
    printf ">chr1_b_alt\n%s%s%s\n", worn(substr(text["chr1"], 30001, 10000), 50), text["own"],
      worn(substr(text["chr1"], 40001, 5000), 50)
  }' >ref.fa
printf '@SQ\tSN:chr1\nchr1_a_alt\t0\tchr1\t20001\t60\t30000M\nchr1_b_alt\nnot_there\t4\n' >list.txt
run "$WARPSEED" index ref.fa -o ref.fa.wsi -q
dwgsim -z 5 -N 10000 -1 150 -2 150 -e 0.001-0.006 -E 0.002-0.012 -r 0.0012 -y 0 -o 1 ref.fa sim >/dev/null 2>&1
reads=(sim.bwa.read1.fastq.gz sim.bwa.read2.fastq.gz)

# Without a list nothing is ALT; -j leaves a list aside.
run "$WARPSEED" align ref.fa.wsi "${reads[@]}" --quiet >none.sam
cp list.txt ref.fa.alt
run "$WARPSEED" align ref.fa.wsi "${reads[@]}" --quiet -j >ignored.sam
same <(without_pg none.sam) <(without_pg ignored.sam) "-j"
if grep -q 'AH:\|pa:f:' none.sam; then fail "ALT without a list"; fi

"$WARPSEED" align ref.fa.wsi "${reads[@]}" >pairs.sam 2>talk.txt
contains talk.txt '2 ALT contigs by ref.fa.alt'
contains talk.txt '1 names in ref.fa.alt are of no contig'
mv ref.fa.alt elsewhere.txt
run "$WARPSEED" align ref.fa.wsi "${reads[@]}" --quiet --alt elsewhere.txt -t 2 >named.sam
same <(without_pg pairs.sam) <(without_pg named.sam) "--alt"
equal "$(grep -c '^@SQ.*_alt.*AH:\*$' pairs.sam)" 2 "contigs marked as ALT"
samtools quickcheck pairs.sam || fail "samtools quickcheck"
run "$WARPSEED" align ref.fa.wsi "${reads[0]}" --quiet --alt elsewhere.txt >single.sam

# table SAM: a line a record: what it is, the read, mate, contig, proper or not, class of mapping quality, pa with two
# digits, contigs in SA, what kinds of contigs stand in XA (beside an ALT place, whether the primary assembly: other ALT
# contigs are listed that bwa mem does not look at).
table() {
  samtools view "$1" | awk -F '\t' -v OFS='\t' '
    function contigs(tag,  text, n, i, list) {
      if (!match($0, tag ":Z:[^\t]+")) return "-"
      text = substr($0, RSTART + 5, RLENGTH - 5)
      n = split(text, list, ";")
      text = ""
      for (i = 1; i < n; i++) { sub(/,.*/, "", list[i]); text = text list[i] ";" }
      return text
    }
    {
      pa = match($0, /pa:f:[0-9.]+/) ? sprintf("%.2f", substr($0, RSTART + 5, RLENGTH - 5)) : "-"
      sure = $5 >= 50 ? "sure" : $5 >= 15 ? "likely" : "doubtful"
      xa = contigs("XA")
      xa = (xa ~ /chr[12];/ ? "primary " : "") (xa ~ /alt;/ && $3 !~ /alt/ ? "alt" : "")
      print int($2 / 2048) % 2 ? "supplementary" : "primary", $1, int($2 / 64) % 4, $3, int($2 / 2) % 2, sure, pa,
        contigs("SA"), xa
    }' | LC_ALL=C sort
}
# alike A B COLUMNS SHARE WHAT: at least this share of the lines, by those columns, is in both tables.
alike() {
  local both all
  both=$(LC_ALL=C comm -12 <(cut -f "$3" "$1" | LC_ALL=C sort) <(cut -f "$3" "$2" | LC_ALL=C sort) | wc -l)
  all=$(cat "$1" "$2" | wc -l)
  echo "$5: $both of $((all / 2)) as bwa mem"
  not_above "$4" "$(awk -v both="$both" -v all="$all" 'BEGIN { print 2 * both / all }')" "$5: share as bwa mem's"
}

bwa index ref.fa 2>/dev/null
cp list.txt ref.fa.alt
bwa mem -t 2 ref.fa "${reads[@]}" 2>/dev/null >bwa_pairs.sam
bwa mem -t 2 ref.fa "${reads[0]}" 2>/dev/null >bwa_single.sam
for run in pairs single; do
  table $run.sam >$run.txt
  table bwa_$run.sam >bwa_$run.txt
  for kind in primary supplementary; do
    grep "^$kind" $run.txt >ours.txt
    grep "^$kind" bwa_$run.txt >bwas.txt
    [ $kind = primary ] && share=0.999 || share=0.98
    alike ours.txt bwas.txt 1-5 $share "$run, $kind: contig and pairing"
    alike ours.txt bwas.txt 1-5,7-9 0.98 "$run, $kind: and pa, SA, XA"
    [ $kind = supplementary ] || alike ours.txt bwas.txt 1-3,6 0.98 "$run, $kind: class of MAPQ"
  done
  [ "$(cut -f 7 $run.txt | grep -c '0\.')" -gt 500 ] || fail "few places that score better on ALT contigs"
done
