#include "cli.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/output_file.hpp"

namespace warpseed::cli {

void Common::add_to(CLI::App& app) {
  app.add_option("--backend", backend_name, "auto, cpu, cuda or cuda:N; align also takes cuda:N,M...")
      ->capture_default_str();
  app.add_option("-t,--threads", threads, "CPU threads")->check(CLI::Range(1, 1024))->capture_default_str();
  app.add_flag("-q,--quiet", quiet, "say nothing but errors");
  app.add_flag("--verbose", verbose, "say more");
}

Backend Common::backend() const {
  const Backend backend = several_devices();
  if (!backend.more_devices.empty())
    throw InputError(fmt::format("--backend {}: only `warpseed align` works on several devices", backend_name));
  return backend;
}

Backend Common::several_devices() const {
  return choose_backend(backend_name, threads);
}

void require_files_of_their_own(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  namespace fs = std::filesystem;
  if (std::count(inputs.begin(), inputs.end(), "-") > 1)
    throw InputError("standard input is named twice, but can be read only once; put one of the two into a file");
  std::vector<fs::path> written;
  std::error_code ignored;
  for (const std::string& output : outputs) {
    const bool standard = output == "-" || output == "/dev/stdout";
    if (output.empty() || (is_written_in_place(output) && !standard)) continue;
    for (const std::string& input : inputs) {
      if (!standard && fs::equivalent(output, input, ignored))
        throw InputError(fmt::format("{} is an input; name another file to write", output));
    }
    written.push_back(standard ? fs::path("-") : fs::weakly_canonical(output, ignored));
    if (std::count(written.begin(), written.end(), written.back()) > 1) {
      throw InputError(
          fmt::format("two outputs go to {}; give each a file of its own", standard ? "standard output" : output));
    }
  }
}

text::Strands strands_of(const std::string& name) {
  return name == "both" ? text::Strands::both : name == "forward" ? text::Strands::forward : text::Strands::reverse;
}

bool parse(CLI::App& app, int argc, char** argv) {
  app.get_formatter()->column_width(34);
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error), false;  // --help
    throw InputError(fmt::format("{} (--help tells more)", error.what()));
  }
}

Logger::Logger(std::string command, const Common& common, int argc, char** argv)
    : command_(std::move(command)),
      quiet_(common.quiet),
      verbose_(common.verbose),
      workers_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(common.threads)) {
  command_line_ = "warpseed";
  for (int i = 0; i < argc; ++i) command_line_.append(" ").append(argv[i]);
}

void Logger::note(const std::string& text) const {
  if (!quiet_) fmt::print(stderr, "warpseed {}: {}\n", command_, text);
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
  auto begun = std::make_shared<std::uint64_t>(0);  // done when the stage's clock began: no rate is known yet
  return [=, command = command_](const Progress& now) {
    if (*stage != now.stage) {
      *stage = now.stage, *begun = now.done;
      return since->restart();
    }
    const bool ended = now.total > 0 && now.done == now.total;
    if (!(terminal && ended) && shown->seconds() < (terminal ? 0.2 : 10.0)) return;
    shown->restart();
    const double seconds = since->seconds(), rate = static_cast<double>(now.done - *begun) / std::max(seconds, 1e-9);
    std::string line =
        fmt::format("warpseed {}: {}: {} {}, {:.0f} a second", command, now.stage, now.done, now.unit, rate);
    if (now.total > 0 && rate > 0) {
      const double share = static_cast<double>(now.done) / static_cast<double>(now.total);
      line += fmt::format(", {:.0f} %, {:.0f} s left", 100 * share, static_cast<double>(now.total - now.done) / rate);
    }
    if (terminal) {
      fmt::print(stderr, "\r{}\033[K{}", line, ended ? "\n" : "");
    } else {
      fmt::print(stderr, "{}\n", line);
    }
  };
}

void Logger::closing() const {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  note(fmt::format("version {}, command: {}", WS_VERSION, command_line_));
  note(fmt::format("{:.2f} s wall, {:.2f} s CPU, {:.1f} MiB peak memory", since_start_.seconds(),
                   seconds(usage.ru_utime) + seconds(usage.ru_stime),
                   static_cast<double>(peak_memory_bytes()) / (1024.0 * 1024.0)));
}

}  // namespace warpseed::cli
