// The FM-index of a genome: built from sequences, from FASTA, or opened from its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warpseed/context.hpp"
#include "warpseed/index_options.hpp"
#include "warpseed/sequence.hpp"

namespace warpseed {

/// The name and the number of bases of a sequence in an index; the name is valid during the index's lifetime.
struct Contig {
  std::string_view name;
  std::uint64_t length = 0;
};

/// An index. Its content depends on the sequences and options alone, not on the context.
/// Threads: copies are handles of one index, and any number of threads may use them.
class Index {
 public:
  /// Builds the index of the contigs, which are copied.
  /// Cost:   one sort of all suffixes. Memory: 6.5 bytes per base on the CPU (10.5 beyond 2^31 bases), 21 on a GPU.
  /// Throws InputError for no contigs, one without name or bases, a name that SAM does not allow (it begins with * or
  /// =) or that two contigs have, or a letter outside IUPAC; IoError or BackendError if memory does not suffice.
  static Index build(const std::vector<Sequence>& contigs, const Context& context = Context(),
                     const IndexOptions& options = {});

  /// The same from FASTA files, plain or gzip, in the given order. Errors name file and line.
  static Index build_from_fasta(const std::vector<std::string>& paths, const Context& context = Context(),
                                const IndexOptions& options = {});

  /// Maps an index file and checks the checksum of every section. Throws InputError if it is no index, has another
  /// version, or is damaged; IoError if it cannot be read.
  static Index open(const std::string& path, const Context& context = Context());

  /// Writes the index file, which appears under its name only when complete. Throws IoError.
  void save(const std::string& path) const;

  std::size_t contig_count() const;
  Contig contig(std::size_t i) const;

  /// The bases [begin, end) of a contig: A, C, G, T and N. Throws std::invalid_argument outside the contig.
  std::string bases(std::size_t contig, std::uint64_t begin, std::uint64_t end) const;

  /// For the library.
  struct State;
  const State& state() const { return *state_; }

 private:
  explicit Index(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  std::shared_ptr<const State> state_;
};

}  // namespace warpseed
