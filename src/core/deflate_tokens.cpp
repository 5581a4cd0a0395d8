#include "core/deflate_tokens.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/bits.hpp"

// Compiled for what the vectors need: on arm64 Highway asks for more than the compiler's own target.
HWY_BEFORE_NAMESPACE();
namespace warpseed::deflate {

namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Bytes = hn::FixedTag<std::uint8_t, 16>;
constexpr std::uint32_t vector_bytes = 16;
constexpr std::uint32_t window_bytes = 64;  // of find_runs()
constexpr std::uint32_t padding = window_bytes + compared_bytes;

static_assert(sure_bytes == vector_bytes && compared_bytes == 2 * vector_bytes);
static_assert(min_run == 4, "find_runs() has four shifts' worth of it");

/// Bit i: whether byte i of both is the same.
inline std::uint32_t equal_bytes(const std::uint8_t* a, const std::uint8_t* b) {
  std::uint16_t bits = 0;
  const auto equal = hn::Eq(hn::LoadU(Bytes(), a), hn::LoadU(Bytes(), b));
  hn::StoreMaskBits(Bytes(), equal, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}

/// The first 16 bytes that are the same, at most.
inline std::uint32_t equal_prefix(const std::uint8_t* a, const std::uint8_t* b) {
  return trailing_zeros(equal_bytes(a, b) ^ 0x1FFFFU);
}

/// The last four positions with one hash, 16 bits each, the last of them lowest.
using Candidates = std::uint64_t;

constexpr std::uint32_t candidate_count = 4;

std::uint32_t candidate(Candidates candidates, std::uint32_t which) {
  return static_cast<std::uint32_t>(candidates >> (16 * which) & 0xFFFF);
}

/// Length of a candidate's match and, in the lower bits, the higher the nearer it is: the maximum is the best.
struct Ranked {
  std::uint32_t value;

  static Ranked of(std::uint32_t length, std::uint32_t which) { return {length << 2 | (candidate_count - 1 - which)}; }
  std::uint32_t length() const { return value >> 2; }
  std::uint32_t which() const { return candidate_count - 1 - (value & 3); }
};

Ranked better(Ranked a, Ranked b) {
  return a.value < b.value ? b : a;
}

/// Compared over sure_bytes.
inline Ranked best_candidate(const std::uint8_t* bytes, std::uint32_t position, Candidates candidates) {
  const auto ranked = [&](std::uint32_t which) {
    return Ranked::of(equal_prefix(bytes + position, bytes + candidate(candidates, which)), which);
  };
  return better(better(ranked(0), ranked(1)), better(ranked(2), ranked(3)));
}

/// The same, compared over compared_bytes, where the best has sure_bytes. Without branches, which would be mispredicted.
inline Ranked best_long_candidate(const std::uint8_t* bytes, std::uint32_t position, Candidates candidates) {
  const std::uint8_t* here = bytes + position;
  Ranked best = {0};
  for (std::uint32_t which = 0; which < candidate_count; ++which) {
    const std::uint8_t* there = bytes + candidate(candidates, which);
    const std::uint32_t first = equal_prefix(here, there);
    const std::uint32_t second = equal_prefix(here + vector_bytes, there + vector_bytes);
    best = better(best, Ranked::of(first == vector_bytes ? vector_bytes + second : 0, which));
  }
  return best;
}

}  // namespace

void check_fields(std::uint64_t size, std::span<const Field> fields) {
  if (size > max_block || fields.empty() || fields.back().end != size ||
      !std::ranges::is_sorted(fields, {}, &Field::end)) {
    throw std::invalid_argument("the fields of a block to be deflated do not fit it");
  }
}

struct TokenFinder::Tables {
  std::array<Candidates, 1 << short_hash_bits> short_matches;
  std::array<std::uint16_t, 1 << long_hash_bits> of_long_match, of_longer_match;

  void clear() {
    short_matches.fill(0);
    of_long_match.fill(0);
    of_longer_match.fill(0);
  }
  /// The candidates before the position is one itself.
  Candidates enter(const std::uint8_t* bytes, std::uint32_t position) {
    Candidates& candidates = short_matches[short_hash(bytes + position)];
    const Candidates before = candidates;
    candidates = before << 16 | position;
    return before;
  }
};

/// Copies whole vectors, which is faster than as many bytes as there are; both arrays are padded.
inline void TokenFinder::copy_literals(std::uint32_t end) {
  const std::uint8_t* from = bytes_.data() + covered_;
  std::uint8_t* to = tokens_.literals.data() + tokens_.literal_count;
  const std::uint32_t count = end - covered_;
  for (std::uint32_t i = 0; i < count; i += vector_bytes) {
    hn::StoreU(hn::LoadU(Bytes(), from + i), Bytes(), to + i);
  }
  tokens_.literal_count += count;
}

inline void TokenFinder::add_match(std::uint32_t begin, std::uint32_t length, std::uint32_t distance) {
  const std::uint32_t literals = begin - covered_;
  copy_literals(begin);
  const std::uint32_t symbol = distance_symbol(distance).symbol;
  tokens_.sequences.push_back({static_cast<std::uint16_t>(literals), static_cast<std::uint16_t>(length),
                               static_cast<std::uint16_t>(distance - 1), static_cast<std::uint16_t>(symbol)});
  ++tokens_.of_length[length];
  ++tokens_.of_distance[symbol];
  covered_ = begin + length;
}

TokenFinder::TokenFinder() : bytes_(max_block + padding), tables_(std::make_unique<Tables>()) {
  tokens_.literals.resize(max_block + padding);
  tokens_.sequences.reserve(max_block / 16);
}

TokenFinder::~TokenFinder() = default;

const Tokens& TokenFinder::find(std::span<const std::byte> block, std::span<const Field> fields) {
  const auto size = static_cast<std::uint32_t>(block.size());
  const Field all = {size, FieldKind::short_matches};
  if (fields.empty()) fields = {&all, 1};
  check_fields(block.size(), fields);
  if (size > 0) std::memcpy(bytes_.data(), block.data(), size);
  std::memset(bytes_.data() + size, 0, padding);
  tables_->clear();
  tokens_.sequences.clear();
  tokens_.of_length.fill(0);
  tokens_.of_distance.fill(0);
  tokens_.literal_count = covered_ = 0;
  std::uint32_t begin = 0;
  for (const Field& field : fields) {
    while (begin < field.end) {
      const std::uint32_t end = std::min(field.end, begin + max_piece);
      find_in(begin, end, field.kind);
      begin = end;
    }
  }
  copy_literals(size);
  return tokens_;
}

void TokenFinder::find_in(std::uint32_t begin, std::uint32_t end, FieldKind kind) {
  switch (kind) {
    case FieldKind::short_matches: return find_short(begin, end);
    case FieldKind::long_matches: return find_long<long_match>(begin, end);
    case FieldKind::runs: return find_runs(begin, end);
  }
}

void TokenFinder::find_short(std::uint32_t begin, std::uint32_t end) {
  if (end - begin < min_match) return;
  const std::uint32_t stop = end - min_match + 1;
  const std::uint8_t* const bytes = bytes_.data();
  Tables& tables = *tables_;
  for (std::uint32_t at = begin; at < stop;) {
    Candidates candidates = tables.enter(bytes, at);
    Ranked best = best_candidate(bytes, at, candidates);
    if (best.length() < min_match) {
      ++at;
      continue;
    }
    if (best.length() < sure_bytes && at + 1 < stop) {
      const Candidates of_next = tables.short_matches[short_hash(bytes + at + 1)];
      const Ranked next = best_candidate(bytes, at + 1, of_next);
      if (next.length() > best.length()) {
        best = next, candidates = of_next;
        tables.enter(bytes, ++at);
      }
    }
    if (best.length() == sure_bytes) best = best_long_candidate(bytes, at, candidates);
    const std::uint32_t from = candidate(candidates, best.which());
    if (!in_reach(at - from)) {
      ++at;
      continue;
    }
    const std::uint32_t most = std::min(end - at, max_match);
    const std::uint32_t length = best.length() < compared_bytes
                                     ? std::min(best.length(), most)
                                     : match_length(bytes + at, bytes + from, compared_bytes, most);
    add_match(at, length, at - from);
    const std::uint32_t last = std::min(covered_, stop);
    while (++at < last) tables.enter(bytes, at);
    at = covered_;
  }
}

/// In a stretch. `count`: long_match or longer_match.
template <std::uint32_t count>
void TokenFinder::find_long(std::uint32_t begin, std::uint32_t end) {
  if (end - begin < count) return;
  const std::uint32_t stop = end - count + 1;
  const std::uint8_t* const bytes = bytes_.data();
  std::uint16_t* const table = (count == long_match ? tables_->of_long_match : tables_->of_longer_match).data();
  const auto enter = [&](std::uint32_t at, std::uint64_t key) {
    return std::exchange(table[long_hash(key)], static_cast<std::uint16_t>(at));
  };
  for (std::uint32_t at = begin; at < stop;) {
    const std::uint64_t key = long_key(bytes + at, count);
    const std::uint32_t from = enter(at, key);
    if (long_key(bytes + from, count) != key || !in_reach(at - from)) {
      ++at;
      continue;
    }
    const std::uint32_t most = std::min(end - at, max_match);
    add_match(at, match_length(bytes + at, bytes + from, count, most), at - from);
    const std::uint32_t last = std::min(covered_, stop);
    while (++at < last) enter(at, long_key(bytes + at, count));
    at = covered_;
  }
}

/// Looks at 64 positions at a time: bit i of `repeats` is set if the byte is the one before it.
void TokenFinder::find_runs(std::uint32_t begin, std::uint32_t end) {
  const std::uint8_t* const bytes = bytes_.data();
  std::uint32_t done = begin;
  for (std::uint32_t at = std::max(begin, 1U); at + min_run <= end;) {
    std::uint64_t repeats = 0;
    for (std::uint32_t i = 0; i < window_bytes; i += vector_bytes) {
      repeats |= std::uint64_t{equal_bytes(bytes + at + i, bytes + at + i - 1)} << i;
    }
    const std::uint32_t left = end - at;
    if (left < window_bytes) repeats &= (std::uint64_t{1} << left) - 1;
    const std::uint64_t pairs = repeats & repeats >> 1, starts = pairs & pairs >> 2;
    std::uint32_t next = window_bytes + 1 - min_run;  // the first position whose run may go on outside
    for (std::uint64_t rest = starts; rest != 0;) {
      const std::uint32_t start = trailing_zeros(rest);
      std::uint32_t length = trailing_zeros(~(repeats >> start));
      if (start + length == window_bytes) {
        const std::uint8_t* run = bytes + at + start;
        length = match_length(run, run - 1, length, std::min(left - start, max_match));
      }
      find_long<longer_match>(done, at + start);
      add_match(at + start, length, 1);
      done = covered_;
      next = std::max(next, start + length);
      rest = start + length < window_bytes ? starts & ~std::uint64_t{0} << (start + length) : 0;
    }
    at += next;
  }
  find_long<longer_match>(done, end);
}

}  // namespace warpseed::deflate
HWY_AFTER_NAMESPACE();
