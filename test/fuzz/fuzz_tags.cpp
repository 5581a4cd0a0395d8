// Packed tags, and the base modifications among them, of a read of which a record shows a part. The input is what BAM has
// after a record's qualities.
// Covers: src/reads/packed_tags.cpp src/reads/base_modifications.cpp
#include <string>
#include <string_view>

#include "fuzz.hpp"
#include "fuzz_tags.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpseed;
  const std::string_view input = fuzz::text_of(data, size);
  fuzz::Choices choices(input);
  std::string bases(choices.below(24), 'A');
  for (char& base : bases) base = "ACGTNCC"[choices.below(7)];
  fuzz::trim_tags(input.substr(0, fuzz::valid_tag_bytes(input)), bases, choices);
  return 0;
}
