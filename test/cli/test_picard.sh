#!/usr/bin/env bash
# Picard's ValidateSamFile, strict and with the reference, on real pairs: no error and no warning; with -a no kind of
# warning that bwa's own output with -a does not have.
# MergeBamAlignment is the judge of reads from unaligned BAM.
. "$(dirname "$0")/lib.sh"
need samtools PicardCommandLine

gzip -dc "$demo/chr20_9-11Mb.fa.gz" >ref.fa
samtools faidx ref.fa
samtools dict ref.fa -o ref.dict
for mate in 1 2; do # 6000 pairs: picard is slow
  gzip -dc "$demo/NA12878_chr20_10.0-10.1Mb_R$mate.fastq.gz" | awk 'NR <= 24000' >r_$mate.fq
done
pairs=(r_1.fq r_2.fq)
group='@RG\tID:a\tSM:b\tPL:ILLUMINA'

# complaints FILE [OPTION...]: the kinds of error and warning, one a line; picard's exit code tells that there are
# some, not that it failed, so an output without its verdict is what counts as a failure.
complaints() {
  PicardCommandLine ValidateSamFile I="$1" "${@:2}" MODE=VERBOSE MAX_OUTPUT=1000000 O="$1.validation" \
    >picard.log 2>&1 || true
  [ -s "$1.validation" ] || { tail -n 20 picard.log >&2 && fail "picard did not get through $1"; }
  sed -n 's/^\(ERROR\|WARNING\)::*\([A-Z_]*\).*/\1 \2/p' "$1.validation" | sort -u
}

run "$WARPSEED" index ref.fa -o ref.wsi -q
run "$WARPSEED" align ref.wsi "${pairs[@]}" -R "$group" --quiet -o plain.sam
run "$WARPSEED" align ref.wsi "${pairs[@]}" -R "$group" --quiet --sort -o sorted.bam
run "$WARPSEED" align ref.wsi "${pairs[@]}" -R "$group" --quiet --sort --mark-duplicates -o marked.bam
run "$WARPSEED" align ref.wsi "${pairs[0]}" -R "$group" --quiet -o single.bam
run "$WARPSEED" align ref.wsi "${pairs[@]}" -R "$group" -a --quiet -o all.bam

: >allowed.txt
if command -v bwa >/dev/null; then
  bwa index ref.fa 2>/dev/null
  bwa mem -a -R "$group" ref.fa "${pairs[@]}" 2>/dev/null >peer.sam
  complaints peer.sam | grep '^WARNING' >allowed.txt || true
fi

bad=0
for file in plain.sam sorted.bam marked.bam single.bam all.bam; do
  # Picard cannot count the mismatches of secondary records, which have no SEQ: -a goes without the reference.
  options=(R=ref.fa)
  allowed=/dev/null
  if [ $file = all.bam ]; then options=() && allowed=allowed.txt; fi
  complaints $file "${options[@]}" >found.txt
  if grep -vxFf $allowed found.txt >new.txt; then
    bad=1
    echo "$file:" >&2
    sed 's/^/  /' new.txt >&2
    grep -m 3 '^ERROR' $file.validation >&2 || true
  fi
done
[ $bad -eq 0 ] || fail "picard complains"

# Reads from unaligned BAM: what MergeBamAlignment makes of that file and of the same reads aligned from FASTQ is the
# judge of what is carried over, and of what is turned with the bases.
samtools import -1 r_1.fq -2 r_2.fq -r ID:a -r SM:b -r PL:ILLUMINA 2>/dev/null | samtools view -h - |
  awk -F '\t' -v OFS='\t' '/^@/ { print; next } {
    other = "" # a second choice for each base
    for (i = 1; i <= length($10); i++) other = other substr("TGCAN", index("ACGTN", substr($10, i, 1)), 1)
    print $0, "BC:Z:" NR, "OQ:Z:" $11, "U2:Z:" $11, "E2:Z:" other }' |
  samtools view -b -o reads.bam -
run "$WARPSEED" align ref.wsi reads.bam --quiet -o ours.bam
complaints ours.bam R=ref.fa >found.txt
[ ! -s found.txt ] || fail "picard complains of reads from BAM: $(cat found.txt)"

# by_name FILE OUT: in picard's order of names.
by_name() {
  { printf '@HD\tVN:1.6\tSO:queryname\n' && samtools view -H "$1" | grep -v '^@HD' &&
    samtools view "$1" | LC_ALL=C sort -s -k 1,1; } | samtools view -b -o "$2" -
}
by_name reads.bam reads_by_name.bam
by_name plain.sam aligned_by_name.bam
PicardCommandLine MergeBamAlignment UNMAPPED=reads_by_name.bam ALIGNED=aligned_by_name.bam O=merged.bam R=ref.fa \
  SORT_ORDER=queryname CLIP_OVERLAPPING_READS=false ALIGNER_PROPER_PAIR_FLAGS=true MAX_INSERTIONS_OR_DELETIONS=-1 \
  ATTRIBUTES_TO_RETAIN=XS >merge.log 2>&1 || { tail -n 20 merge.log >&2 && fail "MergeBamAlignment"; }
# told FILE: primary records with the tags that both have, in one order.
told() {
  samtools view -F 0x900 "$1" | awk -F '\t' -v OFS='\t' '{
    split("NM MD AS XS MC MQ RG BC OQ U2 E2", names, " ")
    line = $1; for (i = 2; i <= 11; i++) line = line OFS $i
    split("", tag); for (i = 12; i <= NF; i++) tag[substr($i, 1, 2)] = $i
    for (i = 1; i in names; i++) line = line OFS tag[names[i]]
    print line }' | LC_ALL=C sort
}
cmp <(told ours.bam) <(told merged.bam) || fail "reads from BAM: not what MergeBamAlignment makes of them"
