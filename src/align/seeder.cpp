#include "align/seeder.hpp"

#include <algorithm>

namespace warpseed {

namespace {

constexpr std::size_t searches_at_a_time = 16;  // misses that a core of today keeps on their way: 10 to 16
constexpr std::size_t walks_at_a_time = 16;

}  // namespace

void Seeder::find_seeds(std::span<const PlacedRead> reads) {
  const SeedText text = {fm_, genome_};
  seeds_.clear();
  struct Lane {
    SeedSearch search;
    std::uint32_t number = 0;
  };
  Lane lanes[searches_at_a_time];
  const auto total = static_cast<std::uint32_t>(2 * reads.size());
  std::uint32_t next = 0;
  const auto refill = [&](Lane& lane) {
    while (next < total) {
      const TurnedRead& read = reads[next / 2].read;
      lane.number = next++;
      lane.search = start_seeds(text, rules_, read.codes(lane.number % 2 != 0), read.length());
      if (lane.search.step != SeedStep::done) return true;
    }
    return false;
  };
  std::size_t active = 0;
  while (active < searches_at_a_time && refill(lanes[active])) ++active;
  while (active > 0) {
    for (std::size_t i = 0; i < active;) {
      Lane& lane = lanes[i];
      step_seeds(text, rules_, lane.search, [&](const Seed& seed) { seeds_.push_back({seed, lane.number}); });
      if (lane.search.step != SeedStep::done || refill(lane)) {
        ++i;
      } else {
        lane = lanes[--active];
      }
    }
  }
}

void Seeder::put_at(Hit& hit, TextPos position) const {
  hit.genome_begin = to_genome(genome_, position);
  hit.contig = static_cast<std::uint32_t>(contig_at(genome_, hit.genome_begin));
}

void Seeder::add_hits(const FoundSeed& found, std::uint64_t first) {
  const Seed& seed = found.seed;
  const std::uint64_t count = seed.rows.count();
  const std::uint64_t followed = std::min<std::uint64_t>(count, options_.max_occurrences);
  const std::uint64_t step = count > options_.max_occurrences ? count / options_.max_occurrences : 1;
  for (std::uint64_t i = 0; i < followed; ++i) {
    Hit& hit = hits_[first + i];
    hit = {};
    hit.query_begin = seed.begin;
    hit.length = seed.length();
    hit.reverse = found.search % 2 != 0;
    hit.rare = count <= rules_.few_rows;
    if (seed.position != not_located) {
      put_at(hit, seed.position);
    } else {
      walks_.push_back({{seed.rows.begin + i * step, 0}, first + i});
    }
  }
}

void Seeder::lay_out_hits(std::span<PlacedRead> reads) {
  hit_begins_.assign(reads.size() + 1, 0);
  const auto followed = [&](const Seed& seed) {
    return std::min<std::uint64_t>(seed.rows.count(), options_.max_occurrences);
  };
  for (const FoundSeed& found : seeds_) hit_begins_[found.search / 2 + 1] += followed(found.seed);
  for (std::size_t i = 0; i < reads.size(); ++i) hit_begins_[i + 1] += hit_begins_[i];
  hits_.resize(hit_begins_.back());
  walks_.clear();
  std::vector<std::uint64_t> at(hit_begins_.begin(), hit_begins_.end() - 1);
  for (const FoundSeed& found : seeds_) {
    add_hits(found, at[found.search / 2]);
    at[found.search / 2] += followed(found.seed);
  }
}

/// The share of each read under seeds too frequent to follow all. Such seeds are rare.
void Seeder::mark_repetitive(std::span<PlacedRead> reads) {
  for (PlacedRead& placed : reads) placed.traits = {placed.read.length(), 0};
  std::vector<const FoundSeed*> frequent;
  for (const FoundSeed& found : seeds_) {
    if (found.seed.rows.count() > options_.max_occurrences) frequent.push_back(&found);
  }
  const auto read_of = [](const FoundSeed* found) { return found->search / 2; };
  std::stable_sort(frequent.begin(), frequent.end(),
                   [&](const FoundSeed* a, const FoundSeed* b) { return read_of(a) < read_of(b); });
  for (std::size_t i = 0; i < frequent.size();) {
    ReadTraits& traits = reads[read_of(frequent[i])].traits;
    repetitive_.assign(traits.length, false);
    for (const std::uint32_t read = read_of(frequent[i]); i < frequent.size() && read_of(frequent[i]) == read; ++i) {
      const Seed& seed = frequent[i]->seed;
      const std::uint32_t begin = read_begin(frequent[i]->search % 2 != 0, seed.begin, seed.end, traits.length);
      std::fill_n(repetitive_.begin() + begin, seed.length(), true);
    }
    traits.repetitive = static_cast<std::uint32_t>(std::count(repetitive_.begin(), repetitive_.end(), true));
  }
}

void Seeder::locate_hits() {
  HitWalk lanes[walks_at_a_time];
  std::size_t active = 0, next = 0;
  const auto refill = [&](HitWalk& lane) {
    if (next == walks_.size()) return false;
    lane = walks_[next++];
    prefetch_row(fm_, lane.walk.row);
    return true;
  };
  while (active < walks_at_a_time && refill(lanes[active])) ++active;
  while (active > 0) {
    for (std::size_t i = 0; i < active;) {
      HitWalk& lane = lanes[i];
      TextPos position = 0;
      if (!step_back(fm_, lane.walk, position)) {
        prefetch_row(fm_, lane.walk.row);
        ++i;
        continue;
      }
      put_at(hits_[lane.hit], position);
      if (refill(lane)) {
        ++i;
      } else {
        lane = lanes[--active];
      }
    }
  }
}

void Seeder::find(std::span<PlacedRead> reads, StageTimes& times) {
  times.begin();
  find_seeds(reads);
  times.end(AlignStage::seeds);
  mark_repetitive(reads);
  lay_out_hits(reads);
  locate_hits();
  times.end(AlignStage::locating);
}

}  // namespace warpseed
