// The program `warpseed`: finds the subcommand, runs it, turns exceptions into a line and an exit code.
#include <fmt/format.h>
#include <signal.h>

#include <cstdio>
#include <new>
#include <string_view>

#include "cli.hpp"
#include "core/error.hpp"
#include "core/unfinished_files.hpp"

namespace {

using namespace warpseed;

struct Command {
  std::string_view name;
  int (*run)(int argc, char** argv);
  std::string_view summary;
};

constexpr Command commands[] = {
    {"index", cli::run_index, "sort a reference's suffixes into an index file (.wsi)"},
    {"align", cli::run_align, "place reads: FASTQ or BAM in, SAM, BAM or CRAM out"},
    {"query", cli::run_query, "count or locate exact patterns"},
    {"overlap", cli::run_overlap, "find what sequences have in common, coding or not"},
    {"collapse", cli::run_collapse, "merge identical reads or pairs and count them"},
    {"inspect", cli::run_inspect, "show, check or unpack an index file"},
    {"backends", cli::run_backends, "list what can compute here"},
};

void print_usage(std::FILE* out) {
  fmt::print(out, "warpseed {}: genomic read alignment and suffix sorting on CPU and GPU\n\n", WS_VERSION);
  fmt::print(out, "usage: warpseed COMMAND ...   (warpseed COMMAND --help tells more)\n\n");
  for (const Command& command : commands) fmt::print(out, "  {:<9} {}\n", command.name, command.summary);
}

int report(std::string_view command, std::string_view problem, int code) {
  fmt::print(stderr, "warpseed {}: {}\n", command, problem);
  return code;
}

int run(const Command& command, int argc, char** argv) {
  try {
    return command.run(argc, argv);
  } catch (const InputError& error) {
    return report(command.name, error.what(), cli::exit_bad_input);
  } catch (const std::bad_alloc&) {
    return report(command.name, "out of memory; use fewer threads or a machine with more", cli::exit_failed);
  } catch (const std::exception& error) {
    return report(command.name, error.what(), cli::exit_failed);
  }
}

/// The signal ends the program as it would have without a handler.
extern "C" void leave_nothing(int signal) {
  remove_unfinished_files();
  raise(signal);
}

/// What the caller has made ignored, as nohup does, stays so.
void handle_signals() {
  struct sigaction action {};
  action.sa_handler = leave_nothing;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) {
  handle_signals();
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  if (wanted == "--version" || wanted == "version") return fmt::print("warpseed {}\n", WS_VERSION), cli::exit_ok;
  if (wanted == "--help" || wanted == "-h" || wanted == "help") return print_usage(stdout), cli::exit_ok;
  for (const Command& command : commands) {
    if (command.name == wanted) return run(command, argc - 1, argv + 1);
  }
  print_usage(stderr);
  if (!wanted.empty()) fmt::print(stderr, "\nwarpseed: no command \"{}\"\n", wanted);
  return cli::exit_bad_input;
}
