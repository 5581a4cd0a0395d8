# Shared by the tests of the workflow of share/workflow/snakemake: its samples, its runs, and what it has to write.
# Sourced after lib.sh.
# shellcheck shell=bash disable=SC2154 # variables of lib.sh

need snakemake python3 samtools
PATH=$(dirname "$WARPSEED"):$PATH
export PATH
export XDG_CACHE_HOME=$work/cache
one=$demo/NA12878_chr20_10.0-10.1Mb_R1.fastq.gz two=$demo/NA12878_chr20_10.0-10.1Mb_R2.fastq.gz
sample=pairs$$ # a name that no other run of the tests has

# records FILE: without the command line.
records() { samtools view --no-PG --with-header "$1" | without_pg /dev/stdin; }

# make_samples: samples.tsv, with the bundled pairs in two lanes and some of them as single reads.
make_samples() {
  head -n 20000 <(gzip -dc "$one") >lane1_1.fq
  head -n 20000 <(gzip -dc "$two") >lane1_2.fq
  tail -n +20001 <(gzip -dc "$one") >lane2_1.fq
  tail -n +20001 <(gzip -dc "$two") >lane2_2.fq
  {
    printf 'sample\tlibrary\treads1\treads2\n'
    for lane in 1 2; do printf '%s\tl\tlane%d_1.fq\tlane%d_2.fq\n' "$sample" $lane $lane; done
    printf 'single\t\tlane1_1.fq\t\n'
  } >samples.tsv
}

# exec_pipeline PROFILE PARTS FOLDER FLAG...: runs the workflow in the process of the shell, which ends.
exec_pipeline() {
  local workflow=$WARPSEED_SOURCE/share/workflow/snakemake
  exec snakemake --snakefile "$workflow/Snakefile" --profile "$workflow/$1" --directory "$3" "${@:4}" \
    --config samples="$work/samples.tsv" reference="$demo/chr20_9-11Mb.fa.gz" parts="$2" threads=1 >"$3.txt" 2>&1
}
pipeline() { (exec_pipeline "$@"); }

# align_by_hand: the records that the workflow has to write, as $sample.wanted and single.wanted.
align_by_hand() {
  local flags=(--sort --mark-duplicates --quiet)
  run "$WARPSEED" index "$demo/chr20_9-11Mb.fa.gz" -o by_hand.wsi --quiet
  run "$WARPSEED" align by_hand.wsi lane1_1.fq,lane2_1.fq lane1_2.fq,lane2_2.fq "${flags[@]}" -o by_hand.bam \
    -R "@RG\tID:$sample.1\tSM:$sample\tLB:l" -R "@RG\tID:$sample.2\tSM:$sample\tLB:l"
  records by_hand.bam >"$sample.wanted"
  run "$WARPSEED" align by_hand.wsi lane1_1.fq "${flags[@]}" -o by_hand.bam -R '@RG\tID:single\tSM:single\tLB:single'
  records by_hand.bam >single.wanted
}

# check_results FOLDER: the records, indices and reports are there, and nothing unfinished.
check_results() {
  local name
  for name in "$sample" single; do
    records "$1/$name.bam" >found.txt
    same "$name.wanted" found.txt "$name in $1"
    [ -e "$1/$name.bam.bai" ] || fail "no index of $1/$name.bam"
    contains "$1/$name.html" '<html'
    python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["reads"]["total"] == int(sys.argv[2])' "$1/$name.json" \
      "$(samtools view -c -F 0x900 "$1/$name.bam")" || fail "the report $1/$name.json"
  done
  [ -z "$(find "$1" -name '*.unfinished*')" ] || fail "unfinished files: $(find "$1" -name '*.unfinished*')"
}
