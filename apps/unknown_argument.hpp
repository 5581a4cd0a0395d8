// Names the argument that a command does not know, and the flag that may have been meant.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace warpseed::cli {

/// After a failed parse: "unknown flag --sorted; did you mean --sort?" for the first flag that `app` does not have, else
/// the first surplus argument; empty if there is neither.
std::string unknown_argument(const CLI::App& app);

}  // namespace warpseed::cli
