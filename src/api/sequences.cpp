#include "api/sequences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/quoted.hpp"
#include "text/alphabet.hpp"
#include "text/sequence_check.hpp"
#include "warpseed/error.hpp"

namespace warpseed::api {

namespace {

std::string named(const std::string& what, std::size_t number, std::string_view name) {
  return fmt::format("{} {} ({})", what, number, quoted(name));
}

}  // namespace

text::Genome genome_of(const std::vector<Sequence>& sequences, const std::string& what) {
  text::GenomeBuilder builder;
  std::uint64_t symbols = 0;
  for (const Sequence& sequence : sequences) symbols += sequence.bases.size() + 1;
  builder.reserve(symbols);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const Sequence& sequence = sequences[i];
    if (sequence.bases.empty()) throw InputError(named(what, i, sequence.name) + ": it has no bases; leave it out");
    builder.begin_contig(sequence.name);
    const std::uint64_t taken = builder.add(sequence.bases);
    if (taken < sequence.bases.size()) {
      throw InputError(fmt::format("{}: position {}: {}", named(what, i, sequence.name), taken,
                                   text::letter_error(sequence.bases[taken])));
    }
  }
  return builder.finish();
}

void require_names(const std::vector<Sequence>& sequences, const std::string& what) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const std::string_view name = sequences[i].name;
    if (name.empty()) throw InputError(named(what, i, name) + ": the name is empty; give it one");
    if (const std::string problem = text::name_error(name); !problem.empty())
      throw InputError(named(what, i, name) + ": " + problem);
    names.emplace_back(name);
  }
  const std::optional<text::RepeatedName> repeated = text::find_repeated(names);
  if (!repeated) return;
  throw InputError(fmt::format("{}: {} {} has the same name; rename one of them",
                               named(what, repeated->second, names[repeated->second]), what, repeated->first));
}

void require_letters(std::string_view bases, std::string_view what, std::uint64_t number) {
  const auto bad = std::find_if(bases.begin(), bases.end(),
                                [](char letter) { return text::code_of_base(letter) == text::code_invalid; });
  if (bad == bases.end()) return;
  throw InputError(fmt::format("{} {}: position {}: {}", what, number, bad - bases.begin(), text::letter_error(*bad)));
}

}  // namespace warpseed::api
