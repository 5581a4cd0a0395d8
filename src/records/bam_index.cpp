#include "records/bam_index.hpp"

#include <algorithm>
#include <cerrno>
#include <new>

#include "records/alignment_file.hpp"
#include "records/htslib_memory.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

constexpr int bai_min_shift = 14, bai_levels = 5;
static_assert(bai_min_shift == csi_min_shift);  // what are_indexed_alike() assumes

/// Levels of bins that the longest contig needs; a bin holds eight of the level below.
int csi_levels(const SamHeader& header, int min_shift) {
  std::uint64_t longest = 0;
  for (const auto& [name, length] : header.contigs) longest = std::max(longest, length);
  longest += 256;  // for alignments past its end
  int levels = 0;
  for (std::uint64_t bases = std::uint64_t{1} << min_shift; longest > bases; bases <<= 3) ++levels;
  return levels;
}

}  // namespace

BamIndex::BamIndex(const SamHeader& header, const std::string& bam_path, std::uint64_t offset)
    : format_(index_min_shift(header) == 0 ? HTS_FMT_BAI : HTS_FMT_CSI),
      pending_(bam_path + (format_ == HTS_FMT_BAI ? ".bai" : ".csi")),
      index_(nullptr, hts_idx_destroy) {
  const int min_shift = index_min_shift(header);
  const int contigs = static_cast<int>(header.contigs.size());
  index_.reset(format_ == HTS_FMT_BAI
                   ? hts_idx_init(contigs, format_, offset, bai_min_shift, bai_levels)
                   : hts_idx_init(contigs, format_, offset, min_shift, csi_levels(header, min_shift)));
  if (!index_) throw std::bad_alloc();
  counts_.contigs.resize(header.contigs.size());
}

bool are_indexed_alike(const RecordPosition& one, const RecordPosition& other) {
  const auto window = [](std::int64_t base) { return base >> bai_min_shift; };
  return one.contig == other.contig && one.mapped == other.mapped && window(one.begin) == window(other.begin) &&
         window(one.end - 1) == window(other.end - 1);
}

/// In an index they differ from a single record by the counts alone. htslib would add them one by one, which takes one thread
/// 10 to 25 ns a record.
void BamIndex::add(const RecordPosition& last, std::uint64_t count, std::uint64_t offset) {
  errno = 0;
  if (hts_idx_push(index_.get(), last.contig, last.begin, last.end, offset, last.mapped) < 0) {
    require_memory(errno);
    throw InputError(pending_.path() + ": a record lies beyond its contig's end, which an index cannot tell");
  }
  if (last.contig < 0) {
    counts_.without_contig += count;
  } else {
    IndexCounts::OfContig& of_contig = counts_.contigs[static_cast<std::size_t>(last.contig)];
    (last.mapped ? of_contig.mapped : of_contig.unmapped) += count;
  }
}

void BamIndex::save(std::uint64_t offset) {
  errno = 0;
  const bool saved = hts_idx_finish(index_.get(), offset) == 0 &&
                     hts_idx_save_as(index_.get(), nullptr, pending_.writing_path().c_str(), format_) == 0 &&
                     set_index_counts(pending_.writing_path(), counts_);
  if (!saved) throw IoError::from_errno("write", pending_.path(), errno != 0 ? errno : EIO);
}

void BamIndex::commit() {
  commit_index(pending_);
}

}  // namespace warpseed::records
