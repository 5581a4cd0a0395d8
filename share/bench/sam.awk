# What the judges know of SAM, for `awk -f sam.awk -f JUDGE.awk`.
# Two ends of a read within `wiggle` (20) bases are one place: one aligner clips what the other aligns.
BEGIN {
  FS = "\t"
  if (wiggle == "") wiggle = 20
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
