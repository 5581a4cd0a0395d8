#include "approximate/scan_table.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace warpseed::approximate {

namespace {

constexpr std::uint32_t most_key_bases = 8;  // 65,536 buckets a part, which caches hold
constexpr std::uint64_t most_shapes = 64;    // each is compared with every position
constexpr std::uint64_t most_keys = 256;     // of a part with ambiguous codes
constexpr std::uint64_t most_entries = std::numeric_limits<std::uint32_t>::max() / 2;
constexpr std::uint64_t sampled_patterns = 2048;  // enough to estimate the cost of many
constexpr double error_of_sample = 2;             // of a cost, at most

BaseMasks masks_of(const PatternView& pattern) {
  BaseMasks masks;
  for (std::uint32_t i = 0; i < pattern.length; ++i) {
    for (unsigned base = 0; base < 4; ++base) {
      if (pattern.sets[i] >> base & 1) masks.of[base] |= stretch_bits(i, i + 1);
    }
  }
  return masks;
}

/// Keys divide the bases that may differ evenly.
ScanShape shape_of(const PatternView& pattern, std::uint32_t parts, std::uint32_t key_bases) {
  ScanShape shape;
  const std::uint32_t right = pattern.length - pattern.exact_right, free = right - pattern.exact_left;
  shape.length = pattern.length;
  shape.exact = stretch_bits(0, pattern.exact_left) | stretch_bits(right, pattern.length);
  shape.exact_bases = masks_of(pattern);
  for (std::uint32_t& mask : shape.exact_bases.of) mask &= shape.exact;
  shape.key_bases = std::min(key_bases, free / parts);
  for (std::uint32_t part = 0; part < parts; ++part) shape.key_begins[part] = pattern.exact_left + free * part / parts;
  return shape;
}

/// The share of random stretches that match a shape's exact ends.
double share_of_sites(const ScanShape& shape) {
  double share = 1;
  for (std::uint32_t i = 0; i < shape.length; ++i) {
    const std::uint32_t bit = stretch_bits(i, i + 1);
    if ((shape.exact & bit) == 0) continue;
    unsigned bases = 0;
    for (const std::uint32_t mask : shape.exact_bases.of) bases += (mask & bit) != 0;
    share *= bases / 4.0;
  }
  return share;
}

/// The bases of a pattern that its key in a part is made of.
struct KeyBases {
  text::StrandSets sets;
  std::uint32_t begin = 0, end = 0;
};

/// Calls use(key) for each key that the bases of a part can be.
template <class Use>
void for_each_key(const KeyBases& bases, std::uint32_t key, const Use& use) {
  if (bases.begin == bases.end) return use(key);
  for (std::uint32_t base = 0; base < 4; ++base) {
    if (bases.sets[bases.begin] >> base & 1)
      for_each_key({bases.sets, bases.begin + 1, bases.end}, key << 2 | base, use);
  }
}

/// About as many keys as patterns, so that the buckets are short and the table is not mostly empty.
std::uint32_t key_bases_for(std::uint64_t patterns) {
  std::uint32_t bases = 2;
  while (bases < most_key_bases && std::uint64_t{1} << 2 * bases < patterns) ++bases;
  return bases;
}

}  // namespace

/// Counts the entries of each bucket, then fills them.
class ScanTableBuilder {
 public:
  /// every: only each such pattern is looked at, which suffices for an estimate of the cost.
  ScanTableBuilder(const StrandBatch& batch, unsigned differences, std::uint64_t every = 1)
      : batch_(batch.view()), parts_(differences + 1), key_bases_(key_bases_for(batch.patterns.size())), every_(every) {
    table_.differences_ = differences;
    shape_numbers_.resize(batch.patterns.size());
  }

  /// False if the patterns cannot be scanned for.
  bool find_shapes() {
    for (std::uint64_t i = 0; i < batch_.patterns.size; i += every_) {
      const PatternView pattern = batch_.pattern(i);
      if (pattern.length == 0) continue;
      if (pattern.length > max_scan_length) return false;
      shape_numbers_[i] = number_of(pattern);
      const std::uint64_t entries = entries_of(pattern, table_.shapes_[shape_numbers_[i]]);
      if (entries == 0 || table_.shapes_.size() > most_shapes) return false;
      entries_[shape_numbers_[i]] += entries;
    }
    for (const std::uint64_t entries : entries_) all_entries_ += entries;
    return all_entries_ <= most_entries;
  }

  double cost(std::uint64_t text_size, const SearchCosts& costs) const {
    double sum = 0;
    for (std::size_t i = 0; i < table_.shapes_.size(); ++i) {
      const ScanShape& shape = table_.shapes_[i];
      const double compared =
          static_cast<double>(entries_[i] * every_) / static_cast<double>(1ULL << 2 * shape.key_bases);
      sum += costs.position + share_of_sites(shape) * (parts_ * costs.key + compared * costs.entry);
    }
    return sum * static_cast<double>(text_size);
  }

  ScanTable build() {
    std::uint32_t buckets = 0;
    for (ScanShape& shape : table_.shapes_) {
      for (std::uint32_t part = 0; part < parts_; ++part) {
        shape.first_buckets[part] = buckets;
        buckets += std::uint32_t{1} << 2 * shape.key_bases;
      }
    }
    std::vector<std::uint32_t>& begins = table_.bucket_begins_;
    begins.assign(std::uint64_t{buckets} + 1, 0);
    for_each_entry([&](std::uint32_t bucket, std::uint32_t) { ++begins[bucket + 1]; });
    for (std::uint32_t i = 0; i < buckets; ++i) begins[i + 1] += begins[i];
    std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
    table_.patterns_.resize(begins.back());
    for_each_entry([&](std::uint32_t bucket, std::uint32_t pattern) { table_.patterns_[next[bucket]++] = pattern; });
    for (const std::uint32_t pattern : table_.patterns_) table_.masks_.push_back(masks_of(batch_.pattern(pattern)));
    return std::move(table_);
  }

 private:
  std::uint32_t number_of(const PatternView& pattern) {
    const ScanShape shape = shape_of(pattern, parts_, key_bases_);
    std::string name(1, static_cast<char>(shape.length));
    for (const std::uint32_t mask : shape.exact_bases.of) name += std::to_string(mask) + ' ';
    const auto [known, is_new] = numbers_.emplace(name, static_cast<std::uint32_t>(table_.shapes_.size()));
    if (is_new) table_.shapes_.push_back(shape), entries_.push_back(0);
    return known->second;
  }

  /// Of a pattern in all parts; 0 if a part has too many keys.
  std::uint64_t entries_of(const PatternView& pattern, const ScanShape& shape) const {
    if (pattern.single) return parts_;
    std::uint64_t sum = 0;
    for (std::uint32_t part = 0; part < parts_; ++part) {
      std::uint64_t keys = 1;
      const KeyBases bases = key_of(pattern, shape, part);
      for (std::uint32_t i = bases.begin; i < bases.end; ++i) keys *= text::set_size(bases.sets[i]);
      if (keys > most_keys) return 0;
      sum += keys;
    }
    return sum;
  }

  static KeyBases key_of(const PatternView& pattern, const ScanShape& shape, std::uint32_t part) {
    const std::uint32_t begin = shape.key_begins[part];
    return {pattern.sets, begin, begin + shape.key_bases};
  }

  template <class Use>
  void for_each_entry(const Use& use) const {
    for (std::uint64_t i = 0; i < batch_.patterns.size; ++i) {
      const PatternView pattern = batch_.pattern(i);
      if (pattern.length == 0) continue;
      const ScanShape& shape = table_.shapes_[shape_numbers_[i]];
      for (std::uint32_t part = 0; part < parts_; ++part) {
        for_each_key(key_of(pattern, shape, part), 0,
                     [&](std::uint32_t key) { use(shape.first_buckets[part] + key, static_cast<std::uint32_t>(i)); });
      }
    }
  }

  StrandBatchView batch_;
  std::uint32_t parts_, key_bases_;
  std::uint64_t every_;
  ScanTable table_;
  std::map<std::string, std::uint32_t> numbers_;  // of shapes, by what they are
  std::vector<std::uint32_t> shape_numbers_;      // [patterns]
  std::vector<std::uint64_t> entries_;            // [shapes]
  std::uint64_t all_entries_ = 0;
};

std::optional<ScanTable> ScanTable::make(const StrandBatch& batch, const SearchOptions& options,
                                         std::uint64_t text_size, const SearchCosts& costs) {
  if (options.metric != Metric::mismatches || options.method == Method::index) return {};
  const double index_cost = batch.expected_steps * costs.step;
  const bool any_cost = options.method == Method::scan;
  const std::uint64_t every = (batch.patterns.size() / sampled_patterns) | 1;  // odd, so that it meets both strands
  if (every > 1) {
    ScanTableBuilder sample(batch, options.differences, every);
    if (!sample.find_shapes()) return {};
    if (!any_cost && sample.cost(text_size, costs) > error_of_sample * index_cost) return {};
  }
  ScanTableBuilder builder(batch, options.differences);
  if (!builder.find_shapes()) return {};
  if (!any_cost && builder.cost(text_size, costs) >= index_cost) return {};
  return builder.build();
}

ScanView ScanTable::view() const {
  return {std::span(shapes_), std::span(bucket_begins_), std::span(masks_), std::span(patterns_), differences_};
}

}  // namespace warpseed::approximate
