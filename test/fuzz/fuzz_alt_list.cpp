// Lists of ALT contigs, as bwa-kit has them next to an index.
// Covers: src/align/select/alt_contigs.cpp
#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "align/select/alt_contigs.hpp"
#include "fuzz.hpp"
#include "index/index_file.hpp"
#include "text/genome.hpp"

namespace {

using namespace warpseed;

const index::Index& index_of_contigs() {
  static const index::Index index = [] {
    text::GenomeBuilder builder;
    for (const char* name : {"chr1", "chr1_KI270762v1_alt", "HLA-A*01:01:01:01"}) {
      builder.begin_contig(name);
      builder.add("ACGT");
    }
    return index::Index(builder.finish(), index::FmIndex{});
  }();
  return index;
}

/// The first columns of the lines of a valid list.
std::set<std::string> expected_names(std::string_view input) {
  std::set<std::string> names;
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    std::string_view line = input.substr(0, end);
    input.remove_prefix(std::min(end + 1, input.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty() && line.front() != '@') names.emplace(line.substr(0, line.find('\t')));
  }
  return names;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  const fuzz::InputFile file(input);
  fuzz::require(align::default_alt_list_path(file.path()) == file.path() + ".alt", "another list by default");
  align::AltContigs alt;
  if (!fuzz::accepts(file.path(), [&] { alt = align::read_alt_contigs(file.path(), index_of_contigs()); })) return 0;
  if (input.starts_with("\x1F\x8B")) return 0;
  const std::set<std::string> names = expected_names(input);
  std::uint64_t known = 0;
  for (std::uint64_t i = 0; i < alt.flags.size(); ++i) {
    const bool listed = names.contains(std::string(index_of_contigs().contig_name(i)));
    fuzz::require(listed == (alt.flags[i] == 1), "a contig is in the list and not ALT, or the other way round");
    known += listed ? 1 : 0;
  }
  fuzz::require(alt.count == known && alt.unknown == names.size() - known, "wrong numbers of names");
  return 0;
}
