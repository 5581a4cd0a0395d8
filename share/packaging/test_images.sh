#!/usr/bin/env bash
# Builds the images of Dockerfile and warpseed.def from the tarball, without a registry: a bare Debian 12 stands in for their
# base image. In each, it indexes and aligns the demo's data, and compares the bytes with those of the tarball's program here.
#   share/packaging/test_images.sh [--cuda] [FOLDER]    the tarball in FOLDER, build/packages by default
# Runs as root. buildah builds the first image; the sections of the second run by chroot, in the way of Apptainer, which
# Debian does not have.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cuda='' folder=build/packages
while [ $# -gt 0 ]; do
  case $1 in
    --cuda) cuda=-cuda ;;
    -*) usage ;;
    *) folder=$(from_caller "$1") ;;
  esac
  shift
done
[ "$(id -u)" -eq 0 ] || fail "roots and images are made by root"
for tool in mmdebstrap buildah; do need $tool $tool; done
need unshare util-linux

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
name=warpseed$cuda-$version-linux-$(uname -m).tar.gz
mkdir "$work"/{context,here,docker,apptainer,rootfs,tmp}
cp "$folder/$name" "$work/context" || fail "build the tarball first: share/packaging/build_tarball.sh"

# index_and_align FOLDER COMMAND...: COMMAND runs warpseed in FOLDER, with the demo's data there.
index_and_align() {
  local folder=$1
  shift
  cp share/demo/*.fa.gz share/demo/*.fastq.gz "$folder"
  "$@" index --quiet chr20_9-11Mb.fa.gz -o ref.wsi
  "$@" align --quiet ref.wsi NA12878_chr20_10.0-10.1Mb_R1.fastq.gz NA12878_chr20_10.0-10.1Mb_R2.fastq.gz --sort -o out.bam
}

# compare NAME: its files have the bytes of those made here.
compare() {
  local file
  for file in ref.wsi out.bam out.bam.bai; do
    cmp "$work/here/$file" "$work/$1/$file" || fail "$1: $file has other bytes than outside"
  done
  echo "$1: the same bytes as outside"
}

tar -xzf "$work/context/$name" -C "$work/tmp"
run_here() { (cd "$work/here" && "$work/tmp/${name%.tar.gz}/bin/warpseed" "$@"); }
index_and_align "$work/here" run_here
mmdebstrap --quiet --variant=minbase bookworm "$work/base.tar"

# ---- Dockerfile, with storage of its own ----------------------------------------------------------------------
image() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
base=docker.io/library/$(sed -n 's/^FROM \([^ ]*\)$/\1/p' share/packaging/Dockerfile)
container=$(image from scratch)
image add --quiet "$container" "$work/base.tar" / >/dev/null
image commit --quiet --rm "$container" "$base" >/dev/null
build=(image bud --isolation chroot --pull-never --quiet -f share/packaging/Dockerfile)
[ -z "$cuda" ] || build+=(--build-arg "TARBALL=warpseed-cuda-*.tar.gz")
"${build[@]}" -t warpseed "$work/context" >/dev/null
container=$(image from --pull-never warpseed)
run_docker() { image run --isolation chroot -v "$work/docker:/data" "$container" -- warpseed "$@"; }
run_docker --version
image run --isolation chroot "$container" -- ps >/dev/null
index_and_align "$work/docker" run_docker
compare docker
cp "$work/context/$name" "$work/context/${name/$version/0.0.0}"
if "${build[@]}" -t two "$work/context" >"$work/two.log" 2>&1; then fail "Dockerfile: two tarballs gave an image"; fi
grep -q '^2 tarballs match' "$work/two.log" || { cat "$work/two.log" && fail "Dockerfile: two tarballs gave another error"; }

# ---- warpseed.def ---------------------------------------------------------------------------------------------
# section NAME: its lines.
section() { awk -v name="%$1" '/^%/ { inside = $1 == name; next } inside' share/packaging/warpseed.def; }

# in_rootfs COMMAND...: in the root, whose /tmp and /var/tmp are those of outside, and where data/ is mounted on /mnt.
in_rootfs() {
  # shellcheck disable=SC2016
  unshare --mount bash -euc 'for folder in tmp var/tmp; do mount --bind "$1/tmp" "$1/rootfs/$folder"; done
    mount --bind "$1/apptainer" "$1/rootfs/mnt"; mount -t proc proc "$1/rootfs/proc"; shift
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin chroot "$@"' bash "$work" "$work/rootfs" "$@"
}

# copy_files: %files; its source may be a pattern, its target is a folder that ends in /.
copy_files() {
  local tarballs from to
  tarballs=$(section arguments | sed -n 's,^ *tarball=build/packages/,,p')
  [ -z "$cuda" ] || tarballs='warpseed-cuda-*.tar.gz'
  section files | sed "s#{{ tarball }}#$work/context/$tarballs#" | grep -v '^ *#' |
    while read -r from to; do
      [ -n "$from" ] || continue
      mkdir -p "$work/rootfs$to"
      # shellcheck disable=SC2086
      cp -fLr $from "$work/rootfs$to"
    done
}

run_script() { section "$1" >"$work/rootfs/.script" && shift && in_rootfs /bin/sh -ex /.script "$@" 2>>"$work/apptainer.log"; }
post() { copy_files && run_script post; }
tar -xf "$work/base.tar" -C "$work/rootfs" --exclude './dev/*'
cp --archive /dev/null "$work/rootfs/dev/null"
if post; then fail "warpseed.def: two tarballs gave an image"; fi
grep -q '^2 tarballs match' "$work/apptainer.log" ||
  { cat "$work/apptainer.log" && fail "warpseed.def: two tarballs gave another error"; }
rm -r "$work/context/${name/$version/0.0.0}" "$work/rootfs/opt/tarball"
post || { cat "$work/apptainer.log" && fail "warpseed.def: %post failed"; }
run_script test
run_apptainer() { section runscript | sed '1i cd /mnt' >"$work/rootfs/.run" && in_rootfs /bin/sh /.run "$@"; }
index_and_align "$work/apptainer" run_apptainer
compare apptainer
