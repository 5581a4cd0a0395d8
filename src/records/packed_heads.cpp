#include "records/packed_heads.hpp"

#include <bit>
#include <type_traits>

namespace warpseed::records {

namespace {

constexpr unsigned flag_bit = 15;  // of the two bytes
static_assert(std::tuple_size_v<HeadNumbers> <= flag_bit);

/// Unsigned, so that differences of any numbers are defined; see head_of().
HeadNumbers numbers_of(const PackedHead& head) {
  const bam1_core_t& core = head.core;
  const auto number = [](auto value) { return static_cast<std::uint64_t>(value); };
  return {number(core.pos),
          number(core.tid),
          number(core.bin),
          number(core.qual),
          number(core.l_extranul),
          number(core.flag),
          number(core.l_qname),
          number(core.n_cigar),
          number(core.l_qseq),
          number(core.mtid),
          number(core.mpos) - number(core.pos),
          number(core.isize),
          head.id,
          head.data_bytes};
}

PackedHead head_of(const HeadNumbers& numbers) {
  PackedHead head = {};
  bam1_core_t& core = head.core;
  std::size_t next = 0;
  const auto take = [&](auto& field) {
    field = static_cast<std::remove_reference_t<decltype(field)>>(numbers[next++]);
  };
  take(core.pos), take(core.tid), take(core.bin), take(core.qual), take(core.l_extranul), take(core.flag);
  take(core.l_qname), take(core.n_cigar), take(core.l_qseq), take(core.mtid);
  core.mpos = static_cast<hts_pos_t>(numbers[next++] + numbers[0]);
  take(core.isize), take(head.id), take(head.data_bytes);
  return head;
}

/// Small for differences of either sign.
constexpr std::uint64_t folded(std::uint64_t difference) {
  return difference << 1 ^ (std::uint64_t{0} - (difference >> 63));
}
constexpr std::uint64_t unfolded(std::uint64_t number) {
  return number >> 1 ^ (std::uint64_t{0} - (number & 1));
}

std::uint8_t* put_number(std::uint64_t number, std::uint8_t* out) {
  for (; number > 0x7F; number >>= 7) *out++ = static_cast<std::uint8_t>(number | 0x80);
  *out++ = static_cast<std::uint8_t>(number);
  return out;
}

}  // namespace

std::uint8_t* HeadPacker::put(const PackedHead& head, bool flag, std::uint8_t* out) {
  const HeadNumbers numbers = numbers_of(head);
  std::uint8_t* const mask_at = out;
  out += 2;
  unsigned mask = flag ? 1U << flag_bit : 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint64_t difference = numbers[i] - before_[i];
    if (difference == 0) continue;
    mask |= 1U << i;
    out = put_number(folded(difference), out);
  }
  mask_at[0] = static_cast<std::uint8_t>(mask), mask_at[1] = static_cast<std::uint8_t>(mask >> 8);
  before_ = numbers;
  return out;
}

bool HeadReader::take_byte(std::uint8_t& byte) {
  if (left_.empty()) return false;
  byte = static_cast<std::uint8_t>(left_.front());
  left_ = left_.subspan(1);
  return true;
}

bool HeadReader::take_difference(std::uint64_t& difference) {
  std::uint64_t number = 0;
  std::uint8_t byte = 0x80;
  for (unsigned shift = 0; (byte & 0x80) != 0; shift += 7) {
    if (shift > 63 || !take_byte(byte)) return false;
    number |= std::uint64_t{byte & 0x7FU} << shift;
  }
  difference = unfolded(number);
  return true;
}

bool HeadReader::take(PackedHead& head, bool& flag) {
  std::uint8_t low = 0, high = 0;
  if (!take_byte(low) || !take_byte(high)) return false;
  const unsigned mask = low | unsigned{high} << 8;
  for (unsigned differ = mask & ((1U << numbers_.size()) - 1); differ != 0; differ &= differ - 1) {
    std::uint64_t difference = 0;
    if (!take_difference(difference)) return false;
    numbers_[static_cast<std::size_t>(std::countr_zero(differ))] += difference;
  }
  flag = (mask >> flag_bit & 1) != 0;
  head = head_of(numbers_);
  return true;
}

}  // namespace warpseed::records
