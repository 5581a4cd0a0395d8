#include "text/synthetic.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "core/parallel.hpp"

namespace warpseed {

namespace {

constexpr std::uint64_t block_letters = 1 << 17;  // made as one, from the block's own random numbers

/// A counter's hash: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
constexpr std::uint64_t mix(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15ULL;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ value >> 27) * 0x94D049BB133111EBULL;
  return value ^ value >> 31;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return mix(state_++); }
  std::uint64_t below(std::uint64_t limit) { return (next() >> 32) * limit >> 32; }  // limit < 2^32
  std::uint64_t between(std::uint64_t low, std::uint64_t high) { return low + below(high - low + 1); }

 private:
  std::uint64_t state_;
};

constexpr char letters_of[] = {'A', 'C', 'G', 'T'};

/// Interspersed elements that descend from `families` ancestors of `length` letters.
struct Element {
  std::uint64_t share;  // of a thousand stretches
  std::uint64_t families, length;
  std::uint64_t least_diverged, most_diverged;  // letters in a thousand that differ from the ancestor
};

constexpr Element elements[] = {
    {330, 40, 300, 20, 200},   // like Alu: short, very many
    {60, 160, 6000, 20, 200},  // like LINE-1: long, mostly cut
    {2, 400, 40000, 5, 30},    // like segmental duplications: hardly diverged
};
constexpr std::uint64_t tandem_share = 30, n_run_share = 1;

/// One block, written stretch by stretch.
class BlockWriter {
 public:
  BlockWriter(std::uint64_t seed, std::uint64_t block, std::span<char> out)
      : seed_(mix(seed)), random_(mix(seed_ ^ mix(block))), out_(out) {}

  void write() {
    while (done_ < out_.size()) {
      write_random(random_.between(20, 1200));
      write_repeat(random_.below(1000));
    }
  }

 private:
  void put(char letter) {
    if (done_ < out_.size()) out_[done_++] = letter;
  }

  void write_repeat(std::uint64_t lot) {
    for (const Element& element : elements) {
      if (lot < element.share) return write_element(element);
      lot -= element.share;
    }
    if (lot < tandem_share) {
      write_tandem();
    } else if (lot < tandem_share + n_run_share) {
      for (std::uint64_t left = random_.between(1, 3000); left > 0; --left) put('N');
    }
  }

  void write_random(std::uint64_t count) {
    std::uint64_t bits = 0;
    for (std::uint64_t i = 0; i < count; ++i, bits >>= 2) {
      if (i % 32 == 0) bits = random_.next();
      put(letters_of[bits & 3]);
    }
  }

  /// Letter `i` of a family's ancestor.
  unsigned ancestral(std::uint64_t family, std::uint64_t i) const {
    return static_cast<unsigned>(mix(family + i / 32) >> 2 * (i % 32) & 3);
  }

  void write_element(const Element& element) {
    const std::uint64_t family = mix(seed_ ^ mix(element.length) ^ random_.below(element.families));
    const bool whole = random_.below(3) == 0, reverse = random_.below(2) == 0;
    const std::uint64_t count = whole ? element.length : random_.between(element.length / 20, element.length);
    const std::uint64_t first = random_.below(element.length - count + 1);
    const std::uint64_t changed = (random_.between(element.least_diverged, element.most_diverged) << 32) / 1000;
    for (std::uint64_t i = 0; i < count && done_ < out_.size(); ++i) {
      const std::uint64_t at = first + (reverse ? count - 1 - i : i);
      unsigned code = ancestral(family, at);
      if (reverse) code = 3 - code;
      const std::uint64_t lot = random_.next();
      if ((lot & 0xFFFFFFFF) < changed) {
        const unsigned kind_of_change = static_cast<unsigned>(lot >> 32) & 7;
        if (kind_of_change == 6) continue;  // a letter lost
        if (kind_of_change == 7)
          put(letters_of[lot >> 40 & 3]);  // one gained
        else
          code = (code + 1 + static_cast<unsigned>(lot >> 40) % 3) & 3;  // one changed
      }
      put(letters_of[code]);
    }
  }

  void write_tandem() {
    std::array<char, 60> unit{};
    const std::uint64_t size = random_.below(2) == 0 ? random_.between(1, 6) : random_.between(7, unit.size());
    for (std::uint64_t i = 0; i < size; ++i) unit[i] = letters_of[random_.below(4)];
    const std::uint64_t count = random_.between(20, 600);
    for (std::uint64_t i = 0; i < count; ++i) {
      put(random_.below(50) == 0 ? letters_of[random_.below(4)] : unit[i % size]);
    }
  }

  std::uint64_t seed_;
  Random random_;
  std::span<char> out_;
  std::uint64_t done_ = 0;
};

}  // namespace

void synthetic_letters(const SyntheticGenome& genome, std::uint64_t begin, std::span<char> letters, int threads) {
  const std::uint64_t end = begin + letters.size();
  if (end < begin || end > genome.length) throw std::invalid_argument("synthetic_letters: past the genome's end");
  const std::uint64_t first = begin / block_letters, past = (end + block_letters - 1) / block_letters;
  for_blocks(threads, past - first, 1, [&](std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t block = first + from; block < first + to; ++block) {
      const std::uint64_t block_begin = block * block_letters, block_end = block_begin + block_letters;
      const std::uint64_t wanted_begin = std::max(begin, block_begin), wanted_end = std::min(end, block_end);
      if (wanted_end - wanted_begin == block_letters) {
        BlockWriter(genome.seed, block, letters.subspan(block_begin - begin, block_letters)).write();
        continue;
      }
      std::vector<char> whole(block_letters);
      BlockWriter(genome.seed, block, whole).write();
      std::copy(whole.begin() + static_cast<std::ptrdiff_t>(wanted_begin - block_begin),
                whole.begin() + static_cast<std::ptrdiff_t>(wanted_end - block_begin),
                letters.begin() + static_cast<std::ptrdiff_t>(wanted_begin - begin));
    }
  });
}

}  // namespace warpseed
