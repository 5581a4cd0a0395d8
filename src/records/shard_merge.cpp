#include "records/shard_merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "core/byte_source.hpp"
#include "core/prefetcher.hpp"
#include "records/duplicate_marker.hpp"
#include "records/overlapped_writer.hpp"
#include "records/range_writer.hpp"
#include "records/sam_header.hpp"
#include "records/shard_reader.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

bool is_own_program(std::string_view line) {
  return line.starts_with("@PG\t") && header_field(line, "PN") == "warpseed";
}

/// The line without its command, which differs between the shards of a run.
std::string without_command(const std::string& line) {
  return is_own_program(line) ? line.substr(0, line.find("\tCL:")) : line;
}

/// Throws if two shards are not of one run.
void require_same_run(const ShardReader& first, const ShardReader& other) {
  const auto fail = [&](std::string_view difference) {
    throw InputError(
        fmt::format("{}: not of the same run as {}: {}; merge the shards of one run, all made by the same "
                    "command but for --shard and the output",
                    other.path(), first.path(), difference));
  };
  const Shard &a = first.shard(), &b = other.shard();
  if (a.count != b.count) fail(fmt::format("part of {}, not of {}", b.count, a.count));
  if (a.reads != b.reads) fail(fmt::format("of {} reads, not of {}", b.reads, a.reads));
  if (first.is_sorted() != other.is_sorted()) fail("one is sorted and one is not");
  if (a.longest_span.has_value() != b.longest_span.has_value())
    fail("one is made with --mark-duplicates and one without");
  if (!std::ranges::equal(first.header_lines(), other.header_lines(), {}, without_command, without_command)) {
    fail("their headers differ in more than the command line");
  }
}

/// Throws if the shards, sorted by number, are not all parts of the run, each once.
void require_all_parts(const std::vector<std::unique_ptr<ShardReader>>& readers) {
  std::vector<std::uint32_t> missing;
  const std::uint32_t count = readers.front()->shard().count;
  std::uint64_t end = 0;  // of the reads so far
  std::size_t i = 0;
  for (std::uint32_t number = 1; number <= count; ++number) {
    if (i == readers.size() || readers[i]->shard().number != number) {
      missing.push_back(number);
      continue;
    }
    const Shard& shard = readers[i++]->shard();
    if (missing.empty() && shard.first_read != end) {
      throw InputError(readers[i - 1]->path() +
                       ": its reads do not follow those of the part before; make the shards again");
    }
    end = shard.end_read;
    if (i == readers.size() || readers[i]->shard().number != number) continue;
    throw InputError(fmt::format("{} and {}: both are part {} of {}; give each part once", readers[i - 1]->path(),
                                 readers[i]->path(), number, count));
  }
  if (missing.empty()) return;
  constexpr std::size_t most = 20;
  const std::size_t shown = std::min(missing.size(), most);
  throw InputError(fmt::format("part {}{} of {} {} missing among the shards; give all of them",
                               fmt::join(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                               shown < missing.size() ? ", ..." : "", count, missing.size() == 1 ? "is" : "are"));
}

std::uint64_t length_of(std::string_view line) {
  const std::string_view text = header_field(line, "LN");
  std::uint64_t length = 0;
  std::from_chars(text.data(), text.data() + text.size(), length);
  return length;
}

/// The command line of the run that wrote these lines of a header; empty if there is none.
std::string_view command_in(const std::vector<std::string>& lines) {
  const auto last = std::find_if(lines.rbegin(), lines.rend(), is_own_program);
  return last == lines.rend() ? std::string_view() : header_field(*last, "CL");
}

/// The header of one run: that of the shards, with both commands.
SamHeader merged_header(const std::vector<std::string>& lines, const std::string& command_line) {
  SamHeader header;
  header.adds_program = false;
  const std::string_view command = command_in(lines);
  for (const std::string& line : lines) {
    if (line.starts_with("@SQ\t")) {
      header.contigs.emplace_back(header_field(line, "SN"), length_of(line));
      header.contig_lines.push_back(line);
    } else if (line.starts_with("@RG\t")) {
      header.read_group_lines.push_back(line);
    } else if (line.starts_with("@PG\t")) {
      const bool own = is_own_program(line) && header_field(line, "CL") == command;
      header.program_lines.push_back(own && !command.empty() ? line + "; " + command_line : line);
    } else if (line.starts_with("@CO\t")) {
      header.comment_lines.push_back(line);
    }
  }
  return header;
}

/// By all threads.
void observe_together(std::span<const bam1_t* const> records, const RecordObserver& observe) {
  constexpr std::size_t records_a_task = 4096;
  const tbb::blocked_range<std::size_t> all(0, records.size(), records_a_task);
  tbb::parallel_for(all, [&](const auto& part) { observe(records.subspan(part.begin(), part.size())); });
}

}  // namespace

ShardMerge::ShardMerge(const std::vector<std::string>& paths, const MergeSizes& sizes) : sizes_(sizes) {
  const std::uint64_t bytes_each = usual_bgzf_bytes / paths.size();  // so that the memory of all is that of one
  for (const std::string& path : paths) readers_.push_back(std::make_unique<ShardReader>(path, bytes_each));
  for (const auto& reader : readers_) require_same_run(*readers_.front(), *reader);
  std::ranges::stable_sort(readers_, {}, [](const auto& reader) { return reader->shard().number; });
  require_all_parts(readers_);
}

bool ShardMerge::is_sorted() const {
  return readers_.front()->is_sorted();
}
bool ShardMerge::marks_duplicates() const {
  return readers_.front()->shard().longest_span.has_value();
}
std::uint64_t ShardMerge::reads() const {
  return readers_.front()->shard().reads;
}

std::vector<ShardFile> ShardMerge::files() const {
  std::vector<ShardFile> files;
  for (const auto& reader : readers_) {
    files.push_back({reader->path(), reader->shard(), std::string(command_in(reader->header_lines()))});
  }
  return files;
}

DuplicateSummary ShardMerge::write(WriterOptions options, const std::string& command_line,
                                   const RecordObserver& observe) {
  options.sort = is_sorted();
  const SamHeader header = merged_header(readers_.front()->header_lines(), command_line);
  file_ = open_alignment_file(header, options);
  if (!options.sort) {
    write_unsorted(options.threads, observe);
    return {};
  }
  std::vector<LibraryDuplicates> counts = write_sorted(options.threads, header, observe);
  return marks_duplicates() ? LibraryTable(header.read_group_lines).summary(std::move(counts)) : DuplicateSummary{};
}

void ShardMerge::finish() {
  file_->finish();
}

std::vector<LibraryDuplicates> ShardMerge::write_sorted(int threads, const SamHeader& header,
                                                        const RecordObserver& observe) {
  std::int64_t longest_span = 0;
  for (const auto& reader : readers_) longest_span = std::max(longest_span, reader->shard().longest_span.value_or(0));
  const bool marks = marks_duplicates();
  const LibraryTable libraries(header.read_group_lines);
  ShardRanges ranges(readers_, marks ? reach_of(longest_span) : 0, sizes_);
  std::vector<LibraryDuplicates> counts = libraries.empty_counts();
  const auto read = [&](const ShardRange& range, SortedRecords& records) {
    merge_blocks(range.range, range.wide, range.blocks, {}, records);
    records.held = range.held;
    if (observe) observe(records.of_range());
    return marks ? mark_duplicates(records.to_mark(), libraries, records.marking) : std::vector<LibraryDuplicates>{};
  };
  const auto add = [&](const std::vector<LibraryDuplicates>& marked) { add_counts(marked, counts); };
  write_ranges(
      *file_, threads, static_cast<std::size_t>(threads) + 2, [&] { return ranges.next(); }, read, add);
  return counts;
}

/// One shard after the other.
void ShardMerge::write_unsorted(int threads, const RecordObserver& observe) {
  constexpr std::size_t blocks_at_a_time = 32;
  struct Batch {
    std::vector<ShardBlock> blocks;
    HugePageVector<bam1_t> records;
    std::vector<const bam1_t*> pointers;
  };
  for (const auto& reader : readers_) {
    Prefetcher<std::vector<ShardBlock>> batches(
        [&](std::vector<ShardBlock>& blocks) {
          blocks.resize(blocks_at_a_time);
          std::size_t read = 0;
          while (read < blocks.size() && reader->next(blocks[read], sizes_.block_bytes)) ++read;
          blocks.resize(read);
          return read > 0;
        },
        2);
    OverlappedWriter writer(*file_, threads);
    for (auto batch = std::make_shared<Batch>(); batches.next(batch->blocks); batch = std::make_shared<Batch>()) {
      for (const ShardBlock& block : batch->blocks) unpack(block.held, batch->records);
      batch->pointers.reserve(batch->records.size());
      for (const bam1_t& record : batch->records) batch->pointers.push_back(&record);
      if (observe) observe_together(batch->pointers, observe);
      writer.write(batch->pointers, [batch] {});
    }
    writer.finish();
  }
}

}  // namespace warpseed::records
