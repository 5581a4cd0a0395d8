#include "align/seed/seeder.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "align/seed/seed_hit_core.hpp"

namespace warpseed::align {

namespace {

constexpr std::size_t searches_at_a_time = 16;  // outstanding cache misses of a current core: 10 to 16

}  // namespace

void Seeder::find_seeds(std::span<const ReadAlignments> reads) {
  const SeedText text = {fm_, genome_};
  seeds_.clear();
  struct Lane {
    SeedSearch search;
    SetAside aside;
    std::uint32_t number = 0;
  };
  Lane lanes[searches_at_a_time];
  const auto total = static_cast<std::uint32_t>(reads.size());
  std::uint32_t next = 0;
  const auto refill = [&](Lane& lane) {
    while (next < total) {
      lane.number = next++;
      if (reads[lane.number].is_long) continue;
      lane.search = start_seeds(text, rules_, reads[lane.number].read.packed(false), &lane.aside);
      if (lane.search.step != SeedStep::done) return true;
    }
    return false;
  };
  std::size_t active = 0;
  while (active < searches_at_a_time && refill(lanes[active])) ++active;
  while (active > 0) {
    for (std::size_t i = 0; i < active;) {
      Lane& lane = lanes[i];
      step_seeds(text, rules_, lane.search, [&](const Seed& seed) {
        seeds_.push_back({seed, 2 * lane.number + (lane.search.reverse ? 1 : 0)});
      });
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
  const std::uint64_t followed = used_occurrences(found.seed, options_);
  for (std::uint64_t i = 0; i < followed; ++i) {
    SeedHit& hit = hits_[first + i];
    hit = hit_of(found.seed, found.search % 2 != 0, rules_);
    if (found.seed.position != text::no_text_pos) {
      put_at(hit, found.seed.position, genome_);
    } else {
      walks_.push_back({{used_row(found.seed, options_, i), 0}, first + i});
    }
  }
}

void Seeder::note_traits(std::span<ReadAlignments> reads) const {
  for (ReadAlignments& aligned : reads) aligned.traits = {aligned.read.length(), 0};
  std::vector<FoundSeed> frequent;  // usually few
  std::copy_if(seeds_.begin(), seeds_.end(), std::back_inserter(frequent),
               [&](const FoundSeed& found) { return is_frequent(found.seed, options_); });
  const auto read_of = [&](std::size_t i) { return frequent[i].search / 2; };
  std::sort(frequent.begin(), frequent.end(),
            [](const FoundSeed& a, const FoundSeed& b) { return a.search < b.search; });
  for (std::size_t i = 0, end = 0; i < frequent.size(); i = end) {
    while (end < frequent.size() && read_of(end) == read_of(i)) ++end;
    ReadTraits& traits = reads[read_of(i)].traits;
    traits.repetitive = covered_bases(static_cast<std::uint32_t>(end - i), [&](std::uint32_t k) {
      return stretch_of(frequent[i + k].seed, frequent[i + k].search % 2 != 0, traits.length);
    });
  }
}

void Seeder::lay_out_hits(std::size_t read_count) {
  hit_begins_.assign(read_count + 1, 0);
  const auto followed = [&](const Seed& seed) { return used_occurrences(seed, options_); };
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
  follow_walks(fm_, walks_, [&](std::uint64_t hit, TextPos position) { put_at(hits_[hit], position, genome_); });
}

void Seeder::find(std::span<ReadAlignments> reads, StageTimes& times) {
  times.begin();
  find_seeds(reads);
  times.end(AlignStage::seeds);
  note_traits(reads);
  lay_out_hits(reads.size());
  locate_hits();
  times.end(AlignStage::locating);
}

}  // namespace warpseed::align
