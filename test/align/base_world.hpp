// Small genomes out of letters, indexed on disk, and what tests do with letters.
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

inline std::string random_letters(std::size_t length, std::mt19937& rng) {
  return letters_of(random_codes(length, 4, rng));
}

/// The reverse complement.
inline std::string reverse_complement(const std::string& letters) {
  std::string other;
  for (auto letter = letters.rbegin(); letter != letters.rend(); ++letter) {
    other += letter_of_code(complement(code_of_letter(*letter)));
  }
  return other;
}

/// Other letters at these places: A and C swap, G and T.
inline std::string changed(std::string letters, const std::vector<std::size_t>& places) {
  for (const std::size_t at : places) letters[at] = std::string("CATG")[std::string("ACGT").find(letters[at])];
  return letters;
}

/// An index of contigs given by name and letters.
struct LetterWorld {
  TempFolder folder;
  std::unique_ptr<Index> index;

  explicit LetterWorld(const std::vector<std::pair<std::string, std::string>>& contigs) {
    GenomeBuilder builder;
    for (const auto& [name, letters] : contigs) {
      builder.begin_contig(name);
      builder.add(letters);
    }
    const Genome genome = builder.finish();
    const std::string path = folder.file("world.wsi");
    write_index(path, genome, build_fm_index(genome.view(), Backend{}));
    index = std::make_unique<Index>(path);
  }

  /// The records of reads, mates one after the other where `paired`.
  std::vector<ReadRecords> align(const std::vector<std::string>& reads, bool paired = false,
                                 const AlignOptions& options = {}) const {
    ReadBatch batch;
    for (const std::string& read : reads) batch.add("r", "", read, "");
    return Aligner(*index, options, paired).align(batch);
  }
};

}  // namespace warpseed::test
