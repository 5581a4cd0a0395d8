# Puts structural variants into a FASTA file of one sequence on one line: insertions of random bases, deletions, inversions,
# lengths of 50 to 10,000 by a uniform logarithm, at equal distances, in an order drawn by `seed`.
#   awk -v counts=200,200,50 -v seed=1 -v truth=truth.tsv -f structural_variants.awk one_line.fa >changed.fa
# truth: "kind begin end length" a line; begin and end are the bases of the sequence (0-based, half open) that the variant
# replaces, equal for an insertion. Variants within 20,000 bases of an N are left out.
/^>/ { print; next }
{ sequence = toupper($0) }

function random_bases(length_, text) {
  text = ""
  for (; length_ > 0; length_--) text = text substr("ACGT", 1 + int(rand() * 4), 1)
  return text
}

function reverse_complement(bases, i, text) {
  text = ""
  for (i = length(bases); i > 0; i--) text = text substr("TGCA", index("ACGT", substr(bases, i, 1)), 1)
  return text
}

END {
  srand(seed)
  split(counts, wanted, ",")
  split("insertion deletion inversion", kinds, " ")
  for (k = 1; k <= 3; k++) for (i = 0; i < wanted[k]; i++) drawn[++total] = kinds[k]
  for (i = total; i > 1; i--) { j = 1 + int(rand() * i); kind = drawn[i]; drawn[i] = drawn[j]; drawn[j] = kind }
  distance = int(length(sequence) / (total + 1))
  ORS = ""  # of what follows; printf has short buffers in some awks
  copied = 0
  for (i = 1; i <= total; i++) {
    size = int(50 * exp(rand() * log(200)))
    begin = i * distance
    if (substr(sequence, begin - 19999, 40000 + size) ~ /[^ACGT]/) continue
    end = begin + (drawn[i] == "insertion" ? 0 : size)
    print substr(sequence, copied + 1, begin - copied)
    if (drawn[i] == "insertion") print random_bases(size)
    if (drawn[i] == "inversion") print reverse_complement(substr(sequence, begin + 1, size))
    print drawn[i] " " begin " " end " " size "\n" > truth
    copied = end
  }
  print substr(sequence, copied + 1) "\n"
}
