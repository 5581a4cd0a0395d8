#include "reads/alignment_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <htslib/bgzf.h>
#include <htslib/faidx.h>
#include <htslib/hfile.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <new>
#include <utility>

#include "core/error.hpp"
#include "reads/sam_header.hpp"

namespace warpseed {

namespace {

constexpr std::uint64_t longest_bai_contig = 1ULL << 29;  // the format's last bin ends there
constexpr int csi_min_shift = 14;                         // its smallest bins: 16 kb, as samtools makes them

/// CRAM keeps a name of its file inside; one for all makes the bytes independent of where they are written.
constexpr char name_inside[] = "warpseed";

/// htslib's mode letters: what to write, and how small.
std::string mode_of(const WriterOptions& options) {
  std::string mode = "w";
  if (options.format == AlignmentFormat::sam) return mode;
  mode += options.format == AlignmentFormat::bam ? 'b' : 'c';
  if (options.compression_level >= 0) mode += std::to_string(options.compression_level);
  return mode;
}

int open_descriptor(const PendingFile& pending) {
  const std::string& path = pending.writing_path();
  const int descriptor = path == "-" ? dup(STDOUT_FILENO) : ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (descriptor < 0) throw IoError::from_errno("write", path == "-" ? "standard output" : pending.path(), errno);
  return descriptor;
}

std::uint64_t longest_contig(const SamHeader& header) {
  std::uint64_t longest = 0;
  for (const auto& [name, length] : header.contigs) longest = std::max(longest, length);
  return longest;
}

bool makes_bai(const SamHeader& header) {
  return longest_contig(header) <= longest_bai_contig;
}

std::string index_path(const SamHeader& header, const WriterOptions& options) {
  if (options.format == AlignmentFormat::cram) return options.path + ".crai";
  return options.path + (makes_bai(header) ? ".bai" : ".csi");
}

/// The output's path, if the options go together and the format can hold the contigs.
const std::string& checked_path(const SamHeader& header, const WriterOptions& options) {
  constexpr std::uint64_t longest = std::numeric_limits<std::int32_t>::max();
  if (options.compression_level < -1 || options.compression_level > 9) {
    throw InputError(
        fmt::format("compression level {} is none: choose 0 to 9, or -1 for the default", options.compression_level));
  }
  if (options.format == AlignmentFormat::sam && !options.sort) return options.path;
  for (const auto& [name, length] : header.contigs) {
    if (length <= longest) continue;
    throw InputError(fmt::format("contig {} has {} bases, BAM, CRAM and sorted output take {}; write unsorted SAM",
                                 name, length, longest));
  }
  return options.path;
}

[[noreturn]] void fail_reference(const std::string& path) {
  throw InputError(path + ": is no reference for CRAM; give FASTA, plain or BGZF, that samtools faidx can index");
}

/// htslib aborts, or alters the header, when the reference is another than the header's.
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

/// The error that htslib's stream met, if it kept one.
int stream_error(const htsFile* file) {
  hFILE* stream = nullptr;
  if (file && file->format.format == bam && file->fp.bgzf) stream = file->fp.bgzf->fp;
  if (file && file->format.format == sam && !file->is_bgzf) stream = file->fp.hfile;
  return stream ? herrno(stream) : 0;
}

}  // namespace

HtsThreads::HtsThreads(int threads) : pool_(nullptr, hts_tpool_destroy) {
  if (threads < 2) return;
  pool_.reset(hts_tpool_init(threads));
  if (!pool_) throw std::bad_alloc();
}

AlignmentFile::AlignmentFile(const SamHeader& header, const WriterOptions& options, const HtsThreads& threads)
    : pending_(checked_path(header, options)), threads_(threads) {
  hts_set_log_level(HTS_LOG_OFF);  // what goes wrong is thrown, not printed
  const bool in_place = pending_.writing_path() == options.path;
  const bool indexed = options.sort && options.format != AlignmentFormat::sam && !in_place;
  if (indexed) pending_index_.emplace(index_path(header, options));
  try {
    open(header, options, threads);
    write_header(header, options.sort);
    if (indexed) begin_index(header);
  } catch (...) {
    abandon();
    throw;
  }
}

AlignmentFile::~AlignmentFile() {
  abandon();
}

void AlignmentFile::open(const SamHeader& header, const WriterOptions& options, const HtsThreads& threads) {
  descriptor_ = open_descriptor(pending_);
  hFILE* stream = hdopen(descriptor_, "w");
  if (!stream) ::close(descriptor_);
  if (stream) file_ = hts_hopen(stream, name_inside, mode_of(options).c_str());
  if (stream && !file_) hclose_abruptly(stream);
  if (!file_) fail();
  if (options.format == AlignmentFormat::cram) set_reference(header, options.reference_path);
  htsThreadPool pool = {threads.get(), 0};
  // CRAM chooses its codecs by trials whose order several threads would leave to chance, so it has one.
  const bool shares_threads = pool.pool && options.format != AlignmentFormat::cram;
  if (shares_threads && hts_set_thread_pool(file_, &pool) != 0) fail();
}

void AlignmentFile::set_reference(const SamHeader& header, const std::string& reference_path) {
  if (reference_path.empty()) {
    if (hts_set_opt(file_, CRAM_OPT_NO_REF, 1) != 0) fail();
    return;
  }
  check_reference(header, reference_path);
  if (hts_set_fai_filename(file_, reference_path.c_str()) != 0) fail_reference(reference_path);
}

void AlignmentFile::write_header(const SamHeader& header, bool sorted) {
  const std::string text = header_text(header, sorted);
  header_.reset(sam_hdr_parse(text.size(), text.data()));
  if (!header_) throw InputError(pending_.path() + ": the header has lines that SAM does not take");
  if (sam_hdr_write(file_, header_.get()) != 0) fail();
}

void AlignmentFile::begin_index(const SamHeader& header) {
  const int min_shift = makes_bai(header) ? 0 : csi_min_shift;
  if (sam_idx_init(file_, header_.get(), min_shift, pending_index_->writing_path().c_str()) != 0) fail();
}

void AlignmentFile::write(const bam1_t* record) {
  if (sam_write1(file_, header_.get(), record) < 0) fail();
}

void AlignmentFile::finish() {
  errno = 0;
  if (pending_index_ && sam_idx_save(file_) != 0) fail();
  // Flushed first, since closing tells no reason; but htslib's CRAM encoder takes no flush before its end.
  if (file_->format.format != cram && hts_flush(file_) != 0) fail();
  close();
  pending_.commit();
  if (!pending_index_) return;
  // samtools warns of an index that is older than its file.
  std::filesystem::last_write_time(pending_index_->writing_path(), std::filesystem::file_time_type::clock::now());
  pending_index_->commit();
}

void AlignmentFile::close() {
  errno = 0;
  if (hts_close(std::exchange(file_, nullptr)) == 0) return;
  threads_.leave_running();
  fail();
}

/// Closing writes an end-of-file mark; in an output that is written in place it would make a part look whole.
void AlignmentFile::abandon() noexcept {
  if (!file_) return;
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, descriptor_);
    ::close(nowhere);
  }
  if (hts_close(std::exchange(file_, nullptr)) != 0) threads_.leave_running();
}

void AlignmentFile::fail() const {
  const int errno_now = errno;
  const int kept = stream_error(file_);
  const int error_number = kept != 0 ? kept : errno_now != 0 ? errno_now : EIO;
  throw IoError::from_errno("write", pending_.path() == "-" ? "standard output" : pending_.path(), error_number);
}

}  // namespace warpseed
