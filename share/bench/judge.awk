# Judges an aligner's SAM records by the origin that dwgsim writes into read names.
#   samtools view out.bam | awk -v reads=200000 -f sam.awk -f judge.awk
# also -v wiggle=20, -v table=FILE, -v wrong_names=FILE. Prints one line of names and figures:
#   mapped, correct   % of all reads
#   wrong             % of the mapped
#   sure, sure4       % correct at error <= 1e-3 and <= 1e-4: the largest share of reads right at or above a MAPQ whose
#                     error rate stays within the bound, so that a MAPQ that lies costs
#   lies              how many MAPQs above 20 promise too much, then each as MAPQ:wrong/records
# table= receives "MAPQ records wrong" lines, wrong_names= "name mate MAPQ contig position CIGAR" of what is wrong.
#
# A name is CONTIG_START1_START2_STRAND1_STRAND2_RANDOM1_RANDOM2_x_x_x; starts are 1-based and leftmost, strand 1 is
# reverse, random 1 is a read from nowhere. A primary record is right when contig and strand are those of the name and
# either end of the read, clips given back, lies within `wiggle` of where it came from. Names do not tell of insertions,
# and an end that is clipped at one lies off by its length: where there are long ones, give a longer wiggle.
#
# What counts as a lie: a MAPQ q says that 10^(-q/10) of its records are wrong, three times that is allowed. Few records
# of one MAPQ say little, so neighbours are pooled, from the highest MAPQ down, until the pool is allowed at least one
# error (or nothing above 20 is left). A single MAPQ or a pool lies when chance makes at least as many errors as it has
# in fewer than 1 of 100 runs of an aligner that errs just three times as often as it says (Poisson). One error alone
# never distinguishes a lie from bad luck. A pool is shown as HIGHEST-LOWEST.
BEGIN {
  for (i = 0; i <= 255; i++) records_at[i] = false_at[i] = 0
}

/^@/ || bit($2, 256) || bit($2, 2048) { next }
{ primary++ }
bit($2, 4) { next }
{
  mapped++
  fields = split($1, part, "_")
  base = fields - 9  # the contig's own name may hold underscores
  second = bit($2, 128)
  contig = part[1]
  for (i = 2; i <= base; i++) contig = contig "_" part[i]
  start = part[base + (second ? 2 : 1)] + 0
  strand = part[base + (second ? 4 : 3)] + 0
  from_nowhere = part[base + (second ? 6 : 5)] == "1"
  measure($4, $6)
  right = !from_nowhere && contig == $3 && strand == bit($2, 16) &&
    (near(first, start) || near(last, start + length($10) - 1))
  records_at[$5]++
  if (right) next
  wrong++; false_at[$5]++
  if (wrong_names != "") print $1, second + 1, $5, $3, $4, $6 > wrong_names
}

# The probability of at least `count` errors where `mean` are to be expected.
function chance(count, mean,  i, term, below) {
  if (mean > 500) return count > mean + 2.33 * sqrt(mean) ? 0 : 1  # e^-mean is too small; 2.33: 1 of 100 of a normal
  term = exp(-mean)
  for (i = 0; i < count; i++) { below += term; term *= mean / (i + 1) }
  return count > 0 ? 1 - below : 1
}

function accuse(name, errors, records, allowed) {
  if (errors < 2 || errors <= allowed || chance(errors, allowed) >= 0.01) return
  lies++
  accused = accused " " name ":" errors "/" records
}

# Every MAPQ above 20 by itself, and pools of those that allow less than one error each.
function find_lies(  q, own, records, errors, allowed, highest, lowest) {
  for (q = 255; q > 20; q--) {
    if (records_at[q] == 0) continue
    own = 3 * records_at[q] * 10 ^ (-q / 10)
    accuse(q, false_at[q], records_at[q], own)
    if (records == 0) highest = q
    records += records_at[q]; errors += false_at[q]; allowed += own; lowest = q
    if (allowed < 1) continue
    if (highest != q) accuse(highest "-" q, errors, records, allowed)
    records = errors = allowed = 0
  }
  if (records > 0 && highest != lowest) accuse(highest "-" lowest, errors, records, allowed)
}

END {
  total = reads == "" ? primary : reads
  if (total + 0 == 0) { print "judge: no reads" > "/dev/stderr"; exit 1 }
  for (i = 255; i >= 0; i--) {
    records += records_at[i]; errors += false_at[i]
    if (table != "" && records_at[i] > 0) print i, records_at[i], false_at[i] > table
    if (records_at[i] > 0 && errors <= 1e-3 * records && records - errors > best) best = records - errors
    if (records_at[i] > 0 && errors <= 1e-4 * records && records - errors > best4) best4 = records - errors
  }
  find_lies()
  printf "reads %d mapped %.3f correct %.3f wrong %.4f sure %.3f sure4 %.3f lies %d%s\n", total, 100 * mapped / total,
    100 * (mapped - wrong) / total, mapped ? 100 * wrong / mapped : 0, 100 * best / total, 100 * best4 / total, lies,
    accused
}
