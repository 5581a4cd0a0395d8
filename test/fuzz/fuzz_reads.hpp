// Reads as the targets compare them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reads/read_batch.hpp"
#include "reads/read_source.hpp"

namespace warpseed::fuzz {

struct Read {
  std::string name, comment, bases, qualities, tags;

  friend bool operator==(const Read&, const Read&) = default;
};

inline void add_reads(const reads::ReadBatch& batch, std::vector<Read>& all) {
  for (std::uint64_t i = 0; i < batch.size(); ++i) {
    const reads::ReadView read = batch[i];
    all.push_back({std::string(read.name), std::string(read.comment), std::string(read.bases),
                   std::string(read.qualities), std::string(read.tags)});
  }
}

/// All reads of a source, `count` at a time.
inline std::vector<Read> all_reads(reads::ReadSource& source, std::uint64_t count) {
  std::vector<Read> all;
  for (reads::ReadBatch batch; source.next(batch, count);) add_reads(batch, all);
  return all;
}

}  // namespace warpseed::fuzz
