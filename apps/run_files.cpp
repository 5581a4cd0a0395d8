// Checks the files of a run against each other before anything is written.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cli.hpp"
#include "core/byte_source.hpp"
#include "core/file_identity.hpp"
#include "core/output_file.hpp"
#include "core/stale_files.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

using FileType = std::filesystem::file_type;

/// A file that exists, or that the run would create.
struct Known {
  RunFile file;
  FileIdentity identity;

  bool same(const Known& other) const { return identity == other.identity; }
};

constexpr std::string_view input_streams[] = {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};
constexpr std::string_view output_streams[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};

bool is_one_of(std::span<const std::string_view> names, const std::string& path) {
  return std::find(names.begin(), names.end(), path) != names.end();
}

std::string shown(const Known& output) {
  if (output.file.path == "-") return "standard output";
  if (output.file.beside.empty()) return output.file.path;
  return fmt::format("{}, which is written next to {},", output.file.path, output.file.beside);
}

void require_read_once(const std::vector<Known>& inputs) {
  const auto standard = [](const Known& input) { return is_one_of(input_streams, input.file.path); };
  if (std::count_if(inputs.begin(), inputs.end(), standard) > 1)
    throw InputError("standard input is named twice, but can be read only once; put one of the two into a file");
  for (auto input = inputs.begin(); input != inputs.end(); ++input) {
    const auto again = std::find_if(input + 1, inputs.end(), [&](const Known& other) {
      return other.identity.is_stream() && other.file.beside.empty() && other.same(*input);
    });
    if (again == inputs.end()) continue;
    throw InputError(fmt::format("{} and {} are one pipe, which can be read only once; put one of the two into a file",
                                 input_name(input->file.path), input_name(again->file.path)));
  }
}

void require_other_than_inputs(const Known& output, const std::vector<Known>& inputs) {
  for (const Known& input : inputs) {
    if (!output.same(input)) continue;
    const std::string role =
        input.file.beside.empty() ? "is an input" : fmt::format("is an input that goes with {}", input.file.beside);
    throw InputError(fmt::format("{} {}; name another file to write", shown(output), role));
  }
}

std::vector<Known> known_inputs(const std::vector<RunFile>& files) {
  std::vector<Known> known;
  for (const RunFile& file : files) {
    if (!file.path.empty()) known.push_back({file, input_identity(file.path)});
  }
  return known;
}

/// Leaves out devices other than standard output: they hold no data, and several outputs may write to one.
std::vector<Known> known_outputs(const std::vector<RunFile>& files) {
  std::vector<Known> known;
  for (const RunFile& file : files) {
    if (file.path.empty()) continue;
    Known output = {file, output_identity(file.path)};
    if (is_one_of(output_streams, file.path)) {
      output = {{"-"}, output_identity("-")};
    } else if (output.identity.type == FileType::character || output.identity.type == FileType::directory) {
      continue;
    }
    known.push_back(std::move(output));
  }
  return known;
}

}  // namespace

std::vector<RunFile> fasta_indices(const std::string& fasta_path) {
  if (fasta_path.empty()) return {};
  return {{fasta_path + ".fai", fasta_path}, {fasta_path + ".gzi", fasta_path}};
}

void require_distinct_files(const std::vector<RunFile>& inputs, const std::vector<RunFile>& outputs) {
  const std::vector<Known> read = known_inputs(inputs), written = known_outputs(outputs);
  require_read_once(read);
  for (auto output = written.begin(); output != written.end(); ++output) {
    // A terminal or a socket is often both ends of a process.
    const FileType type = output->identity.type;
    if (type == FileType::regular || type == FileType::not_found) require_other_than_inputs(*output, read);
    if (std::any_of(written.begin(), output, [&](const Known& earlier) { return output->same(earlier); }))
      throw InputError(fmt::format("two outputs go to {}; give each a file of its own", shown(*output)));
  }
}

void remove_stale_outputs(const std::vector<RunFile>& outputs, const Logger& logger) {
  for (const RunFile& output : outputs) {
    for (const std::string& file : remove_stale_files(output.path))
      logger.note(fmt::format("removed {}, which a run that was killed had left", file));
  }
}

}  // namespace warpseed::cli
