// Small genomes given as base strings and indexed on disk, and helpers for base strings.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "align/pipeline/aligner.hpp"
#include "alignment_oracle.hpp"
#include "core/temp_folder.hpp"
#include "text/genome.hpp"

namespace warpseed::test {

inline std::string random_bases(std::size_t length, std::mt19937& rng) {
  return letters_of(random_codes(length, 4, rng));
}

/// The reverse complement.
inline std::string reverse_complement(const std::string& bases) {
  std::string other;
  for (auto letter = bases.rbegin(); letter != bases.rend(); ++letter) {
    other += text::base_of_code(text::complement(text::code_of_base(*letter)));
  }
  return other;
}

/// Substitutes the bases at these positions: A and C swap, G and T swap.
inline std::string changed(std::string bases, const std::vector<std::size_t>& places) {
  for (const std::size_t at : places) bases[at] = std::string("CATG")[std::string("ACGT").find(bases[at])];
  return bases;
}

/// An index of contigs given by name and bases.
struct BaseWorld {
  TempFolder folder;
  std::unique_ptr<index::Index> index;

  explicit BaseWorld(const std::vector<std::pair<std::string, std::string>>& contigs) {
    text::GenomeBuilder builder;
    for (const auto& [name, bases] : contigs) {
      builder.begin_contig(name);
      builder.add(bases);
    }
    const text::Genome genome = builder.finish();
    const std::string path = folder.file("world.wsi");
    index::write_index(path, index::Index(genome, index::build_fm_index(genome.view(), Backend{})));
    index = std::make_unique<index::Index>(path);
  }

  /// The records of reads; mates are consecutive if `paired`.
  std::vector<align::ReadRecords> align(const std::vector<std::string>& reads, bool paired = false,
                                        const align::AlignOptions& options = {}) const {
    reads::ReadBatch batch;
    for (const std::string& read : reads) batch.add("r", "", read, "");
    return align::Aligner(*index, options, paired).align(batch);
  }
};

}  // namespace warpseed::test
