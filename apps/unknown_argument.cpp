#include "unknown_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/quoted.hpp"

namespace warpseed::cli {

namespace {

/// Levenshtein distance: insertions, deletions and replacements from one text to the other.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// The long flags of a command and of its groups of options, with their dashes.
std::vector<std::string> long_flags(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const CLI::App* group : app.get_subcommands([](const CLI::App*) { return true; })) {
    for (const std::string& name : long_flags(*group)) names.push_back(name);
  }
  return names;
}

/// The known flag with the fewest edits, of equals the first; empty if all differ in more than a third of `flag`.
std::string nearest_flag(const CLI::App& app, const std::string& flag) {
  std::string nearest;
  std::size_t fewest = std::max<std::size_t>(flag.size() / 3, 1) + 1;
  for (const std::string& name : long_flags(app)) {
    const std::size_t edits = edits_between(flag, name);
    if (edits < fewest) nearest = name, fewest = edits;
  }
  return nearest;
}

}  // namespace

std::string unknown_argument(const CLI::App& app) {
  const std::vector<std::string> unknown = app.remaining(true);
  for (const std::string& argument : unknown) {
    if (!argument.starts_with('-') || argument.size() < 2 || argument == "--") continue;
    const std::string flag = argument.substr(0, argument.find('='));
    const std::string nearest = flag.starts_with("--") ? nearest_flag(app, flag) : "";
    return fmt::format("unknown flag {}{}", flag, nearest.empty() ? "" : "; did you mean " + nearest + "?");
  }
  return unknown.empty() ? "" : "unexpected argument " + warpseed::quoted(unknown.front());
}

}  // namespace warpseed::cli
