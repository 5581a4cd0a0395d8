// Warnings of `warpseed align`: what is allowed, but seldom meant.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "align/report/align_counts.hpp"
#include "align_flags.hpp"
#include "reads/read_source.hpp"
#include "records/sam_header.hpp"

namespace warpseed::cli {

/// Of an output's name that says another format than is written there; empty if it does not.
std::string output_name_warning(const AlignFlags& flags);

/// Of read groups without SM, which callers of variants want; empty if all have one.
std::string read_group_warning(const records::SamHeader& header);

/// Of fewer than one read in ten aligned, of at least 1,000; empty for others.
std::string few_mapped_warning(const align::AlignCounts& counts, const std::string& index_path);

/// Passes reads through, looks at the first 1,000 of them, and says what they show: single reads that are probably
/// mates one after the other; with -p more single reads than mates; comments (-C) with RG tags of no read group in the
/// header.
class WatchedReads final : public reads::ReadSource {
 public:
  using Say = std::function<void(const std::string&)>;

  /// comments_without_group: comments become tags, and the header has no read group. say: called by next().
  WatchedReads(std::unique_ptr<ReadSource> source, bool comments_without_group, Say say)
      : source_(std::move(source)), comments_without_group_(comments_without_group), say_(std::move(say)) {}

  bool next(reads::ReadBatch& batch, std::uint64_t count) override;
  bool paired() const override { return source_->paired(); }
  const reads::ReadHeader& header() const override { return source_->header(); }

 private:
  static constexpr std::uint64_t reads_to_watch = 1000;

  void watch(const reads::ReadView& read);
  void conclude();

  const std::unique_ptr<ReadSource> source_;
  const bool comments_without_group_;
  const Say say_;
  std::uint64_t watched_ = 0, like_the_one_before_ = 0, single_ = 0;  // reads
  std::string name_;                                                  // of the last one
  bool concluded_ = false, has_group_ = false;
};

}  // namespace warpseed::cli
