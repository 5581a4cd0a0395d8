#include "bwa_flags.hpp"

#include <fmt/format.h>

namespace warpseed::cli {

namespace {

struct IgnoredFlag {
  const char* name;
  bool has_value;
  const char* reason;
};

constexpr const char* never_depends = "the output does not depend on threads or batches";
constexpr const char* not_adjustable = "it adjusts a step of bwa mem that cannot be adjusted here";

constexpr IgnoredFlag ignored_flags[] = {
    {"-K", true, never_depends},  {"-s", true, not_adjustable},
    {"-W", true, not_adjustable}, {"-G", true, not_adjustable},
    {"-N", true, not_adjustable}, {"-X", true, not_adjustable},
    {"-Q", true, not_adjustable}, {"-V", false, "there is no tag XR: an index has no descriptions of the sequences"},
};

}  // namespace

void add_bwa_flags(CLI::App& app, BwaFlags& flags) {
  app.add_option("-v", flags.verbosity, "bwa's verbosity: 0 to 2 is --quiet, 3 the default, from 4 on --verbose")
      ->check(number_between(0, 1000, "INT"));
  for (const IgnoredFlag& flag : ignored_flags) {
    CLI::Option* option =
        flag.has_value ? app.add_option(flag.name, flags.ignored) : app.add_flag(flag.name, flags.ignored_flags);
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)->group("");  // not in the help
  }
}

void apply_verbosity(const BwaFlags& flags, Common& common) {
  if (!flags.verbosity || common.quiet || common.verbose) return;
  common.quiet = *flags.verbosity < 3;
  common.verbose = *flags.verbosity > 3;
}

std::vector<std::string> notes_on_ignored(const CLI::App& app) {
  std::vector<std::string> notes;
  for (const IgnoredFlag& flag : ignored_flags) {
    if (app.count(flag.name) > 0) notes.push_back(fmt::format("{} has no effect: {}", flag.name, flag.reason));
  }
  return notes;
}

}  // namespace warpseed::cli
