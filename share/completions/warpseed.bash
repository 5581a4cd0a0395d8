# Bash completion for warpseed: commands, their flags, and files that fit.
# cmake --install puts it where bash-completion finds it; or: source share/completions/warpseed.bash

_warpseed_flags() {
  local common="--backend --threads --quiet --verbose --help"
  case $1 in
    index) echo "--output --sa-sample --sorter --memory --verify --estimate $common" ;;
    inspect) echo "--summary --fasta --verify --warm --output $common" ;;
    collapse)
      echo "--interleaved --output --output2 --format --representative --reverse-complement --order --min-count $common"
      ;;
    merge) echo "--output --output-format --compression-level --reference --json --html $common" ;;
    query) echo "--locate --mismatches --edits --bulges --pam --pam-5 --annotation --feature --allow-missing --genome-iupac --best --max-hits --strand --format --output --load $common" ;;
    overlap)
      echo "--self --strand --min-length --unique --unique-in-target --ties --table --annotation --query-annotation" \
        "--feature --label --allow-missing --output --format --fasta --plot --plot-title --html $common"
      ;;
    align | mem)
      echo "--output --output-format --cs --ds --eqx --sort --sort-memory --tmp-dir --mark-duplicates --shard --plan --learn-only --memory --compression-level --reference" \
        "--input-reference --load --map --estimate" \
        "$common --json --html --summary --read-group -H -1 -2 -p -C -h -k -w -d -A -B -O -E -L -U -T -c -D -m -r -y -I -Y -M -a -S -P -j -x --alt -q -5 -v"
      ;;
    backends) echo "--help" ;;
  esac
}

# The values of a flag; nothing where it takes a file or a number.
_warpseed_values() {
  case ${1/#mem/align}:$2 in
    *:--backend) echo "auto cpu cuda" ;;
    index:--sorter) echo "automatic prefix-doubling skew skew-prefix-doubling difference-cover divsufsort" ;;
    index:--sa-sample) echo "1 2 4 8 16 32 64 128 256" ;;
    collapse:--format) echo "auto fastq fasta tsv" ;;
    collapse:--representative) echo "best first" ;;
    collapse:--order) echo "count input" ;;
    query:--strand) echo "both forward reverse" ;;
    query:--format) echo "tsv bed" ;;
    overlap:--strand) echo "both forward reverse" ;;
    overlap:--format) echo "tsv bed bed-query paf mums" ;;
    overlap:--feature) echo "CDS exon gene five_prime_UTR three_prime_UTR" ;;
    align:--output-format) echo "sam bam cram paf" ;;
    merge:--output-format) echo "sam bam cram" ;;
    merge:--compression-level) echo "0 1 2 3 4 5 6 7 8 9" ;;
    align:--cs) echo "none short long" ;;
    align:--summary) echo "warpseed bowtie2" ;;
    align:-x) echo "auto sr hifi ont intractg" ;;
    align:--compression-level) echo "0 1 2 3 4 5 6 7 8 9" ;;
  esac
}

_warpseed() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]-}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "index align merge query overlap collapse inspect backends --help --version" -- "$current")
    return
  fi
  local values
  values=$(_warpseed_values "$command" "$previous")
  if [ "$COMP_CWORD" -eq 2 ] && [ "$command" = overlap ]; then values="longest matches pairs --help"; fi
  if [ -n "$values" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_warpseed_flags "$command")" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}

complete -o filenames -F _warpseed warpseed
