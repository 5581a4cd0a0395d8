#include "align/seeder.hpp"

#include <utility>

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
    SetAside aside;
    std::uint32_t number = 0;
  };
  Lane lanes[searches_at_a_time];
  const auto total = static_cast<std::uint32_t>(2 * reads.size());
  std::uint32_t next = 0;
  const auto refill = [&](Lane& lane) {
    while (next < total) {
      const TurnedRead& read = reads[next / 2].read;
      lane.number = next++;
      lane.search = start_seeds(text, rules_, read.packed(lane.number % 2 != 0), &lane.aside);
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
        lane.search.aside = &lane.aside;
      }
    }
  }
}

void Seeder::add_hits(const FoundSeed& found, std::uint64_t first) {
  const std::uint64_t followed = followed_places(found.seed, options_);
  for (std::uint64_t i = 0; i < followed; ++i) {
    Hit& hit = hits_[first + i];
    hit = hit_of(found.seed, found.search % 2 != 0, rules_);
    if (found.seed.position != not_located) {
      put_at(hit, found.seed.position, genome_);
    } else {
      walks_.push_back({{followed_row(found.seed, options_, i), 0}, first + i});
    }
  }
}

void Seeder::lay_out_hits(std::size_t read_count) {
  hit_begins_.assign(read_count + 1, 0);
  const auto followed = [&](const Seed& seed) { return followed_places(seed, options_); };
  for (const FoundSeed& found : seeds_) hit_begins_[found.search / 2 + 1] += followed(found.seed);
  for (std::size_t i = 0; i < read_count; ++i) hit_begins_[i + 1] += hit_begins_[i];
  hits_.resize(hit_begins_.back());
  walks_.clear();
  std::vector<std::uint64_t> at(hit_begins_.begin(), hit_begins_.end() - 1);
  for (const FoundSeed& found : seeds_) {
    add_hits(found, at[found.search / 2]);
    at[found.search / 2] += followed(found.seed);
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
      put_at(hits_[lane.hit], position, genome_);
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
  std::vector<FrequentSeed> frequent;  // such seeds are rare
  for (const FoundSeed& found : seeds_) {
    if (found.seed.rows.count() > options_.max_occurrences)
      frequent.push_back({found.search, found.seed.begin, found.seed.end});
  }
  note_traits(reads, std::move(frequent));
  lay_out_hits(reads.size());
  locate_hits();
  times.end(AlignStage::locating);
}

}  // namespace warpseed
