#!/usr/bin/env bash
# `overlap --annotation`: matches outside of features against mummer on what bedtools masked, labels against bedtools.
. "$(dirname "$0")/lib.sh"
need mummer bedtools

overlap() { run "$WARPSEED" overlap "$@" -q; }

# by_mummer LENGTH TARGET QUERY, in an order of its own
by_mummer() {
  mummer -maxmatch -b -n -c -F -l "$1" "$2" "$3" 2>mummer.err | LC_ALL=C sort || fail "mummer: $(tail -n 1 mummer.err)"
}

# agree WHAT LENGTH TARGET QUERY FLAGS...: as mummer says of masked_TARGET and masked_QUERY.
agree() {
  local what=$1 length=$2 target=$3 query=$4
  by_mummer "$length" "masked_$target" "masked_$query" >wanted.txt
  overlap matches "$target" "$query" --min-length "$length" --format mums "${@:5}" >raw.txt
  LC_ALL=C sort raw.txt >got.txt
  same got.txt wanted.txt "$what"
}

# annotated FASTA PREFIX: PREFIX.gff and PREFIX.gtf of made-up genes, and PREFIX_CDS.bed, _exon.bed, _gene.bed of the
# same. Genes may overlap; exons reach beyond the coding sequence on both sides.
annotated() {
  one_line "$1" | awk -v OFS='\t' -v seed=$seed -v prefix="$2" '
    function part(type, from, to) {
      print contig, from, to, gene >prefix "_" type ".bed"
      print contig, "made", type, from + 1, to, ".", strand, type == "CDS" ? 0 : ".", "Parent=" gene ".1" >prefix ".gff"
      print contig, "made", type, from + 1, to, ".", strand, type == "CDS" ? 0 : ".",
        "gene_id \"" gene "\"; transcript_id \"" gene ".1\";" >prefix ".gtf"
    }
    BEGIN { srand(seed); print "##gff-version 3" >prefix ".gff" }
    /^>/ { contig = substr($1, 2); next }
    {
      for (i = 0; i < length($0) / 900; i++) {
        gene = prefix "_gene" ++genes; strand = rand() < 0.5 ? "+" : "-"
        begin = int(rand() * (length($0) - 800)); end = begin + 300 + int(rand() * 500)
        print contig, begin, end, gene >prefix "_gene.bed"
        print contig, "made", "gene", begin + 1, end, ".", strand, ".", "ID=" gene >prefix ".gff"
        print contig, "made", "mRNA", begin + 1, end, ".", strand, ".", "ID=" gene ".1;Parent=" gene >prefix ".gff"
        print contig, "made", "gene", begin + 1, end, ".", strand, ".", "gene_id \"" gene "\";" >prefix ".gtf"
        part("exon", begin, begin + 90); part("CDS", begin + 30, begin + 90)
        part("exon", begin + 140, begin + 200); part("CDS", begin + 140, begin + 200)
        part("exon", end - 80, end); part("CDS", end - 80, end - 10 - int(rand() * 60))
      }
    }'
}

make_genome chr1:15000 chr2:5000 chr3:1700 |
  sed '20s/.*/NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN/' >t.fa
# Pieces of the targets, every other turned round.
one_line t.fa | awk -v seed=$seed "$turned"'
  !/^>/ { all = all $0 }
  END {
    srand(seed)
    for (q = 1; q <= 3; q++) {
      print ">q" q
      for (i = 0; i < 20; i++) {
        piece = substr(all, int(rand() * (length(all) - 500)) + 1, int(rand() * 400) + 20)
        printf "%s", (i % 2 ? turned(piece) : piece) "A"
      }
      print ""
    }
  }' >q.fa
annotated t.fa t
annotated q.fa q
gzip -c t.gff >t.gff.gz

for type in CDS exon; do
  for side in t q; do bedtools maskfasta -fi $side.fa -bed ${side}_$type.bed -fo $side.$type.fa; done
done
cp t.CDS.fa masked_t.fa
cp q.fa masked_q.fa
for annotation in t.gff t.gtf t_CDS.bed t.gff.gz; do
  agree "the targets' CDS masked by $annotation" 9 t.fa q.fa --annotation $annotation
done
[ "$(grep -vc '^>' got.txt)" -gt 100 ] || fail "hardly a match outside of CDS"
run "$WARPSEED" index t.fa -o t.wsi -q
overlap matches t.wsi q.fa --min-length 9 --format mums --annotation t.gff | LC_ALL=C sort >got.txt
same got.txt wanted.txt "the targets' CDS masked, of an index"
cp q.CDS.fa masked_q.fa
agree "CDS of both sides masked" 9 t.fa q.fa --annotation t.gff --query-annotation q.gtf
cp t.fa masked_t.fa
agree "the queries' CDS masked" 9 t.fa q.fa --query-annotation q.gff
cp t.exon.fa masked_t.fa
cp q.fa masked_q.fa
agree "exons masked" 9 t.fa q.fa --annotation t.gtf --feature exon
agree "exons and CDS masked" 9 t.fa q.fa --annotation t.gff --feature exon --feature CDS
overlap longest t.fa q.fa --annotation t.gff --feature exon >got.txt
overlap longest t.exon.fa q.fa >wanted.txt
same got.txt wanted.txt "longest outside of exons"
awk -F '\t' -v OFS='\t' 'FNR > 1 { print $1, $2, "+", $4, $7 == "+" ? $5 : $6 - 1, $7 }' got.txt >places.tsv
awk -F '\t' -v OFS='\t' '{ print $1, $2 + 20, "-", $1, $2 + 20, "-" }' t_exon.bed >own_places.tsv
overlap pairs t.fa q.fa --table places.tsv --annotation t.gff >got.txt
overlap pairs t.CDS.fa q.fa --table places.tsv >wanted.txt
same got.txt wanted.txt "pairs outside of CDS"
overlap pairs t.fa --table own_places.tsv --annotation t.gff >got.txt
overlap pairs t.CDS.fa --table own_places.tsv >wanted.txt
same got.txt wanted.txt "pairs of one set outside of CDS"

# The bundled human region with its own exons: repeats of it outside of exons.
gzip -dc "$demo/chr20_9-11Mb.fa.gz" >human.fa
bedtools bed12tobed6 -i "$demo/hg19_RefSeq_genes.chr20_9-11Mb.bed" >exons.bed
bedtools maskfasta -fi human.fa -bed exons.bed -fo masked_human.fa
agree "the human region outside of exons" 40 human.fa human.fa \
  --annotation "$demo/hg19_RefSeq_genes.chr20_9-11Mb.bed" --query-annotation "$demo/hg19_RefSeq_genes.chr20_9-11Mb.bed"
awk '
  /^>/ { reverse = $3 == "Reverse"; next }
  $4 > most && (reverse || $2 != $3) { most = $4 }
  END { print most }' wanted.txt >longest.txt
overlap longest human.fa --self --annotation exons.bed >got.txt
equal "$(tail -n 1 got.txt | cut -f 8)" "$(cat longest.txt)" "length of the longest repeat outside of exons"
grep -qxF "$(tail -n 1 got.txt)" "$WARPSEED_SOURCE/README.md" || fail "README has another line: $(tail -n 1 got.txt)"
printf '20_9000001_11000000\t2000000\n' >human.sizes
sort -k2,2n exons.bed | bedtools complement -i - -g human.sizes >between.bed
bedtools maskfasta -fi human.fa -bed between.bed -fo only_exons.fa
overlap matches only_exons.fa human.fa --min-length 30 --annotation exons.bed >nothing.txt
equal "$(wc -l <nothing.txt)" 1 "lines for exons with exons masked"

# Labels. side.tsv: line, place, what the label says; the genes of a region in alphabetical order.
overlap matches t.fa q.fa --min-length 9 --annotation t.gff --query-annotation q.gff --label >labelled.tsv
overlap matches t.fa q.fa --min-length 9 >plain.tsv
cut -f 1-8 labelled.tsv >got.txt
same got.txt plain.tsv "the regions with --label"
overlap matches t.fa q.fa --min-length 9 --annotation t.gtf --query-annotation q.gtf --label >got.txt
same got.txt labelled.tsv "labels by GTF"
for side in target query; do
  prefix=${side:0:1}
  awk -F '\t' -v OFS='\t' -v side=$side '
    NR == 1 { sub(/^#/, ""); for (i = 1; i <= NF; i++) at[$i] = i; next }
    {
      label = $at[side "_coding"]
      n = split("intronic intergenic gene_before distance_before gene_after distance_after", name, " ")
      for (i = 1; i <= n; i++) label = label OFS $at[side "_" name[i]]
      print $at[side], $at[side "_begin"], $at[side "_end"], NR - 1, $at[side "_genes"], label
    }' labelled.tsv | sort -k1,1 -k2,2n -k4,4n >side.tsv
  cut -f 1-4 side.tsv >regions.bed
  for what in CDS gene; do sort -k1,1 -k2,2n -k3,3n "${prefix}_$what.bed" >$what.bed; done
  bedtools merge -i CDS.bed >coding.bed
  cat CDS.bed gene.bed | sort -k1,1 -k2,2n | bedtools merge >genic.bed
  covered() { bedtools coverage -sorted -a regions.bed -b "$1.bed" | awk -F '\t' '{ print $6 }'; }
  near() { # -id: genes before, -iu: genes after; what touches is 1 away for bedtools
    bedtools closest -a regions.bed -b gene.bed -D ref -io "$1" -t first |
      awk -F '\t' -v OFS='\t' '{ d = $9 < 0 ? -$9 : $9; print $8, $8 == "." ? "." : d - 1 }'
  }
  paste <(cut -f 1-4 side.tsv) <(covered coding) <(covered genic) <(near -id) <(near -iu) |
    awk -F '\t' -v OFS='\t' '{ print $1, $2, $3, $4, $5, $6 - $5, $3 - $2 - $6, $7, $8, $9, $10 }' >wanted.txt
  cut -f 1-4,6- side.tsv >got.txt
  same got.txt wanted.txt "labels of the $side"
  bedtools map -a regions.bed -b gene.bed -c 4 -o distinct | cut -f 5 >wanted.txt
  awk -F '\t' '{
    n = split($5, gene, ",")
    for (i = 2; i <= n; i++)
      for (j = i; j > 1 && gene[j] < gene[j - 1]; j--) { g = gene[j]; gene[j] = gene[j - 1]; gene[j - 1] = g }
    for (i = 1; i <= n; i++) printf "%s%s", gene[i], i < n ? "," : "\n"
  }' side.tsv >got.txt
  same got.txt wanted.txt "genes at the $side"
  for column in 6 7 8; do
    used=$(awk -F '\t' -v c=$column '$c > 0' side.tsv | wc -l)
    [ "$used" -gt 20 ] || fail "column $column of side.tsv is hardly ever used"
  done
done

# Names that the sequences do not have, and other annotations that do not fit.
{
  cat t.gff
  printf 'chrM\tmade\tgene\t1\t100\t.\t+\t.\tID=m\nchrM\tmade\tCDS\t1\t100\t.\t+\t0\tParent=m\n'
} >more.gff
line=$(($(wc -l <t.gff) + 1))
bad() { expect_fail 2 "$1" -- "$WARPSEED" overlap matches t.fa q.fa -o out/x -q "${@:2}"; }
bad "more\\.gff:$line: .*chrM.*--allow-missing" --annotation more.gff
bad "q\\.gff:2: .*\"q1\"" --annotation q.gff
overlap matches t.fa q.fa --min-length 9 --annotation more.gff --allow-missing >got.txt
overlap matches t.fa q.fa --min-length 9 --annotation t.gff >wanted.txt
same got.txt wanted.txt "--allow-missing"
printf 'chr3\t1690\t1701\n' >beyond.bed
bad 'beyond\.bed:1: .*1700 bases' --annotation beyond.bed
bad 't\.gff: .*"tRNA".*CDS' --annotation t.gff --feature tRNA
bad 't_CDS\.bed: .*--feature' --annotation t_CDS.bed --feature CDS
bad 't\.fa:1: .*FASTA' --annotation t.fa
bad 'missing\.gff.*no such file' --annotation missing.gff
{ head -n 5 t.gff; printf 'chr1\tmade\tCDS\tten\t20\t.\t+\t0\tID=x\n'; } >wrong.gff
bad 'wrong\.gff:6: .*ten' --annotation wrong.gff
gzip -c t.gff | head -c 200 >cut.gff.gz
bad 'cut\.gff\.gz.*(cut|truncated|ends)' --annotation cut.gff.gz
report_failures
