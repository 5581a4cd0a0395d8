#!/usr/bin/env bash
# The tables of scale.md are those that the model prints.
. "$(dirname "$0")/lib.sh"
need python3

run python3 "$WARPSEED_SOURCE/share/bench/scale_model.py" >tables.txt
[ "$(grep -c '^|' tables.txt)" -gt 10 ] || fail "the model prints no tables"
grep '^|' tables.txt | while read -r line; do
  grep -qxF -- "$line" "$WARPSEED_SOURCE/share/doc/scale.md" || fail "scale.md does not have the row: $line"
done
equal "$(grep -c '^|' "$WARPSEED_SOURCE/share/doc/scale.md")" "$(grep -c '^|' tables.txt)" "rows of the tables of scale.md"
