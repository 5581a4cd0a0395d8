// FASTQ text of simulated pairs, for streams of hundreds of millions of reads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulate/quality_model.hpp"
#include "simulate/simulated_reads.hpp"
#include "text/genome_core.hpp"

namespace warpseed::simulate {

/// Threads: append() may be called by any number.
class FastqPairs {
 public:
  /// name_of: the name of a contig by its index; called here only. The genome must have room, see require_room().
  FastqPairs(const text::GenomeView& genome, const std::function<std::string_view(std::uint64_t)>& name_of,
             const ReadSimulation& simulation);

  /// Qualities of this model instead of 40 ('I'). follow: each base is substituted with the probability that its
  /// quality says, 10^(-quality/10), instead of ReadSimulation::error.
  void draw_qualities(QualityModel model, bool follow);

  /// Appends the records of pairs [first, first + count) to first_mates and second_mates, which may be the same text. The
  /// same for any split into calls. Names are in dwgsim's format, with the origin of both mates:
  /// contig_start1_start2_strand1_strand2_0_0_0:0:0_0:0:0_number, then /1 or /2. Starts are 1-based, strand 1 is reverse,
  /// the number is in hex; that of a duplicate is followed by x and its original's: 1f4x1a2.
  /// bases: those of simulated_pairs() for these pairs, which are then not made here; empty for none. Not allowed where
  /// errors follow qualities.
  void append(std::uint64_t first, std::uint64_t count, std::string_view bases, std::string& first_mates,
              std::string& second_mates) const;

 private:
  struct Group;

  void prepare(Group& group, std::uint64_t first, std::size_t count) const;
  std::string_view name(const SimulatedFragment& fragment, std::uint64_t pair, std::string& text) const;
  void write_bases(const SimulatedFragment& fragment, std::uint64_t pair, unsigned mate, const char* qualities,
                   char* bases) const;

  text::GenomeView genome_;
  std::vector<std::string> names_;  // of contigs
  ReadSimulation simulation_;
  std::optional<QualityModel> model_;
  bool errors_follow_ = false;
  std::array<std::uint32_t, 128> error_of_ = {};  // by quality, Phred+33; units of 2^-32
};

}  // namespace warpseed::simulate
