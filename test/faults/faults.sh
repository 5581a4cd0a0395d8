#!/usr/bin/env bash
# What happens when the system refuses what the program asks for: faults.py, whose arguments this takes.
faults=$(realpath "$(dirname "$0")")
. "$(dirname "$0")/../cli/lib.sh"
need python3 samtools
TMPDIR=$work python3 "$faults/faults.py" "$@"
