#!/usr/bin/env bash
# What is written about the program is what the program takes: every flag of --help is in the manual page, which has no flag
# that the program does not know. Links of the pages lead somewhere, files that the pages name exist, and a module's page is
# short.
. "$(dirname "$0")/lib.sh"

tr -d '\\' <"$WARPSEED_SOURCE/share/man/warpseed.1" >manual.txt

# section COMMAND: its part of the manual, from its own heading to the next.
section() { sed -n "/^\\.SS warpseed $1/,/^\\.S[SH]/p" manual.txt; }
# flags FILE: what looks like a flag, one a line; of "-o,--output" both.
flags() { grep -Eo -- '(^|[^A-Za-z0-9-])(--[a-z][a-z0-9-]*|-[A-Za-z])([^A-Za-z0-9-]|$)' "$1" | grep -Eo -- '-+[A-Za-z][a-z0-9-]*'; }

for command in index inspect query overlap align merge collapse; do
  run "$WARPSEED" $command --help | grep -E '^ +-' | awk '{ print $1 }' | tr , '\n' | sed 's/[^a-zA-Z0-9-].*//' | sort -u >help.txt
  [ -s help.txt ] || fail "$command --help names no flags"
  { section $command && section 'common'; } >part.txt
  while read -r flag; do
    grep -Eq -- "(^|[^A-Za-z-])$flag([^A-Za-z-]|\$)" part.txt || fail "$command $flag is not in the manual page"
  done <help.txt
  # The first column of the manual's lists: flags that it describes.
  grep -E '^\.B' part.txt >described.txt || fail "the manual describes no flags of $command"
  flags described.txt | sort -u | while read -r flag; do
    grep -qxF -- "$flag" help.txt || fail "the manual describes $command $flag, which --help does not know"
  done
done

# The title of the manual has the program's version.
grep -qF "\"$("$WARPSEED" --version)\"" <(head -n 1 "$WARPSEED_SOURCE/share/man/warpseed.1") ||
  fail "the manual is not of $("$WARPSEED" --version): $(head -n 1 "$WARPSEED_SOURCE/share/man/warpseed.1")"

if command -v mandoc >/dev/null; then
  mandoc -Tlint -W warning "$WARPSEED_SOURCE/share/man/warpseed.1" >lint.txt || fail "mandoc: $(cat lint.txt)"
fi

# links FILE: the targets of its links that are not addresses, without the part after #; one a line.
links() { grep -Eo '\]\([^)[:space:]]+\)' "$1" | sed -E 's/^\]\(//; s/\)$//; s/#.*//' | grep -Ev '^([a-z]+:|$)' || true; }
# paths FILE: what looks like a path from the top of the repository, one a line.
paths() {
  grep -Eo '(^|[^A-Za-z0-9_./-])(apps|cuda|python|share|src|test)/[A-Za-z0-9_./*-]*' "$1" |
    sed -E 's/^[^a-z]//; s/[.]+$//' | sort -u || true
}
# sources FILE: names of source files without a folder, in backquotes; one a line.
sources() { grep -Eo '`[A-Za-z0-9_]+\.(awk|cpp|cu|cuh|hpp|sh)`' "$1" | tr -d '`' | sort -u || true; }

# check_page FILE: fails if it names what is not there. Sets links_seen and paths_seen.
links_seen=0 paths_seen=0
check_page() {
  local page=$1 name
  while read -r name; do
    links_seen=$((links_seen + 1))
    [ -e "$(dirname "$page")/$name" ] || fail "$page links to $name, which does not exist"
  done < <(links "$page")
  while read -r name; do
    paths_seen=$((paths_seen + 1))
    compgen -G "$WARPSEED_SOURCE/$name" >all.txt || fail "$page names $name, which does not exist"
  done < <(paths "$page")
  while read -r name; do
    (cd "$WARPSEED_SOURCE" && find apps cuda python share src test -name "$name") >all.txt
    [ -s all.txt ] || fail "$page names $name, which does not exist"
  done < <(sources "$page")
}

for page in "$WARPSEED_SOURCE"/*.md "$WARPSEED_SOURCE"/share/doc/*.md "$WARPSEED_SOURCE"/share/doc/modules/*.md; do
  [ "$(basename "$page")" = CHANGELOG.md ] || check_page "$page" # history names files that are gone
done
[ "$links_seen" -gt 40 ] || fail "only $links_seen links found in the pages"
[ "$paths_seen" -gt 100 ] || fail "only $paths_seen paths found in the pages"
for page in "$WARPSEED_SOURCE"/share/doc/modules/*.md; do
  [ "$(wc -l <"$page")" -le 120 ] || fail "$page has more than 120 lines"
  grep -qF "modules/$(basename "$page")" "$WARPSEED_SOURCE/share/doc/design.md" || fail "the design has no link to $page"
done
# The checks can fail.
printf 'See [no](no_such_page.md), `src/no_such_file.hpp` and `no_such_file.cu`.\n' >wrong.md
for part in links paths sources; do
  $part wrong.md >part.txt
  [ "$(wc -l <part.txt)" = 1 ] || fail "$part does not find the one name in a page"
done
if (check_page "$PWD/wrong.md") 2>/dev/null; then fail "a page with wrong names passes"; fi
