#!/usr/bin/env bash
# Makes a release of this tree: sets the version, closes the changelog's [Unreleased], commits, tags, builds the packages.
#   share/packaging/release.sh VERSION [--dry-run] [--cuda] [--arm64] [--output FOLDER]
# VERSION is major.minor.patch. --dry-run shows what would change and does nothing. --cuda and --arm64 build these packages
# too. Packages and SHA256SUMS lie in FOLDER, build/release-VERSION by default. Nothing is pushed: that is said at the end.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

new='' dry=no variants=('') arm64=no output=''
while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry=yes ;;
    --cuda) variants=('' --cuda) ;;
    --arm64) arm64=yes ;;
    --output) [ "${2-}" ] || usage && output=$(from_caller "$2") && shift ;;
    -*) usage ;;
    *) [ -z "$new" ] || usage && new=$1 ;;
  esac
  shift
done
[[ $new =~ ^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$ ]] || usage
output=${output:-$source/build/release-$new}
date=$(date -u +%F)

# check: whether this tree may be released as $new.
check() {
  [ -z "$(git status --porcelain)" ] || fail "the tree has changes that are not committed (git status)"
  ! git rev-parse --quiet --verify "refs/tags/v$new" >/dev/null || fail "the tag v$new exists"
  ! grep -qF "## [$new]" CHANGELOG.md || fail "CHANGELOG.md has a section [$new]"
  [ "$(printf '%s\n' "$version" "$new" | sort -V | tail -n 1)" = "$new" ] || fail "$new is older than $version"
  [ -n "$(sed -n '/^## \[Unreleased\]/,/^## \[[0-9]/p' CHANGELOG.md | grep '^[*-]')" ] ||
    fail "CHANGELOG.md has nothing under [Unreleased]"
  # What the builds need, before there is a tag without packages.
  need dpkg-shlibdeps dpkg-dev
  need file file
  need patchelf patchelf
  [ $arm64 = no ] || need mmdebstrap mmdebstrap
}

# set_version FOLDER: writes version and date into the files of the tree in FOLDER.
set_version() {
  sed -i "s/\(version = \"\)[0-9.]*\"/\1$new\"/" "$1/src/include/warpseed/version.hpp" "$1/share/multiqc/pyproject.toml"
  sed -i "1s/^.TH WARPSEED 1 [^ ]* \"warpseed [0-9.]*\"/.TH WARPSEED 1 $date \"warpseed $new\"/" "$1/share/man/warpseed.1"
  sed -i "s/^## \[Unreleased\]$/## [Unreleased]\n\n## [$new] - $date/" "$1/CHANGELOG.md"
  sed -i "s/\(- warpseed *=\)[0-9.]*$/\1$new/" "${pinned[@]/#/$1/}"
  # Users of the library ask for its minor version: another one may have another interface.
  sed -i "s/find_package(warpseed [0-9.]*/find_package(warpseed ${new%.*}/" "${users[@]/#/$1/}"
}
users=(share/examples/CMakeLists.txt share/doc/library.md test/cli/installed_user/CMakeLists.txt)
pinned=(share/workflow/wrapper/{align,index}/environment.yaml share/workflow/nf-core/warpseed/{align,index,merge}/environment.yml)
versioned=(src/include/warpseed/version.hpp share/multiqc/pyproject.toml share/man/warpseed.1 CHANGELOG.md)
versioned+=("${users[@]}" "${pinned[@]}")

build_packages() {
  local variant
  mkdir -p "$output"
  for variant in "${variants[@]}"; do
    share/packaging/build_deb.sh ${variant:+"$variant"} --output "$output"
    share/packaging/build_tarball.sh ${variant:+"$variant"} --output "$output"
  done
  if [ $arm64 = yes ]; then share/packaging/build_deb.sh --root --arch arm64 --output "$output"; fi
  git archive --prefix="warpseed-$new/" "v$new" | gzip -9 -n >"$output/warpseed-$new.tar.gz"
  (cd "$output" && sha256sum -- *.deb *.tar.gz >SHA256SUMS)
}

check
if [ $dry = yes ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  git archive HEAD "${versioned[@]}" | tar -C "$work" -x
  set_version "$work"
  for file in "${versioned[@]}"; do diff -u --label "$file" --label "$file" "$file" "$work/$file" || true; done
  echo "would commit this as \"Version $new\", tag it v$new and build into $output:"
  for variant in "${variants[@]}"; do echo "  warpseed${variant:+-cuda}: .deb, .deb of the library, tarball"; done
  [ $arm64 = no ] || echo "  warpseed for arm64: .deb, .deb of the library"
  echo "  warpseed-$new.tar.gz (sources), SHA256SUMS"
  exit
fi
set_version .
git commit --quiet --message "Version $new" "${versioned[@]}"
git tag --annotate "v$new" --message "warpseed $new"
build_packages
cat "$output/SHA256SUMS"
echo "to publish: git push origin HEAD v$new, and the files in $output"
