#include "reads/record_reader.hpp"

#include <fmt/format.h>
#include <htslib/bgzf.h>
#include <htslib/cram.h>
#include <htslib/hfile.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "reads/cram_decoder.hpp"
#include "records/cram_reference.hpp"
#include "records/htslib_memory.hpp"
#include "warpseed/error.hpp"

namespace warpseed::reads {

namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The first fields of a SAM line: name, flag, contig, position, mapping quality.
bool begins_sam_line(std::string_view line) {
  if (line.starts_with('>')) return false;  // FASTA
  std::string_view fields[5];
  for (std::string_view& field : fields) {
    const std::size_t end = line.find_first_of("\t\n");
    if (end == 0 || end == std::string_view::npos || line[end] == '\n') return false;
    field = line.substr(0, end);
    line.remove_prefix(end + 1);
  }
  return is_number(fields[1]) && is_number(fields[3]) && is_number(fields[4]);
}

bool begins_sam_header(std::string_view text) {
  if (text.starts_with("@HD\tVN:")) return true;
  return text.size() > 7 && (text.starts_with("@SQ\t") || text.starts_with("@RG\t") || text.starts_with("@PG\t")) &&
         text[6] == ':';
}

constexpr std::string_view cram_magic = "CRAM";

/// What htslib is given to read: the file, or what another process decodes of CRAM.
std::unique_ptr<ByteSource> readable(std::unique_ptr<ByteSource> bytes, const std::string& path,
                                     const std::string& reference_path, bool& is_cram) {
  std::string start(cram_magic.size(), ' ');
  start.resize(bytes->read(start));
  is_cram = start == cram_magic;
  bytes = with_start(std::move(start), std::move(bytes));
  return is_cram && has_cram_decoder() ? decoded_cram(std::move(bytes), path, reference_path) : std::move(bytes);
}

}  // namespace

bool begins_records(std::string_view start) {
  return start.starts_with("BAM\1") || start.starts_with(cram_magic) || start.starts_with("@CO\t") ||
         begins_sam_header(start) || begins_sam_line(start);
}

RecordReader::RecordReader(std::unique_ptr<ByteSource> bytes, std::string path, const std::string& reference_path,
                           const FilePosition& from)
    : path_(std::move(path)),
      feeder_(readable(std::move(bytes), path_, reference_path, is_cram_), path_),
      file_(nullptr, hts_close),
      header_(nullptr, sam_hdr_destroy),
      record_(bam_init1(), bam_destroy1) {
  if (!record_) throw std::bad_alloc();
  open(reference_path);
  const htsExactFormat format = file_->format.format;
  errno = 0;
  header_.reset(sam_hdr_read(file_.get()));
  if (header_) {
    header_bytes_ = end_ = offset_in_bam();
    if (from != FilePosition{}) skipped_ = from.bytes.offset - from.header_bytes, location_ = from.lines;
    return;
  }
  throw_cause(errno);
  // What the process that decodes CRAM writes has a whole header: htslib lacked memory and did not say so.
  if (is_cram_ && format == bam) throw std::bad_alloc();
  throw InputError(path_ + ": the header is cut short or damaged; make or copy the file again");
}

void RecordReader::open(const std::string& reference_path) {
  const int descriptor = feeder_.take_descriptor();
  errno = 0;
  hFILE* stream = hdopen(descriptor, "r");
  if (!stream) ::close(descriptor);
  if (stream) file_.reset(hts_hopen(stream, path_.c_str(), "r"));
  if (stream && !file_) hclose_abruptly(stream);
  if (!file_) {
    throw_cause(errno);
    throw InputError(path_ + ": begins like SAM, BAM or CRAM, but is none; make or copy the file again");
  }
  is_text_ = file_->format.format == sam;
  if (!reference_path.empty() && file_->format.format == cram) records::use_reference(file_.get(), reference_path);
}

/// Decompressed bytes of BAM that have been read; 0 of other formats.
std::uint64_t RecordReader::offset_in_bam() const {
  return file_->format.format == bam && !is_cram_ ? static_cast<std::uint64_t>(bgzf_utell(file_->fp.bgzf)) : 0;
}

std::optional<FilePosition> RecordReader::position() const {
  if (header_bytes_ == 0) return {};
  return FilePosition{{begin_ + skipped_}, location_ - 1, header_bytes_};
}

/// Throws what lies behind a failure of htslib: an error of the source, or no memory. Returns if the data is malformed.
void RecordReader::throw_cause(int error_number) {
  file_.reset();  // otherwise the feeder would wait for a reader
  feeder_.check();
  records::require_memory(error_number);
}

bool RecordReader::next() {
  begin_ = end_;
  if (!file_) return false;
  errno = 0;
  const int status = sam_read1(file_.get(), header_.get(), record_.get());
  location_ = is_text_ ? static_cast<std::uint64_t>(file_->lineno) : location_ + 1;
  end_ = offset_in_bam();
  if (status >= 0) return true;
  const int error_number = errno;
  const bool at_end = status == -1 && (file_->format.format != cram || cram_eof(file_->fp.cram) == 1);
  throw_cause(at_end ? 0 : error_number);
  if (at_end) return false;
  fail_at(location_, is_cram_
                         ? "cut short or damaged, or its reference is not found; name it with --input-reference, or "
                           "copy the file again"
                         : "cut short or malformed; repair the record, or make or copy the file again");
}

std::string_view RecordReader::header_text() const {
  errno = 0;
  const char* text = sam_hdr_str(header_.get());
  if (!text) records::require_memory(errno);
  return text ? std::string_view(text, sam_hdr_length(header_.get())) : std::string_view();
}

void RecordReader::fail(std::string_view problem) const {
  fail_at(location_, fmt::format("read '{}': {}", bam_get_qname(record_.get()), problem));
}

void RecordReader::fail_at(std::uint64_t location, std::string_view problem) const {
  if (is_text_) throw InputError::at(path_, location, problem);
  throw InputError(fmt::format("{}: record {}: {}", path_, location, problem));
}

}  // namespace warpseed::reads
