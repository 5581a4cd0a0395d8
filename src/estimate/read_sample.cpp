#include "estimate/read_sample.hpp"

#include <cstddef>
#include <string>
#include <string_view>

#include "core/byte_source.hpp"
#include "core/deflate.hpp"
#include "estimate/costs.hpp"
#include "reads/record_reader.hpp"
#include "text/alphabet.hpp"

namespace warpseed::estimate {

namespace {

constexpr std::uint64_t reads_to_look_at = 4096;

/// The beginning of a file, decompressed.
std::string start_of(const std::string& path) {
  std::string start(1 << 20, '\0');
  start.resize(open_bytes(path)->read(start));
  return start;
}

ReadFormat format_of(const std::string& start) {
  if (start.starts_with("CRAM")) return ReadFormat::cram;
  if (start.starts_with("BAM\1")) return ReadFormat::bam;
  return reads::begins_records(start) ? ReadFormat::sam : ReadFormat::text;
}

/// Bytes a line of SAM, the header apart and what is cut at the end.
double line_bytes(std::string_view start) {
  double bytes = 0, lines = 0;
  for (std::size_t end = start.find('\n'); end != std::string_view::npos; end = start.find('\n')) {
    if (!start.starts_with('@')) bytes += static_cast<double>(end + 1), ++lines;
    start.remove_prefix(end + 1);
  }
  return lines > 0 ? bytes / lines : static_cast<double>(start.size());
}

/// Line ends and the characters before names: of FASTQ, or of FASTA.
double punctuation(const reads::ReadView& read) {
  const double comment = read.comment.empty() ? 0 : 1;
  return comment + (read.qualities.empty() ? 3 : 6);
}

/// Bytes of the reads as records have them, to be compressed: names, two bases a byte, qualities.
class RecordBytes {
 public:
  void add(const reads::ReadView& read) {
    append(read.name);
    for (std::size_t i = 0; i < read.bases.size(); i += 2) {
      const unsigned high = text::code_of_base(read.bases[i]);
      const unsigned low = i + 1 < read.bases.size() ? text::code_of_base(read.bases[i + 1]) : 0;
      bytes_.push_back(static_cast<std::byte>(high << 4 | low));
    }
    append(read.qualities.empty() ? std::string(read.bases.size(), '\xFF') : std::string(read.qualities));
    if (bytes_.size() >= block_bytes) flush();
  }

  std::uint64_t compressed() {
    flush();
    return compressed_;
  }

 private:
  static constexpr std::size_t block_bytes = 1 << 16;  // as BGZF has them

  void append(std::string_view text) {
    for (const char letter : text) bytes_.push_back(static_cast<std::byte>(letter));
  }
  void flush() {
    const std::vector<std::byte> fewer = deflated(bytes_);
    compressed_ += fewer.empty() ? bytes_.size() : fewer.size();
    bytes_.clear();
  }

  std::vector<std::byte> bytes_;
  std::uint64_t compressed_ = 0;
};

}  // namespace

ReadSample sample_reads(const reads::ReadInput& input) {
  ReadSample sample;
  const std::string start = start_of(input.path1);
  sample.format = format_of(start);
  const auto source = reads::open_reads(input);
  reads::ReadBatch batch;
  source->next(batch, reads_to_look_at);
  sample.paired = source->paired();
  sample.reads = batch.size();
  if (batch.empty()) return sample;
  RecordBytes records;
  for (std::uint64_t i = 0; i < batch.size(); ++i) {
    const reads::ReadView read = batch[i];
    const auto name = static_cast<double>(read.name.size()), bases = static_cast<double>(read.bases.size());
    const auto rest = static_cast<double>(read.comment.size() + read.tags.size());
    sample.name += name;
    sample.comment += rest;
    sample.bases += bases;
    sample.qualities += static_cast<double>(read.qualities.size());
    sample.stored += sample.format == ReadFormat::bam
                         ? 4.0 + bam_fixed_fields + name + 1.5 * bases + rest
                         : name + rest + bases + static_cast<double>(read.qualities.size()) + punctuation(read);
    records.add(read);
  }
  const auto count = static_cast<double>(batch.size());
  sample.compressed = static_cast<double>(records.compressed()) / count;
  if (sample.format == ReadFormat::sam) sample.stored = line_bytes(start) * count;
  for (double* const sum : {&sample.name, &sample.comment, &sample.bases, &sample.qualities, &sample.stored})
    *sum /= count;
  return sample;
}

}  // namespace warpseed::estimate
