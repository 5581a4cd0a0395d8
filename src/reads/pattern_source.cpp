#include "reads/pattern_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/byte_source.hpp"
#include "core/error.hpp"
#include "text/alphabet.hpp"

namespace warpseed {

namespace {

/// A source whose first byte has been read already; it comes first again.
class WithFirstByte final : public ByteSource {
 public:
  WithFirstByte(char first, std::unique_ptr<ByteSource> rest) : first_(first), rest_(std::move(rest)) {}

  std::uint64_t read(std::span<char> out) override {
    if (!pending_ || out.empty()) return rest_->read(out);
    out[0] = first_;
    pending_ = false;
    return 1 + rest_->read(out.subspan(1));
  }

 private:
  char first_;
  bool pending_ = true;
  std::unique_ptr<ByteSource> rest_;
};

std::string shown(char letter) {
  return letter > ' ' && letter <= '~' ? fmt::format("'{}'", letter)
                                       : fmt::format("byte 0x{:02x}", static_cast<unsigned char>(letter));
}

}  // namespace

PatternSource::PatternSource(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  std::unique_ptr<ByteSource> bytes = open_bytes(path);
  char first = '\0';
  if (bytes->read({&first, 1}) == 1) bytes = std::make_unique<WithFirstByte>(first, std::move(bytes));
  if (first == '>' || first == '@') {
    records_.emplace(std::move(bytes), name_);
  } else {
    constexpr std::uint64_t block_bytes = 1 << 20;
    lines_.emplace(std::move(bytes), block_bytes);
  }
}

bool PatternSource::next(ReadBatch& batch) {
  batch.clear();
  std::uint64_t letters = 0;
  while (batch.size() < batch_patterns && letters < batch_letters) {
    if (!(records_ ? records_->next(batch) : add_line(batch))) break;
    letters += batch[batch.size() - 1].letters.size();
  }
  return !batch.empty();
}

bool PatternSource::add_line(ReadBatch& batch) {
  lines_->begin_record();
  LineReader::Line line;
  if (!lines_->next(line)) return false;
  const std::string_view letters = lines_->text(line);
  const auto bad =
      std::find_if(letters.begin(), letters.end(), [](char c) { return code_of_letter(c) == code_invalid; });
  if (bad != letters.end()) {
    throw InputError::at(name_, lines_->line_number(),
                         fmt::format("{} is not a nucleotide; give FASTA, FASTQ or one pattern a line, in "
                                     "IUPAC letters",
                                     shown(*bad)));
  }
  batch.add(letters, {}, letters, {});
  return true;
}

}  // namespace warpseed
