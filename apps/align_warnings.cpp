#include "align_warnings.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace warpseed::cli {

namespace {

std::string_view name_of(records::AlignmentFormat format) {
  switch (format) {
    case records::AlignmentFormat::sam: return "SAM";
    case records::AlignmentFormat::bam: return "BAM";
    case records::AlignmentFormat::cram: return "CRAM";
    case records::AlignmentFormat::paf: return "PAF";
  }
  return "";
}

bool has_group_tag(std::string_view comment) {
  return comment.starts_with("RG:Z:") || comment.find("\tRG:Z:") != std::string_view::npos ||
         comment.find(" RG:Z:") != std::string_view::npos;
}

}  // namespace

std::string output_name_warning(const AlignFlags& flags) {
  using Format = records::AlignmentFormat;
  constexpr std::array<std::pair<std::string_view, Format>, 4> endings = {
      {{".sam", Format::sam}, {".bam", Format::bam}, {".cram", Format::cram}, {".paf", Format::paf}}};
  const std::string& path = flags.writer.path;
  const Format format = flags.writer.format;
  for (const auto& [ending, meant] : endings) {
    if (path.ends_with(ending) && meant != format) {
      return fmt::format("warning: {} is written as {}, not as its name says; --output-format decides", path,
                         name_of(format));
    }
  }
  for (const char* ending : {".gz", ".bgz", ".bz2", ".xz", ".zst"}) {
    if (path.ends_with(ending)) {
      return fmt::format("warning: {} is written as {}, not compressed as its name says; .bam is compressed", path,
                         name_of(format));
    }
  }
  for (const char* ending : {".bai", ".csi", ".crai"}) {
    if (path.ends_with(ending)) {
      return fmt::format("warning: {} has the name of an index, but is written as {}; --sort writes the index itself",
                         path, name_of(format));
    }
  }
  return {};
}

std::string read_group_warning(const records::SamHeader& header) {
  for (const std::string& line : header.read_group_lines) {
    const bool has_sample = line.find("\tSM:") != std::string::npos;
    if (has_sample) continue;
    return fmt::format("warning: read group '{}' has no sample (SM), which GATK and others need; add \\tSM:NAME to it",
                       records::read_group_id(line));
  }
  return {};
}

std::string few_mapped_warning(const align::AlignCounts& counts, const std::string& index_path) {
  constexpr std::uint64_t enough_reads = 1000;
  if (counts.reads < enough_reads || 10 * counts.mapped() >= counts.reads) return {};
  return fmt::format("warning: {:.1f}% of the reads are mapped; is {} the right index?",
                     100 * static_cast<double>(counts.mapped()) / static_cast<double>(counts.reads), index_path);
}

bool WatchedReads::next(reads::ReadBatch& batch, std::uint64_t count) {
  const bool more = source_->next(batch, count);
  if (concluded_) return more;
  for (const std::uint64_t i : batch.singles()) single_ += watched_ + i < reads_to_watch;
  for (std::uint64_t i = 0; more && i < batch.size() && watched_ < reads_to_watch; ++i) watch(batch[i]);
  if (!more || watched_ == reads_to_watch) conclude();
  return more;
}

void WatchedReads::watch(const reads::ReadView& read) {
  like_the_one_before_ += watched_ > 0 && read.name == name_;
  name_ = read.name;
  has_group_ = has_group_ || has_group_tag(read.comment);
  ++watched_;
}

void WatchedReads::conclude() {
  concluded_ = true;
  // Of mates one after the other it is every second read, of parts of long reads perhaps a few.
  if (!paired() && like_the_one_before_ > 0 && 4 * like_the_one_before_ >= watched_) {
    say_(
        fmt::format("warning: {} of the first {} reads have the name of the read before: mates one after the other? "
                    "-p pairs them",
                    like_the_one_before_, watched_));
  }
  if (2 * single_ > watched_) {
    say_(
        fmt::format("warning: {} of the first {} reads have no mate next to them and are aligned as single reads; -p "
                    "pairs reads of one name that follow each other, /1 and /2 at its end apart",
                    single_, watched_));
  }
  if (comments_without_group_ && has_group_) {
    say_("warning: comments have RG tags, but the header has no read group; -R '@RG\\tID:...\\tSM:...' adds one");
  }
}

}  // namespace warpseed::cli
