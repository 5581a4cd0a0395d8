#include "records/cram_reference.hpp"

#include <fmt/format.h>
#include <htslib/faidx.h>

#include <cstdint>
#include <memory>

#include "core/error.hpp"

namespace warpseed::records {

namespace {

[[noreturn]] void fail_reference(const std::string& path) {
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
