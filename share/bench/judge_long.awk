# Judges SAM records of long reads by the origin that generate_long_reads writes into read names,
# NUMBER!CONTIG!BEGIN!END!STRAND (0-based, half open).
#   awk -v reads=10000 -f sam.awk -f judge_long.awk out.sam
# A primary record is right when contig and strand are those of the name and what it covers has more than a tenth of the
# union with the origin in common. Prints one line of names and figures:
#   mapped, right        % of all reads
#   at2, at3, at4        % right at error <= 1e-2, 1e-3 and 1e-4: the largest share right at or above a MAPQ whose error
#                        rate stays within the bound
#   covered              % of the origins' bases that right primary records cover
#   q60, wrong60         primary records at MAPQ 60, and how many of them are wrong
#   split                supplementary records
/^@/ { next }
bit($2, 2048) { split_records++ }
bit($2, 2048) || bit($2, 256) { next }
{ primary++ }
bit($2, 4) { next }
{
  split($1, origin, "!")
  measure_aligned($4, $6)
  right = 0
  if (origin[2] == $3 && (origin[5] == "-") == bit($2, 16)) {
    begin = first - 1 > origin[3] ? first - 1 : origin[3]
    end = last < origin[4] ? last : origin[4]
    from = first - 1 < origin[3] ? first - 1 : origin[3]
    to = last > origin[4] ? last : origin[4]
    right = end - begin > 0.1 * (to - from)
  }
  records_at[$5]++
  if (right) { covered += end - begin; origins += origin[4] - origin[3] } else wrong_at[$5]++
}

# Sets `first` and `last`, 1-based: the genome bases of a record, without clips.
function measure_aligned(position, cigar) {
  gsub(/[0-9]+[SH]/, "", cigar)
  measure(position, cigar)
}

END {
  total = reads == "" ? primary : reads
  if (total + 0 == 0) { print "judge: no reads" > "/dev/stderr"; exit 1 }
  for (mapq = 255; mapq >= 0; mapq--) {
    seen += records_at[mapq]; wrong += wrong_at[mapq]
    for (digits = 2; digits <= 4; digits++)
      if (wrong <= seen / 10 ^ digits && seen - wrong > best[digits]) best[digits] = seen - wrong
  }
  printf "mapped %.2f right %.2f at2 %.2f at3 %.2f at4 %.2f covered %.3f q60 %d wrong60 %d split %d\n", 100 * seen / total,
    100 * (seen - wrong) / total, 100 * best[2] / total, 100 * best[3] / total, 100 * best[4] / total,
    origins ? 100 * covered / origins : 0, records_at[60], wrong_at[60], split_records
}
