// The program `warpseed`: selects and runs the subcommand.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "cli.hpp"
#include "core/quoted.hpp"
#include "core/standard_streams.hpp"
#include "endings.hpp"
#include "reads/cram_decoder.hpp"
#include "records/htslib_messages.hpp"
#include "warpseed/version.hpp"

namespace {

using namespace warpseed;

struct Command {
  std::string_view name;
  int (*run)(int argc, char** argv);
  std::string_view summary;
};

/// What the program runs itself, in another process.
constexpr Command hidden_commands[] = {{reads::cram_decoder_command, cli::run_decode_cram, ""}};

/// What bwa calls `align`.
constexpr std::string_view bwa_name = "mem";

constexpr Command commands[] = {
    {"index", cli::run_index, "sort a reference's suffixes into an index file (.wsi)"},
    {"align", cli::run_align, "align reads: FASTQ or BAM in, SAM, BAM or CRAM out; also called mem, as in bwa"},
    {"merge", cli::run_merge, "make of the shards of a run (align --shard) the file of one run"},
    {"query", cli::run_query, "count or locate exact patterns"},
    {"overlap", cli::run_overlap, "find what sequences have in common, coding or not"},
    {"collapse", cli::run_collapse, "merge identical reads or pairs and count them"},
    {"inspect", cli::run_inspect, "show, check or unpack an index file"},
    {"backends", cli::run_backends, "list what can compute here"},
};

std::string usage_text() {
  std::string text = fmt::format(
      "warpseed {}: genomic read alignment and suffix sorting on CPU and GPU\n\n"
      "usage: warpseed COMMAND ...   (see warpseed help COMMAND)\n\n",
      version);
  for (const Command& command : commands) text += fmt::format("  {:<9} {}\n", command.name, command.summary);
  return text;
}

/// The command of this name; null for none.
const Command* find_command(std::string_view name) {
  for (const Command& command : commands) {
    if (command.name == (name == bwa_name ? "align" : name)) return &command;
  }
  for (const Command& command : hidden_commands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

/// Runs `work`, which returns an exit code; reports what it throws, and ends the program.
template <class Work>
int run(std::string_view program, const Work& work) {
  try {
    return work();
  } catch (...) {
    cli::end_with_report(program);
  }
}

int print(std::string_view text) {
  return run("warpseed", [&] { return cli::write_to_stdout(text), cli::exit_ok; });
}

/// "warpseed COMMAND", without allocating.
class ProgramName {
 public:
  explicit ProgramName(std::string_view command) {
    size_ = std::min(fmt::format_to_n(text_.data(), text_.size(), "warpseed {}", command).size, text_.size());
  }
  operator std::string_view() const { return {text_.data(), size_}; }

 private:
  std::array<char, 64> text_;
  std::size_t size_;
};

int run_command(const Command& command, int argc, char** argv) {
  return run(ProgramName(command.name), [&] { return cli::end_threads(command.run(argc, argv)); });
}

int show_help(const Command& command) {
  std::string name(command.name), flag = "--help";
  char* arguments[] = {name.data(), flag.data(), nullptr};
  return run_command(command, 2, arguments);
}

}  // namespace

int main(int argc, char** argv) {
  occupy_closed_streams();
  cli::handle_endings();
  records::silence_htslib();  // errors are thrown, and printed once
  reads::set_cram_decoder("/proc/self/exe");
  std::string_view wanted = argc > 1 ? argv[1] : "";
  if (wanted == "--version" || wanted == "-V" || wanted == "version") {
    return print(fmt::format("warpseed {}\n", version));
  }
  const bool help = wanted == "--help" || wanted == "-h" || wanted == "help";
  if (help && argc < 3) return print(usage_text());
  if (help) wanted = argv[2];
  if (const Command* command = find_command(wanted)) {
    return help ? show_help(*command) : run_command(*command, argc - 1, argv + 1);
  }
  const std::string problem = argc < 2 ? "" : fmt::format("\nwarpseed: no command \"{}\"\n", printable(wanted));
  cli::write_to_stderr(usage_text() + problem);
  return cli::exit_bad_input;
}
