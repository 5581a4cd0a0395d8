#!/usr/bin/env bash
# share/workflow: Debian's Snakemake runs the wrappers on the bundled data, and what they write is what the program writes by
# itself; the files for Nextflow are checked by check_nextflow.py, without Nextflow.
. "$(dirname "$0")/lib.sh"
. "$WARPSEED_SOURCE/test/cli/workflow_lib.sh"
python3 -c 'import yaml' 2>/dev/null || { echo "skipped: python3-yaml is not installed (share/setup.sh --judges installs it)" && exit 77; }

wrappers=$WARPSEED_SOURCE/share/workflow/wrapper

# workflow NAME FLAGS...: runs its Snakefile in a folder of its own.
workflow() {
  local name=$1
  shift
  mkdir -p "$name"
  snakemake --snakefile "$wrappers/$name/test/Snakefile" --directory "$name" --cores 2 "$@" >"$name.txt" 2>&1 || {
    cat "$name.txt" "$name"/*.log >&2
    fail "snakemake, $name"
  }
}

workflow index
run "$WARPSEED" index "$demo/chr20_9-11Mb.fa.gz" -o wanted.wsi --sa-sample 8 --quiet
same wanted.wsi index/chr20.wsi "the index of the wrapper"
contains index/index.log 'version .*command: warpseed index'

# Nothing is there yet: what align needs is not known, and is asked again before its job.
workflow align --dry-run
contains align.txt 'mem_mb=<TBD>'
workflow align
for resource in mem_mb disk_mb runtime; do contains align.txt "$resource=[1-9]"; done
run "$WARPSEED" index "$demo/chr20_9-11Mb.fa.gz" -o wanted.wsi --quiet
same wanted.wsi align/chr20.wsi "the index of the workflow"
run "$WARPSEED" align wanted.wsi "$one" "$two" -R '@RG\tID:NA12878\tSM:NA12878' --sort --mark-duplicates -o wanted.bam --quiet
records wanted.bam >wanted.txt
records align/NA12878.bam >found.txt
same wanted.txt found.txt "the pairs of the wrapper"
[ -e align/NA12878.bam.bai ] || fail "no index of the sorted file"
contains align/NA12878.json '"paired": true'
run "$WARPSEED" align wanted.wsi "$one" -o wanted.sam --quiet
without_pg wanted.sam >wanted.txt
without_pg align/NA12878_1.sam >found.txt
same wanted.txt found.txt "the single reads of the wrapper"

# The estimates are those of the program, in Snakemake's units.
said=$("$WARPSEED" align --estimate --quiet --threads 2 --output-format bam --sort wanted.wsi "$one" "$two" |
  awk -F '\t' '$1 == "memory-bytes" { print int(($2 + 999999) / 1000000) }')
contains align.txt "threads: 2" && contains align.txt "mem_mb=$said"

# Mistakes in a rule are errors.
cat >wrong.smk <<END
rule align:
    input: reads=["$one"], idx="wanted.wsi"
    output: "out.bam"
    params: mark_duplicates=True
    wrapper: "file://$wrappers/align"
END
if snakemake --snakefile wrong.smk --cores 1 >wrong.txt 2>&1; then fail "duplicates are marked in unsorted records"; fi
contains wrong.txt 'mark_duplicates needs params.sort_order="coordinate"'

# The whole workflow: one job a sample, and three whose parts are merged, of which one is killed, give the records of runs
# by hand.
make_samples
# Kills the first process of the program whose command line has all words, once there is one.
cat >kill_program.py <<'END'
import glob, os, signal, sys
while True:
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            words = open(path, "rb").read().decode(errors="replace").split("\0")
            if words[0] == "warpseed" and all(any(word in own for own in words) for word in sys.argv[1:]):
                os.kill(int(path.split("/")[2]), signal.SIGKILL)
                sys.exit(0)
        except OSError:
            pass  # it has ended
END
pipeline local 1 whole --cores 2 || fail "the workflow: $(tail -n 20 whole.txt)"
python3 kill_program.py --shard 2/3 "ID:$sample" &
killer=$!
pipeline local 3 parts --cores 2 || { kill $killer && fail "the workflow in parts: $(tail -n 20 parts.txt)"; }
if kill $killer 2>/dev/null; then fail "no part was killed"; fi
contains parts.txt 'Error in rule part'
align_by_hand
check_results whole
check_results parts
for name in $sample single; do
  grep -v '"command"' "whole/$name.json" >wanted.txt
  grep -v '"command"' "parts/$name.json" >found.txt
  same wanted.txt found.txt "the report of $name in parts"
done
contains whole/$sample.json '"paired": true'
printf 'sample\treads1\n\tlane1_1.fq\n' >samples.tsv
if pipeline local 1 wrong --cores 2; then fail "a sample without a name"; fi
contains wrong.txt 'samples.tsv:2: a row needs a sample'

for file in "$wrappers"/*/*.yaml; do
  python3 -c 'import sys, yaml; assert yaml.safe_load(open(sys.argv[1]))' "$file" || fail "$file is no YAML"
done
python3 "$WARPSEED_SOURCE/test/cli/check_nextflow.py" "$WARPSEED_SOURCE/share/workflow" "$demo" || fail "the files for Nextflow"
