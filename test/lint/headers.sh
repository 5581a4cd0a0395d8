#!/usr/bin/env bash
# Each header of src/ compiles alone: what it uses it includes. A header that the source of its name includes first is
# compiled alone by every build; here are the others.
#   headers.sh SOURCE_FOLDER COMPILER FLAG...
set -euo pipefail
cd "$1"
shift

# The headers that no source of their name includes first.
unproven() {
  local header
  find src -name '*.hpp' | sort | while read -r header; do
    grep -m 1 -s '^#include' "${header%.hpp}.cpp" | grep -qF "\"${header#src/}\"" || echo "$header"
  done
}

# check HEADER COMPILER FLAG...
check() {
  local header=$1
  shift
  if ! "$@" -fsyntax-only -x c++ -include "$header" /dev/null; then
    echo "FAILED: $header does not compile alone" >&2
    return 1
  fi
}
export -f check

mapfile -t headers < <(unproven)
[ ${#headers[@]} -gt 0 ] || { echo "FAILED: no headers in $PWD/src" >&2 && exit 1; }
printf '%s\0' "${headers[@]}" | xargs -0 -P 2 -I HEADER bash -c 'check "$@"' check HEADER "$@"
echo "${#headers[@]} headers compile alone"
