#include "endings.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <new>

#include "cli.hpp"
#include "core/error_report.hpp"
#include "core/quoted.hpp"
#include "core/unfinished_files.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

/// Needs no memory: there may be none left.
int report_no_memory(std::string_view program) noexcept {
  char line[128];
  const auto written =
      fmt::format_to_n(line, sizeof line, "{}: out of memory; use fewer threads or a machine with more\n", program);
  write_to_stderr({line, std::min(written.size, sizeof line)});
  return exit_failed;
}

int report(std::string_view program, std::string_view problem, int code) {
  write_to_stderr(fmt::format("{}: {}\n", program, printable(problem)));
  return code;
}

/// How the program ends: the first to come decides its exit code. Where memory or threads are short, several threads may have
/// an error at the same time, or one when the work is done.
class Outcome {
 public:
  /// False if another thread was first. Otherwise set() must follow.
  bool claim() noexcept { return !claimed_.exchange(true); }
  void set(int code) noexcept { code_ = code; }

  /// Waits for set(), some seconds at most: the message may be written to a pipe that nobody reads.
  int code() const noexcept {
    constexpr timespec millisecond = {0, 1'000'000};
    for (int waited = 0; waited < 5000 && code_ == unknown; ++waited) nanosleep(&millisecond, nullptr);
    return code_ == unknown ? exit_failed : code_.load();
  }

 private:
  static constexpr int unknown = -1;
  std::atomic<bool> claimed_ = false;
  std::atomic<int> code_ = unknown;
};
Outcome outcome;

/// Prints the exception that is being handled as a line that begins with `program`; returns the exit code.
int describe_caught(std::string_view program) noexcept {
  try {
    try {
      throw;
    } catch (const InputError& error) {
      return report(program, error.what(), exit_bad_input);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      return report(program, error_report(error), exit_failed);
    } catch (...) {
      return report(program, "an error of an unknown kind", exit_failed);
    }
  } catch (const std::bad_alloc&) {  // also of the report
    return report_no_memory(program);
  }
}

/// Handles exceptions that reach no handler of main.cpp: those from oneTBB's own threads, as when one cannot be created.
[[noreturn]] void terminate_with_report() {
  end_file_creation();
  remove_unfinished_files();
  const std::exception_ptr thrown = std::current_exception();
  if (!thrown && std::uncaught_exceptions() == 0) std::abort();
  try {
    // Where a noexcept function became part of its caller, the exception that leaves it is not known here. Such functions
    // throw only where they get no memory.
    if (!thrown) throw std::bad_alloc();
    std::rethrow_exception(thrown);
  } catch (...) {
    end_with_report("warpseed");
  }
}

/// Removes unfinished files, reports that, and lets the signal end the program as without a handler. All of it is safe
/// in a signal handler: write(2), nanosleep(2) and atomic flags. After a hangup there is nobody to report to.
extern "C" void remove_files_and_raise(int signal) {
  end_file_creation();
  remove_unfinished_files();
  clear_progress_line();
  if (signal != SIGHUP) {
    write_to_stderr(output_was_written() ? "warpseed: interrupted\n" : "warpseed: interrupted, nothing written\n");
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

void end_with_report(std::string_view program) noexcept {
  if (outcome.claim()) outcome.set(describe_caught(program));
  const int code = outcome.code();
  remove_unfinished_files();  // what htslib has created since the exception was thrown
  std::_Exit(code);           // threads of oneTBB that still begin use what exit() would destroy
}

int end_threads(int code) noexcept {
  if (!outcome.claim()) std::_Exit(outcome.code());
  outcome.set(code);
  try {
    tbb::task_scheduler_handle threads{tbb::attach{}};
    if (tbb::finalize(threads, std::nothrow)) return code;
  } catch (const std::bad_alloc&) {  // of the handle
  }
  std::_Exit(code);  // some thread may still run
}

void handle_endings() {
  handle_signals();
  std::set_terminate(terminate_with_report);
}

}  // namespace warpseed::cli
