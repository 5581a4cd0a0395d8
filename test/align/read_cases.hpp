// A genome with unique sequence and reads whose alignment is known by construction, for the cases of single reads and mates.
#pragma once

#include <algorithm>
#include <functional>
#include "base_world.hpp"

namespace warpseed::test {

using namespace align;
using namespace reads;
using namespace records;

/// Random contigs. "twice" has the same 300 bases at 5000 and 15000.
struct Cases {
  std::mt19937 rng{20241121};
  std::string one = random_bases(20000, rng), two = random_bases(10000, rng);
  std::string twice = random_bases(25000, rng);
  std::string foreign = random_bases(1000, rng);
  std::unique_ptr<BaseWorld> world;

  Cases() {
    twice.replace(15000, 300, twice, 5000, 300);
    world = std::make_unique<BaseWorld>(
        std::vector<std::pair<std::string, std::string>>{{"one", one}, {"two", two}, {"twice", twice}});
  }

  ReadRecords single(const std::string& read, const AlignOptions& options = {}) const {
    return world->align({read}, false, options).front();
  }

  /// Both primary records of a pair; insert sizes of 1 to 600 bases are proper.
  std::pair<AlignmentRecord, AlignmentRecord> pair(const std::string& first, const std::string& second) const {
    ReadBatch batch;
    batch.add("p", "", first, ""), batch.add("p", "", second, "");
    Aligner aligner(*world->index, AlignOptions{}, true);
    aligner.set_insert_sizes(given_insert_sizes(200, 100, 600, 1, Scoring{}));
    const auto records = aligner.align(batch);
    return {records[0].front(), records[1].front()};
  }
};

inline const Cases& cases() {
  static const Cases made;
  return made;
}

/// The first position from 1000 on for which `fits(position)`.
inline std::size_t find_position(const std::function<bool(std::size_t)>& fits) {
  std::size_t place = 1000;
  while (!fits(place)) ++place;
  return place;
}

/// Do the bases [begin, end) of `text` all differ from those `shift` further?
inline bool differs_shifted(const std::string& text, std::size_t begin, std::size_t end, std::size_t shift) {
  for (std::size_t i = begin; i < end; ++i) {
    if (text[i] == text[i + shift]) return false;
  }
  return true;
}

/// Does `tail` gain no score, ungapped, against `text` from `place` on?
inline bool gains_nothing(const std::string& text, std::size_t place, const std::string& tail) {
  int score = 0;
  for (std::size_t i = 0; i < tail.size(); ++i) {
    score += text[place + i] == tail[i] ? 1 : -4;
    if (score > 0) return false;
  }
  return true;
}

inline std::string line_of(const AlignmentRecord& record) {
  return std::to_string(record.flag) + " " + std::to_string(record.contig) + ":" + std::to_string(record.position) +
         " " + cigar_text(record.cigar);
}

inline std::string line(int flag, int contig, std::size_t position, const std::string& cigar) {
  return std::to_string(flag) + " " + std::to_string(contig) + ":" + std::to_string(position) + " " + cigar;
}

}  // namespace warpseed::test
