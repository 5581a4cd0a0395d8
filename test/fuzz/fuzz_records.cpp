// SAM and BAM as input of `align`: open_reads() compared with a plain loop over htslib's records. BAM is not compressed in
// these inputs; fuzz_gzip.cpp is about that. CRAM is left to htslib.
// Covers: src/reads/record_source.cpp src/reads/record_reader.cpp src/reads/original_read.cpp src/reads/pipe_feeder.cpp
#include <htslib/sam.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "fuzz.hpp"
#include "fuzz_reads.hpp"
#include "fuzz_tags.hpp"
#include "reads/read_source.hpp"
#include "reads/record_reader.hpp"

namespace {

using namespace warpseed;
using fuzz::Read;

std::string without_mate(std::string name) {
  if (name.size() > 2 && (name.ends_with("/1") || name.ends_with("/2"))) name.resize(name.size() - 2);
  return name;
}

Read read_of(const bam1_t& record) {
  Read read{without_mate(bam_get_qname(&record)), "", "", "", ""};
  constexpr std::string_view complements = "=TGKCYSBAWRDMHVN";  // by BAM's code
  const bool reverse = (record.core.flag & BAM_FREVERSE) != 0;
  const std::uint8_t* qualities = bam_get_qual(&record);
  for (int i = 0; i < record.core.l_qseq; ++i) {
    const auto code = static_cast<std::size_t>(bam_seqi(bam_get_seq(&record), i));
    read.bases += reverse ? complements[code] : seq_nt16_str[code];
    if (qualities[0] != 0xFF) read.qualities += static_cast<char>(qualities[i] + '!');
  }
  if (!reverse) return read;
  std::reverse(read.bases.begin(), read.bases.end());
  std::reverse(read.qualities.begin(), read.qualities.end());
  return read;
}

/// The reads of the primary records up to the first that htslib refuses.
std::vector<Read> expected_reads(const std::string& path) {
  const std::unique_ptr<htsFile, int (*)(htsFile*)> file(hts_open(path.c_str(), "r"), hts_close);
  fuzz::require(file != nullptr, "htslib does not open the file");
  const std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> header(sam_hdr_read(file.get()), sam_hdr_destroy);
  fuzz::require(header != nullptr, "htslib does not read the header");
  const std::unique_ptr<bam1_t, void (*)(bam1_t*)> record(bam_init1(), bam_destroy1);
  std::vector<Read> reads;
  while (sam_read1(file.get(), header.get(), record.get()) >= 0) {
    if ((record->core.flag & (BAM_FSECONDARY | BAM_FSUPPLEMENTARY)) == 0) reads.push_back(read_of(*record));
  }
  return reads;
}

/// Their order within pairs, and tags, which htslib does not parse, are no matter of comparison.
std::vector<Read> sorted(std::vector<Read> reads) {
  for (Read& read : reads) read.tags.clear();
  std::sort(reads.begin(), reads.end(), [](const Read& a, const Read& b) {
    return std::tie(a.name, a.bases, a.qualities) < std::tie(b.name, b.bases, b.qualities);
  });
  return reads;
}

std::uint64_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  if (at + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// Whether BAM has a size that is larger than the file. htslib makes room for as much before it reads, gigabytes perhaps.
bool exceeds_file(std::string_view bam) {
  const auto too_large = [&](std::uint64_t size) { return size > bam.size() + 16; };
  std::size_t at = 8 + number_at(bam, 4);
  const std::uint64_t contigs = number_at(bam, at);
  if (too_large(at) || too_large(contigs)) return true;
  at += 4;
  for (std::uint64_t i = 0; i < contigs && at < bam.size(); ++i) {
    at += 8 + number_at(bam, at);
    if (too_large(at)) return true;
  }
  while (at < bam.size()) {
    at += 4 + number_at(bam, at);
    if (too_large(at)) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  if (!reads::begins_records(input.substr(0, 1024)) || input.starts_with("CRAM")) return 0;
  if (input.starts_with("BAM\1") && exceeds_file(input)) return 0;
  fuzz::Choices choices(input);
  const fuzz::InputFile file(input);
  reads::ReadInput from{file.path()};
  from.interleaved = choices.below(3) == 0;
  from.with_singles = choices.below(2) == 0;
  from.with_read_groups = choices.below(4) != 0;
  const std::uint64_t count = 2 + 2 * choices.below(3);
  std::vector<Read> reads;
  const bool accepted = fuzz::accepts(file.path(), [&] { reads = fuzz::all_reads(*reads::open_reads(from), count); });
  if (!accepted) return 0;
  fuzz::require(sorted(reads) == sorted(expected_reads(file.path())), "htslib's records are other reads");
  for (const Read& read : reads) fuzz::trim_tags(read.tags, read.bases, choices);
  return 0;
}
