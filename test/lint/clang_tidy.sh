#!/usr/bin/env bash
# Runs the checks of .clang-tidy, and with them clang's warnings, over the sources of a folder and what they include.
#   clang_tidy.sh SOURCE_FOLDER BUILD_FOLDER FOLDER   BUILD_FOLDER has compile_commands.json; FOLDER such as src/reads
set -euo pipefail
cd "$1"
if ! command -v clang-tidy >/dev/null; then
  echo "skipped: clang-tidy is not installed (share/setup.sh --judges installs it)"
  exit 77
fi
if [ ! -e "$2/compile_commands.json" ]; then
  echo "skipped: $2 has no compile_commands.json (configure with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or a preset)"
  exit 77
fi

said=$(mktemp)
trap 'rm -f "$said"' EXIT
checked=0 failures=0
# g++ has warnings that clang does not know by name.
while read -r file; do
  checked=$((checked + 1))
  if ! clang-tidy -p "$2" --quiet --extra-arg=-Wno-unknown-warning-option "$file" >"$said" 2>&1; then
    failures=$((failures + 1))
    sed '/^[0-9]* warnings* generated\.$/d' "$said" >&2
  fi
done < <(find "$3" -name '*.cpp' | sort)

[ $checked -gt 0 ] || { echo "FAILED: no sources in $3" >&2 && exit 1; }
[ $failures -eq 0 ] || { echo "FAILED: $failures of $checked sources in $3" >&2 && exit 1; }
echo "$checked sources of $3 are clean"
