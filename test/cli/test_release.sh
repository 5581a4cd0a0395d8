#!/usr/bin/env bash
# share/packaging/release.sh in a clone: what it refuses, what --dry-run shows, and what it commits and tags. Packages are
# not built here: scripts in place of those that build them note how they are called.
. "$(dirname "$0")/lib.sh"
need git dpkg
if ! git -C "$WARPSEED_SOURCE" rev-parse HEAD >/dev/null 2>&1; then
  echo "skipped: $WARPSEED_SOURCE is not a git repository"
  exit 77
fi
mkdir tree
git -C "$WARPSEED_SOURCE" ls-files -z --cached CHANGELOG.md .gitignore src/include share/packaging \
  share/man share/multiqc share/workflow share/examples share/doc/library.md test/cli/installed_user |
  tar -C "$WARPSEED_SOURCE" --null -T - -c | tar -C tree -x
for kind in deb tarball; do
  printf '#!/bin/sh\necho "%s $*" >>../calls.txt\nwhile [ "$1" != --output ]; do shift; done\n: >"$2/%s"\n' $kind \
    "$([ $kind = deb ] && echo a.deb || echo a.tar.gz)" >tree/share/packaging/build_$kind.sh
done
sed -i 's/^## \[Unreleased\]$/&\n\n### Fixed\n\n* Something./' tree/CHANGELOG.md # just after a release there is nothing
mkdir bin # what packages are built with is not used here, but looked for
for tool in dpkg-shlibdeps file mmdebstrap; do printf '#!/bin/sh\n' >bin/$tool; done
chmod +x bin/*
export PATH=$work/bin:$PATH
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@localhost GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@localhost
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
tree() { git -C tree "$@"; }
tree init --quiet --initial-branch main
tree add --all
tree commit --quiet --message first
release=tree/share/packaging/release.sh

# refused REGEX ARGUMENT...: release.sh fails with a line that matches.
refused() {
  local regex=$1
  shift
  if $release "$@" >refused.txt 2>&1; then fail "not refused: release.sh $*"; fi
  contains refused.txt "$regex"
}
refused 'release.sh VERSION'
refused 'release.sh VERSION' 1.2
refused 'release.sh VERSION' 1.2.03
refused 'is older than' 0.0.1
echo >>tree/CHANGELOG.md
refused 'not committed' 99.1.0
tree checkout --quiet CHANGELOG.md
tree tag v99.1.0
refused 'the tag v99.1.0 exists' 99.1.0
tree tag --delete v99.1.0 >/dev/null

before=$(tree rev-parse HEAD)
# A tool that is missing shows before anything is changed, not after the tag.
mkdir few
for tool in bash git dpkg dirname realpath date sort tail sed grep cat nproc env awk; do
  ln -s "$(command -v $tool)" few/$tool
done
for tool in dpkg-shlibdeps file; do cp bin/$tool few; done
if PATH=$work/few $release 99.1.0 >refused.txt 2>&1; then fail "released without patchelf"; fi
contains refused.txt 'patchelf is missing'
equal "$(tree rev-parse HEAD) $(tree status --porcelain) $(tree tag)" "$before  " "tree without patchelf"
printf '#!/bin/sh\n' >bin/patchelf && chmod +x bin/patchelf
run $release 99.1.0 --dry-run --arm64 >dry.txt
equal "$(tree rev-parse HEAD) $(tree status --porcelain) $(tree tag)" "$before  " "tree after --dry-run"
contains dry.txt '^\+inline constexpr std::string_view version = "99.1.0";'
contains dry.txt "^\+## \[99.1.0\] - $(date -u +%Y)-"
contains dry.txt '^\+\.TH WARPSEED 1 .* "warpseed 99.1.0"'
contains dry.txt '^\+version = "99.1.0"$'
contains dry.txt 'warpseed for arm64'

run $release 99.1.0 --output packages >release.txt
equal "$(tree status --porcelain)" "" "changes after the release"
equal "$(tree log -1 --format=%s) $(tree describe)" "Version 99.1.0 v99.1.0" "commit and tag"
equal "$(grep -rl 'find_package(warpseed 99\.1' tree/share tree/test | wc -l)" 3 "files that ask for the library's minor version"
equal "$(grep -rhE 'warpseed *=99\.1\.0$' tree/share/workflow | wc -l)" 5 "wrappers and modules that name the version"
tree diff HEAD~1 | grep '^[-+][^-+]' >changed.txt
equal "$(grep -c '^-' changed.txt)" 11 "lines that the release replaces"
(cd packages && sha256sum --quiet --check SHA256SUMS) || fail "SHA256SUMS does not fit the packages"
equal "$(awk '{ print $2 }' packages/SHA256SUMS | tr '\n' ' ')" "a.deb a.tar.gz warpseed-99.1.0.tar.gz " "packages"
equal "$(wc -l <calls.txt)" 2 "packages built"
# Nothing is left to release now.
refused 'nothing under \[Unreleased\]' 99.2.0
