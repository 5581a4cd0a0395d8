// The table of --estimate.
#pragma once

#include "cli.hpp"
#include "estimate/run_needs.hpp"

namespace warpseed::cli {

/// Adds --estimate.
void add_estimate(CLI::App& app, bool& estimate);

/// Prints NAME, value and the value for readers on standard output, with tabs between, and notes what was estimated from
/// compressed files. Throws IoError.
void print_needs(const estimate::RunNeeds& needs, const Logger& logger);

}  // namespace warpseed::cli
