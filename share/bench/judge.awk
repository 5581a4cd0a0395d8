# Judges an aligner's SAM records by the origin that dwgsim writes into read names.
#   samtools view out.bam | awk -v reads=200000 [-v wiggle=20] -f judge.awk
# Prints: mapped %, correct % (of all reads), wrong % (of the mapped), and correct % at error <= 1e-3: the largest
# share of reads right at or above a MAPQ whose error rate stays within 1e-3, so that a MAPQ that lies costs.
#
# A name is CONTIG_START1_START2_STRAND1_STRAND2_RANDOM1_RANDOM2_x_x_x; starts are 1-based and leftmost, strand 1 is
# reverse, random 1 is a read from nowhere. A primary record is right when contig and strand are those of the name
# and either end of the read, clips given back, lies within `wiggle` of where it came from.
BEGIN {
  FS = "\t"
  if (wiggle == "") wiggle = 20
  for (i = 0; i <= 255; i++) placed[i] = false_at[i] = 0
}

function bit(flag, value) { return int(flag / value) % 2 }

# Sets `first` and `last`: what the read would cover with its clips aligned.
function measure(position, cigar,  n, op, leading) {
  first = position; last = position - 1; leading = 1
  while (match(cigar, /^[0-9]+[A-Z=]/)) {
    n = substr(cigar, 1, RLENGTH - 1) + 0; op = substr(cigar, RLENGTH, 1); cigar = substr(cigar, RLENGTH + 1)
    if (op ~ /[MDN=X]/) last += n
    if (op ~ /[SH]/) { if (leading) first -= n; else last += n }
    else leading = 0
  }
}

function near(a, b) { return a - b <= wiggle && b - a <= wiggle }

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
  placed[$5]++
  if (!right) { wrong++; false_at[$5]++ }
}

END {
  total = reads == "" ? primary : reads
  if (total + 0 == 0) { print "judge: no reads" > "/dev/stderr"; exit 1 }
  for (i = 255; i >= 0; i--) {
    records += placed[i]; errors += false_at[i]
    if (placed[i] > 0 && errors <= 1e-3 * records && records - errors > best) best = records - errors
  }
  printf "reads %d mapped %.3f correct %.3f wrong %.4f sure %.3f\n", total, 100 * mapped / total,
    100 * (mapped - wrong) / total, mapped ? 100 * wrong / mapped : 0, 100 * best / total
}
