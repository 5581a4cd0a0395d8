#!/usr/bin/env bash
# What is written about the program is what the program takes: every flag of --help stands in the manual page and in
# the completion, and neither of them promises a flag that is not there.
. "$(dirname "$0")/lib.sh"

tr -d '\\' <"$WARPSEED_SOURCE/share/man/warpseed.1" >manual.txt
. "$WARPSEED_SOURCE/share/completions/warpseed.bash"

# section COMMAND: its part of the manual, from its own heading to the next.
section() { sed -n "/^\\.SS warpseed $1/,/^\\.S[SH]/p" manual.txt; }
# flags FILE: what looks like a flag, one a line; of "-o,--output" both.
flags() { grep -Eo -- '(^|[^A-Za-z0-9-])(--[a-z][a-z0-9-]*|-[A-Za-z])([^A-Za-z0-9-]|$)' "$1" | grep -Eo -- '-+[A-Za-z][a-z0-9-]*'; }

for command in index inspect query overlap align collapse; do
  run "$WARPSEED" $command --help | grep -E '^ +-' | awk '{ print $1 }' | tr , '\n' | sed 's/[^a-zA-Z0-9-].*//' | sort -u >help.txt
  [ -s help.txt ] || fail "$command --help names no flags"
  { section $command && section 'common'; } >part.txt
  while read -r flag; do
    grep -Eq -- "(^|[^A-Za-z-])$flag([^A-Za-z-]|\$)" part.txt || fail "$command $flag is not in the manual page"
  done <help.txt
  _warpseed_flags $command | tr ' ' '\n' >completed.txt
  while read -r flag; do
    grep -qxF -- "$flag" help.txt || fail "the completion offers $command $flag, which --help does not know"
  done <completed.txt
  # A long flag that --help knows is offered, and so is a short one that has no long name.
  "$WARPSEED" $command --help | grep -E '^ +-' | awk '{ n = split($1, name, ","); print name[n] }' |
    sed 's/[^a-zA-Z0-9-].*//' >wanted.txt
  while read -r flag; do
    grep -qxF -- "$flag" completed.txt || fail "the completion does not offer $command $flag"
  done <wanted.txt
  # The first column of the manual's lists: flags that it describes.
  grep -E '^\.B' part.txt >described.txt || fail "the manual describes no flags of $command"
  flags described.txt | sort -u | while read -r flag; do
    grep -qxF -- "$flag" help.txt || fail "the manual describes $command $flag, which --help does not know"
  done
done

if command -v mandoc >/dev/null; then
  mandoc -Tlint -W warning "$WARPSEED_SOURCE/share/man/warpseed.1" >lint.txt || fail "mandoc: $(cat lint.txt)"
fi
