#include "records/cram_reference.hpp"

#include <fmt/format.h>
#include <htslib/faidx.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <system_error>

#include "core/output_file.hpp"
#include "core/stale_files.hpp"
#include "records/htslib_memory.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

namespace fs = std::filesystem;

bool is_local(const std::string& path) {
  return path.find("://") == std::string::npos;
}

[[noreturn]] void fail_to_use(const std::string& path, int error_number) {
  throw IoError::from_errno("use the reference for CRAM,", path + " with its index " + path + ".fai", error_number);
}

/// error_number: of a call of htslib that failed.
[[noreturn]] void fail_reference(const std::string& path, int error_number) {
  require_memory(error_number);
  for (const int of_the_machine : {EIO, ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, EACCES}) {
    if (error_number == of_the_machine) fail_to_use(path, error_number);
  }
  throw InputError(path + ": is no reference for CRAM; give FASTA, plain or BGZF, that samtools faidx can index");
}

/// An index that htslib reads next to a FASTA: .fai, and of BGZF .gzi. It gets its name when it is complete, as other
/// runs may need it at the same time.
std::unique_ptr<PendingFile> begin_index(const std::string& path) try {
  return std::make_unique<PendingFile>(path);
} catch (const IoError& error) {
  throw IoError(fmt::format(
      "{}; it is the index of the reference for CRAM: have `samtools faidx` make it as a user who may write "
      "there, or name a copy of the FASTA, or a link to it, in a folder that can be written",
      error.what()));
}

/// Makes what is missing of the indices. htslib would write them under their names, and leave a part where the
/// disk is full.
void make_indices(const std::string& path) {
  const bool packed = path.ends_with(".gz") || path.ends_with(".bgz");
  std::error_code ignored;
  if (fs::exists(path + ".fai", ignored) && (!packed || fs::exists(path + ".gzi", ignored))) return;
  for (const char* ending : {".fai", ".gzi"}) remove_stale_files(path + ending);
  const std::unique_ptr<PendingFile> fai = begin_index(path + ".fai"),
                                     gzi = packed ? begin_index(path + ".gzi") : nullptr;
  errno = 0;
  if (fai_build3(path.c_str(), fai->writing_path().c_str(), gzi ? gzi->writing_path().c_str() : nullptr) != 0)
    fail_reference(path, errno);
  require_memory(errno);  // htslib drops characters of names that it has no memory for
  if (gzi) gzi->commit();
  fai->commit();
}

using Reference = std::unique_ptr<faidx_t, void (*)(faidx_t*)>;

Reference load_reference(const std::string& path) {
  if (is_local(path)) make_indices(path);
  errno = 0;
  Reference reference(fai_load(path.c_str()), fai_destroy);
  if (!reference) fail_reference(path, errno);
  return reference;
}

}  // namespace

void use_reference(htsFile* file, const std::string& path) {
  load_reference(path);  // htslib frees a stream twice where it opens an index for CRAM that it cannot read
  // It would drop the folder from the header where it cannot find it out.
  const std::string named = is_local(path) ? fs::absolute(path).string() : path;
  errno = 0;
  if (hts_set_fai_filename(file, named.c_str()) == 0) return;
  require_memory(errno);
  fail_to_use(path, errno != 0 ? errno : EIO);
}

void check_reference(const SamHeader& header, const std::string& path) {
  const Reference reference = load_reference(path);
  for (const auto& [name, length] : header.contigs) {
    const int found = faidx_seq_len(reference.get(), name.c_str());
    if (found >= 0 && static_cast<std::uint64_t>(found) == length) continue;
    throw InputError(fmt::format("{}: contig {} {}, the index has it with {} bases; give the FASTA that was indexed",
                                 path, name, found < 0 ? "is missing" : fmt::format("has {} bases", found), length));
  }
}

}  // namespace warpseed::records
