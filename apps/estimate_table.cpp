#include "estimate_table.hpp"

#include <fmt/format.h>

#include <cmath>

namespace warpseed::cli {

namespace {

std::string bytes_line(const char* name, std::uint64_t bytes) {
  double value = static_cast<double>(bytes);
  const char* unit = "B";
  for (const char* larger : {"KiB", "MiB", "GiB", "TiB"}) {
    if (value < 1024) break;
    value /= 1024;
    unit = larger;
  }
  return fmt::format("{}\t{}\t{:.{}f} {}\n", name, bytes, value, *unit == 'B' ? 0 : 1, unit);
}

std::string count_line(const char* name, std::uint64_t count) {
  const auto value = static_cast<double>(count);
  const std::string shown =
      count < 1'000'000 ? fmt::format("{:.1f} thousand", value / 1e3) : fmt::format("{:.1f} million", value / 1e6);
  return fmt::format("{}\t{}\t{}\n", name, count, shown);
}

std::string time_text(std::uint64_t seconds) {
  if (seconds < 120) return fmt::format("{} s", seconds);
  const std::uint64_t minutes = (seconds + 59) / 60;
  return minutes < 120 ? fmt::format("{} min", minutes) : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace

void add_estimate(CLI::App& app, bool& estimate) {
  app.add_flag("--estimate", estimate,
               "print what the run takes of memory, disk and, roughly, time (a line each: name, bytes or seconds), and "
               "do not run");
}

void print_needs(const estimate::RunNeeds& needs, const Logger& logger) {
  for (const std::string& path : needs.compressed)
    logger.note(fmt::format("{} is compressed: what it holds is estimated from its size and its first part", path));
  const auto seconds = static_cast<std::uint64_t>(std::ceil(needs.seconds));
  std::string text = bytes_line("input-bytes", needs.input_bytes);
  if (needs.reads > 0) text += count_line("reads", needs.reads);
  text += count_line("bases", needs.bases);
  text += bytes_line("memory-bytes", needs.memory_bytes);
  text += bytes_line("device-memory-bytes", needs.device_memory_bytes);
  text += bytes_line("output-bytes", needs.output_bytes);
  text += bytes_line("temporary-bytes", needs.temporary_bytes);
  text += bytes_line("disk-bytes", needs.output_bytes + needs.temporary_bytes);
  text += fmt::format("seconds\t{}\t{}\n", seconds, time_text(seconds));
  write_to_stdout(text);
}

}  // namespace warpseed::cli
