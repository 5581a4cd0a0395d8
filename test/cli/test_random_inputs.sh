#!/usr/bin/env bash
# Genomes and reads that are drawn at random: the same from every way to compute it, see random_inputs.py.
. "$(dirname "$0")/lib.sh"
need python3 samtools bgzip

if "$WARPSEED" backends | grep -q '^cuda:'; then export DEVICE=cuda; fi
python3 "$WARPSEED_SOURCE/test/cli/random_inputs.py" "${ROUNDS:-12}" "${ROUNDS_SEED:-$seed}" || fail "random inputs"
