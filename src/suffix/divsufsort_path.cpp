// libdivsufsort sorts bytes and ends suffixes only at the end of the text; a genome has one separator per segment, and
// earlier separators are smaller. Each separator therefore becomes a 0 byte and the digits of its segment's number,
// which order the separators. Afterwards the suffixes that begin at digits are dropped and the other positions mapped
// back.
#include "suffix/divsufsort_path.hpp"

#include <divsufsort.h>
#include <divsufsort64.h>

#include <bit>
#include <cstring>
#include <new>
#include <type_traits>

#include "core/memory.hpp"
#include "core/parallel.hpp"

namespace warpseed::suffix {

namespace {

constexpr std::uint64_t block_size = 1 << 18;  // work of some tenths of a millisecond

/// Bytes needed to number `segments` segments; 0 for a single one.
std::uint64_t digits_for(std::uint64_t segments) {
  std::uint64_t digits = 0;
  for (std::uint64_t last = segments - 1; last > 0; last >>= 8) ++digits;
  return digits;
}

std::uint64_t expanded_size(std::uint64_t symbols, std::uint64_t segments) {
  return symbols + digits_for(segments) * segments;
}

std::uint64_t expanded_size(const text::GenomeView& genome) {
  return expanded_size(genome.text.size, genome.segment_count());
}

/// Writes the part of the byte text for text positions [begin, end).
void expand_part(const text::GenomeView& genome, std::uint64_t digits, TextPos begin, TextPos end,
                 std::uint8_t* bytes) {
  std::uint64_t segment = text::segment_at(genome, begin);
  std::uint8_t* out = bytes + begin + digits * segment;
  for (TextPos at = begin; at < end; ++segment) {
    const TextPos separator = genome.separator_of(segment);
    const TextPos stop = separator < end ? separator : end;
    for (; at < stop; ++at) *out++ = static_cast<std::uint8_t>(genome.text[at] + 1);
    if (at == end) break;
    *out++ = 0;
    for (std::uint64_t digit = digits; digit-- > 0;) {
      *out++ = static_cast<std::uint8_t>(segment >> (8 * digit));
    }
    ++at;
  }
}

std::vector<std::uint8_t> expand(const text::GenomeView& genome, int threads) {
  std::vector<std::uint8_t> bytes(expanded_size(genome));
  const std::uint64_t digits = digits_for(genome.segment_count());
  for_blocks(threads, genome.text.size, block_size,
             [&](TextPos begin, TextPos end) { expand_part(genome, digits, begin, end, bytes.data()); });
  return bytes;
}

/// Positions of the byte text that are digits, and the number of digits before a position.
class Digits {
 public:
  explicit Digits(const text::GenomeView& genome) : words_(expanded_size(genome) / 64 + 1) {
    const std::uint64_t digits = digits_for(genome.segment_count());
    for (std::uint64_t segment = 0; segment < genome.segment_count(); ++segment) {
      const std::uint64_t first = genome.separator_of(segment) + digits * segment + 1;
      for (std::uint64_t at = first; at < first + digits; ++at) {
        words_[at / 64].bits |= std::uint64_t{1} << (at % 64);
      }
    }
    std::uint64_t before = 0;
    for (Word& word : words_) {
      word.before = before;
      before += static_cast<unsigned>(std::popcount(word.bits));
    }
  }

  bool at(std::uint64_t position) const { return words_[position / 64].bits >> (position % 64) & 1; }
  std::uint64_t before(std::uint64_t position) const {
    const Word& word = words_[position / 64];
    const std::uint64_t below = (std::uint64_t{1} << (position % 64)) - 1;
    return word.before + static_cast<unsigned>(std::popcount(word.bits & below));
  }

 private:
  struct Word {  // one struct, so that a position costs one cache line
    std::uint64_t bits = 0;
    std::uint64_t before = 0;
  };
  std::vector<Word> words_;
};

/// Drops the digits' suffixes and maps the others to text positions; returns their number.
template <class Entry>
std::uint64_t keep_text_positions(const text::GenomeView& genome, Entry* entries, std::uint64_t count, int threads) {
  const Digits digits(genome);
  std::vector<std::uint64_t> kept(count / block_size + 1);
  for_blocks(threads, count, block_size, [&](std::uint64_t begin, std::uint64_t end) {
    Entry* out = entries + begin;
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto position = static_cast<std::uint64_t>(entries[i]);
      if (!digits.at(position)) *out++ = static_cast<Entry>(position - digits.before(position));
    }
    kept[begin / block_size] = static_cast<std::uint64_t>(out - entries) - begin;
  });
  std::uint64_t size = 0;
  for (std::uint64_t block = 0; block < kept.size(); ++block) {
    if (kept[block] == 0) continue;
    std::memmove(entries + size, entries + block * block_size, kept[block] * sizeof(Entry));
    size += kept[block];
  }
  return size;
}

/// Narrows the 64-bit entries at the front of `values` to 32 bits, in place: write i never passes read i.
void narrow(std::vector<std::uint32_t>& values, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t value;
    std::memcpy(&value, values.data() + 2 * i, sizeof(value));
    values[i] = static_cast<std::uint32_t>(value);
  }
}

/// entries: [bytes.size()]
template <class Entry>
void sort_bytes_into(std::span<const std::uint8_t> bytes, Entry* entries) {
  int status = 0;
  if constexpr (sizeof(Entry) == 4) {
    status = divsufsort(bytes.data(), entries, static_cast<std::int32_t>(bytes.size()));
  } else {
    status = divsufsort64(bytes.data(), entries, static_cast<std::int64_t>(bytes.size()));
  }
  if (status != 0) throw std::bad_alloc();  // the only possible failure of a valid call
}

/// Sorts; leaves the text positions at the front of `entries`.
template <class Entry>
void sort_into(const text::GenomeView& genome, Entry* entries, int threads) {
  sort_bytes_into(expand(genome, threads), entries);
  if (digits_for(genome.segment_count()) > 0) keep_text_positions(genome, entries, expanded_size(genome), threads);
}

/// Calls sort(entries) with entries wide enough for `size`, and returns the first `kept` of them as Pos.
template <class Pos, class Sort>
std::vector<Pos> sort_with_room(std::uint64_t size, std::uint64_t kept, std::uint64_t narrow_below, Sort sort) {
  const bool wide_entries = sizeof(Pos) == 4 && size >= narrow_below;
  std::vector<Pos> suffixes(wide_entries ? 2 * size : size);
  if (wide_entries) {
    sort(reinterpret_cast<std::int64_t*>(suffixes.data()));
    if constexpr (sizeof(Pos) == 4) narrow(suffixes, kept);
  } else {
    sort(reinterpret_cast<std::make_signed_t<Pos>*>(suffixes.data()));
  }
  suffixes.resize(kept);
  return suffixes;
}

}  // namespace

std::uint64_t divsufsort_bytes(const text::GenomeView& genome, std::uint64_t position_width) {
  return divsufsort_bytes(genome.text.size, genome.segment_count(), position_width);
}

std::uint64_t divsufsort_bytes(std::uint64_t symbols, std::uint64_t segments, std::uint64_t position_width) {
  const std::uint64_t size = expanded_size(symbols, segments);
  return size * (position_width == 4 && size < int32_symbols ? 5 : 9);
}

template <class Pos>
std::vector<Pos> sort_by_divsufsort(const text::GenomeView& genome, int threads, std::uint64_t narrow_below) {
  require_memory(divsufsort_bytes(genome, sizeof(Pos)), "sorting suffixes",
                 "use a machine with more memory or a smaller reference");
  return sort_with_room<Pos>(expanded_size(genome), genome.text.size, narrow_below,
                             [&](auto* entries) { sort_into(genome, entries, threads); });
}

template <class Pos>
std::vector<Pos> sort_by_divsufsort(std::span<const std::uint8_t> bytes, std::uint64_t narrow_below) {
  const std::uint64_t size = bytes.size(), entry_bytes = sizeof(Pos) == 4 && size < narrow_below ? 4 : 8;
  require_memory(size * entry_bytes, "sorting suffixes", "use a machine with more memory or a smaller text");
  return sort_with_room<Pos>(size, size, narrow_below, [&](auto* entries) { sort_bytes_into(bytes, entries); });
}

template std::vector<std::uint32_t> sort_by_divsufsort(const text::GenomeView&, int, std::uint64_t);
template std::vector<std::uint64_t> sort_by_divsufsort(const text::GenomeView&, int, std::uint64_t);
template std::vector<std::uint32_t> sort_by_divsufsort(std::span<const std::uint8_t>, std::uint64_t);
template std::vector<std::uint64_t> sort_by_divsufsort(std::span<const std::uint8_t>, std::uint64_t);

}  // namespace warpseed::suffix
