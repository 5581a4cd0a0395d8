#!/usr/bin/env bash
# Command lines that are drawn at random: each is refused or done, see random_command_lines.py.
. "$(dirname "$0")/lib.sh"
need python3 samtools

make_genome chr1:3000 chr2:800 >ref.fa
make_pairs ref.fa 20 r
run "$WARPSEED" index ref.fa -o ref.wsi -q
run "$WARPSEED" align ref.wsi r_1.fq r_2.fq -o r.bam -q
printf 'chr1\t100\t900\tgene\n' >genes.bed
python3 "$WARPSEED_SOURCE/test/cli/random_command_lines.py" "${COMMAND_LINES:-300}" "${COMMAND_LINES_SEED:-$seed}" ||
  fail "command lines"
