// Places one read after the other: seeds, chains, extensions, mate rescue. The CPU's loop around the *_core functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "align/align_options.hpp"
#include "align/alignment.hpp"
#include "align/chain_core.hpp"
#include "align/diagonal_core.hpp"
#include "align/extend_core.hpp"
#include "align/place_core.hpp"
#include "align/rescue_core.hpp"
#include "align/seed_core.hpp"
#include "index/fm_core.hpp"
#include "text/genome_core.hpp"

namespace warpseed {

/// A read as codes 0..4, as it came and turned to the other strand.
struct TurnedRead {
  std::vector<std::uint8_t> forward, reverse;
  std::vector<std::uint64_t> words;  // forward bases, forward unknown, reverse bases, reverse unknown

  void assign(std::string_view letters);
  std::uint32_t length() const { return static_cast<std::uint32_t>(forward.size()); }
  const std::uint8_t* codes(bool turned) const { return (turned ? reverse : forward).data(); }
  PackedRead packed(bool turned) const;

 private:
  std::size_t packed_size() const { return forward.size() / 32 + 2; }
};

/// All places of a read, ranked and their competitors marked.
struct PlacedRead {
  TurnedRead read;
  ReadTraits traits;
  std::vector<Alignment> alignments;
};

/// Keeps its scratch memory from read to read. Threads: one placer a thread.
class ReadPlacer {
 public:
  ReadPlacer(const FmView& fm, const GenomeView& genome, const AlignOptions& options)
      : fm_(fm), genome_(genome), options_(options) {}

  /// Fills placed.alignments and traits for placed.read. `read_number` decides between equal places.
  void place(PlacedRead& placed, std::uint64_t read_number);

  /// Looks for `mate` where it is seen from `anchor` as `seen` at a distance in `range`, and adds what it finds to
  /// mate.alignments (unranked). Returns whether something was added.
  bool rescue(const Alignment& anchor, std::uint32_t anchor_length, PlacedRead& mate, std::uint64_t mate_number,
              Orientation seen, const InsertRange& range);

  /// Ranks alignments anew and marks their competitors.
  void rank(PlacedRead& placed) const;

 private:
  void collect_hits(const TurnedRead& read, bool turned);
  void add_hits(const Seed& seed, bool turned, std::uint32_t read_length);
  std::int32_t score_of(const Chain& chain, const TurnedRead& read) const;
  void extend_chain(const Chain& chain, PlacedRead& placed, std::uint64_t read_number);
  bool add_rescued(std::uint32_t diagonal, std::uint32_t contig, bool turned, GenomePos window_begin, PlacedRead& mate,
                   std::uint64_t mate_number);
  ExtendScratch scratch_for(std::uint32_t read_length);

  const FmView& fm_;
  const GenomeView& genome_;
  const AlignOptions& options_;
  std::vector<Hit> hits_;
  std::vector<Chain> chains_;
  std::vector<std::uint32_t> chain_hits_;
  std::vector<bool> repetitive_;
  std::vector<std::uint8_t> window_;
  std::vector<ExtensionCell> row_;
  std::vector<std::uint8_t> rescue_window_;
  std::vector<WordSlot> words_;
  std::vector<std::uint16_t> votes_;
};

}  // namespace warpseed
