// Random fragments of which many are duplicates.
#pragma once

#include <htslib/sam.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "reads/helpers.hpp"
#include "records/record_order.hpp"

namespace warpseed::test {

using namespace warpseed::reads;
using namespace warpseed::records;

/// A read's position.
struct Place {
  std::int32_t contig = 0;
  std::int64_t position = 0, before = 0, bases = 0, after = 0;
  bool reverse = false;

  std::int64_t low() const { return position - before; }
  std::int64_t high() const { return position + bases + after - 1; }
  std::int64_t start() const { return reverse ? high() : low(); }
  std::vector<CigarElement> cigar() const {
    const auto element = [](CigarOp op, std::int64_t length) {
      return cigar_element(op, static_cast<std::uint32_t>(length));
    };
    std::vector<CigarElement> made = {element(CigarOp::match, bases)};
    if (before > 0) made.insert(made.begin(), element(CigarOp::soft_clip, before));
    if (after > 0) made.push_back(element(CigarOp::soft_clip, after));
    return made;
  }
};

/// What a record was built from.
struct Known {
  unsigned name = 0;
  bool takes_part = false, first = false;
  Place place;
  std::optional<Place> mate;  // if the mate is mapped
  unsigned score = 0;
};

/// Fragments at few positions, with few qualities and clips, so that many are equal.
struct Fragments {
  std::mt19937 rng;
  unsigned made = 0;
  std::vector<BamRecord> records;  // in input order
  std::vector<Known> known;        // of each record

  Fragments(unsigned seed, unsigned count, unsigned places) : rng(seed) {
    while (made < count) add(places);
  }

  unsigned below(unsigned n) { return static_cast<unsigned>(rng() % n); }

  Place place(unsigned places) {
    Place made_up;
    made_up.contig = static_cast<std::int32_t>(below(2));
    made_up.position = 30 + below(places);
    made_up.before = 2 * below(3), made_up.bases = 10 + 2 * below(2), made_up.after = below(3);
    made_up.reverse = below(2) == 0;
    return made_up;
  }

  void add(unsigned places) {
    const std::size_t begin = records.size();
    const unsigned name = made++ * 7 % 1009;  // unordered
    const unsigned kind = below(8);           // 0: single, 1: the second mate is unmapped
    const Place first = place(places);
    Place second = place(places);
    if (below(4) > 0) second.contig = first.contig;
    unsigned score = put(name, first, kind == 0 ? 0 : BAM_FPAIRED | BAM_FREAD1, kind > 1 ? &second : nullptr);
    if (kind == 1) put_unmapped(name, first);
    if (kind > 1) score += put(name, second, BAM_FPAIRED | BAM_FREAD2, &first);
    for (std::size_t i = begin; i < known.size(); ++i) known[i].score = score;
  }

  /// Adds a read's records, sometimes with one more that is not primary. Returns the sum of its qualities.
  unsigned put(unsigned name, const Place& at, unsigned flag, const Place* mate) {
    Read read("r" + std::to_string(name), "", "", "");
    read.bases.assign(static_cast<std::size_t>(at.before + at.bases + at.after), 'A');
    read.qualities.assign(read.bases.size(), '?');                     // 30
    if (below(2) > 0) read.qualities[2 + below(4)] = "!/0"[below(3)];  // 0, 14 and 15
    unsigned score = 0;
    for (const char quality : read.qualities) score += quality < '0' ? 0 : static_cast<unsigned>(quality - 33);
    ReadView view = read.view();
    view.qc_fail = below(16) == 0;

    AlignmentRecord record;
    if (at.reverse) flag |= BAM_FREVERSE;
    if (mate && mate->reverse) flag |= BAM_FMREVERSE;
    if ((flag & BAM_FPAIRED) && !mate) flag |= BAM_FMUNMAP;
    record.contig = at.contig, record.position = at.position, record.cigar = at.cigar();
    if (mate) record.mate_contig = mate->contig, record.mate_position = mate->position;
    if (mate) record.mate_cigar = cigar_text(mate->cigar());
    Known about = {name, !view.qc_fail, (flag & BAM_FREAD1) != 0, at, {}, 0};
    if (mate) about.mate = *mate;
    put(record, view, flag, about);
    about.takes_part = false;
    if (below(8) == 0) put(record, view, flag | (below(2) > 0 ? BAM_FSUPPLEMENTARY : BAM_FSECONDARY), about);
    return score;
  }

  void put_unmapped(unsigned name, const Place& mate) {
    const Read read("r" + std::to_string(name), "", "ACGT", "IIII");
    AlignmentRecord record;
    record.contig = mate.contig, record.position = mate.position;
    put(record, read.view(), BAM_FPAIRED | BAM_FREAD2 | BAM_FUNMAP, {name, false, false, mate, {}, 0});
  }

  void put(AlignmentRecord record, const ReadView& view, unsigned flag, const Known& about) {
    record.flag = static_cast<std::uint16_t>(flag);
    records.emplace_back(record, view, "", false);
    known.push_back(about);
  }

  std::vector<std::size_t> in_order() const {
    std::vector<std::size_t> order(records.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return coordinate_key(records[a].get()) < coordinate_key(records[b].get());
    });
    return order;
  }
};

}  // namespace warpseed::test
