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
for version in 2.1 3.0; do # 2.1 has no checksums, so that damage arrives where it is decoded
  samtools view -C -T ref.fa --output-fmt-option version=$version -o r_$version.cram collated.bam 2>/dev/null
  "$WARPSEED" align ref.wsi r_$version.cram --input-reference ref.fa -o r_$version.sam --quiet
done
equal "$(grep -v '^@' r_2.1.sam | md5sum)" "$(grep -v '^@' r_3.0.sam | md5sum)" "records of CRAM 2.1 and 3.0"

python3 - $seed <<'PYTHON'
import random, sys
chance = random.Random(int(sys.argv[1]))
for number in range(400):
    data = bytearray(open(f"r_{'2.1' if number % 4 else '3.0'}.cram", "rb").read())
    for _ in range(chance.choice([1, 2, 8])):
        at = chance.randrange(26, len(data))
        data[at] = chance.randrange(256)
    if number % 10 == 0:
        del data[chance.randrange(26, len(data)):]
    open(f"damaged_{number}.cram", "wb").write(data)
PYTHON

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
echo "400 damaged files: the decoder ended by a signal on ${#crashed[@]}, refused ${#refused[@]}"
[ ${#refused[@]} -gt 20 ] || fail "hardly a damaged file was refused"

align() { "$WARPSEED" align ref.wsi "$1" --input-reference ref.fa -o out/x.bam --quiet; }
for file in "${crashed[@]:0:10}"; do
  expect_fail 2 "$file: damaged CRAM: htslib .* ended by signal" -- align "$file"
done
for file in "${refused[@]:0:5}"; do
  expect_fail 2 "$file|ref\\.fa" -- align "$file"
done
report_failures
