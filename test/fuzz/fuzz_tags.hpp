// What is done with the tags of reads that are copied to the output.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.hpp"
#include "reads/base_modifications.hpp"
#include "reads/packed_tags.hpp"

namespace warpseed::fuzz {

/// The bytes of packed tags that are well formed, from the first one on.
inline std::size_t valid_tag_bytes(std::string_view fields) {
  std::size_t valid = 0;
  while (const std::size_t size = reads::packed_tag_size(fields.substr(valid))) valid += size;
  return valid;
}

/// Trims well-formed tags to a part of their read, as a record's writer does.
inline void trim_tags(std::string_view tags, std::string_view bases, Choices& choices) {
  reads::ShownBases shown;
  shown.of = bases.size();
  shown.begin = choices.below(bases.size() + 1);
  shown.size = choices.below(bases.size() - shown.begin + 1);
  shown.reversed = choices.below(2) == 1;
  // Of exactly their size on the heap, so that the sanitizer notices what goes beyond.
  std::vector<char> fields(tags.begin(), tags.end());
  require(valid_tag_bytes({fields.data(), fields.size()}) == fields.size(), "tags that are malformed");
  std::size_t size = reads::trim_modifications(fields.data(), fields.size(), bases, shown);
  require(size <= fields.size(), "trimmed tags that are longer");
  require(valid_tag_bytes({fields.data(), size}) == size, "trimmed modifications that are malformed");
  size = reads::trim_packed_tags(fields.data(), size, shown);
  require(valid_tag_bytes({fields.data(), size}) == size, "trimmed tags that are malformed");
}

}  // namespace warpseed::fuzz
