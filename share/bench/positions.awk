# Where two aligners align the same reads: awk -f sam.awk -f positions.awk OURS.sam THEIRS.sam (or their primary records).
#   -v sure=30       the minimum MAPQ of an alignment that counts
#   -v list=FILE     every read with another position, CIGAR or score: class, name, mate, then of each side contig, position,
#                    strand, MAPQ, CIGAR and AS
# Prints the share of reads that each maps, then, for reads that both align with at least MAPQ `sure`, how many fall in
# each class, by whose alignment score (AS) is higher:
#   same record            contig, position, strand and CIGAR agree
#   other clips            the same position (an end within `wiggle`, clips given back), more or fewer bases aligned
#   other gaps             the same position and clips, gaps elsewhere or of another length
#   other part of a split  the other's position is among this side's supplementary alignments (SA), or the other way round
#   other position         what is left: with equal scores a repeat, else one of the two missed the better one
# Last, reads of which only one side is sure, by what the other one says.
BEGIN {
  if (sure == "") sure = 30
  classes = split("same record|other clips|other gaps|other part of a split|other position", class_names, "|")
  split("equal|ours higher|theirs higher", score_names, "|")
  split("unmapped|same position, less sure|other position, less sure", doubts, "|")
}

/^@/ || bit($2, 256) || bit($2, 2048) { next }
{
  key = $1 "/" (bit($2, 128) ? 2 : 1)
  score = split_parts = ""
  for (i = 12; i <= NF; i++) {
    if ($i ~ /^AS:i:/) score = substr($i, 6)
    if ($i ~ /^SA:Z:/) split_parts = substr($i, 6)
  }
  record = $3 FS $4 FS bit($2, 16) FS $5 FS $6 FS score FS split_parts FS bit($2, 4)
}
FILENAME == ARGV[1] { reads++; mapped[1] += !bit($2, 4); ours[key] = record; next }
!(key in ours) { print "positions: " key " is in the second file only" > "/dev/stderr"; failed = 1; exit 1 }
{ mapped[2] += !bit($2, 4); compared++; compare(key, ours[key], record) }

# Takes a record apart: field[side, 1..8] as laid out above, and the ends of the read.
function take(side, text,  part, i) {
  split(text, part, FS)
  for (i = 1; i <= 8; i++) field[side, i] = part[i]
  measure(part[2], part[5])
  first_end[side] = first; last_end[side] = last
}

function same_position() {
  return field[1, 1] == field[2, 1] && field[1, 3] == field[2, 3] &&
    (near(first_end[1], first_end[2]) || near(last_end[1], last_end[2]))
}

# Is the position of side b among the other parts that side a reports?
function among_parts(a, b,  parts, part, count, i) {
  count = split(field[a, 7], parts, ";")
  for (i = 1; i < count; i++) {
    split(parts[i], part, ",")
    if (part[1] != field[b, 1] || (part[3] == "-") != field[b, 3]) continue
    measure(part[2], part[4])
    if (near(first, first_end[b]) || near(last, last_end[b])) return 1
  }
  return 0
}

# The clips at both ends of a CIGAR, such as 5S/0.
function clips(cigar,  left, right) {
  left = match(cigar, /^[0-9]+[SH]/) ? substr(cigar, 1, RLENGTH) : 0
  right = match(cigar, /[0-9]+[SH]$/) ? substr(cigar, RSTART) : 0
  return left "/" right
}

function class_of() {
  if (!same_position()) return among_parts(1, 2) || among_parts(2, 1) ? 4 : 5
  if (field[1, 2] == field[2, 2] && field[1, 5] == field[2, 5]) return 1
  return clips(field[1, 5]) == clips(field[2, 5]) ? 3 : 2
}

function compare(key, a, b,  side, class, higher, doubtful) {
  take(1, a)
  take(2, b)
  for (side = 1; side <= 2; side++) is_sure[side] = !field[side, 8] && field[side, 4] >= sure
  if (!is_sure[1] && !is_sure[2]) return
  if (is_sure[1] != is_sure[2]) {
    doubtful = is_sure[1] ? 2 : 1
    only[3 - doubtful, field[doubtful, 8] ? 1 : same_position() ? 2 : 3]++
    return
  }
  both++
  class = class_of()
  higher = field[1, 6] == field[2, 6] ? 1 : field[1, 6] > field[2, 6] + 0 ? 2 : 3
  found[class, higher]++
  if (list != "" && (class > 1 || higher > 1)) print class_names[class], key, show(1), show(2) > list
}

function show(side,  i, text) {
  for (i = 1; i <= 6; i++) text = text (i > 1 ? FS : "") field[side, i]
  return text
}

END {
  if (failed) exit 1
  if (reads == 0 || compared != reads) {
    print "positions: " reads + 0 " reads in the first file, " compared + 0 " of them in the second" > "/dev/stderr"
    exit 1
  }
  printf "reads %d; mapped: ours %.3f %%, theirs %.3f %%; both with MAPQ >= %d: %.3f %%\n", reads,
    100 * mapped[1] / reads, 100 * mapped[2] / reads, sure, 100 * both / reads
  printf "%-24s %10s %12s %14s\n", "both sure, AS:", score_names[1], score_names[2], score_names[3]
  for (i = 1; i <= classes; i++)
    printf "%-24s %10d %12d %14d\n", class_names[i], found[i, 1], found[i, 2], found[i, 3]
  for (i = 1; i <= 3; i++)
    printf "only one sure, the other %-24s ours %d, theirs %d\n", doubts[i] ":", only[1, i], only[2, i]
}
