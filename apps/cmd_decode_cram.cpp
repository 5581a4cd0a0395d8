// warpseed decode-cram: the process in which the other subcommands have CRAM decoded.
#include <fcntl.h>
#include <unistd.h>

#include <string_view>

#include "cli.hpp"
#include "reads/cram_decoder.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

/// Where damaged CRAM takes all memory, the kernel is to end this process and not the run.
void be_ended_first() {
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  constexpr std::string_view most = "1000";
  [[maybe_unused]] const ssize_t written = ::write(file, most.data(), most.size());
  ::close(file);
}

}  // namespace

int run_decode_cram(int argc, char** argv) {
  if (argc < 2 || argc > 3) throw InputError("usage: warpseed decode-cram NAME [FASTA] <in.cram >out.bam");
  be_ended_first();
  reads::set_cram_decoder({});
  reads::decode_cram(argv[1], argc > 2 ? argv[2] : "");
  return exit_ok;
}

}  // namespace warpseed::cli
