// Iterates over the bases of a synthetic genome, by the pieces of plain stretches and arrays.
#pragma once

#include <cstdint>

#include "core/host_device.hpp"
#include "simulate/synthetic_core.hpp"

namespace warpseed::simulate::synthetic {

constexpr std::uint32_t max_shift = 3;  // maximum length of an insertion or deletion within an element

/// Bases with a common ancestor. Position `position` has index first + (position - begin), or first - (position - begin) if
/// `down`.
struct Piece {
  Range range;
  std::uint64_t ancestor = 0, family = 0;  // keys
  std::uint32_t first = 0;
  std::uint32_t period = 0;  // the index is modulo this, unless 0
  std::uint32_t family_rate = 0, rate = 0, shift_rate = 0;
  std::uint32_t gc = 0;
  bool down = false, complemented = false, is_random = false;
};

/// GC of random bases around `position`, in units of 2^-15: interpolates linearly between random values 2^18 bases apart.
WS_HD inline std::uint32_t local_gc(const SyntheticPlan& plan, std::uint64_t position) {
  if (plan.isochores == 0) return plan.gc;
  constexpr unsigned step_bits = 18;
  const std::uint64_t step = position >> step_bits, across = position >> (step_bits - 16) & 0xFFFF;
  const std::uint64_t left = child(plan.seed, Salt::isochores, step) & 0xFFFF;
  const std::uint64_t right = child(plan.seed, Salt::isochores, step + 1) & 0xFFFF;
  const std::uint64_t height = (left * (0x10000 - across) + right * across) >> 16;
  const auto raised = plan.gc + static_cast<std::uint32_t>(2 * plan.isochores * height >> 16);
  const std::uint32_t local = raised < plan.isochores ? 0 : raised - plan.isochores;
  return local < 0x8000 ? local : 0x8000;
}

/// A copy of an element, without its position.
struct Element {
  std::uint64_t random = 0;
  std::uint32_t bases = 0;
  std::uint32_t kind = 0;  // index into plan.classes, or repeat_classes for a microsatellite
  std::uint32_t family = 0;
};

WS_HD inline Element make_element(const SyntheticPlan& plan, std::uint64_t random) {
  Element element;
  const auto chance = static_cast<std::uint32_t>(random & (chances - 1));
  while (element.kind < repeat_classes && chance >= plan.classes[element.kind].chance_end) ++element.kind;
  element.random = mix_bits(random);
  std::uint32_t draw[4];
  for (unsigned i = 0; i < 4; ++i) draw[i] = static_cast<std::uint32_t>(element.random >> 16 * i) & 0xFFFF;
  if (element.kind == repeat_classes) {
    const std::uint32_t shortest = min_microsatellite << uniform16(draw[0], microsatellite_octaves);
    element.bases = shortest + uniform16(draw[1], shortest);
    return element;
  }
  const RepeatClass& repeat = plan.classes[element.kind];
  element.family = uniform16(draw[0] * draw[1] >> 16, repeat.families);  // a few families have most of the copies
  const std::uint64_t key = child(plan.seed, Salt::families, std::uint64_t{element.kind} << 32 | element.family);
  element.bases = repeat.shortest + uniform16(key & 0xFFFF, repeat.longest - repeat.shortest + 1);
  if (draw[2] % 16 >= repeat.whole) {
    element.bases = min_copy + uniform16((draw[2] >> 4 << 4) * draw[3] >> 16, element.bases - min_copy);
  }
  return element;
}

/// The piece of an element's copy that begins at `range.begin`; the end of the block may truncate it.
WS_HD inline Piece element_piece(const SyntheticPlan& plan, const Element& element, const Range& range) {
  Piece piece;
  piece.range = range;
  const std::uint64_t random = mix_bits(element.random);
  if (element.kind == repeat_classes) {
    piece.gc = plan.gc;
    piece.ancestor = child(plan.seed, Salt::units, random & 0xFF);  // units recur, as in real genomes
    piece.period = 1 + uniform16(static_cast<std::uint32_t>(random >> 32) & 0xFFFF, 6);
    piece.rate = microsatellite_rate;
    return piece;
  }
  const RepeatClass& repeat = plan.classes[element.kind];
  const std::uint64_t kind = std::uint64_t{element.kind} << 32;
  piece.family = child(plan.seed, Salt::families, kind | element.family);
  piece.ancestor = child(plan.seed, Salt::ancestors, kind | element.family % repeat.ancestors);
  piece.family_rate = repeat.family_rate;
  piece.gc = repeat.gc;
  const auto age = static_cast<std::uint32_t>(child(piece.family, Salt::ages) & 0xFFFF);
  const auto own_age = static_cast<std::uint32_t>(random & 0xFFFF);
  piece.rate = plan.min_repeat_rate + uniform16((age + own_age) / 2, plan.max_repeat_rate - plan.min_repeat_rate);
  piece.shift_rate = 4 * piece.rate;  // 64 bases at 10 % divergence: 6 changes, a gap at either end in two of five
  piece.down = random >> 63;          // indices count from the 3' end, which truncated copies keep
  piece.complemented = !piece.down;
  piece.first = max_shift + (piece.down ? element.bases - 1 : 0);
  return piece;
}

/// Returns codes 0..4 by position. Fast for consecutive positions, on either strand: recomputes the layout only at the
/// ends of pieces.
class Cursor {
 public:
  WS_HD explicit Cursor(const SyntheticPlan& plan)
      : plan_(plan),
        blocks_(child(plan.seed, Salt::blocks)),
        noise_(child(plan.seed, Salt::noise)),
        copied_noise_(child(plan.seed, Salt::copied_noise)),
        shifts_(child(plan.seed, Salt::shifts)) {}

  /// position < plan.length
  WS_HD std::uint8_t code_at(std::uint64_t position) {
    if (!stretch_.range.has(position)) {
      stretch_ = stretch_at(plan_, position);
      piece_.range = {};
    }
    if (stretch_.kind == StretchKind::unknown) return text::code_n;
    const std::uint64_t offset = position - stretch_.range.begin;
    const std::uint64_t source = stretch_.reverse ? stretch_.source - offset : stretch_.source + offset;
    if (!piece_.range.has(source)) open_piece(source);
    std::uint8_t code = piece_code(source);
    if (stretch_.kind != StretchKind::duplication) return code;
    if (stretch_.reverse) code ^= 3;
    return changed(code, copied_noise_[position], stretch_.rate);
  }

  WS_HD std::uint8_t letter_at(std::uint64_t position) {
    return static_cast<std::uint8_t>(0x4E54474341ULL >> 8 * code_at(position));  // "ACGTN" without a table in memory
  }

 private:
  WS_HD std::uint8_t piece_code(std::uint64_t source) {
    const std::uint32_t noise = noise_[source];
    if (piece_.is_random) return random_base(noise, piece_.gc);
    const auto offset = static_cast<std::uint32_t>(source - piece_.range.begin);
    std::uint32_t index = piece_.down ? piece_.first - offset : piece_.first + offset;
    if (piece_.period != 0) index %= piece_.period;
    if (piece_.shift_rate != 0) {
      const std::uint32_t shift = shifts_[source / 64];
      if (shift < piece_.shift_rate) index = index + shift % 7 - max_shift;
    }
    std::uint8_t code = random_base(ancestor_[index], piece_.gc);
    if (piece_.family_rate != 0) code = changed(code, family_[index], piece_.family_rate);
    if (piece_.complemented) code ^= 3;
    return changed(code, noise, piece_.rate);
  }

  WS_HD void open_piece(std::uint64_t source) {
    if (stretch_.kind == StretchKind::array) {
      piece_ = monomer_at(source);
    } else {
      piece_ = plain_piece_at(source);
    }
    ancestor_ = RandomStream(piece_.ancestor);
    family_ = RandomStream(piece_.family);
  }

  WS_HD Piece monomer_at(std::uint64_t position) const {
    const std::uint64_t number = (position - stretch_.origin) / plan_.monomer;
    Piece piece;
    piece.range.begin = stretch_.origin + number * plan_.monomer;
    piece.range.end = piece.range.begin + plan_.monomer;
    piece.ancestor = child(plan_.seed, Salt::satellite);
    piece.family = child(stretch_.key, Salt::families, number % plan_.monomers);
    piece.family_rate = plan_.monomer_rate;
    piece.rate = plan_.satellite_rate;
    piece.gc = plan_.monomer_gc;
    return piece;
  }

  /// Iterates over the block, from the last piece or from the beginning: random bases, an element, random bases, ...
  WS_HD Piece plain_piece_at(std::uint64_t position) {
    const std::uint64_t block = position >> block_bits, block_end = (block + 1) << block_bits;
    if (block != block_ || position < next_) block_ = block, next_ = block << block_bits, element_ = 0;
    const std::uint64_t key = child(blocks_, Salt::blocks, block);
    while (true) {
      const std::uint64_t random = mix_bits(key + element_);
      std::uint64_t begin = next_ + spacer(random);
      if (begin > block_end) begin = block_end;
      if (position < begin) {
        Piece piece;
        piece.range = {next_, begin};
        piece.gc = local_gc(plan_, next_);
        piece.is_random = true;
        return piece;
      }
      const Element element = make_element(plan_, random);
      std::uint64_t end = begin + element.bases;
      if (end > block_end) end = block_end;
      if (position < end) return element_piece(plan_, element, {begin, end});
      next_ = end;
      ++element_;
    }
  }

  /// Roughly exponentially distributed, so that the beginning of a block does not matter: a geometric number of whole
  /// steps, and a fraction of one.
  WS_HD std::uint64_t spacer(std::uint64_t random) const {
    auto coins = static_cast<std::uint32_t>(random >> 40);
    std::uint32_t steps = (random >> 24 & 0xFFFF) + 1;  // units of 2^-16, 3/2 on average
    for (; coins & 1; coins >>= 1) steps += numbers;
    return plan_.mean_spacer * steps / (numbers + numbers / 2);
  }

  const SyntheticPlan& plan_;
  std::uint64_t blocks_;
  Stretch stretch_;
  Piece piece_;
  RandomStream noise_, copied_noise_, shifts_, ancestor_{0}, family_{0};
  std::uint64_t block_ = ~std::uint64_t{0}, next_ = 0, element_ = 0;
};

/// Writes bases [begin, begin + count) to `out`.
WS_HD inline void write_bases(const SyntheticPlan& plan, std::uint64_t begin, std::uint64_t count, char* out) {
  Cursor cursor(plan);
  for (std::uint64_t i = 0; i < count; ++i) out[i] = static_cast<char>(cursor.letter_at(begin + i));
}

}  // namespace warpseed::simulate::synthetic
