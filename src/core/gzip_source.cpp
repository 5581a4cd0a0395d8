// RFC 1952 (gzip): a file is a concatenation of members; each is a header, deflated data, CRC-32 and length.
// BGZF (SAM specification, 4.1) is gzip whose members have an extra field "BC". Its last member is empty, which shows
// whether a file was truncated between two members.
#include "core/gzip_source.hpp"

#include <fmt/format.h>
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "warpseed/error.hpp"

namespace warpseed {

namespace {

constexpr std::uint64_t input_bytes = 1 << 20;

bool has_bgzf_field(std::span<const std::uint8_t> extra) {
  while (extra.size() >= 4) {
    const std::size_t length = extra[2] | static_cast<std::size_t>(extra[3]) << 8;
    if (extra[0] == 'B' && extra[1] == 'C' && length == 2) return true;
    extra = extra.subspan(std::min(extra.size(), 4 + length));
  }
  return false;
}

const char* reason_of(int status) {
  switch (status) {
    case ISAL_INCORRECT_CHECKSUM: return "the checksum does not agree with the content";
    case ISAL_UNSUPPORTED_METHOD: return "an unknown compression method";
    case ISAL_INVALID_WRAPPER: return "no gzip header where one must be";
    default: return "not valid deflate data";
  }
}

class GzipSource : public ByteSource {
 public:
  GzipSource(RawFile file, std::string_view start, bool lacks_eof_block)
      : file_(std::move(file)),
        input_(std::max<std::uint64_t>(file_.buffer_bytes(input_bytes), start.size())),
        extra_(1 << 16),
        unmarked_bgzf_(lacks_eof_block) {
    isal_inflate_init(&state_);
    std::copy(start.begin(), start.end(), input_.begin());
    give(start.size());
  }

  std::uint64_t read(std::span<char> out) override {
    std::uint64_t filled = 0;
    while (filled < out.size() && (in_member_ || begin_member())) filled += inflate_some(out.subspan(filled));
    return filled;
  }

  std::uint64_t file_offset() const override { return file_.offset() - state_.avail_in; }
  std::uint64_t file_size() const override { return file_.size(); }
  bool compressed() const override { return true; }

 private:
  void give(std::uint64_t bytes) {
    state_.next_in = reinterpret_cast<std::uint8_t*>(input_.data());
    state_.avail_in = static_cast<std::uint32_t>(bytes);
  }

  /// Reads more input if none is left; true if there is at least one byte.
  bool have_input() {
    if (state_.avail_in == 0) give(file_.read_some(input_));
    return state_.avail_in > 0;
  }

  bool begin_member();
  void read_header();
  void skip_padding();
  std::uint64_t inflate_some(std::span<char> out);
  [[noreturn]] void cut_short(const std::string& where) const;
  [[noreturn]] void damaged(const char* reason) const;

  RawFile file_;
  std::vector<char> input_;
  std::vector<std::uint8_t> extra_;  // the extra field of a member's header, at most 65535 bytes
  inflate_state state_;
  std::uint64_t member_offset_ = 0;
  std::uint64_t member_size_ = 0;  // bytes decompressed from this member so far
  bool in_member_ = false;
  bool is_bgzf_ = false;  // the current member is BGZF
  bool unmarked_bgzf_;    // the last member was BGZF, and not the empty block that ends a file
};

/// Reads a member's header; false at the end of the file.
bool GzipSource::begin_member() {
  if (file_offset() > 0) skip_padding();
  if (!have_input()) {
    if (unmarked_bgzf_) cut_short("before the empty block that ends a BGZF file");
    return false;
  }
  member_offset_ = file_offset();
  member_size_ = 0;
  isal_inflate_reset(&state_);
  state_.crc_flag = ISAL_GZIP_NO_HDR_VER;  // the header is read here, the trailer is checked by ISA-L
  read_header();
  return in_member_ = true;
}

void GzipSource::read_header() {
  isal_gzip_header header;
  isal_gzip_header_init(&header);
  header.extra = extra_.data();
  header.extra_buf_len = static_cast<std::uint32_t>(extra_.size());
  int status = ISAL_END_INPUT;
  while (status == ISAL_END_INPUT) {
    if (!have_input()) cut_short(fmt::format("in the header of the gzip member at byte {}", member_offset_));
    status = isal_read_gzip_header(&state_, &header);
  }
  if (status != ISAL_DECOMP_OK) damaged(reason_of(status));
  is_bgzf_ = has_bgzf_field(std::span(extra_).first(std::min<std::size_t>(header.extra_len, extra_.size())));
}

/// Zeros may follow the last member, as on tapes and in some disk images; otherwise only another member may.
void GzipSource::skip_padding() {
  bool padded = false;
  while (have_input() && *state_.next_in == 0) {
    padded = true;
    ++state_.next_in;
    --state_.avail_in;
  }
  constexpr std::uint8_t member_start = 0x1F;
  if (have_input() && (padded || *state_.next_in != member_start))
    damaged("neither a gzip member nor padding to the end follows the last member");
}

std::uint64_t GzipSource::inflate_some(std::span<char> out) {
  const bool at_end = !have_input();
  const auto room = static_cast<std::uint32_t>(std::min<std::size_t>(out.size(), 1 << 30));
  const std::uint32_t given = state_.avail_in;
  state_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  state_.avail_out = room;
  const int status = isal_inflate(&state_);
  if (status < 0) damaged(reason_of(status));
  const std::uint32_t made = room - state_.avail_out;
  member_size_ += made;
  in_member_ = state_.block_state != ISAL_BLOCK_FINISH;
  unmarked_bgzf_ = is_bgzf_ && member_size_ != 0;
  if (in_member_ && made == 0 && state_.avail_in == given) {
    if (!at_end) damaged("not valid deflate data");
    cut_short(fmt::format("within the gzip member that begins at byte {}", member_offset_));
  }
  return made;
}

void GzipSource::cut_short(const std::string& where) const {
  throw InputError(fmt::format("{}: cut short: the compressed file ends at byte {}, {}; copy or download it again",
                               file_.name(), file_offset(), where));
}

void GzipSource::damaged(const char* reason) const {
  throw InputError(fmt::format("{}: damaged near byte {} of the compressed file: {}; copy or download it again",
                               file_.name(), file_offset(), reason));
}

}  // namespace

std::unique_ptr<ByteSource> make_gzip_source(RawFile file, std::string_view start, bool lacks_eof_block) {
  return std::make_unique<GzipSource>(std::move(file), start, lacks_eof_block);
}

}  // namespace warpseed
