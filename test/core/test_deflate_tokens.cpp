// The tokens of a block against their definition in deflate_core.hpp, taken literally.
#include "core/deflate_tokens.hpp"

#include <map>
#include <utility>

#include "catch.hpp"
#include "core/deflate_blocks.hpp"

namespace warpseed {
namespace {

using namespace deflate;
using test::Bytes;

struct Match {
  std::uint32_t begin, length, distance;
  friend bool operator==(const Match&, const Match&) = default;
};

/// The positions of a table, by their bytes' hash.
using Positions = std::map<std::uint32_t, std::vector<std::uint32_t>>;

class Definition {
 public:
  Definition(const Bytes& block, const std::vector<Field>& fields) {
    for (const std::byte byte : block) bytes_.push_back(std::to_integer<std::uint8_t>(byte));
    bytes_.resize(block.size() + 400);
    std::uint32_t begin = 0;
    for (const Field& field : fields) {
      for (std::uint32_t end = 0; begin < field.end; begin = end) {
        end = std::min(field.end, begin + 2048);
        pieces_.push_back({begin, end, field.kind});
      }
    }
    for (const Piece& piece : pieces_) {
      for (std::uint32_t p = piece.begin; p + 3 < piece.end; ++p) {
        if (piece.kind == FieldKind::short_matches) short_[short_hash(&bytes_[p])].push_back(p);
      }
    }
  }

  std::vector<Match> matches() {
    for (const Piece& piece : pieces_) {
      if (piece.kind == FieldKind::short_matches) {
        for (std::uint32_t p = piece.begin; p < piece.end;) p = take(short_match(p, piece.end));
      } else if (piece.kind == FieldKind::long_matches) {
        search(piece.begin, piece.end, 6, of_6_);
      } else {
        std::uint32_t done = piece.begin;
        for (std::uint32_t p = piece.begin; p < piece.end;) {
          const Match match = run(p, piece.end);
          if (match.length > 0) search(std::exchange(done, p + match.length), p, 8, of_8_);
          p = take(match);
        }
        search(done, piece.end, 8, of_8_);
      }
    }
    return std::exchange(matches_, {});
  }

 private:
  struct Piece {
    std::uint32_t begin, end;
    FieldKind kind;
  };

  std::uint32_t equal(std::uint32_t p, std::uint32_t from, std::uint32_t most) const {
    std::uint32_t length = 0;
    while (length < most && bytes_[p + length] == bytes_[from + length]) ++length;
    return length;
  }

  /// The last `count` positions before p with its hash, the nearest first; 0 for missing ones.
  static std::vector<std::uint32_t> before(const Positions& all, std::uint32_t hash, std::uint32_t p, int count) {
    std::vector<std::uint32_t> found;
    const auto positions = all.find(hash);
    if (positions != all.end()) {
      const auto end = std::ranges::lower_bound(positions->second, p);
      for (auto at = end; at != positions->second.begin() && static_cast<int>(found.size()) < count;) {
        found.push_back(*--at);
      }
    }
    found.resize(static_cast<std::size_t>(count), 0);
    return found;
  }

  /// The best candidate and its length, compared over `most` bytes.
  std::pair<std::uint32_t, std::uint32_t> best(std::uint32_t p, std::uint32_t most) const {
    std::pair<std::uint32_t, std::uint32_t> best = {0, 0};
    bool first = true;
    for (const std::uint32_t from : before(short_, short_hash(&bytes_[p]), p, 4)) {
      const std::uint32_t length = equal(p, from, most);
      if (first || length > best.second) best = {from, length};
      first = false;
    }
    return best;
  }

  Match short_match(std::uint32_t p, std::uint32_t end) const {
    if (p + 3 >= end) return {p, 0, 0};
    const std::uint32_t here = best(p, 16).second;
    if (here < 4) return {p, 0, 0};
    if (here < 16 && p + 4 < end && best(p + 1, 16).second > here) ++p;
    const std::uint32_t from = best(p, 32).first;
    if (p == from || p - from > 32768) return {p, 0, 0};
    return {p, equal(p, from, std::min(end - p, 258U)), p - from};
  }

  /// Keeps a match, if it is one, and returns where the next token begins.
  std::uint32_t take(const Match& match) {
    if (match.length > 0) matches_.push_back(match);
    return match.begin + std::max(match.length, 1U);
  }

  /// A stretch.
  void search(std::uint32_t begin, std::uint32_t end, std::uint32_t n, Positions& table) {
    const auto hash = [&](std::uint32_t p) { return long_hash(long_key(&bytes_[p], n)); };
    for (std::uint32_t p = begin; p + n <= end; ++p) table[hash(p)].push_back(p);
    for (std::uint32_t p = begin; p + n <= end;) {
      const std::uint32_t from = before(table, hash(p), p, 1)[0];
      const bool good = p != from && p - from <= 32768 && equal(p, from, n) == n;
      p = take({p, good ? equal(p, from, std::min(end - p, 258U)) : 0, p - from});
    }
  }

  Match run(std::uint32_t p, std::uint32_t end) const {
    const std::uint32_t length = p == 0 ? 0 : equal(p, p - 1, std::min(end - p, 258U));
    return {p, length < 4 ? 0 : length, 1};
  }

  std::vector<std::uint8_t> bytes_;
  std::vector<Piece> pieces_;
  Positions short_, of_6_, of_8_;
  std::vector<Match> matches_;
};

std::vector<Match> found(const Tokens& tokens) {
  std::vector<Match> matches;
  std::uint32_t at = 0;
  for (const Sequence& sequence : tokens.sequences) {
    at += sequence.literals;
    matches.push_back({at, sequence.length, sequence.distance_less_one + 1U});
    at += sequence.length;
  }
  return matches;
}

void check(const Bytes& block, const std::vector<Field>& fields, TokenFinder& finder) {
  const bool same = found(finder.find(block, fields)) == Definition(block, fields).matches();
  CHECK(same);
}

}  // namespace

TEST_CASE("tokens are those of the definition", "[core][deflate]") {
  const std::size_t size = GENERATE(1, 5, 6, 7, 64, 100, 2048, 2060, 20000, 65280, 65536);
  const unsigned seed = 81 + static_cast<unsigned>(size);
  CAPTURE(size, seed);
  std::mt19937 rng(seed);
  TokenFinder finder;
  std::vector<Bytes> blocks = {test::random_bytes(size, 2, rng), test::random_bytes(size, 5, rng),
                               test::periodic_bytes(size, 37, rng), test::periodic_bytes(size, 290, rng)};
  for (int i = 0; i < 4; ++i) blocks.push_back(test::copied_bytes(size, rng));
  for (const Bytes& block : blocks) {
    check(block, test::random_fields(size, 20, rng), finder);
    check(block, test::random_fields(size, 300, rng), finder);
    check(block, test::random_fields(size, 7000, rng), finder);
  }
}

TEST_CASE("symbols of lengths and distances are those of RFC 1951", "[core][deflate]") {
  constexpr std::uint32_t first_lengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                             31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  constexpr std::uint32_t first_distances[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                               33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                               1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  for (std::uint32_t length = 3; length <= 258; ++length) {
    const auto after = std::ranges::upper_bound(first_lengths, length);
    const SymbolBits symbol = length_symbol(length);
    const auto index = static_cast<std::uint32_t>(after - std::begin(first_lengths)) - 1;
    REQUIRE(symbol.symbol == 257 + index);
    REQUIRE(symbol.extra == length - first_lengths[index]);
    REQUIRE(symbol.extra_bits == (index < 8 || index == 28 ? 0 : index / 4 - 1));
  }
  for (std::uint32_t distance = 1; distance <= 32768; ++distance) {
    const auto after = std::ranges::upper_bound(first_distances, distance);
    const SymbolBits symbol = distance_symbol(distance);
    const auto index = static_cast<std::uint32_t>(after - std::begin(first_distances)) - 1;
    REQUIRE(symbol.symbol == index);
    REQUIRE(symbol.extra == distance - first_distances[index]);
    REQUIRE(symbol.extra_bits == (index < 4 ? 0 : index / 2 - 1));
  }
}

}  // namespace warpseed
