#include "cli.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "core/byte_source.hpp"
#include "core/memory.hpp"
#include "core/output_file.hpp"
#include "unknown_argument.hpp"
#include "warpseed/error.hpp"
#include "warpseed/version.hpp"

namespace warpseed::cli {

namespace {

[[noreturn]] void fail_empty(const CLI::Option& option) {
  const std::string name = option.get_name(false, true);
  throw InputError(
      fmt::format("{}: the value is empty, as an unset variable is; give one, or leave {} out", name, name));
}

/// An empty value would look like an option that was not given.
void require_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string>& values = option->results();
    if (std::find(values.begin(), values.end(), "") != values.end()) fail_empty(*option);
  }
}

/// Rejects "--output=" without a value, for which CLI11 would take the next argument.
void require_values_after_equals(const CLI::App& app, int argc, char** argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with("--") || argument.find('=') + 1 != argument.size()) continue;
    const CLI::Option* option = app.get_option_no_throw(std::string(argument.substr(0, argument.size() - 1)));
    if (option) fail_empty(*option);
  }
}

}  // namespace

void Common::add_to(CLI::App& app, const std::string& quiet_names) {
  app.add_option("--backend", backend_name, "auto, cpu, cuda or cuda:N; index and align also take cuda:N,M...")
      ->capture_default_str();
  app.add_option("-t,--threads", threads, "CPU threads")->check(number_between(1, 1024))->capture_default_str();
  app.add_flag(quiet_names, quiet, "say nothing but errors");
  app.add_flag("--verbose", verbose, "say more");
}

Backend Common::backend() const {
  Backend backend = several_devices();
  if (!backend.more_devices.empty())
    throw InputError(
        fmt::format("--backend {}: only `warpseed index` and `warpseed align` work on several devices", backend_name));
  return backend;
}

Backend Common::several_devices() const {
  return choose_backend(backend_name, threads);
}

namespace {

std::atomic<bool> progress_line_shown = false;  // on a terminal, where anything else must replace it
static_assert(std::atomic<bool>::is_always_lock_free);
constexpr std::string_view clear_line = "\r\033[K";

/// Writes as write_to_stderr() does, but leaves the progress line.
void write_raw_to_stderr(std::string_view text) noexcept {
  sigset_t broken_pipe, before;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
  while (!text.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count < 0 && errno != EINTR) break;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
  constexpr timespec at_once = {0, 0};
  if (!text.empty() && errno == EPIPE) sigtimedwait(&broken_pipe, nullptr, &at_once);  // discards the write's SIGPIPE
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// Replaces the progress line of a terminal.
void show_progress_line(const std::string& line) noexcept {
  progress_line_shown = true;  // first: a signal must find it set
  write_raw_to_stderr(fmt::format("{}{}", clear_line, line));
}

/// "42 %, 17 s left" by the share of a stage that is done and when it was `share_begun`; empty if it is not known.
std::string remaining_text(double share, double share_begun, double seconds) {
  if (share <= share_begun) return {};
  return fmt::format(", {:.0f} %, {:.0f} s left", 100 * share, seconds * (1 - share) / (share - share_begun));
}

double share_of(const Progress& now) {
  return now.total > 0 ? static_cast<double>(now.done) / static_cast<double>(now.total) : now.share;
}

}  // namespace

void clear_progress_line() noexcept {
  if (progress_line_shown.exchange(false)) write_raw_to_stderr(clear_line);
}

void write_to_stderr(std::string_view text) noexcept {
  clear_progress_line();
  write_raw_to_stderr(text);
}

void write_to_stdout(std::string_view text) {
  OutputFile out("-");
  out.write(text);
  out.commit();
}

namespace {

/// The unit's factor as a power of two; none if it is unknown.
std::optional<unsigned> shift_of_unit(std::string_view unit) {
  std::string small;
  for (const char letter : unit) {
    if (letter != ' ') small += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  if (small.empty() || small == "b") return 0;
  const std::size_t power = std::string_view("kmgtpe").find(small[0]);
  const std::string_view rest = std::string_view(small).substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "b" && rest != "i" && rest != "ib")) return {};
  return 10 * static_cast<unsigned>(power + 1);
}

/// The bytes that `text` specifies; none if it is not a size or exceeds 64 bits.
std::optional<std::uint64_t> bytes_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return {};
  const auto shift = shift_of_unit(text.substr(static_cast<std::size_t>(end - text.data())));
  if (!shift || number > std::numeric_limits<std::uint64_t>::max() >> *shift) return {};
  return number << *shift;
}

}  // namespace

CLI::Validator size_in_bytes(std::uint64_t least) {
  const auto problem = [least](std::string& text) -> std::string {
    const std::optional<std::uint64_t> bytes = bytes_of(text);
    if (!bytes || *bytes < least) {
      return fmt::format("{} is no size from {} byte{} to {}; write a whole number, with K, M, G or T if need be",
                         warpseed::quoted(text), least, least == 1 ? "" : "s",
                         std::numeric_limits<std::uint64_t>::max());
    }
    text = std::to_string(*bytes);
    return {};
  };
  return {problem, CLI::AsSizeValue(false).get_description()};
}

void require_cram_reference(const std::string& path) {
  if (path.empty() || path.find("://") != std::string::npos) return;
  open_bytes(path);
}

Strands strands_of(const std::string& name) {
  return name == "both" ? Strands::both : name == "forward" ? Strands::forward : Strands::reverse;
}

bool parse(CLI::App& app, int argc, char** argv) {
  app.get_formatter()->column_width(34);
  require_values_after_equals(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return write_to_stdout(app.help()), false;
  } catch (const CLI::ParseError& error) {
    require_values(app);
    const bool named = dynamic_cast<const CLI::ExtrasError*>(&error) || dynamic_cast<const CLI::RequiredError*>(&error);
    const std::string unknown = named ? unknown_argument(app) : "";
    throw InputError(fmt::format("{} (see --help)", unknown.empty() ? error.what() : unknown));
  }
  require_values(app);
  return true;
}

namespace {

/// Lets oneTBB have as many threads as requested, whatever the machine has, until the process ends: where there was no
/// memory for its start, it would wait for ever for the destructor's lock.
void use_threads(int threads) {
  static const auto* const control =
      new tbb::global_control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  static_cast<void>(control);
}

}  // namespace

Logger::Logger(std::string command, const Common& common, int argc, char** argv)
    : command_(std::move(command)), quiet_(common.quiet), verbose_(common.verbose) {
  use_threads(common.threads);
  command_line_ = "warpseed";
  for (int i = 0; i < argc; ++i) command_line_.append(" ").append(argv[i]);
}

void Logger::note(const std::string& text) const {
  if (!quiet_) write_to_stderr(fmt::format("warpseed {}: {}\n", command_, printable(text)));
}

void Logger::detail(const std::string& text) const {
  if (verbose_) note(text);
}

ProgressCallback Logger::progress() {
  if (quiet_) return {};
  const bool terminal = isatty(STDERR_FILENO) != 0;
  auto shown = std::make_shared<Stopwatch>();
  auto since = std::make_shared<Stopwatch>();
  auto stage = std::make_shared<std::string>();
  auto begun = std::make_shared<Progress>();  // at the start of the stage: no rate is known yet
  return [=, command = command_](const Progress& now) {
    if (*stage != now.stage) {
      *stage = now.stage, *begun = now;
      return since->restart();
    }
    const bool ended = now.total > 0 && now.done == now.total;
    if (!(terminal && ended) && shown->seconds() < (terminal ? 0.2 : 10.0)) return;
    shown->restart();
    const double seconds = since->seconds(),
                 rate = static_cast<double>(now.done - begun->done) / std::max(seconds, 1e-9);
    const std::string line = fmt::format("warpseed {}: {}: {} {}, {:.0f} a second{}", command, now.stage, now.done,
                                         now.unit, rate, remaining_text(share_of(now), share_of(*begun), seconds));
    if (!terminal || ended) return write_to_stderr(line + "\n");
    show_progress_line(line);
  };
}

RunCost Logger::cost() const {
  return {since_start_.seconds(), process_cpu_seconds(), peak_memory_bytes()};
}

void Logger::closing() const {
  const RunCost now = cost();
  note(fmt::format("version {}, command: {}", version, command_line_));
  note(fmt::format("{:.2f} s wall, {:.2f} s CPU, {:.1f} MiB peak memory", now.wall_seconds, now.cpu_seconds,
                   static_cast<double>(now.peak_bytes) / (1024.0 * 1024.0)));
}

}  // namespace warpseed::cli
