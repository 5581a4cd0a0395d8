#!/usr/bin/env bash
# Where two aligners align the same reads, and how they differ where both are sure: positions.awk says what the classes are.
#   compare_positions.sh OURS THEIRS [LIST]
# SAM, or BAM or CRAM where samtools is installed; LIST receives every difference. SURE (30) in the environment is the
# least MAPQ of an alignment that counts.
. "$(dirname "$0")/lib.sh"
[ $# -ge 2 ] || { echo "usage: compare_positions.sh OURS THEIRS [LIST]" >&2 && exit 2; }

# records FILE: as SAM without a header
records() {
  case $1 in
    *.bam | *.cram) need samtools && samtools view -F 0x900 "$1" ;;
    *) cat "$1" ;;
  esac
}
records "$1" >"$work/ours.sam"
records "$2" >"$work/theirs.sam"
awk -v sure="${SURE:-30}" -v list="${3:-}" -f "$bench/sam.awk" -f "$bench/positions.awk" "$work"/{ours,theirs}.sam
