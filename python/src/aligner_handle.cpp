#include "aligner_handle.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "signals.hpp"

namespace warpseed::python {

namespace {

/// Bases after which signals are looked for: some seconds of work.
constexpr std::size_t part_bases = 64 << 20;

/// The end of the part that begins at `begin`: of pairs always after part_reads, of single reads also where they have
/// many bases.
std::size_t end_of_part(const std::vector<std::string_view>& reads, std::size_t begin, std::size_t part_reads,
                        bool paired) {
  const std::size_t most = std::min(reads.size() - begin, part_reads);
  if (paired) return begin + most;
  std::size_t end = begin;
  for (std::size_t bases = 0; end < begin + most && bases < part_bases; ++end) bases += reads[end].size();
  return end;
}

/// The ID of a header line of a read group; empty for none.
std::string id_of(std::string_view line) {
  const std::size_t begin = line.find("\tID:");
  if (begin == line.npos) return {};
  return std::string(line.substr(begin + 4, line.find('\t', begin + 4) - begin - 4));
}

}  // namespace

/// A GPU takes more reads at a time.
std::size_t AlignerHandle::part_reads() const {
  return (context_.backend() == "cpu" ? 1 : 8) * Aligner::reads_to_learn_from;
}

void AlignerHandle::set_fragment_length(const FragmentLength& length) {
  const std::lock_guard lock(mutex_);
  aligner_.set_fragment_length(length);
}

std::shared_ptr<AlignmentBatch> AlignerHandle::align(ReadTexts reads, bool paired) {
  auto batch = std::make_shared<AlignmentBatch>();
  batch->index = index_;
  batch->paired = paired;
  batch->read_group = id_of(read_group_line());
  batch->reads = std::move(reads);
  const pybind11::gil_scoped_release no_gil;
  const std::lock_guard lock(mutex_);
  const std::vector<std::string_view>& bases = batch->reads.bases;
  for (std::size_t begin = 0; begin < bases.size();) {
    const std::size_t end = end_of_part(bases, begin, part_reads(), paired);
    const auto at = [&](std::size_t i) { return bases.begin() + static_cast<std::ptrdiff_t>(i); };
    const std::vector<std::string_view> part(at(begin), at(end));
    std::vector<Alignments> found = paired ? aligner_.align_pairs(part) : aligner_.align_batch(part);
    if (begin == 0 && end == bases.size()) {
      batch->alignments = std::move(found);
    } else {
      std::move(found.begin(), found.end(), std::back_inserter(batch->alignments));
    }
    begin = end;
    check_signals();
  }
  return batch;
}

}  // namespace warpseed::python
