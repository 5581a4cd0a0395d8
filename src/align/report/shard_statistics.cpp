#include "align/report/shard_statistics.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <system_error>

#include "core/binary_values.hpp"
#include "core/byte_source.hpp"
#include "core/checksum.hpp"
#include "warpseed/error.hpp"

namespace warpseed::align {

namespace {

constexpr std::string_view magic = "WSSTATS\n";
constexpr std::uint64_t file_version = 1;
constexpr std::size_t checksum_bytes = 8;  // as a number

constexpr std::string_view remedy = "align the shard again with --json or --html, which write it";

template <class Self, class Values>
void for_each_distribution(Self& distributions, Values& values) {
  for (unsigned i = 0; i < orientation_count; ++i) {
    auto& model = distributions[static_cast<Orientation>(i)];
    values(model.known, model.mean, model.deviation, model.low, model.high);
  }
}

template <class Self, class Values>
void for_each_value(Self& self, Values& values) {
  auto& shard = self.shard;
  values(shard.number, shard.count, shard.first_read, shard.end_read, shard.reads);
  values(self.command_line, self.read_groups, self.read_group_lines, self.index_path, self.index_checksum);
  values(self.reference, self.statistics);
  values.sequence(self.insert_sizes, [&](auto& distributions) { for_each_distribution(distributions, values); });
}

std::uint64_t checksum_of(std::string_view bytes) {
  return crc32(std::as_bytes(std::span(bytes)));
}

/// All bytes of a file that begins with the magic, or the first of another one.
std::string bytes_of(const std::string& path) {
  constexpr std::size_t block_bytes = 1 << 20;
  const std::unique_ptr<ByteSource> source = open_bytes(path);
  std::string bytes;
  std::uint64_t read = 0;
  do {
    const std::size_t before = bytes.size();
    bytes.resize(before + block_bytes);
    read = source->read(std::span(bytes).subspan(before));
    bytes.resize(before + read);
  } while (read == block_bytes && bytes.starts_with(magic));
  return bytes;
}

}  // namespace

std::string shard_statistics_path(const std::string& shard_path) {
  return shard_path + ".statistics";
}

std::string packed(const ShardStatistics& statistics) {
  ValueWriter content, file, checksum;
  for_each_value(statistics, content);
  file(file_version, content.bytes());
  std::string bytes = std::string(magic) + file.bytes();
  checksum(checksum_of(bytes));
  return bytes + checksum.bytes();
}

ShardStatistics unpack_shard_statistics(std::string_view bytes, const std::string& path) {
  if (!bytes.starts_with(magic)) {
    throw InputError(path + ": not the statistics of a shard; " + std::string(remedy));
  }
  const std::string damaged = path + ": cut short or damaged; copy it again, or " + std::string(remedy);
  if (bytes.size() < magic.size() + checksum_bytes) throw InputError(damaged);
  std::uint64_t checksum = 0, version = 0;
  ValueReader(bytes.substr(bytes.size() - checksum_bytes), damaged)(checksum);
  bytes.remove_suffix(checksum_bytes);
  if (checksum != checksum_of(bytes)) throw InputError(damaged);
  ValueReader file(bytes.substr(magic.size()), damaged);
  file(version);
  if (version != file_version) {
    throw InputError(path + ": of another version of warpseed; merge with the version that aligned the shards");
  }
  std::string content;
  file(content);
  ValueReader values(content, damaged);
  ShardStatistics statistics;
  for_each_value(statistics, values);
  if (!file.at_end() || !values.at_end() || !statistics.reference.is_valid()) values.fail();
  return statistics;
}

ShardStatistics read_shard_statistics(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw InputError(path + ": no such file, which the report needs; " + std::string(remedy));
  }
  return unpack_shard_statistics(bytes_of(path), path);
}

std::vector<InsertSizeDistributions> distributions_of(const ReadGroupInsertSizes& insert_sizes) {
  std::vector<InsertSizeDistributions> distributions;
  for (std::uint32_t group = 0; group < insert_sizes.group_count(); ++group) {
    distributions.push_back(insert_sizes.of(group));
  }
  return distributions;
}

}  // namespace warpseed::align
