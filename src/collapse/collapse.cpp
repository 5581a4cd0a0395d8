#include "collapse/collapse.hpp"

#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "sort/string_sort.hpp"
#include "warpseed/error.hpp"

namespace warpseed::collapse {

namespace {

constexpr char between_mates = '/';  // smaller than any base, so that it cannot be confused with one

/// Upper case and complement of IUPAC characters.
struct CharacterTables {
  std::array<char, 256> upper{}, upper_as_dna{}, complement{};
};

constexpr CharacterTables make_tables() {
  CharacterTables tables;
  constexpr char bases[] = "ACGTURYSWKMBDHVN";
  for (int i = 0; bases[i] != 0; ++i) {
    for (const int letter : {int{bases[i]}, bases[i] | 0x20}) {
      const auto at = static_cast<std::size_t>(letter);
      tables.upper[at] = bases[i];
      tables.upper_as_dna[at] = bases[i] == 'U' ? 'T' : bases[i];
      tables.complement[at] = text::complement_letter(bases[i]);
    }
  }
  return tables;
}

constexpr CharacterTables tables = make_tables();

void append(std::string& text, std::string_view bases, const std::array<char, 256>& as) {
  for (const char letter : bases) text += as[static_cast<unsigned char>(letter)];
}

void append_reversed(std::string& text, std::string_view bases) {
  for (auto at = bases.rbegin(); at != bases.rend(); ++at) {
    text += tables.complement[static_cast<unsigned char>(*at)];
  }
}

/// Builds a unit's comparison key: the smaller one of its forms on the two strands.
class KeyWriter {
 public:
  KeyWriter(const ReadStore& reads, const CollapseOptions& options) : reads_(reads), options_(options) {}

  const std::string& key(std::uint64_t unit) {
    key_.clear();
    const auto& as = options_.reverse_complement ? tables.upper_as_dna : tables.upper;
    if (options_.paired) {
      append_pair(key_, reads_[2 * unit].bases, reads_[2 * unit + 1].bases, as);
    } else {
      append(key_, reads_[unit].bases, as);
    }
    if (!options_.reverse_complement) return key_;
    other_.clear();
    if (options_.paired) {
      append_pair(other_, reads_[2 * unit + 1].bases, reads_[2 * unit].bases, as);
    } else {
      append_reversed(other_, reads_[unit].bases);
    }
    return std::min(key_, other_);
  }

 private:
  static void append_pair(std::string& text, std::string_view first, std::string_view second,
                          const std::array<char, 256>& as) {
    append(text, first, as);
    text += between_mates;
    append(text, second, as);
  }

  const ReadStore& reads_;
  const CollapseOptions& options_;
  std::string key_, other_;
};

sort::ByteStrings make_keys(const ReadStore& reads, const CollapseOptions& options, std::uint64_t units) {
  sort::ByteStrings keys;
  keys.reserve(units, reads.bases() + (options.paired ? units : 0));
  KeyWriter writer(reads, options);
  for (std::uint64_t unit = 0; unit < units; ++unit) keys.add(writer.key(unit));
  return keys;
}

std::uint64_t quality_sum(std::string_view qualities) {
  std::uint64_t sum = 0;
  for (const char quality : qualities) sum += static_cast<unsigned char>(quality);
  return sum;
}

std::uint64_t quality_of(const ReadStore& reads, bool paired, std::uint64_t unit) {
  if (!paired) return quality_sum(reads[unit].qualities);
  return quality_sum(reads[2 * unit].qualities) + quality_sum(reads[2 * unit + 1].qualities);
}

/// Runs of equal keys, each as a Collapsed.
std::vector<Collapsed> runs_of(const sort::StringOrder& sorted) {
  std::vector<Collapsed> runs;
  for (std::uint64_t row = 0; row < sorted.order.size(); ++row) {
    if (sorted.begins_run(row)) runs.push_back({sorted.order[row], sorted.order[row], 0});
    ++runs.back().count;
  }
  return runs;
}

/// Selects each run's best member as its representative.
void choose_best(const ReadStore& reads, const CollapseOptions& options, const sort::StringOrder& sorted, int threads,
                 std::vector<Collapsed>& runs) {
  std::vector<std::uint64_t> begins(runs.size());
  std::uint64_t row = 0;
  for (std::size_t i = 0; i < runs.size(); row += runs[i++].count) begins[i] = row;
  for_blocks(threads, runs.size(), 4096, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) {
      if (runs[i].count == 1 || runs[i].count < options.min_count) continue;
      std::uint64_t best = quality_of(reads, options.paired, runs[i].first);
      for (std::uint64_t at = begins[i] + 1; at < begins[i] + runs[i].count; ++at) {
        const std::uint64_t quality = quality_of(reads, options.paired, sorted.order[at]);
        if (quality > best) best = quality, runs[i].representative = sorted.order[at];
      }
    }
  });
}

}  // namespace

ReadStore::ReadStore(reads::ReadSource& source, const ProgressCallback& progress) {
  for (reads::ReadBatch batch; source.next(batch, batch_reads);) {
    for (std::uint64_t i = 0; i < batch.size(); ++i) {
      bases_ += batch[i].bases.size();
      with_qualities_ = with_qualities_ && batch[i].qualities.size() == batch[i].bases.size();
    }
    size_ += batch.size();
    if (size_ >= std::numeric_limits<std::uint32_t>::max()) {
      throw InputError("more reads than can be counted at once (2^32 - 2); split the input");
    }
    batches_.push_back(batch);  // a copy has no spare capacity
    if (progress) progress({"reading", "reads", size_, 0});
  }
}

CollapseResult collapse(const ReadStore& reads, const CollapseOptions& options, const Backend& backend) {
  if (options.paired && reads.size() % 2 != 0) throw std::invalid_argument("collapse: a read without a mate");
  const std::uint64_t units = options.paired ? reads.size() / 2 : reads.size();
  require_memory(reads.bases() + 41 * units, "comparing the reads", "give fewer reads or a machine with more memory");
  sort::StringOrder sorted;
  {
    const sort::ByteStrings keys = make_keys(reads, options, units);
    sorted = sort::sort_strings(keys, backend);
  }
  CollapseResult result;
  result.kept = runs_of(sorted);
  result.distinct = result.kept.size();
  if (options.representative == Representative::best) choose_best(reads, options, sorted, backend.threads, result.kept);
  std::erase_if(result.kept, [&](const Collapsed& run) { return run.count < options.min_count; });
  const bool by_count = options.order == CollapseOrder::count;
  tbb::parallel_sort(result.kept.begin(), result.kept.end(), [&](const Collapsed& a, const Collapsed& b) {
    return by_count && a.count != b.count ? a.count > b.count : a.first < b.first;
  });
  return result;
}

}  // namespace warpseed::collapse
