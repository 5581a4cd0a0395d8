#!/usr/bin/env bash
# Builds the images of Dockerfile and warpseed.def from the tarball with Docker and with Apptainer, without a registry: a bare
# Debian 12 takes the place of their base image. In each, it indexes and aligns the demo's data, and compares the bytes with those
# of the tarball's program here.
#   share/packaging/test_images.sh [--cuda] [FOLDER]    the tarball in FOLDER, build/packages by default
# Runs as root, and starts a Docker daemon of its own. Debian 12 has no Apptainer, so that one runs in a root of Debian
# unstable.
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
need mmdebstrap mmdebstrap
for tool in docker dockerd; do need $tool docker.io; done
need unshare util-linux

work=$(mktemp -d)
daemon=''
clean_up() {
  [ -z "$daemon" ] || { kill "$daemon" && wait "$daemon"; } || true
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT
name=warpseed$cuda-$version-linux-$(uname -m).tar.gz
packages=$work/tree/build/packages # as in a tree of the sources
mkdir -p "$packages" "$work"/{here,unpacked,docker,apptainer}
cp "$folder/$name" "$packages" || fail "build the tarball first: share/packaging/build_tarball.sh"

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

# refuses_two NAME COMMAND...: COMMAND builds no image where two tarballs match, and says so.
refuses_two() {
  local image=$1 other=$packages/${name/$version/0.0.0}
  shift
  cp "$packages/$name" "$other"
  if "$@" >"$work/two.log" 2>&1; then fail "$image: two tarballs gave an image"; fi
  grep -q '2 tarballs match' "$work/two.log" || { cat "$work/two.log" && fail "$image: two tarballs gave another error"; }
  rm "$other"
}

tar -xzf "$packages/$name" -C "$work/unpacked"
run_here() { (cd "$work/here" && "$work/unpacked/${name%.tar.gz}/bin/warpseed" "$@"); }
index_and_align "$work/here" run_here
mmdebstrap --quiet --variant=minbase bookworm "$work/base.tar"

# ---- Dockerfile -----------------------------------------------------------------------------------------------
export DOCKER_HOST=unix://$work/docker.sock
unshare --mount dockerd --host "$DOCKER_HOST" --data-root "$work/storage" --exec-root "$work/run" --pidfile "$work/docker.pid" \
  --iptables=false --bridge=none >"$work/dockerd.log" 2>&1 &
daemon=$!
until docker info >/dev/null 2>&1; do
  kill -0 "$daemon" 2>/dev/null || { tail "$work/dockerd.log" && fail "the Docker daemon did not start"; }
  sleep 1
done
base=$(sed -n 's/^FROM \([^ ]*\)$/\1/p' share/packaging/Dockerfile)
docker import "$work/base.tar" "$base" >/dev/null
build_docker() {
  local arguments=(--network host --quiet -f share/packaging/Dockerfile -t warpseed)
  [ -z "$cuda" ] || arguments+=(--build-arg "TARBALL=warpseed-cuda-*.tar.gz")
  docker build "${arguments[@]}" "$packages"
}
refuses_two docker build_docker
build_docker >/dev/null
in_docker() { docker run --rm --network none -u "$(id -u):$(id -g)" -v "$work/docker:/data" warpseed "$@"; }
in_docker ps >/dev/null
docker run --rm --network none --memory 2g --cpus 1 warpseed warpseed backends | grep -q '1 thread, 2.0 GiB of memory' ||
  fail "docker: the program does not see the limits of its container"
run_docker() { in_docker warpseed "$@"; }
index_and_align "$work/docker" run_docker
compare docker

# ---- warpseed.def ---------------------------------------------------------------------------------------------
# The lists of unstable are valid for a week only; the mirror's may be older.
# shellcheck disable=SC2016
mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' --include=apptainer \
  --customize-hook='chroot "$1" useradd --create-home user && touch "$1/etc/hosts" && mkdir "$1/exchange"' unstable "$work/root"
docker save "$base" -o "$work/tree/base.tar"
sed 's/^Bootstrap: .*/Bootstrap: docker-archive/; s/^From: .*/From: base.tar/' share/packaging/warpseed.def >"$work/tree/warpseed.def"
chown -R "$(chroot "$work/root" id -u user)" "$work/tree" "$work/apptainer"
chmod go+x "$work"

# apptainer FOLDER ARGUMENT...: as an ordinary user, in FOLDER of `work`.
apptainer() {
  # shellcheck disable=SC2016
  unshare --mount bash -euc 'work=$1 folder=$2 && shift 2
    mount --rbind "$work/root" "$work/root" && cd "$work/root"
    for each in proc sys dev; do mount --rbind "/$each" "$each"; done
    mount --bind "$work" exchange && pivot_root . mnt && umount --lazy /mnt && cd "/exchange/$folder"
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/user setpriv --reuid user --regid user --init-groups \
      apptainer --quiet "$@"' bash "$work" "$@"
}
build_apptainer() {
  local arguments=()
  [ -z "$cuda" ] || arguments+=(--build-arg "tarball=build/packages/warpseed-cuda-*.tar.gz")
  apptainer tree build --force "${arguments[@]}" warpseed.sif warpseed.def
}
refuses_two apptainer build_apptainer
build_apptainer >"$work/apptainer.log" 2>&1 || { cat "$work/apptainer.log" && fail "warpseed.def gave no image"; }
run_apptainer() { apptainer apptainer run ../tree/warpseed.sif "$@"; }
index_and_align "$work/apptainer" run_apptainer
compare apptainer
