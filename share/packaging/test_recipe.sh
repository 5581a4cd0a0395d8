#!/usr/bin/env bash
# The recipe of conda without conda: render.py renders meta.yaml, the script of the output warpseed builds into a folder with
# this system's libraries, in a copy of the tree, and the recipe's own tests run against it.
#   share/packaging/test_recipe.sh
# JOBS is the number of compilers at a time. What conda itself decides, its packages and versions, is not tested.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[ $# -eq 0 ] || usage
python3 -c 'import jinja2, yaml' || fail "Python modules are missing. Install them: apt-get install python3-jinja2 python3-yaml"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work"/{source,prefix,test}
git ls-files -z --cached --others --exclude-standard | tar --null -T - -c | tar -C "$work/source" -x
recipe=$work/source/share/packaging/conda
python3 "$recipe/render.py" >"$work/recipe.json"
ask() { python3 -c "import json; recipe = json.load(open('$work/recipe.json')); output = recipe['outputs'][0]; $1"; }
[ "$(ask 'print(recipe["version"])')" = "$version" ] || fail "meta.yaml has another version than version.hpp"
echo "recipe: $(ask 'print(*(o["name"] for o in recipe["outputs"]), recipe["version"])')"

export PREFIX=$work/prefix RECIPE_DIR=$recipe SRC_DIR=$work/source PKG_VERSION=$version CPU_COUNT=${JOBS:-$(nproc)}
(cd "$SRC_DIR" && bash "$RECIPE_DIR/$(ask 'print(output["script"])')") >"$work/build.log" 2>&1 ||
  { tail -n 30 "$work/build.log" && fail "the recipe's script failed"; }
ask 'print(*output["test"]["commands"], sep="\n")' >"$work/test.sh"
(cd "$work/test" && PATH=$PREFIX/bin:$PATH bash -eux "$work/test.sh") >"$work/test.log" 2>&1 ||
  { cat "$work/test.log" && fail "a test of the recipe failed"; }
[ -s "$work/test/out.bam.bai" ] || fail "the recipe's tests left no out.bam.bai"
echo "built and tested: $(wc -l <"$work/test.sh") commands, $(find "$PREFIX" -type f | wc -l) files"
