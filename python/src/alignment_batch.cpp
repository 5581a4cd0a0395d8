#include "alignment_batch.hpp"

#include "cigar.hpp"

namespace warpseed::python {

CigarBases::CigarBases(std::string_view cigar) {
  for_each_element(cigar, [&](std::int64_t length, char op) {
    switch (op) {
      case 'S':
      case 'H': (paired == 0 ? clipped_begin : clipped_end) += length; break;
      case 'I': inserted += length; break;
      case 'D': deleted += length; break;
      default: paired += length;
    }
  });
}

std::string AlignedRead::unclipped_cigar() const {
  std::string text;
  for_each_element(alignment_->cigar, [&](std::int64_t length, char op) {
    if (op != 'S' && op != 'H') text += std::to_string(length) + op;
  });
  return text;
}

std::string_view AlignedRead::name() const {
  return batch_->reads.names.empty() ? std::string_view() : batch_->reads.names[read_ / batch_->mates()];
}

/// An unaligned mate is said to be where the read's primary alignment is.
std::optional<std::pair<std::size_t, std::uint64_t>> AlignedRead::next_position() const {
  if (!batch_->paired) return std::nullopt;
  if (alignment_->mate) return std::pair(alignment_->mate->contig, alignment_->mate->position);
  const Alignment& primary = batch_->alignments[read_].front();
  return std::pair(primary.contig, primary.position);
}

std::string_view AlignedRead::qualities() const {
  return batch_->reads.qualities.empty() ? std::string_view() : batch_->reads.qualities[read_];
}

}  // namespace warpseed::python
