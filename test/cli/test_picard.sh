#!/usr/bin/env bash
# Picard's ValidateSamFile, strict and with the reference, on real pairs: no error and no warning; with -a no kind of
# warning that bwa's own output with -a does not have.
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
run "$WARPSEED" align ref.wsi "${pairs[@]}" -R "$group" -q -o plain.sam
run "$WARPSEED" align ref.wsi "${pairs[@]}" -R "$group" -q --sort -o sorted.bam
run "$WARPSEED" align ref.wsi "${pairs[0]}" -R "$group" -q -o single.bam
run "$WARPSEED" align ref.wsi "${pairs[@]}" -R "$group" -a -q -o all.bam

: >allowed.txt
if command -v bwa >/dev/null; then
  bwa index ref.fa 2>/dev/null
  bwa mem -a -R "$group" ref.fa "${pairs[@]}" 2>/dev/null >peer.sam
  complaints peer.sam | grep '^WARNING' >allowed.txt || true
fi

bad=0
for file in plain.sam sorted.bam single.bam all.bam; do
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
