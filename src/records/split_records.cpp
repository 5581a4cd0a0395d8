#include "records/split_records.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "core/deflate.hpp"
#include "records/packed_record.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint8_t raw_qualities = 8;                        // bits
constexpr std::uint64_t two_bit_bases = std::uint64_t{1} << 63;  // in data_bytes of the rest

/// Precedes the rest, which is deflated unless that makes it no smaller, and after it bases and qualities.
struct SplitHead {
  std::uint32_t rest = 0, rest_stored = 0, bases = 0, qualities = 0;  // bytes
  std::uint8_t quality_bits = raw_qualities;
  std::array<std::uint8_t, 16> quality_of_code = {};
};

/// Where the parts of a record's data are.
struct DataParts {
  std::size_t bases_begin, bases_bytes, qualities_end, base_count;

  /// False for lengths that do not fit the data.
  bool of(const PackedHead& head) {
    const auto count = static_cast<std::int64_t>(head.core.l_qseq);
    const std::uint64_t begin = head.core.l_qname + std::uint64_t{4} * head.core.n_cigar;
    if (count < 0) return false;
    base_count = static_cast<std::size_t>(count);
    bases_begin = begin;
    bases_bytes = (base_count + 1) / 2;
    qualities_end = bases_begin + bases_bytes + base_count;
    return qualities_end <= head.data_bytes;
  }
  std::size_t two_bit_bytes() const { return (base_count + 3) / 4; }
};

PackedHead head_at(const std::byte* record) {
  PackedHead head;
  std::memcpy(&head, record, sizeof head);
  return head;
}

/// Two bases of four bits as two of two bits; beyond 15 if one is not A, C, G or T. The first is the higher one, as in BAM.
constexpr std::array<std::uint8_t, 256> pair_codes() {
  std::array<std::uint8_t, 256> codes = {};
  codes.fill(0xFF);
  for (unsigned first = 0; first < 4; ++first) {
    for (unsigned second = 0; second < 4; ++second) {
      codes[1U << first << 4 | 1U << second] = static_cast<std::uint8_t>(first << 2 | second);
    }
  }
  return codes;
}

/// The reverse: four bases of two bits as two bytes, the first base in the lower one.
constexpr std::array<std::uint16_t, 256> quad_bases() {
  std::array<std::uint16_t, 256> bases = {};
  for (unsigned quad = 0; quad < 256; ++quad) {
    const auto base = [&](unsigned i) { return 1U << (quad >> (6 - 2 * i) & 3); };
    bases[quad] = static_cast<std::uint16_t>(base(0) << 4 | base(1) | (base(2) << 4 | base(3)) << 8);
  }
  return bases;
}

/// Appends a record's bases by two bits each. False, and nothing, if some are unknown or ambiguous.
bool append_bases(const std::byte* bases, const DataParts& parts, std::vector<std::byte>& out) {
  static constexpr std::array<std::uint8_t, 256> codes = pair_codes();
  const std::size_t begin = out.size();
  out.resize(begin + parts.two_bit_bytes());
  std::byte* to = out.data() + begin;
  const auto code_of = [&](std::size_t pair) -> unsigned {
    if (pair >= parts.bases_bytes) return 0;
    auto byte = std::to_integer<unsigned>(bases[pair]);
    if (2 * pair + 1 == parts.base_count) byte |= 1;  // after an odd number of bases there is a zero
    return codes[byte];
  };
  unsigned seen = 0;
  for (std::size_t pair = 0; pair < parts.bases_bytes; pair += 2) {
    const unsigned first = code_of(pair), second = code_of(pair + 1);
    seen |= first | second;
    *to++ = std::byte(first << 4 | second);
  }
  if (seen < 16) return true;
  out.resize(begin);
  return false;
}

void restore_bases(const std::byte* from, const DataParts& parts, std::byte* bases) {
  static constexpr std::array<std::uint16_t, 256> quads = quad_bases();
  for (std::size_t pair = 0; pair < parts.bases_bytes; pair += 2) {
    const std::uint16_t two = quads[std::to_integer<std::size_t>(*from++)];
    bases[pair] = std::byte(two & 0xFF);
    if (pair + 1 < parts.bases_bytes) bases[pair + 1] = std::byte(two >> 8);
  }
  if (parts.base_count % 2 != 0) bases[parts.bases_bytes - 1] &= std::byte{0xF0};
}

/// The qualities that records have, as codes.
class QualityCodes {
 public:
  /// Calls for_each(use): use(qualities, count) of each record.
  template <class ForEach>
  explicit QualityCodes(ForEach for_each) {
    std::array<bool, 256> seen = {};
    for_each([&](const std::byte* qualities, std::size_t count) {
      if (count == 0 || count_ > qualities_.size()) return;
      add(std::to_integer<std::uint8_t>(qualities[0]), seen);
      if (std::memcmp(qualities, qualities + 1, count - 1) == 0) return;  // all are the same
      for (std::size_t i = 1; i < count; ++i) {
        if (!seen[std::to_integer<std::size_t>(qualities[i])]) add(std::to_integer<std::uint8_t>(qualities[i]), seen);
      }
    });
  }

  /// 8: they have no codes.
  std::uint8_t bits() const {
    return count_ <= 1 ? 0 : count_ == 2 ? 1 : count_ <= 4 ? 2 : count_ <= 16 ? 4 : raw_qualities;
  }
  const std::array<std::uint8_t, 16>& qualities() const { return qualities_; }

  void append(const std::byte* qualities, std::size_t count, std::vector<std::byte>& out) const {
    const unsigned width = bits();
    if (width == 0) return;
    const std::size_t each = 8 / width, begin = out.size();
    out.resize(begin + (count + each - 1) / each);
    std::byte* to = out.data() + begin;
    for (std::size_t i = 0; i < count; i += each) {
      unsigned byte = 0;
      for (std::size_t k = 0; k < each && i + k < count; ++k) {
        byte |= unsigned{codes_[std::to_integer<std::size_t>(qualities[i + k])]} << (width * k);
      }
      *to++ = std::byte(byte);
    }
  }

 private:
  void add(std::uint8_t quality, std::array<bool, 256>& seen) {
    if (seen[quality]) return;
    seen[quality] = true;
    if (count_ < qualities_.size()) {
      qualities_[count_] = quality;
      codes_[quality] = static_cast<std::uint8_t>(count_);
    }
    ++count_;
  }

  std::size_t count_ = 0;  // of different ones; more than 16 is enough to know
  std::array<std::uint8_t, 16> qualities_ = {};
  std::array<std::uint8_t, 256> codes_ = {};
};

/// Bytes that `count` qualities take.
std::size_t quality_bytes(std::size_t count, unsigned bits) {
  return (count * bits + 7) / 8;
}

void restore_qualities(const std::byte* from, std::size_t count, const SplitHead& head, std::byte* qualities) {
  const unsigned width = head.quality_bits;
  if (width == 0) {
    std::memset(qualities, head.quality_of_code[0], count);
    return;
  }
  const unsigned each = 8 / width, mask = (1U << width) - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned code = std::to_integer<unsigned>(from[i / each]) >> (width * (i % each)) & mask;
    qualities[i] = std::byte(head.quality_of_code[code]);
  }
}

/// Calls use(record, head, parts) for each packed record. A record of impossible lengths has no bases in its parts.
template <class Use>
void for_each_record(std::span<const std::byte> records, Use use) {
  for (std::size_t at = 0; at < records.size();) {
    const PackedHead head = head_at(records.data() + at);
    DataParts parts;
    if (!parts.of(head)) parts = {head.data_bytes, 0, head.data_bytes, 0};
    use(records.data() + at, head, parts);
    at += packed_size(head.data_bytes);
  }
}

void append(const std::byte* from, std::size_t count, std::vector<std::byte>& out) {
  const std::size_t begin = out.size();
  out.resize(begin + count);
  if (count > 0) std::memcpy(out.data() + begin, from, count);
}

/// A part of a split block that is taken from its begin on; never beyond its end.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  /// Null if fewer are left.
  const std::byte* take(std::size_t count) {
    if (count > left_.size()) return nullptr;
    const std::byte* const taken = left_.data();
    left_ = left_.subspan(count);
    return taken;
  }
  std::size_t left() const { return left_.size(); }

 private:
  std::span<const std::byte> left_;
};

/// Restores a record from the three parts at `out`. Returns its packed size; 0 if there is less room or less of a part.
std::size_t restore(Reader& rest, Reader& bases, Reader& qualities, const SplitHead& split, std::span<std::byte> out) {
  const std::byte* const stored_head = rest.take(sizeof(PackedHead));
  if (stored_head == nullptr) return 0;
  PackedHead head = head_at(stored_head);
  const bool packed = (head.data_bytes & two_bit_bases) != 0;
  head.data_bytes &= ~two_bit_bases;
  DataParts parts;
  if (!parts.of(head)) parts = {head.data_bytes, 0, head.data_bytes, 0};
  if (head.data_bytes > out.size() || packed_size(head.data_bytes) > out.size()) return 0;
  std::memcpy(out.data(), &head, sizeof head);
  std::byte* const data = out.data() + sizeof head;
  const auto copy = [&](std::size_t begin, std::size_t end) {
    const std::byte* const from = rest.take(end - begin);
    if (from != nullptr) std::copy(from, from + (end - begin), data + begin);
    return from != nullptr;
  };
  const std::size_t qualities_begin = parts.bases_begin + parts.bases_bytes;
  if (!copy(0, packed ? parts.bases_begin : qualities_begin)) return 0;
  if (packed) {
    const std::byte* const from = bases.take(parts.two_bit_bytes());
    if (from == nullptr) return 0;
    restore_bases(from, parts, data + parts.bases_begin);
  }
  if (split.quality_bits == raw_qualities) {
    if (!copy(qualities_begin, parts.qualities_end)) return 0;
  } else {
    const std::byte* const from = qualities.take(quality_bytes(parts.base_count, split.quality_bits));
    if (from == nullptr) return 0;
    restore_qualities(from, parts.base_count, split, data + qualities_begin);
  }
  if (!copy(parts.qualities_end, head.data_bytes)) return 0;
  std::fill(data + head.data_bytes, data + packed_aligned(head.data_bytes), std::byte{0});
  return packed_size(head.data_bytes);
}

}  // namespace

std::vector<std::byte> split(std::span<const std::byte> records) {
  const QualityCodes codes([&](auto use) {
    for_each_record(records, [&](const std::byte* record, const PackedHead&, const DataParts& parts) {
      use(record + sizeof(PackedHead) + parts.bases_begin + parts.bases_bytes, parts.base_count);
    });
  });
  SplitHead head;
  head.quality_bits = codes.bits(), head.quality_of_code = codes.qualities();
  std::vector<std::byte> rest, bases, qualities;
  rest.reserve(records.size()), bases.reserve(records.size() / 4), qualities.reserve(records.size() / 4);
  for_each_record(records, [&](const std::byte* record, PackedHead one, const DataParts& parts) {
    const std::byte* const data = record + sizeof one;
    const std::size_t qualities_begin = parts.bases_begin + parts.bases_bytes, data_bytes = one.data_bytes;
    const bool packed = append_bases(data + parts.bases_begin, parts, bases);
    if (packed) one.data_bytes |= two_bit_bases;
    append(reinterpret_cast<const std::byte*>(&one), sizeof one, rest);
    append(data, packed ? parts.bases_begin : qualities_begin, rest);
    if (head.quality_bits == raw_qualities) {
      append(data + qualities_begin, parts.base_count, rest);
    } else {
      codes.append(data + qualities_begin, parts.base_count, qualities);
    }
    append(data + parts.qualities_end, data_bytes - parts.qualities_end, rest);
  });
  std::vector<std::byte> fewer = deflated(rest);
  if (fewer.empty()) fewer = rest;
  head.rest = static_cast<std::uint32_t>(rest.size()), head.rest_stored = static_cast<std::uint32_t>(fewer.size());
  head.bases = static_cast<std::uint32_t>(bases.size()), head.qualities = static_cast<std::uint32_t>(qualities.size());
  std::vector<std::byte> out;
  out.reserve(sizeof head + fewer.size() + bases.size() + qualities.size());
  append(reinterpret_cast<const std::byte*>(&head), sizeof head, out);
  for (const std::vector<std::byte>* part : {&fewer, &bases, &qualities}) append(part->data(), part->size(), out);
  return out;
}

bool joined(std::span<const std::byte> split, std::span<std::byte> bytes) {
  SplitHead head;
  Reader all(split);
  const std::byte* const stored = all.take(sizeof head);
  if (stored == nullptr) return false;
  std::memcpy(&head, stored, sizeof head);
  const std::byte *const rest = all.take(head.rest_stored), *const bases = all.take(head.bases),
                         *const qualities = all.take(head.qualities);
  if (rest == nullptr || bases == nullptr || qualities == nullptr || head.rest > bytes.size()) return false;
  std::vector<std::byte> inflated;
  std::span<const std::byte> rest_bytes(rest, head.rest_stored);
  if (head.rest != head.rest_stored) {
    inflated.resize(head.rest);
    if (!inflate(rest_bytes, inflated)) return false;
    rest_bytes = inflated;
  }
  Reader rest_reader(rest_bytes), bases_reader({bases, head.bases}), qualities_reader({qualities, head.qualities});
  while (!bytes.empty()) {
    const std::size_t restored = restore(rest_reader, bases_reader, qualities_reader, head, bytes);
    if (restored == 0) return false;
    bytes = bytes.subspan(restored);
  }
  return rest_reader.left() == 0 && bases_reader.left() == 0 && qualities_reader.left() == 0;
}

}  // namespace warpseed::records
