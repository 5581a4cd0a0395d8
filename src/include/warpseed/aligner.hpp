// Alignment of reads and pairs to an index, without files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpseed/align_options.hpp"
#include "warpseed/context.hpp"
#include "warpseed/index.hpp"

namespace warpseed {

/// Options of an Aligner: those that decide alignments, ALT contigs, a limit and the read group.
struct AlignOptions : AlignParameters {
  std::vector<std::string> alt_contigs;  // names of contigs that are alternative versions of parts of others
  std::uint64_t device_memory = 0;       // bytes to use at most of each GPU's memory; 0: all that is free
  std::string read_group;  // -R: the line of all reads, such as "@RG\tID:a\tSM:b", or with backslash and t
                           // as on a command line; empty: none
};

/// The distribution of fragment lengths, from the 5' end of one mate to that of the other, in FR orientation.
struct FragmentLength {
  double mean = 0;
  double deviation = 0;            // 0: a tenth of the mean
  std::int64_t low = 0, high = 0;  // of proper pairs; 0: four deviations around the mean
};

/// The position of a read's mate.
struct MatePosition {
  std::size_t contig = 0;
  std::uint64_t position = 0;  // 0-based
  int mapq = 0;                // tag MQ
  std::string cigar;           // tag MC
};

/// One alignment of a read: the fields of a SAM record.
struct Alignment {
  std::size_t contig = 0;
  std::uint64_t position = 0;         // 0-based: of the first aligned base on the forward strand
  std::uint64_t end = 0;              // one past the last aligned base
  bool reverse = false;               // the contig has the read's reverse complement there
  int mapq = 0;                       // mapping quality, 0 to 60
  std::uint16_t flag = 0;             // SAM's flags
  std::string cigar;                  // "76M1I74M", along the forward strand; clipped bases as S or H
  std::int32_t edit_distance = 0;     // tag NM
  std::string mismatches;             // tag MD
  std::int32_t score = 0;             // tag AS
  std::int32_t second_score = 0;      // tag XS: of the best other alignment of the same bases; 0 for none
  std::string read_group;             // tag RG: the ID of AlignOptions::read_group; empty for none
  std::string split;                  // tag SA: the read's other parts, if it was split
  std::string alternatives;           // tag XA: other positions that score nearly as well
  std::optional<float> share_of_alt;  // tag pa: the score divided by that of a better alignment to an ALT contig
  std::string differences;            // tag cs, if AlignParameters::cs asks for it
  std::string ambiguous_differences;  // tag ds, if AlignParameters::ds asks for it
  std::optional<MatePosition> mate;   // of an aligned mate
  std::int64_t template_length = 0;   // SAM's TLEN

  bool is_proper_pair() const { return (flag & 0x2) != 0; }
  bool is_secondary() const { return (flag & 0x100) != 0; }
  bool is_supplementary() const { return (flag & 0x800) != 0; }
};

/// The tags of an alignment as in SAM, separated by tabs: "NM:i:1\tMD:Z:75A74\tAS:i:146\tXS:i:0".
std::string sam_tags(const Alignment& alignment);

/// The alignments of one read: the primary one first, then the parts of a split read and, with report_all, secondary
/// ones. Empty: the read is not aligned.
using Alignments = std::vector<Alignment>;

/// Aligns reads: maximal exact matches as seeds, chains of them, extension by affine gaps, mate rescue and pairing,
/// with the options, defaults, flags and tags of bwa mem (Li, arXiv:1303.3997). A read is a string of IUPAC letters as
/// it was sequenced. The n-th read given to an aligner is aligned as the n-th read of a file by `warpseed align`: its
/// number decides between equally good positions.
///
/// Threads: one caller at a time; the work of a batch is spread over the context's threads, or done on its GPUs.
/// Batches of some 100,000 reads keep a GPU busy.
class Aligner {
 public:
  /// Throws InputError for a parameter out of its range, an ALT contig that the index does not have or a read group's
  /// line without @RG or ID, BackendError if the index does not fit a device.
  explicit Aligner(const Index& index, const Context& context = Context(), const AlignOptions& options = {});
  Aligner(Aligner&&) noexcept;
  Aligner& operator=(Aligner&&) noexcept;
  ~Aligner();

  /// AlignOptions::read_group with tabs, for a header; empty for none. Valid as long as the aligner.
  std::string_view read_group_line() const;

  /// Aligns single reads; the result is in their order: [reads].
  /// Throws InputError, with the read's number in the batch, for a letter outside IUPAC or a read so long that its
  /// score does not fit 32 bits; BackendError if a device fails.
  std::vector<Alignments> align_batch(const std::vector<std::string_view>& reads);
  Alignments align(std::string_view read);

  /// Aligns pairs: reads 2i and 2i + 1 are mates. Fragment lengths are learnt from the first `reads_to_learn_from`
  /// reads, so a call with fewer decides its pairs by what it has itself; calls with multiples of that number, the last
  /// with any, give what one call with all reads gives. Numbered apart from single reads. Throws as align_batch(), and
  /// std::invalid_argument for an odd number of reads.
  std::vector<Alignments> align_pairs(const std::vector<std::string_view>& reads);
  static constexpr std::size_t reads_to_learn_from = 32768;

  /// Gives the fragment lengths instead of learning them. Before the first pair. Throws InputError if no length is
  /// possible: mean not above 0, or bounds above a million or in the wrong order.
  void set_fragment_length(const FragmentLength& length);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpseed
