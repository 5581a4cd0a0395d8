#!/usr/bin/env bash
# The demo's own steps on the program that is built: its files are whole and its summary is plausible.
. "$(dirname "$0")/lib.sh"
need samtools

run "$WARPSEED_SOURCE/share/demo.sh" demo_out >talk.txt
for file in chr20_9-11Mb.wsi NA12878.bam NA12878.bam.bai summary.txt; do
  [ -s demo_out/$file ] || fail "the demo made no $file"
  contains talk.txt "demo_out/$file"
done
contains talk.txt '(cpu|cuda:[0-9]+)'
samtools quickcheck demo_out/NA12878.bam
samtools view -c demo_out/NA12878.bam 20_9000001_11000000:1000001-1100000 >count.txt

figure() { sed -n "s/^$1 *[^0-9]*\\([0-9.]*\\).*/\\1/p" demo_out/summary.txt; }
equal "$(figure reads)" 42810 "reads in the summary"
not_above 98.9 "$(figure mapped)" "mapped %, wanted against found"
not_above 96 "$(figure 'properly paired')" "properly paired %, wanted against found"
not_above 380 "$(figure 'insert size')" "insert size, lower bound"
not_above "$(figure 'insert size')" 400 "insert size, upper bound"
contains demo_out/summary.txt '20:10\.0-10\.1 Mb +mean depth 4[0-9]\.'
[ "$(grep -c '^  20:10' demo_out/summary.txt)" -eq 14 ] || fail "not 14 exons in the summary"

# A second run replaces the first.
run "$WARPSEED_SOURCE/share/demo.sh" demo_out >talk.txt

# Which program runs: without $WARPSEED that of the tree, then one of the same version on the PATH, and only then one is built.
mkdir -p tree/share tree/src/include/warpseed other bin
cp -r "$WARPSEED_SOURCE/share/demo.sh" "$WARPSEED_SOURCE/share/demo" tree/share
cp "$WARPSEED_SOURCE/src/include/warpseed/version.hpp" tree/src/include/warpseed
for part in setup build; do
  printf '#!/bin/sh\necho "%s $*"\n' $part >tree/share/$part.sh
  chmod +x tree/share/$part.sh
done
ln -s "$WARPSEED" bin/warpseed
printf '#!/bin/sh\necho "warpseed 9.9.9"\n' >other/warpseed
chmod +x other/warpseed
run env -u WARPSEED PATH="$work/bin:$PATH" tree/share/demo.sh tree_out >talk.txt
contains talk.txt "by $work/bin/warpseed"
same tree_out/summary.txt demo_out/summary.txt "summary by the program on the PATH"
if env -u WARPSEED PATH="$work/other:$PATH" tree/share/demo.sh tree_out >talk.txt 2>&1; then fail "the demo ran without a program"; fi
contains talk.txt '^setup'
contains talk.txt '^build warpseed_app'
mkdir -p tree/build/release/bin
ln -s "$WARPSEED" tree/build/release/bin/warpseed
run env -u WARPSEED PATH="$work/other:$PATH" tree/share/demo.sh >talk.txt
contains talk.txt "by $work/tree/build/release/bin/warpseed"
same tree/build/demo/summary.txt demo_out/summary.txt "summary by the program of the tree"

# Installed: share/warpseed/demo.sh runs ../../bin/warpseed, and writes into the current folder.
mkdir -p prefix/bin prefix/share/warpseed
cp -r "$WARPSEED_SOURCE/share/demo.sh" "$WARPSEED_SOURCE/share/demo" prefix/share/warpseed
mkdir tools
for tool in bash dirname realpath sed; do ln -s "$(command -v $tool)" tools; done
if env -u WARPSEED PATH="$work/tools" prefix/share/warpseed/demo.sh >talk.txt 2>&1; then fail "the demo ran without a program"; fi
contains talk.txt 'no program warpseed in .*prefix/bin or on the PATH'
cp "$WARPSEED" prefix/bin/warpseed
run env -u WARPSEED prefix/share/warpseed/demo.sh >talk.txt
contains talk.txt "by $work/prefix/bin/warpseed"
same warpseed-demo/summary.txt demo_out/summary.txt "summary by the installed program"
