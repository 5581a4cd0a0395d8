#!/usr/bin/env bash
# The tutorial of guide.md and the quick start of README.md run as they are written: every ```sh block succeeds, and every
# line of a ```text block is in the output of the ```sh block before it.
. "$(dirname "$0")/lib.sh"
need samtools bcftools

mkdir bin
ln -s "$WARPSEED" bin/warpseed
ln -s "$WARPSEED_SOURCE/share" share # the commands run from the repository's root, and write elsewhere
export PATH="$work/bin:$PATH"

# blocks FILE SECTION: its ```sh and ```text blocks as NAME/1.sh, NAME/1.text, NAME/2.sh...
blocks() {
  mkdir "$3"
  awk -v section="## $2" -v folder="$3" '
    !inside && /^## / { wanted = $0 == section; next }
    !wanted { next }
    /^```/ && inside { inside = 0; file = ""; next }
    /^```sh$/ { file = folder "/" ++count ".sh"; printf "" > file }
    /^```text$/ { file = folder "/" count ".text" }
    /^```/ { inside = 1; next }
    inside && file != "" { print > file }' "$1"
}

# plain FILE: tabs and runs of spaces as one space.
plain() { sed -E 's/[[:space:]]+/ /g; s/^ //; s/ $//' "$1"; }

# follow FILE SECTION NAME
follow() {
  local number=1 line
  blocks "$WARPSEED_SOURCE/$1" "$2" "$3"
  [ -s "$3/1.sh" ] || fail "$1 has no commands under '## $2'"
  for (( ; ; number++)); do
    [ -e "$3/$number.sh" ] || break
    bash -euo pipefail "$3/$number.sh" >"$3/$number.out" 2>&1 </dev/null || {
      cat "$3/$number.sh" "$3/$number.out" >&2
      fail "$1, '## $2': block $number"
    }
    [ -e "$3/$number.text" ] || continue
    plain "$3/$number.out" >printed.txt
    plain "$3/$number.text" >shown.txt
    while read -r line; do
      grep -qxF -e "$line" printed.txt || {
        cat "$3/$number.out" >&2
        fail "$1, '## $2': block $number does not print '$line'"
      }
    done <shown.txt
  done
}

follow share/doc/guide.md 'Tutorial' tutorial
follow README.md 'Quick start' quick_start
