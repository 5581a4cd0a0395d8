#include "simulate/fastq_pairs.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/prefetch.hpp"
#include "text/alphabet.hpp"

namespace warpseed::simulate {

namespace {

constexpr std::size_t group_pairs = 256;  // whose origins are prefetched, and whose qualities are drawn together

/// Eight bases as characters, from codes in bytes: A 0x41, C 0x43, G 0x47, T 0x54.
std::uint64_t characters(std::uint64_t codes) {
  constexpr std::uint64_t ones = 0x0101010101010101ULL;
  const std::uint64_t low = codes & ones, high = codes >> 1 & ones;
  return 0x41 * ones + 2 * low + 6 * high + 0x0B * (low & high);
}

/// Writes the bases of text positions [begin, begin + length), of the other strand if `reverse`, to bases[0..length-1].
void copy_bases(const text::PackedView& text, TextPos begin, std::uint32_t length, bool reverse, char* bases) {
  constexpr std::uint32_t at_once = 8;
  constexpr std::uint64_t complement = 0x0303030303030303ULL;
  std::uint32_t i = 0;
  for (; i + at_once <= length; i += at_once) {  // the first base of a window is in its highest bits
    const TextPos from = reverse ? begin + length - at_once - i : begin + i;
    const std::uint64_t codes = text::spread_bases(text.window(from) >> 48);
    const std::uint64_t eight = characters(reverse ? codes ^ complement : codes);
    for (std::uint32_t k = 0; k < at_once; ++k) {  // one store
      bases[i + k] = static_cast<char>(eight >> 8 * (reverse ? k : at_once - 1 - k));
    }
  }
  for (; i < length; ++i) {
    const std::uint8_t code = text[reverse ? begin + length - 1 - i : begin + i];
    bases[i] = text::base_of_code(reverse ? text::complement(code) : code);
  }
}

void append_number(std::string& text, std::uint64_t number, int base = 10) {
  char digits[20];
  text.append(digits, std::to_chars(std::begin(digits), std::end(digits), number, base).ptr);
}

}  // namespace

struct FastqPairs::Group {
  std::array<SimulatedFragment, group_pairs> fragments;
  std::vector<char> qualities[2];  // [group_pairs][length]
};

FastqPairs::FastqPairs(const text::GenomeView& genome, const std::function<std::string_view(std::uint64_t)>& name_of,
                       const ReadSimulation& simulation)
    : genome_(genome), simulation_(simulation) {
  for (std::uint64_t i = 0; i < genome.contig_count(); ++i) names_.emplace_back(name_of(i));
}

void FastqPairs::draw_qualities(QualityModel model, bool follow) {
  if (model.length() != simulation_.length) throw std::invalid_argument("FastqPairs: qualities of another length");
  model_ = std::move(model);
  errors_follow_ = follow;
  for (std::size_t i = 33; i < error_of_.size(); ++i) {
    const double error = std::pow(10.0, -static_cast<double>(i - 33) / 10) * 4294967296.0;
    error_of_[i] = static_cast<std::uint32_t>(std::min(error + 0.5, 4294967295.0));
  }
}

void FastqPairs::prepare(Group& group, std::uint64_t first, std::size_t count) const {
  for (std::size_t i = 0; i < count; ++i) {
    const SimulatedFragment& fragment = group.fragments[i] = simulated_fragment(genome_, simulation_, first + i);
    for (unsigned mate = 0; mate < 2; ++mate) {
      const TextPos begin = fragment.mate_begin(mate, simulation_.length);
      prefetch(genome_.text.words + begin / 32);
      prefetch(genome_.text.words + (begin + simulation_.length) / 32);
    }
  }
  if (!model_) return;
  std::array<std::uint64_t, group_pairs> keys;
  for (unsigned mate = 0; mate < 2; ++mate) {
    for (std::size_t i = 0; i < count; ++i) {
      keys[i] = synthetic::mix_bits(synthetic::mix_bits(simulation_.seed + 0x9E) ^ (2 * (first + i) + mate));
    }
    model_->draw(mate, std::span(keys).first(count), group.qualities[mate].data());
  }
}

std::string_view FastqPairs::name(const SimulatedFragment& fragment, std::uint64_t pair, std::string& text) const {
  const text::Segment& segment = genome_.segments[fragment.segment];
  const GenomePos begin = segment.genome_begin + (fragment.begin - segment.text_begin);
  const std::uint64_t contig = text::contig_at(genome_, begin);
  text = '@';
  text += names_[contig];
  for (unsigned mate = 0; mate < 2; ++mate) {
    const TextPos inside = fragment.mate_begin(mate, simulation_.length) - fragment.begin;
    append_number(text += '_', begin + inside - genome_.contig_begins[contig] + 1);
  }
  text += fragment.reversed ? "_1_0" : "_0_1";
  append_number(text += "_0_0_0:0:0_0:0:0_", pair, 16);
  if (const std::uint64_t original = original_pair(simulation_, pair); original != pair) {
    append_number(text += 'x', original, 16);
  }
  return text;
}

void FastqPairs::write_bases(const SimulatedFragment& fragment, std::uint64_t pair, unsigned mate,
                             const char* qualities, char* bases) const {
  const std::uint32_t length = simulation_.length;
  copy_bases(genome_.text, fragment.mate_begin(mate, length), length, fragment.reverse(mate), bases);
  const std::uint64_t key = error_key(simulation_), read = (2 * pair + mate) << 16;
  const auto substitute = [&](std::uint32_t i, std::uint32_t error) {
    const std::uint64_t random = synthetic::mix_bits(key ^ (read | i));
    if (static_cast<std::uint32_t>(random) >= error) return;
    bases[i] = text::base_of_code(substituted(text::code_of_base(bases[i]), random));
  };
  if (errors_follow_) {
    for (std::uint32_t i = 0; i < length; ++i) substitute(i, error_of_[static_cast<unsigned char>(qualities[i])]);
  } else if (simulation_.error != 0) {
    for (std::uint32_t i = 0; i < length; ++i) substitute(i, simulation_.error);
  }
}

void FastqPairs::append(std::uint64_t first, std::uint64_t count, std::string_view bases, std::string& first_mates,
                        std::string& second_mates) const {
  const std::size_t length = simulation_.length;
  if (!bases.empty() && (errors_follow_ || bases.size() != 2 * count * length))
    throw std::invalid_argument("FastqPairs: other bases than those of the pairs");
  Group group;
  for (std::vector<char>& qualities : group.qualities) qualities.assign(group_pairs * length, 'I');
  std::string header, record;
  for (std::uint64_t done = 0; done < count; ++done) {
    const std::size_t i = done % group_pairs;
    if (i == 0) prepare(group, first + done, std::min<std::uint64_t>(count - done, group_pairs));
    name(group.fragments[i], first + done, header);
    record.resize(header.size() + 3 + length + 3 + length + 1);
    for (unsigned mate = 0; mate < 2; ++mate) {
      char* out = std::copy(header.begin(), header.end(), record.data());
      *out++ = '/', *out++ = static_cast<char>('1' + mate), *out++ = '\n';
      const char* qualities = group.qualities[mate].data() + i * length;
      if (bases.empty()) {
        write_bases(group.fragments[i], first + done, mate, qualities, out);
      } else {
        std::memcpy(out, bases.data() + (2 * done + mate) * length, length);
      }
      out = std::copy_n("\n+\n", 3, out + length);
      *std::copy_n(qualities, length, out) = '\n';
      (mate == 0 ? first_mates : second_mates) += record;
    }
  }
}

}  // namespace warpseed::simulate
