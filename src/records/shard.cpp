#include "records/shard.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>

#include "records/duplicate_rule.hpp"
#include "records/sam_header.hpp"

namespace warpseed::records {

namespace {

constexpr std::string_view line_begin = "@CO\twarpseed shard\t";

/// The tag is always a record's last one, so that a tag of the same name that a read brings is not taken for it.
struct ScoreTag {
  std::array<char, 3> name_and_type = {'z', 'q', 'I'};
  std::array<std::uint8_t, sizeof(std::uint32_t)> value;
};
constexpr std::size_t tag_bytes = sizeof(ScoreTag);
static_assert(tag_bytes == 7, "BAM packs tags");

bool has_pair_score(const bam1_t& record) {
  constexpr unsigned others = BAM_FSECONDARY | BAM_FSUPPLEMENTARY;
  return is_of_pair(record.core.flag) && (record.core.flag & others) == 0;
}

/// Reads a number and what follows it; false if there is none.
template <class Number>
bool read(std::string_view& text, Number& value, std::string_view follows) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.starts_with(follows)) return false;
  text.remove_prefix(follows.size());
  return true;
}

}  // namespace

std::string shard_line(const Shard& shard) {
  std::string line = fmt::format("{}PT:{}/{}\tRD:{}-{}/{}", line_begin, shard.number, shard.count, shard.first_read,
                                 shard.end_read, shard.reads);
  if (shard.longest_span) line += fmt::format("\tDP:{}", *shard.longest_span);
  return line;
}

std::optional<Shard> parse_shard_line(std::string_view line) {
  if (!line.starts_with(line_begin)) return {};
  Shard shard;
  std::string_view part = header_field(line, "PT"), reads = header_field(line, "RD"), span = header_field(line, "DP");
  if (!read(part, shard.number, "/") || !read(part, shard.count, "") || !part.empty()) return {};
  if (!read(reads, shard.first_read, "-") || !read(reads, shard.end_read, "/")) return {};
  if (!read(reads, shard.reads, "") || !reads.empty()) return {};
  if (!span.empty() && (!read(span, shard.longest_span.emplace(), "") || !span.empty())) return {};
  const bool valid = 1 <= shard.number && shard.number <= shard.count && shard.first_read <= shard.end_read &&
                     shard.end_read <= shard.reads;
  return valid ? std::optional(shard) : std::nullopt;
}

void append_pair_scores(std::span<bam1_t* const> records, std::span<RecordFacts> facts,
                        std::vector<std::uint8_t>& memory) {
  std::size_t bytes = 0;
  for (const bam1_t* record : records) {
    if (has_pair_score(*record)) bytes += static_cast<std::size_t>(record->l_data) + tag_bytes;
  }
  memory.resize(bytes);
  std::uint8_t* at = memory.data();
  for (std::size_t i = 0; i < records.size(); ++i) {
    bam1_t* const record = records[i];
    if (!has_pair_score(*record)) continue;
    const auto size = static_cast<std::size_t>(record->l_data);
    ScoreTag tag;
    const auto score = static_cast<std::uint32_t>(record->id);
    std::memcpy(tag.value.data(), &score, sizeof score);
    std::memcpy(at, record->data, size);
    std::memcpy(at + size, &tag, tag_bytes);
    record->data = at;
    record->l_data += static_cast<int>(tag_bytes);
    record->m_data = static_cast<std::uint32_t>(record->l_data);
    facts[i].bytes += static_cast<std::uint32_t>(tag_bytes);
    at += size + tag_bytes;
  }
}

bool take_score(bam1_t& record) {
  if (!has_pair_score(record)) {
    record.id = quality_score(&record);
    return true;
  }
  ScoreTag tag;
  const std::uint8_t* const tags = bam_get_aux(&record);
  if (record.data + record.l_data - tags < static_cast<std::ptrdiff_t>(tag_bytes)) return false;
  std::memcpy(&tag, record.data + record.l_data - tag_bytes, tag_bytes);
  if (tag.name_and_type != ScoreTag{}.name_and_type) return false;
  std::uint32_t score = 0;
  std::memcpy(&score, tag.value.data(), sizeof score);
  record.id = score;
  record.l_data -= static_cast<int>(tag_bytes);
  return bam_aux_get(&record, "MC") != nullptr;
}

}  // namespace warpseed::records
