#!/usr/bin/env bash
# Unpacks the tarball in a bare root that has none of its libraries, indexes and aligns the demo's data there, checks the
# BAM file outside, and prints the seconds.
#   share/packaging/test_tarball.sh [--suite SUITE] [--cuda] [FOLDER]    the tarball in FOLDER, build/packages by default
# SUITE is bookworm (Debian 12, the default), another release of Debian, or noble (Ubuntu 24.04, whose keys must be
# installed).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

suite=bookworm cuda='' folder=build/packages
while [ $# -gt 0 ]; do
  case $1 in
    --suite) [ "${2-}" ] || usage && suite=$2 && shift ;;
    --cuda) cuda=-cuda ;;
    -*) usage ;;
    *) folder=$(from_caller "$1") ;;
  esac
  shift
done

need samtools samtools
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
name=warpseed$cuda-$version-linux-$(uname -m)
cp "$folder/$name.tar.gz" "$work" || fail "build the tarball first: share/packaging/build_tarball.sh"

cat >"$work/inside.sh" <<'INSIDE'
set -euo pipefail
name=$1
if ldconfig -p | grep -E 'lib(hts|tbb|fmt|hwy|isal|divsufsort|cuda)'; then echo "the root has libraries of its own" && exit 1; fi
# Another folder than that of the build, with a space in its name.
mkdir -p "/opt/some where" && cd "/opt/some where" && tar -xzf "/exchange/$name.tar.gz"
top=$PWD/$name
LD_TRACE_LOADED_OBJECTS=1 "$top/bin/warpseed" >/exchange/libraries.txt
if grep 'not found' /exchange/libraries.txt; then exit 1; fi
! grep -q 'libcuda' /exchange/libraries.txt
bundled=$(grep -c 'bin/\.\./lib/' /exchange/libraries.txt)
[ "$bundled" -eq "$(ls "$top/lib" | wc -l)" ] || { cat /exchange/libraries.txt && exit 1; }
echo "libraries: $bundled of the tarball; of the system: $(grep -v 'bin/\.\./lib/' /exchange/libraries.txt | awk '{ print $1 }' | paste -s -d ' ')"
"$top/bin/warpseed" --version
"$top/bin/warpseed" backends
begin=$(date +%s%N)
mkdir /exchange/out
data=$top/share/warpseed/demo
"$top/bin/warpseed" index --quiet --backend auto "$data/chr20_9-11Mb.fa.gz" -o /exchange/out/chr20.wsi
"$top/bin/warpseed" align --quiet --backend auto /exchange/out/chr20.wsi "$data"/*_R1.fastq.gz "$data"/*_R2.fastq.gz \
  --sort -o /exchange/out/out.bam
milliseconds=$((($(date +%s%N) - begin) / 1000000))
echo "index and align: $milliseconds ms"
[ $milliseconds -lt 30000 ] || { echo "that is more than 30 s" && exit 1; }
INSIDE
in_root "$work" "$suite" "" "$(dpkg --print-architecture)" bash /exchange/inside.sh "$name"
samtools quickcheck "$work/out/out.bam"
(cd "$work/out" && sha256sum chr20.wsi)
samtools view "$work/out/out.bam" | sha256sum | sed 's/-$/records of out.bam/'
samtools flagstat "$work/out/out.bam" | grep -E 'primary$|properly paired'
