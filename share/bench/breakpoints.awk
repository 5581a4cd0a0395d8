# How many structural variants show in the records of long reads: awk -v truth=truth.tsv -f sam.awk -f breakpoints.awk out.sam
# A read shows a breakpoint by a gap of at least 30 bases or a clip of at least 100 that is within 10 bases of it. A variant
# is seen when two reads show each of its ends; an insertion has one. Prints "seen/all" for each kind, and for all.
BEGIN {
  while ((getline line < truth) > 0) {
    split(line, field, " ")
    kind[++variants] = field[1]
    ends[variants, 1] = field[2]; ends[variants, 2] = field[3]
    for (at = field[2] - 10; at <= field[2] + 10; at++) near_end[at] = near_end[at] " " variants ",1"
    for (at = field[3] - 10; at <= field[3] + 10; at++) near_end[at] = near_end[at] " " variants ",2"
  }
}

/^@/ || bit($2, 4) || bit($2, 256) { next }
{
  at = $4 - 1; cigar = $6; shown = ""
  while (match(cigar, /^[0-9]+[A-Z=]/)) {
    n = substr(cigar, 1, RLENGTH - 1) + 0; op = substr(cigar, RLENGTH, 1); cigar = substr(cigar, RLENGTH + 1)
    if (op ~ /[SH]/ && n >= 100 || op == "I" && n >= 30) show(at)
    if (op == "D" && n >= 30) { show(at); show(at + n) }
    if (op ~ /[MDN=X]/) at += n
  }
}

# Counts a position of the current record for the breakpoints near it, each once a record.
function show(position,  i, count, list) {
  if (!(position in near_end)) return
  count = split(near_end[position], list, " ")
  for (i = 1; i <= count; i++) {
    if (last_record[list[i]] == NR) continue
    last_record[list[i]] = NR
    reads_at[list[i]]++
  }
}

END {
  for (v = 1; v <= variants; v++) {
    all[kind[v]]++
    seen[kind[v]] += reads_at[v ",1"] >= 2 && reads_at[v ",2"] >= 2
  }
  for (k in all) { total += seen[k]; text = text sprintf(" %s %d/%d", k, seen[k], all[k]) }
  printf "seen %d/%d:%s\n", total, variants, text
}
