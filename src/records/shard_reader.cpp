#include "records/shard_reader.hpp"

#include <string_view>
#include <utility>

#include "core/byte_source.hpp"
#include "records/record_order.hpp"
#include "records/sam_header.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

ShardReader::ShardReader(const std::string& path, std::uint64_t bgzf_bytes)
    : path_(input_name(path)),
      reader_(open_bytes(path, bgzf_bytes), path_, ""),
      header_lines_(lines_of(reader_.header_text())) {
  const std::optional<Shard> shard = header_lines_.empty() ? std::nullopt : parse_shard_line(header_lines_.back());
  if (!shard) {
    throw InputError(path_ +
                     ": no shard, since the last line of its header is not that of `warpseed align --shard`; merge "
                     "files as that command writes them");
  }
  shard_ = *shard;
  header_lines_.pop_back();
  sorted_ = !header_lines_.empty() && header_field(header_lines_.front(), "SO") == "coordinate";
}

bool ShardReader::next(ShardBlock& block, std::size_t bytes) {
  constexpr std::size_t longest_usual = 1 << 14;  // of a record, so that memory is allocated once
  block.memory.clear();
  block.memory.reserve(bytes + longest_usual);
  while (block.memory.size() < bytes && reader_.next()) add(block);
  hold(block.memory, block);
  return block.bytes > 0;
}

void ShardReader::add(ShardBlock& block) {
  bam1_t& record = *reader_.current();
  if (sorted_) {
    const std::uint64_t key = coordinate_key(&record);
    if (key < last_key_) reader_.fail("before the one that precedes it; merge files as `warpseed align` sorts them");
    if (block.memory.empty()) block.first_key = key;
    last_key_ = key;
  }
  if (shard_.longest_span && !take_score(record)) {
    reader_.fail("its tag MC or zq is missing; merge files as `warpseed align --shard` writes them");
  }
  pack(record, block.memory);
}

}  // namespace warpseed::records
