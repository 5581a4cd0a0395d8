// Changes one record of BAM and corrects its size, so that the records after it are still found. SAM is changed byte by byte.
#include <algorithm>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

#include "mutator.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;

std::size_t number_at(const Bytes& bytes, std::size_t at) {
  std::uint32_t number = 0;
  if (at + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// Where the bytes of each record begin, after its size; the last is the end of the file or of what is valid.
std::vector<std::size_t> records_of(const Bytes& bam) {
  std::size_t at = 8 + number_at(bam, 4);
  const std::size_t contigs = number_at(bam, at);
  at += 4;
  for (std::size_t i = 0; i < contigs && at < bam.size(); ++i) at += 8 + number_at(bam, at);
  std::vector<std::size_t> begins;
  while (at + 4 < bam.size()) {
    begins.push_back(at + 4);
    at += 4 + number_at(bam, at);
  }
  return begins;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  const Bytes bam(data, data + size);
  std::mt19937 random(seed);
  const bool is_bam = size > 4 && std::memcmp(data, "BAM\1", 4) == 0;
  const std::vector<std::size_t> begins = is_bam && random() % 8 != 0 ? records_of(bam) : std::vector<std::size_t>();
  if (begins.empty()) return LLVMFuzzerMutate(data, size, max_size);
  const std::size_t begin = begins[random() % begins.size()];
  const std::size_t record_size = std::min(number_at(bam, begin - 4), size - begin), end = begin + record_size;
  Bytes record(bam.begin() + static_cast<std::ptrdiff_t>(begin), bam.begin() + static_cast<std::ptrdiff_t>(end));
  record.resize(record_size + max_size - size);
  // Half of the changes leave the fixed fields alone, such as the lengths of name, CIGAR and bases.
  constexpr std::size_t fixed_bytes = 32;
  const std::size_t kept = random() % 2 == 0 && record_size > fixed_bytes ? fixed_bytes : 0;
  if (record.size() == kept) return size;
  record.resize(kept + LLVMFuzzerMutate(record.data() + kept, record_size - kept, record.size() - kept));
  const auto new_size = static_cast<std::uint32_t>(record.size());
  std::memcpy(data + begin - 4, &new_size, sizeof new_size);
  std::copy(record.begin(), record.end(), data + begin);
  std::copy(bam.begin() + static_cast<std::ptrdiff_t>(end), bam.end(), data + begin + record.size());
  return size - record_size + record.size();
}
