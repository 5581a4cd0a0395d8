#!/usr/bin/env bash
# Damaged CRAM: whatever happens to htslib on it, the run ends with a message and leaves nothing.
. "$(dirname "$0")/lib.sh"
need samtools python3

make_genome chr1:20000 >ref.fa
make_pairs ref.fa 300 r
run "$WARPSEED" index ref.fa -o ref.wsi -q
run "$WARPSEED" align ref.wsi r_1.fq r_2.fq -o r.bam -q
samtools collate -o collated.bam r.bam 2>/dev/null
export REF_PATH=$work/none # no download of a reference that a damaged file asks for
for version in 2.1 3.0; do
  samtools view -C -T ref.fa --output-fmt-option version=$version -o r_$version.cram collated.bam 2>/dev/null
  "$WARPSEED" align ref.wsi r_$version.cram --input-reference ref.fa -o r_$version.sam --quiet
done
equal "$(grep -v '^@' r_2.1.sam | md5sum)" "$(grep -v '^@' r_3.0.sam | md5sum)" "records of CRAM 2.1 and 3.0"

python3 "$WARPSEED_SOURCE/test/cli/damage_cram.py" r_3.0.cram 400 $seed damaged_
for size in 25 100 1000; do head -c $size r_3.0.cram >damaged_cut_$size.cram; done

# The decoder may end by a signal (more than 128, as the shell has it), but not say nothing.
crashed=() refused=()
for file in damaged_*.cram; do
  code=0
  timeout 20 "$WARPSEED" decode-cram "$file" ref.fa <"$file" >decoded.bam 2>decoded.err || code=$?
  if [ $code -gt 128 ]; then crashed+=("$file"); fi
  if [ $code -eq 2 ]; then refused+=("$file"); fi
  if [ $code -eq 124 ]; then fail "$file: not decoded in 20 seconds"; fi
  if [ $code -ne 0 ] && [ $code -le 128 ] && [ "$(wc -l <decoded.err)" -ne 1 ]; then fail "$file: exit code $code, and not one line"; fi
done
echo "403 damaged files: the decoder ended by a signal on ${#crashed[@]}, refused ${#refused[@]}"
[ ${#refused[@]} -gt 20 ] || fail "hardly a damaged file was refused"

align() { "$WARPSEED" align ref.wsi "$1" --input-reference ref.fa -o out/x.bam --quiet; }
for file in "${crashed[@]:0:10}"; do
  expect_fail 2 "$file: damaged CRAM: htslib .* ended by signal" -- align "$file"
done
for file in "${refused[@]:0:5}"; do
  expect_fail 2 "$file|ref\\.fa" -- align "$file"
done
report_failures
