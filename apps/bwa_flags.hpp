// Flags of bwa mem by which its command lines run with `warpseed mem`, though they change no alignment here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli.hpp"

namespace warpseed::cli {

/// Flags as given.
struct BwaFlags {
  std::optional<int> verbosity;  // -v
  std::string ignored;           // the value of a flag that has no effect; never read
  int ignored_flags = 0;         // the same of those without a value
};

/// Adds -v, and, without help, the flags that have no effect.
void add_bwa_flags(CLI::App& app, BwaFlags& flags);

/// Sets `common` quiet or verbose as -v asks; --quiet and --verbose take precedence.
void apply_verbosity(const BwaFlags& flags, Common& common);

/// A line for each flag that was given and has no effect.
std::vector<std::string> notes_on_ignored(const CLI::App& app);

}  // namespace warpseed::cli
