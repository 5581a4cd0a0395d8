// warpseed backends: lists the usable backends, and the reason if CUDA is not usable.
#include <fmt/format.h>

#include "cli.hpp"
#include "core/output_file.hpp"

namespace warpseed::cli {

int run_backends(int argc, char** argv) {
  CLI::App app("Lists what can compute here, one a line, with its memory.", "warpseed backends");
  if (!parse(app, argc, argv)) return exit_ok;
  OutputFile out("-");
  for (const Backend& backend : available_backends()) out.write(describe(backend) + "\n");
  if (const std::string reason = why_no_cuda(); !reason.empty()) {
    out.write(fmt::format("cuda    not usable: {}\n", reason));
  }
  out.commit();
  return exit_ok;
}

}  // namespace warpseed::cli
