#include "core/error_report.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace warpseed {

namespace {

constexpr char no_thread[] =
    "cannot start another thread: the limit of processes or memory is reached; use fewer threads (-t), or raise the "
    "limit (ulimit -u)";

std::string file_report(const std::filesystem::filesystem_error& error) {
  std::string files = error.path1().string();
  if (!error.path2().empty()) files += " and " + error.path2().string();
  return fmt::format("cannot use {}: {}; check the path, and the rights to it", files, error.code().message());
}

std::string system_report(const std::system_error& error) {
  if (error.code() == std::errc::resource_unavailable_try_again) return no_thread;
  if (error.code() == std::errc::not_enough_memory) return "out of memory; use fewer threads or a machine with more";
  return fmt::format("the system refused: {}; free what the machine is short of, and run again", error.what());
}

}  // namespace

std::string error_report(const std::exception& error) {
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) return file_report(*file);
  if (const auto* system = dynamic_cast<const std::system_error*>(&error)) return system_report(*system);
  const std::string_view text = error.what();
  return text.find("pthread_create") == std::string_view::npos ? std::string(text) : no_thread;
}

}  // namespace warpseed
