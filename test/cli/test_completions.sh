#!/usr/bin/env bash
# The completions of bash, zsh and fish offer the flags that --help lists, and no others: by their text, and, where the
# shell is installed, by what it offers.
. "$(dirname "$0")/lib.sh"
files=$WARPSEED_SOURCE/share/completions
commands=(index inspect query overlap align merge collapse backends)
. "$files/warpseed.bash"

# names COMMAND: the names of its flags in --help, a line each flag: "-o,--output".
names() {
  run "$WARPSEED" "$1" --help >page.txt
  grep -E '^ +-' page.txt | awk '{ print $1 }' | sed 's/[^a-zA-Z0-9,-].*//'
}
sorted() { LC_ALL=C sort -u; }

# options TEXT: what looks like a flag, sorted; of "-o,--output" both.
options() { grep -Eo -- '(^|[^A-Za-z0-9-])(--[a-z][a-z0-9-]*|-[A-Za-z0-9])' "$1" | grep -Eo -- '-+[A-Za-z0-9][a-z0-9-]*' | sorted || true; }

# zsh_text COMMAND: the flags in its function and those that it shares, without values, exclusions and descriptions.
zsh_text() {
  {
    sed -n "/^_warpseed_$1() {/,/^}/p" "$files/_warpseed"
    if sed -n "/^_warpseed_$1() {/,/^}/p" "$files/_warpseed" | grep -Eq '\$(common|where)'; then
      sed -n '/^  local -a where=(/,/^  )/p' "$files/_warpseed"
    fi
    if sed -n "/^_warpseed_$1() {/,/^}/p" "$files/_warpseed" | grep -q '\$common'; then
      sed -n '/^  local -a common=(/,/^  )/p' "$files/_warpseed"
    fi
    if sed -n "/^_warpseed_$1() {/,/^}/p" "$files/_warpseed" | grep -q '\$help'; then
      sed -n 's/^  local -a help=(\(.*\))$/\1/p' "$files/_warpseed"
    fi
  } | grep -E "^ *'[^:]" | grep -v "^ *'\*:" | sed -E "s/^ *'(\([^)]*\))?//; s/\[.*//" >zsh_text.txt
  options zsh_text.txt
}

# fish_text COMMAND: the flags of the lines that are for it.
fish_text() {
  grep -E "^complete .*'__warpseed_command( [a-z]+)* $1( [a-z]+)*'" "$files/warpseed.fish" | sed "s/'[^']*'//g" |
    grep -Eo -- '-[sl] [A-Za-z0-9-]+' | sed 's/^-s /-/; s/^-l /--/' | sorted
}

# same_options WHAT: found.txt has what help.txt has.
same_options() {
  diff help.txt found.txt >difference.txt || fail "$1: help (<) and completion (>) differ: $(grep '^[<>]' difference.txt | tr '\n' ' ')"
}

for command in "${commands[@]}"; do
  names "$command" | tr , '\n' | sorted >help.txt
  [ -s help.txt ] || fail "$command --help names no flags"
  zsh_text "$command" | sorted >found.txt
  same_options "zsh, $command"
  fish_text "$command" | sorted >found.txt
  same_options "fish, $command"
  # Bash offers one name of each flag: the long one, if it has one.
  names "$command" | sed 's/.*,//' | sorted >help.txt
  _warpseed_flags "$command" | tr ' ' '\n' | sorted >found.txt
  same_options "bash, $command"
done

# Commands that the program lists are offered.
"$WARPSEED" --help | awk 'NF > 1 && /^  [a-z]/ { print $1 }' | sorted >help.txt
printf '%s\n' "${commands[@]}" | sorted >found.txt
same_options "commands of this test"
sed -n "s/^    '\([a-z][a-z]*\):.*/\1/p" "$files/_warpseed" | sorted >found.txt
same_options "zsh, commands"
sed -n 's/^complete .*__warpseed_no_command -a \([a-z]*\) .*/\1/p' "$files/warpseed.fish" | sorted >found.txt
same_options "fish, commands"
COMP_WORDS=(warpseed '') COMP_CWORD=1
_warpseed
printf '%s\n' "${COMPREPLY[@]}" | grep -v '^-' | sorted >found.txt
same_options "bash, commands"

# What the shells themselves offer, where they are installed.
if command -v fish >/dev/null; then
  export XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work XDG_CACHE_HOME=$work
  offered_by_fish() { fish --no-config -c "source '$files/warpseed.fish'; complete -C '$1'" | cut -f 1 | sorted; }
  for command in "${commands[@]}"; do
    names "$command" | tr , '\n' | sorted >help.txt
    offered_by_fish "warpseed $command -" >found.txt
    same_options "offered by fish, $command"
  done
  equal "$(offered_by_fish 'warpseed align --cs ' | tr '\n' ' ')" "long none short " "values offered by fish"
  equal "$(offered_by_fish 'warpseed overlap lo')" longest "mode offered by fish"
fi
if command -v zsh >/dev/null; then
  zsh -n "$files/_warpseed" || fail "zsh does not parse the completion"
  offered_by_zsh() { zsh -f "$WARPSEED_SOURCE/test/cli/zsh_completions.zsh" "$files" "$1" | tr -d '\r' >offered.txt; }
  names align | tr , '\n' | sorted >help.txt
  offered_by_zsh 'warpseed align -'
  grep -v warpseed offered.txt | tr -s ' ' '\n' | grep -E '^-' | sorted >found.txt
  same_options "offered by zsh, align"
  offered_by_zsh 'warpseed align --cs '
  contains offered.txt 'long +none +short'
  offered_by_zsh 'warpseed '
  contains offered.txt 'align +backends +collapse +index +inspect +merge +overlap +query'
fi
