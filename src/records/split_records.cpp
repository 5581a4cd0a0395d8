#include "records/split_records.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>

#include "core/deflate.hpp"
#include "records/few_bits.hpp"
#include "records/packed_heads.hpp"
#include "records/packed_record.hpp"

namespace warpseed::records {

namespace {

constexpr std::uint8_t raw_qualities = 8;  // bits

/// Precedes the records' heads, the rest, which is deflated unless that makes it no smaller, bases and qualities.
struct SplitHead {
  std::uint32_t heads = 0, rest = 0, rest_stored = 0, bases = 0, qualities = 0;  // bytes
  std::uint8_t quality_bits = raw_qualities;
  std::array<std::uint8_t, QualitySet::most> quality_of_code = {};
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
  std::size_t qualities_begin() const { return bases_begin + bases_bytes; }
};

PackedHead head_at(const std::byte* record) {
  PackedHead head;
  std::memcpy(&head, record, sizeof head);
  return head;
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

const std::uint8_t* numbers(const std::byte* bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes);
}

/// The qualities of packed records.
QualitySet qualities_of(std::span<const std::byte> records) {
  QualitySet qualities;
  for_each_record(records, [&](const std::byte* record, const PackedHead&, const DataParts& parts) {
    qualities.add({numbers(record + sizeof(PackedHead) + parts.qualities_begin()), parts.base_count});
  });
  return qualities;
}

/// Bytes that are written one after the other, never more than there is room for.
class Part {
 public:
  void begin(std::size_t room) {
    if (room > room_) bytes_ = std::make_unique_for_overwrite<std::byte[]>(room), room_ = room;
    end_ = bytes_.get();
  }
  void append(const void* from, std::size_t count) {
    std::memcpy(end_, from, count);
    end_ += count;
  }
  std::uint8_t* end() { return reinterpret_cast<std::uint8_t*>(end_); }
  void end_at(const std::uint8_t* end) { end_ = bytes_.get() + (end - reinterpret_cast<std::uint8_t*>(bytes_.get())); }
  std::span<const std::byte> bytes() const { return {bytes_.get(), end_}; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t room_ = 0;
  std::byte* end_ = nullptr;
};

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
  bool at_end() const { return left_.empty(); }

 private:
  std::span<const std::byte> left_;
};

/// The parts of a split block, taken record by record.
struct Readers {
  HeadReader heads;
  Reader rest, bases, qualities;

  bool at_end() const { return heads.at_end() && rest.at_end() && bases.at_end() && qualities.at_end(); }
};

/// Restores a record at `out`. Returns its packed size; 0 if there is less room or less of a part.
std::size_t restore(Readers& from, const SplitHead& split, std::span<std::byte> out) {
  PackedHead head;
  bool packed = false;  // its bases, by two bits
  if (!from.heads.take(head, packed)) return 0;
  DataParts parts;
  if (!parts.of(head)) parts = {head.data_bytes, 0, head.data_bytes, 0};
  if (head.data_bytes > out.size() || packed_size(head.data_bytes) > out.size()) return 0;
  std::memcpy(out.data(), &head, sizeof head);
  std::byte* const data = out.data() + sizeof head;
  const auto copy = [&](std::size_t begin, std::size_t end) {
    const std::byte* const stored = from.rest.take(end - begin);
    if (stored != nullptr) std::copy(stored, stored + (end - begin), data + begin);
    return stored != nullptr;
  };
  const auto numbers_at = [&](std::size_t begin) { return reinterpret_cast<std::uint8_t*>(data + begin); };
  if (!copy(0, packed ? parts.bases_begin : parts.qualities_begin())) return 0;
  if (packed) {
    const std::byte* const stored = from.bases.take(two_bit_bytes(parts.base_count));
    if (stored == nullptr) return 0;
    unpack_two_bits(numbers(stored), parts.base_count, numbers_at(parts.bases_begin));
  }
  if (split.quality_bits == raw_qualities) {
    if (!copy(parts.qualities_begin(), parts.qualities_end)) return 0;
  } else {
    const std::byte* const stored = from.qualities.take(QualitySet::packed_bytes(parts.base_count, split.quality_bits));
    if (stored == nullptr) return 0;
    unpack_qualities(numbers(stored), split.quality_bits, split.quality_of_code,
                     {numbers_at(parts.qualities_begin()), parts.base_count});
  }
  if (!copy(parts.qualities_end, head.data_bytes)) return 0;
  std::fill(data + head.data_bytes, data + packed_aligned(head.data_bytes), std::byte{0});
  return packed_size(head.data_bytes);
}

}  // namespace

struct RecordSplitter::Parts {
  Part heads, rest, bases, qualities;

  void fill(std::span<const std::byte> records, const QualitySet& codes);
};

RecordSplitter::RecordSplitter() : parts_(std::make_unique<Parts>()) {}
RecordSplitter::RecordSplitter(RecordSplitter&&) noexcept = default;
RecordSplitter::~RecordSplitter() = default;

void RecordSplitter::Parts::fill(std::span<const std::byte> records, const QualitySet& codes) {
  heads.begin(records.size() / sizeof(PackedHead) * HeadPacker::most_bytes);
  for (Part* part : {&rest, &bases, &qualities}) part->begin(records.size());
  HeadPacker packer;
  for_each_record(records, [&](const std::byte* record, const PackedHead& head, const DataParts& parts) {
    const std::byte* const data = record + sizeof head;
    const bool packed = pack_two_bits(numbers(data + parts.bases_begin), parts.base_count, bases.end());
    if (packed) bases.end_at(bases.end() + two_bit_bytes(parts.base_count));
    heads.end_at(packer.put(head, packed, heads.end()));
    rest.append(data, packed ? parts.bases_begin : parts.qualities_begin());
    if (codes.bits() == raw_qualities) {
      rest.append(data + parts.qualities_begin(), parts.base_count);
    } else {
      qualities.end_at(codes.pack({numbers(data + parts.qualities_begin()), parts.base_count}, qualities.end()));
    }
    rest.append(data + parts.qualities_end, head.data_bytes - parts.qualities_end);
  });
}

void RecordSplitter::split(std::span<const std::byte> records, std::vector<std::byte>& out) {
  const QualitySet codes = qualities_of(records);
  parts_->fill(records, codes);
  const std::span<const std::byte> heads = parts_->heads.bytes(), rest = parts_->rest.bytes(),
                                   bases = parts_->bases.bytes(), qualities = parts_->qualities.bytes();
  // Level 1 takes 1.4 times as long, for 7 % fewer bytes of all; qualities become a fifth smaller.
  const DeflateEffort effort = codes.bits() == raw_qualities ? DeflateEffort::little : DeflateEffort::least;
  const std::vector<std::byte> deflated_rest = deflated(rest, effort);
  const std::span<const std::byte> stored = deflated_rest.empty() ? rest : std::span(deflated_rest);
  const auto size_of = [](std::span<const std::byte> part) { return static_cast<std::uint32_t>(part.size()); };
  const SplitHead head = {size_of(heads),   size_of(rest),      size_of(stored),
                          size_of(bases),   size_of(qualities), static_cast<std::uint8_t>(codes.bits()),
                          codes.qualities()};
  for (const std::span<const std::byte> part : {std::as_bytes(std::span(&head, 1)), heads, stored, bases, qualities})
    out.insert(out.end(), part.begin(), part.end());
}

bool joined(std::span<const std::byte> split, std::span<std::byte> bytes) {
  SplitHead head;
  Reader all(split);
  const std::byte* const stored = all.take(sizeof head);
  if (stored == nullptr) return false;
  std::memcpy(&head, stored, sizeof head);
  const std::byte *const heads = all.take(head.heads), *const rest = all.take(head.rest_stored),
                         *const bases = all.take(head.bases), *const qualities = all.take(head.qualities);
  if (heads == nullptr || rest == nullptr || bases == nullptr || qualities == nullptr || head.rest > bytes.size())
    return false;
  std::vector<std::byte> inflated;
  std::span<const std::byte> rest_bytes(rest, head.rest_stored);
  if (head.rest != head.rest_stored) {
    inflated.resize(head.rest);
    if (!inflate(rest_bytes, inflated)) return false;
    rest_bytes = inflated;
  }
  Readers parts = {HeadReader({heads, head.heads}), Reader(rest_bytes), Reader({bases, head.bases}),
                   Reader({qualities, head.qualities})};
  while (!bytes.empty()) {
    const std::size_t restored = restore(parts, head, bytes);
    if (restored == 0) return false;
    bytes = bytes.subspan(restored);
  }
  return parts.at_end();
}

}  // namespace warpseed::records
