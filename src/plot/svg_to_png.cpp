#include "plot/svg_to_png.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "core/child_process.hpp"
#include "core/unfinished_files.hpp"
#include "warpseed/error.hpp"

namespace warpseed::plot {

namespace {

struct Program {
  std::string name;
  std::vector<std::string> arguments;
};

std::vector<Program> programs(const std::string& svg, const std::string& png) {
  const std::vector<std::string> magick = {"-density", "192", "svg:" + svg, "png:" + png};
  return {{"rsvg-convert", {"--zoom=2", "--format=png", "--output=" + png, svg}},
          {"inkscape", {"--export-type=png", "--export-dpi=192", "--export-filename=" + png, svg}},
          {"magick", magick},
          {"convert", magick}};
}

/// The program's path; empty if it is not in PATH.
std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view folders = path ? path : "";
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    std::string file = fmt::format("{}/{}", folders.substr(0, end), name);
    std::error_code ignored;
    if (end > 0 && std::filesystem::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0) return file;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return {};
}

/// Starts the program, without input and output.
pid_t start(const std::string& file, const Program& program) {
  std::vector<const char*> arguments = {program.name.c_str()};
  for (const std::string& argument : program.arguments) arguments.push_back(argument.c_str());
  arguments.push_back(nullptr);
  ChildStart child;
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) child.open("/dev/null", O_RDWR, fd);
  return child.start(file, arguments.data(), file);
}

/// Waits for the program; its number stays its own until it is reaped.
void wait_for(pid_t child, const std::string& file) {
  siginfo_t ended;
  while (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) < 0) {
    if (errno != EINTR) throw IoError::from_errno("wait for", file, errno);
  }
}

/// Its exit status.
int reap(pid_t child, const std::string& file) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw IoError::from_errno("wait for", file, errno);
  }
  return status;
}

/// Runs the program. True if it succeeds.
bool succeeds(const std::string& file, const Program& program) {
  pid_t child = 0;
  std::optional<WritingChild> writing;
  {
    const FileCreation creation;
    child = start(file, program);
    writing.emplace(child);
  }
  wait_for(child, file);
  writing.reset();
  const int status = reap(child, file);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

[[noreturn]] void fail_without_program() {
  throw InputError(
      "no program that makes PNG is installed; install librsvg2-bin (rsvg-convert), inkscape or imagemagick, or write "
      "the plot as .svg");
}

}  // namespace

void require_png_program() {
  for (const Program& program : programs("", "")) {
    if (!find_program(program.name).empty()) return;
  }
  fail_without_program();
}

void svg_to_png(const std::string& svg_path, const std::string& png_path, const std::string& output) {
  std::string failed;
  for (const Program& program : programs(svg_path, png_path)) {
    const std::string file = find_program(program.name);
    if (file.empty()) continue;
    std::error_code error;
    if (succeeds(file, program) && std::filesystem::file_size(png_path, error) > 0 && !error) return;
    failed +=
        fmt::format("{}{}{}", failed.empty() ? "" : ", ", file, error ? fmt::format(" ({})", error.message()) : "");
  }
  if (!failed.empty()) {
    throw IoError(fmt::format("cannot write {}: {} failed; see that the disk has room, or write the plot as .svg",
                              output, failed));
  }
  fail_without_program();
}

}  // namespace warpseed::plot
