// Shared by the subcommands: exit codes, backend flags, progress on standard error, the closing line.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/backend.hpp"
#include "core/processors.hpp"
#include "core/quoted.hpp"
#include "core/timing.hpp"
#include "text/alphabet.hpp"
#include "warpseed/progress.hpp"

namespace warpseed::cli {

constexpr int exit_ok = 0;
constexpr int exit_failed = 1;     // a run-time error: I/O, device, memory
constexpr int exit_bad_input = 2;  // wrong usage or bad input data

/// Flags that every subcommand takes.
struct Common {
  std::string backend_name = "auto";
  int threads = usable_processors();
  bool quiet = false;
  bool verbose = false;

  /// Adds --backend, -t/--threads, --verbose and --quiet under the names `quiet_names`.
  void add_to(CLI::App& app, const std::string& quiet_names = "-q,--quiet");
  Backend backend() const;          // throws as choose_backend(), and InputError for several devices
  Backend several_devices() const;  // one or more; throws the same
};

/// A file that a run reads or writes.
struct RunFile {
  std::string path;         // empty: not requested
  std::string beside = {};  // the file that this one belongs to and is named after; empty: the user named it
};

/// The .fai and .gzi of a FASTA file that CRAM needs: htslib reads them, and creates them if they are missing.
std::vector<RunFile> fasta_indices(const std::string& fasta_path);

/// Checks that files are distinct: throws InputError if a stream is read twice, if an output is an input, or if two
/// outputs are one file, however they are spelled. Outputs are renamed into place, so one of two with the same name
/// would be lost, and so would an input. Writes nothing.
void require_distinct_files(const std::vector<RunFile>& inputs, const std::vector<RunFile>& outputs);

class Logger;

/// Removes what killed runs of this host left next to these outputs, with a note for each: see remove_stale_files().
void remove_stale_outputs(const std::vector<RunFile>& outputs, const Logger& logger);

/// Removes the progress line of a terminal, if there is one. Safe in a signal handler.
void clear_progress_line() noexcept;

/// Writes to standard error, in place of a progress line. A message that cannot be written is dropped, and the run continues.
void write_to_stderr(std::string_view text) noexcept;

/// Writes to standard output. Throws IoError.
void write_to_stdout(std::string_view text);

/// A validator for numbers from `low` to `high`; rejects NaN and what the type cannot hold. description: for the help;
/// empty: the range.
template <class T>
CLI::Validator number_between(T low, T high, std::string description = {}) {
  if (description.empty()) description = CLI::Range(low, high).get_description();
  const auto problem = [low, high](std::string& text) -> std::string {
    T value{};
    errno = 0;  // a number too large for the type is clamped to its maximum, and only errno shows that
    const bool negative = text.starts_with('-') && std::is_unsigned_v<T>;
    const bool read = !negative && CLI::detail::lexical_cast(text, value) && errno != ERANGE;
    if (read && value >= low && value <= high) return {};
    return fmt::format("{} is no number from {} to {}", warpseed::quoted(text), low, high);
  };
  return {problem, description};
}

/// A validator that converts a whole number with an optional unit (K, M, G, T, P, E, powers of 1024) to bytes, at
/// least `least` of them.
CLI::Validator size_in_bytes(std::uint64_t least);

/// Throws InputError or IoError if the FASTA for CRAM cannot be opened. Accepts an empty path, and URLs unchecked.
void require_cram_reference(const std::string& path);

/// "both", "forward" or "reverse".
Strands strands_of(const std::string& name);

/// Parses. False: help was requested and has been printed. Throws InputError for a mistake on the command line,
/// including an empty value, IoError if help cannot be written.
bool parse(CLI::App& app, int argc, char** argv);

/// What this process has taken so far.
struct RunCost {
  double wall_seconds = 0, cpu_seconds = 0;
  std::uint64_t peak_bytes = 0;
};

/// Logs to standard error, unless quiet: progress lines, notes, and the closing line with version, command, wall and
/// CPU time and peak memory.
class Logger {
 public:
  Logger(std::string command, const Common& common, int argc, char** argv);

  void note(const std::string& text) const;    // unless quiet
  void detail(const std::string& text) const;  // with --verbose
  ProgressCallback progress();                 // a bar on a terminal, a line every 10 s elsewhere
  void closing() const;
  RunCost cost() const;
  const std::string& command_line() const { return command_line_; }

 private:
  std::string command_, command_line_;
  bool quiet_, verbose_;
  Stopwatch since_start_;
};

int run_align(int argc, char** argv);
int run_backends(int argc, char** argv);
int run_collapse(int argc, char** argv);
int run_decode_cram(int argc, char** argv);
int run_index(int argc, char** argv);
int run_inspect(int argc, char** argv);
int run_merge(int argc, char** argv);
int run_overlap(int argc, char** argv);
int run_query(int argc, char** argv);

}  // namespace warpseed::cli
