// The program `warpseed`: selects and runs the subcommand, turns exceptions into a message and an exit code.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "cli.hpp"
#include "core/error_report.hpp"
#include "core/quoted.hpp"
#include "core/standard_streams.hpp"
#include "core/unfinished_files.hpp"
#include "reads/cram_decoder.hpp"
#include "records/htslib_messages.hpp"
#include "warpseed/error.hpp"
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

/// Needs no memory: there may be none left.
int report_no_memory(std::string_view program) noexcept {
  char line[128];
  const auto written =
      fmt::format_to_n(line, sizeof line, "{}: out of memory; use fewer threads or a machine with more\n", program);
  cli::write_to_stderr({line, std::min(written.size, sizeof line)});
  return cli::exit_failed;
}

int report(std::string_view program, std::string_view problem, int code) {
  cli::write_to_stderr(fmt::format("{}: {}\n", program, printable(problem)));
  return code;
}

/// The error that ends the program. Where memory or threads are short, several threads may have one at the same time: the
/// first to come is reported, and its exit code is the program's.
class FirstError {
 public:
  /// False if another thread was first.
  bool begin() noexcept { return !begun_.exchange(true); }
  void end(int code) noexcept { code_ = code; }

  /// Waits for end(), some seconds at most: the message may be written to a pipe that nobody reads.
  int code() const noexcept {
    constexpr timespec millisecond = {0, 1'000'000};
    for (int waited = 0; waited < 5000 && code_ == unknown; ++waited) nanosleep(&millisecond, nullptr);
    return code_ == unknown ? cli::exit_failed : code_.load();
  }

 private:
  static constexpr int unknown = -1;
  std::atomic<bool> begun_ = false;
  std::atomic<int> code_ = unknown;
};
FirstError first_error;

/// Turns the exception that is being handled into a line that begins with `program`, and an exit code. What is no
/// std::exception ends the process.
int describe_caught(std::string_view program) noexcept {
  try {
    try {
      throw;
    } catch (const InputError& error) {
      return report(program, error.what(), cli::exit_bad_input);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      return report(program, error_report(error), cli::exit_failed);
    }
  } catch (const std::bad_alloc&) {  // also of the report
    return report_no_memory(program);
  }
}

/// The same for the first error; returns its exit code for all others.
int report_caught(std::string_view program) noexcept {
  if (first_error.begin()) first_error.end(describe_caught(program));
  return first_error.code();
}

/// Runs `work`, which returns an exit code, and reports what it throws.
template <class Work>
int run(std::string_view program, const Work& work) {
  try {
    return work();
  } catch (...) {
    return report_caught(program);
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
  return run(ProgramName(command.name), [&] { return command.run(argc, argv); });
}

int show_help(const Command& command) {
  std::string name(command.name), flag = "--help";
  char* arguments[] = {name.data(), flag.data(), nullptr};
  return run_command(command, 2, arguments);
}

/// Handles exceptions that do not pass through run(): those from oneTBB's own threads, as when one cannot be created.
[[noreturn]] void terminate_with_report() {
  end_file_creation();
  remove_unfinished_files();
  const std::exception_ptr thrown = std::current_exception();
  if (!thrown && std::uncaught_exceptions() == 0) std::abort();
  int code = cli::exit_failed;
  try {
    // Where a noexcept function became part of its caller, the exception that leaves it is not known here. Such functions
    // throw only where they get no memory.
    if (!thrown) throw std::bad_alloc();
    std::rethrow_exception(thrown);
  } catch (...) {
    code = report_caught("warpseed");
  }
  remove_unfinished_files();  // what htslib has created since
  std::_Exit(code);           // other threads still use what exit() would destroy
}

/// Removes unfinished files, reports that, and lets the signal end the program as without a handler. All of it is safe
/// in a signal handler: write(2), nanosleep(2) and atomic flags. After a hangup there is nobody to report to.
extern "C" void remove_files_and_raise(int signal) {
  end_file_creation();
  remove_unfinished_files();
  cli::clear_progress_line();
  if (signal != SIGHUP) {
    cli::write_to_stderr(output_was_written() ? "warpseed: interrupted\n" : "warpseed: interrupted, nothing written\n");
  }
  remove_unfinished_files();  // what htslib has created since
  raise(signal);
}

/// Signals that the caller ignores, as nohup does, stay ignored. A file beyond the size limit of the process is an error
/// of the write, as a full disk is, and not a signal, which would leave the file behind. How a child process ends cannot be
/// learnt while SIGCHLD is ignored.
void handle_signals() {
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
  struct sigaction action {};
  action.sa_handler = remove_files_and_raise;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupy_closed_streams();
  handle_signals();
  records::silence_htslib();  // errors are thrown, and printed once
  reads::set_cram_decoder("/proc/self/exe");
  std::set_terminate(terminate_with_report);
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
