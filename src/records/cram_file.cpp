#include "records/cram_file.hpp"

#include <fcntl.h>
#include <htslib/hfile.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <new>
#include <utility>

#include "records/cram_reference.hpp"
#include "records/htslib_memory.hpp"
#include "records/sam_header.hpp"
#include "warpseed/error.hpp"

namespace warpseed::records {

namespace {

/// CRAM stores its file's name; a constant one makes the bytes independent of the path.
constexpr char name_inside[] = "warpseed";

/// htslib's mode characters: format and compression level.
std::string mode_of(const WriterOptions& options) {
  return options.compression_level >= 0 ? "wc" + std::to_string(options.compression_level) : "wc";
}

int open_descriptor(const PendingFile& pending) {
  const std::string& path = pending.writing_path();
  const int descriptor = path == "-" ? dup(STDOUT_FILENO) : ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (descriptor < 0) throw IoError::from_errno("write", path == "-" ? "standard output" : pending.path(), errno);
  return descriptor;
}

}  // namespace

CramFile::CramFile(const SamHeader& header, const WriterOptions& options)
    : pending_(options.path), header_(nullptr, sam_hdr_destroy) {
  if (is_indexed(options, pending_)) pending_index_.emplace(options.path + ".crai");
  try {
    open(header, options);
    write_header(header, options.sort);
    if (pending_index_) begin_index(header);
  } catch (...) {
    abandon();
    throw;
  }
}

CramFile::~CramFile() {
  abandon();
}

void CramFile::open(const SamHeader& header, const WriterOptions& options) {
  descriptor_ = open_descriptor(pending_);
  hFILE* stream = hdopen(descriptor_, "w");
  if (!stream) ::close(descriptor_);
  if (stream) file_ = hts_hopen(stream, name_inside, mode_of(options).c_str());
  if (stream && !file_) hclose_abruptly(stream);
  if (!file_) fail(pending_);
  set_reference(header, options.reference_path);
}

void CramFile::set_reference(const SamHeader& header, const std::string& reference_path) {
  if (reference_path.empty()) {
    if (hts_set_opt(file_, CRAM_OPT_NO_REF, 1) != 0) fail(pending_);
    return;
  }
  reference_path_ = reference_path;
  check_reference(header, reference_path);
  // Where the FASTA cannot be read later on, htslib would write the bases in another way.
  if (hts_set_opt(file_, CRAM_OPT_EMBED_REF, 0) != 0) fail(pending_);
  use_reference(file_, reference_path);
}

void CramFile::write_header(const SamHeader& header, bool sorted) {
  header_ = parse_header(header_text(header, sorted), pending_.path());
  if (sam_hdr_write(file_, header_.get()) != 0) fail(pending_, {}, reference_path_);  // has checksums of the reference
}

void CramFile::begin_index(const SamHeader& header) {
  const std::string& path = pending_index_->writing_path();
  if (sam_idx_init(file_, header_.get(), index_min_shift(header), path.c_str()) != 0) fail(*pending_index_);
}

void CramFile::append(FilePart& part) {
  for (const bam1_t* record : part.records) {
    errno = 0;
    if (sam_write1(file_, header_.get(), record) < 0) fail(pending_, {}, reference_path_);
    require_memory(errno);  // the encoder goes on without it, and may write what cannot be read
  }
}

void CramFile::finish() {
  errno = 0;
  if (pending_index_ && sam_idx_save(file_) != 0) fail(*pending_index_);
  require_memory(errno);
  errno = 0;
  if (hts_close(std::exchange(file_, nullptr)) != 0) fail(pending_, pending_index_, reference_path_);
  require_memory(errno);
  pending_.commit();
  if (pending_index_) commit_index(*pending_index_);
}

/// Closing writes an end-of-file marker, with which an output that is written in place would look complete, and for which
/// htslib takes memory without checking that it got it. Where that cannot be helped the file is not closed: a leak.
void CramFile::abandon() noexcept {
  constexpr std::size_t enough_bytes = 1 << 20;
  htsFile* const left = std::exchange(file_, nullptr);
  if (!left) return;
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const bool harmless = nowhere >= 0 && dup2(nowhere, descriptor_) >= 0;
  if (nowhere >= 0) ::close(nowhere);
  const std::unique_ptr<char[]> memory(new (std::nothrow) char[enough_bytes]);
  if (harmless && memory) static_cast<void>(hts_close(left));
}

/// The output or its index could not be written, or the reference that it is compressed against not be read.
void CramFile::fail(const PendingFile& pending, const std::optional<PendingFile>& index, const std::string& reference) {
  const int error_number = errno != 0 ? errno : EIO;
  std::string name = pending.path() == "-" ? "standard output" : pending.path();
  if (index) name += " or " + index->path();
  if (!reference.empty()) name += " against " + reference;
  throw IoError::from_errno("write", name, error_number);
}

}  // namespace warpseed::records
