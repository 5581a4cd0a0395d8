#include "records/bam_fields.hpp"

#include <algorithm>
#include <cstring>

namespace warpseed::records {

using deflate::FieldKind;

namespace {

constexpr std::uint64_t fixed_bytes = 36;  // SAM specification, section 4.2, with the length

template <class Number>
std::uint64_t number_at(const char* at) {
  Number number;
  std::memcpy(&number, at, sizeof number);
  return number;
}

void add(std::uint64_t bytes, FieldKind kind, std::vector<BamField>& fields) {
  const std::uint64_t begin = fields.empty() ? 0 : fields.back().end;
  if (!fields.empty() && fields.back().kind == kind) {
    fields.back().end += bytes;
  } else if (bytes > 0) {
    fields.push_back({begin + bytes, kind});
  }
}

}  // namespace

void add_fields(const char* record, std::uint64_t bytes, std::vector<BamField>& fields) {
  std::uint64_t before = bytes, bases = 0, qualities = 0;
  if (bytes >= fixed_bytes) {
    const std::uint64_t name = number_at<std::uint8_t>(record + 12), elements = number_at<std::uint16_t>(record + 16);
    const std::uint64_t length = number_at<std::uint32_t>(record + 20);
    const std::uint64_t begin = fixed_bytes + name + sizeof(std::uint32_t) * elements;
    if (begin + (length + 1) / 2 + length <= bytes) before = begin, bases = (length + 1) / 2, qualities = length;
  }
  add(before, FieldKind::short_matches, fields);
  add(bases, FieldKind::long_matches, fields);
  add(qualities, FieldKind::runs, fields);
  add(bytes - before - bases - qualities, FieldKind::short_matches, fields);
}

void cut_fields(std::span<const BamField> fields, std::uint64_t begin, std::uint64_t end,
                std::vector<deflate::Field>& cut) {
  cut.clear();
  auto field = std::ranges::upper_bound(fields, begin, {}, &BamField::end);
  for (; field != fields.end() && (cut.empty() || cut.back().end < end - begin); ++field) {
    cut.push_back({static_cast<std::uint32_t>(std::min(field->end, end) - begin), field->kind});
  }
}

}  // namespace warpseed::records
