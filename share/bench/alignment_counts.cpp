#include "alignment_counts.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "duplicate_groups.hpp"
#include "simulate/synthetic_core.hpp"
#include "warpseed/error.hpp"

using namespace warpseed;

namespace {

/// What the name of a simulated pair says: see simulate/fastq_pairs.hpp.
struct Origin {
  std::string_view contig;
  std::int64_t starts[2];  // 0-based
  bool reverse[2];
  std::uint64_t pair;
  bool copy;
};

Origin parse_name(std::string_view name) {
  constexpr int fields = 9;  // after the contig's name, which may have underscores of its own
  std::string_view field[fields], rest = name;
  for (int i = fields - 1; i >= 0; --i) {
    const std::size_t at = rest.rfind('_');
    if (at == std::string_view::npos) throw InputError(fmt::format("read {}: not a name of generate_reads", name));
    field[i] = rest.substr(at + 1);
    rest = rest.substr(0, at);
  }
  Origin origin = {};
  origin.contig = rest;
  bool good = true;
  const auto number = [&](std::string_view text, auto& value, int base) {
    const char* end = std::from_chars(text.data(), text.data() + text.size(), value, base).ptr;
    good &= end != text.data();
    return std::string_view(end, static_cast<std::size_t>(text.data() + text.size() - end));
  };
  for (int mate = 0; mate < 2; ++mate) {
    good &= number(field[mate], origin.starts[mate], 10).empty();
    --origin.starts[mate];
    origin.reverse[mate] = field[2 + mate] == "1";
  }
  const std::string_view original = number(field[fields - 1], origin.pair, 16);
  origin.copy = !original.empty();
  if (!good || (origin.copy && original[0] != 'x'))
    throw InputError(fmt::format("read {}: not a name of generate_reads", name));
  return origin;
}

/// Where the first and the last base of a read would be without clips.
struct Ends {
  std::int64_t low, high;

  std::int64_t five_prime(bool reverse) const { return reverse ? high : low; }
};

template <class ForEach>
Ends ends_at(std::int64_t position, const ForEach& for_each) {
  Ends ends = {position, position - 1};
  bool leading = true;
  for_each([&](char op, std::int64_t length) {
    if (op == 'S' || op == 'H') {
      if (leading) {
        ends.low -= length;
      } else {
        ends.high += length;
      }
      return;
    }
    leading = false;
    if (std::strchr("MDN=X", op)) ends.high += length;
  });
  return ends;
}

Ends ends_of(const bam1_t* record) {
  return ends_at(record->core.pos, [&](const auto& add) {
    for (std::uint32_t i = 0; i < record->core.n_cigar; ++i) {
      const std::uint32_t op = bam_get_cigar(record)[i];
      add(bam_cigar_opchr(op), static_cast<std::int64_t>(bam_cigar_oplen(op)));
    }
  });
}

Ends mate_ends_of(const bam1_t* record) {
  const std::uint8_t* tag = bam_aux_get(record, "MC");
  const char* cigar = tag ? bam_aux2Z(tag) : nullptr;
  if (!cigar) throw InputError(fmt::format("read {}: its mate is mapped, and it has no tag MC", bam_get_qname(record)));
  return ends_at(record->core.mpos, [&](const auto& add) {
    for (const char* at = cigar; *at != '\0';) {
      char* end = nullptr;
      const std::int64_t length = std::strtoll(at, &end, 10);
      if (end == at || *end == '\0') break;  // *
      add(*end, length);
      at = end + 1;
    }
  });
}

class Counter {
 public:
  explicit Counter(const sam_hdr_t* header) : header_(header) {}

  void add(const bam1_t* record) {
    const bam1_core_t& core = record->core;
    if (core.pos < previous_) ++counts_.out_of_order;
    previous_ = core.pos;
    if ((core.flag & BAM_FSECONDARY) != 0) {
      ++counts_.secondary;
    } else if ((core.flag & BAM_FSUPPLEMENTARY) != 0) {
      ++counts_.supplementary;
    } else {
      add_primary(record);
    }
  }

  AlignmentCounts finish() {
    groups_.finish();
    return counts_;
  }

 private:
  bool has(const bam1_t* record, int flag) const { return (record->core.flag & flag) != 0; }

  void add_primary(const bam1_t* record) {
    ++counts_.primary;
    const bool first = has(record, BAM_FREAD1), mapped = !has(record, BAM_FUNMAP);
    const bool mate_mapped = !has(record, BAM_FMUNMAP), proper = has(record, BAM_FPROPER_PAIR);
    if (!has(record, BAM_FPAIRED) || first == has(record, BAM_FREAD2) || (proper && !(mapped && mate_mapped)))
      ++counts_.bad_flags;
    ++(first ? counts_.first : counts_.second);
    counts_.proper += proper ? 1 : 0;
    counts_.proper_first += proper && first ? 1 : 0;
    counts_.alone += mapped && !mate_mapped ? 1 : 0;
    counts_.with_mapped_mate += !mapped && mate_mapped ? 1 : 0;
    const unsigned mate = first ? 0 : 1;
    const Origin origin = parse_name(bam_get_qname(record));
    counts_.read_hashes += read_hash(origin.pair, mate);
    if (first && !origin.copy) add_length(std::abs(origin.starts[0] - origin.starts[1]) + record->core.l_qseq);
    const bool marked = has(record, BAM_FDUP);
    counts_.marked += marked ? 1 : 0;
    counts_.copies += origin.copy ? 1 : 0;
    counts_.copies_marked += origin.copy && marked ? 1 : 0;
    if (!mapped) return;
    ++counts_.mapped;
    const Ends ends = ends_of(record);
    add_place(record, origin, mate, ends);
    if (!mate_mapped) return;
    counts_.marked_of_pairs += marked ? 1 : 0;
    const bool reverse = has(record, BAM_FREVERSE), mate_reverse = has(record, BAM_FMREVERSE);
    if (reverse == mate_reverse) return;
    groups_.add(record, ends.five_prime(reverse), mate_ends_of(record).five_prime(mate_reverse));
  }

  void add_length(std::int64_t length) {
    const auto at = static_cast<std::size_t>(length);
    if (counts_.fragment_lengths.size() <= at) counts_.fragment_lengths.resize(at + 1);
    ++counts_.fragment_lengths[at];
  }

  void add_place(const bam1_t* record, const Origin& origin, unsigned mate, const Ends& ends) {
    constexpr std::int64_t wiggle = 20;  // one aligner clips what the other aligns
    constexpr std::uint8_t sure = 60;
    const auto near = [](std::int64_t a, std::int64_t b) { return std::abs(a - b) <= wiggle; };
    const std::int64_t start = origin.starts[mate];
    const bool right = origin.contig == sam_hdr_tid2name(header_, record->core.tid) &&
                       origin.reverse[mate] == has(record, BAM_FREVERSE) &&
                       (near(ends.low, start) || near(ends.high, start + record->core.l_qseq - 1));
    counts_.right += right ? 1 : 0;
    if (record->core.qual < sure) return;
    ++counts_.sure;
    counts_.sure_wrong += right ? 0 : 1;
  }

  const sam_hdr_t* header_;
  AlignmentCounts counts_;
  DuplicateGroups groups_{counts_};
  std::int64_t previous_ = -1;
};

}  // namespace

void AlignmentCounts::add(const AlignmentCounts& other) {
  constexpr std::uint64_t AlignmentCounts::*sums[] = {
      &AlignmentCounts::primary,          &AlignmentCounts::secondary,       &AlignmentCounts::supplementary,
      &AlignmentCounts::mapped,           &AlignmentCounts::first,           &AlignmentCounts::second,
      &AlignmentCounts::proper,           &AlignmentCounts::proper_first,    &AlignmentCounts::alone,
      &AlignmentCounts::with_mapped_mate, &AlignmentCounts::bad_flags,       &AlignmentCounts::out_of_order,
      &AlignmentCounts::read_hashes,      &AlignmentCounts::right,           &AlignmentCounts::sure,
      &AlignmentCounts::sure_wrong,       &AlignmentCounts::marked,          &AlignmentCounts::copies,
      &AlignmentCounts::copies_marked,    &AlignmentCounts::marked_of_pairs, &AlignmentCounts::groups,
      &AlignmentCounts::unmarked_groups,  &AlignmentCounts::lost_groups};
  for (const auto sum : sums) this->*sum += other.*sum;
  if (fragment_lengths.size() < other.fragment_lengths.size()) fragment_lengths.resize(other.fragment_lengths.size());
  for (std::size_t i = 0; i < other.fragment_lengths.size(); ++i) fragment_lengths[i] += other.fragment_lengths[i];
}

std::uint64_t read_hash(std::uint64_t pair, unsigned mate) {
  return simulate::synthetic::mix_bits(2 * pair + mate);
}

AlignmentCounts count_alignments(const std::string& path, const hts_idx_t* index, int contig) {
  const std::unique_ptr<samFile, int (*)(samFile*)> file(hts_open(path.c_str(), "r"), hts_close);
  if (!file) throw IoError("cannot read " + path);
  const std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> header(sam_hdr_read(file.get()), sam_hdr_destroy);
  if (!header) throw InputError(path + ": no BAM header");
  const std::unique_ptr<hts_itr_t, void (*)(hts_itr_t*)> records(
      sam_itr_queryi(index, contig, 0, contig == HTS_IDX_NOCOOR ? 0 : HTS_POS_MAX), hts_itr_destroy);
  if (!records) throw InputError(path + ": its index does not find the records of a contig");
  const std::unique_ptr<bam1_t, void (*)(bam1_t*)> record(bam_init1(), bam_destroy1);
  Counter counter(header.get());
  int result = 0;
  while ((result = sam_itr_next(file.get(), records.get(), record.get())) >= 0) counter.add(record.get());
  if (result < -1) throw InputError(path + ": damaged or truncated");
  return counter.finish();
}
