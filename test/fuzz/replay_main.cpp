// Runs files through a fuzz target, without a fuzzer: the seeds and the regressions in every test run, or one finding.
//   fuzz_NAME FOLDER_OR_FILE...   a folder that does not exist counts as an empty one
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& path) {
  if (!fs::is_directory(path)) return fs::exists(path) ? std::vector{path} : std::vector<fs::path>();
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void replay(const fs::path& path) {
  std::fprintf(stderr, "%s\n", path.c_str());  // before it: if the target ends the process, this is the file
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  // A copy of exactly the input's size on the heap, so that the sanitizer notices what reads past it.
  const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(data.data(), data.size());
}

}  // namespace

int main(int argc, char** argv) {
  LLVMFuzzerInitialize(&argc, &argv);
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const fs::path& path : files_in(argv[i])) replay(path), ++count;
  }
  if (count == 0) {
    std::fprintf(stderr, "FAILED: no file to run\n");
    return 1;
  }
  std::printf("%zu files\n", count);
  return 0;
}
