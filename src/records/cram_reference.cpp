#include "records/cram_reference.hpp"

#include <fmt/format.h>
#include <htslib/faidx.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

namespace fs = std::filesystem;

/// htslib builds a FASTA's index next to it. If it cannot write there, it reports that the file is not FASTA.
void require_index_or_room(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const bool packed = path.ends_with(".gz") || path.ends_with(".bgz");
  for (const char* ending : {".fai", ".gzi"}) {
    std::error_code ignored;
    if ((ending == std::string_view(".gzi") && !packed) || fs::exists(path + ending, ignored)) continue;
    if (access(folder.empty() ? "." : folder.c_str(), W_OK) == 0) continue;
    throw IoError(fmt::format(
        "cannot write {}{}, the index of the reference for CRAM: {}; have `samtools faidx` made there by who "
        "may write there, or name a copy of the FASTA, or a link to it, in a folder that can be written",
        path, ending, std::strerror(errno)));
  }
}

[[noreturn]] void fail_reference(const std::string& path) {
  if (path.find("://") == std::string::npos) require_index_or_room(path);
  throw InputError(path + ": is no reference for CRAM; give FASTA, plain or BGZF, that samtools faidx can index");
}

}  // namespace

void use_reference(htsFile* file, const std::string& path) {
  if (hts_set_fai_filename(file, path.c_str()) != 0) fail_reference(path);
}

void check_reference(const SamHeader& header, const std::string& path) {
  const std::unique_ptr<faidx_t, void (*)(faidx_t*)> reference(fai_load(path.c_str()), fai_destroy);
  if (!reference) fail_reference(path);
  for (const auto& [name, length] : header.contigs) {
    const int found = faidx_seq_len(reference.get(), name.c_str());
    if (found >= 0 && static_cast<std::uint64_t>(found) == length) continue;
    throw InputError(fmt::format("{}: contig {} {}, the index has it with {} bases; give the FASTA that was indexed",
                                 path, name, found < 0 ? "is missing" : fmt::format("has {} bases", found), length));
  }
}

}  // namespace warpseed::records
