// Random records of a small genome, and output files read back through htslib.
#pragma once

#include <htslib/kstring.h>
#include <htslib/sam.h>

#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "reads/helpers.hpp"
#include "records/alignment_writer.hpp"

namespace warpseed::test {

inline records::SamHeader small_header() {
  return {{{"one", 5000}, {"two", 900}, {"three", 70}}, {"@RG\tID:g\tSM:s"}, "warpseed align", {}, {}};
}

/// Reads of length 0 to 80 at few positions, so that many records share one; some unaligned, some without bases.
struct RecordBuilder {
  std::mt19937 rng;
  std::uint64_t made = 0;

  explicit RecordBuilder(unsigned seed) : rng(seed) {}

  records::BamRecord next() {
    const Read read = random_read("read" + std::to_string(made++), 80, rng);
    const auto size = static_cast<std::uint32_t>(read.bases.size());
    records::AlignmentRecord record;
    record.flag = rng() % 2 ? records::sam_flag::reverse : 0;
    if (rng() % 5 > 0) {
      record.contig = static_cast<std::int32_t>(rng() % 3);
      record.position = record.contig == 0 ? rng() % 4900 : rng() % 3;
    }
    if (record.contig == 0 && size > 0) {
      record.cigar = {records::cigar_element(records::CigarOp::match, size)};
      record.mapq = 30;
      record.edit_distance = static_cast<std::int32_t>(rng() % 5);
    } else {
      record.flag |= records::sam_flag::unmapped;
    }
    return records::BamRecord(record, read.view(), "g", false);
  }

  std::vector<records::BamRecord> batch(std::uint64_t count) {
    std::vector<records::BamRecord> records;
    for (std::uint64_t i = 0; i < count; ++i) records.push_back(next());
    return records;
  }
};

inline std::string line_of(const sam_hdr_t* header, const bam1_t* record) {
  kstring_t text = {0, 0, nullptr};
  REQUIRE(sam_format1(header, record, &text) >= 0);
  std::string line(text.s, text.l);
  free(text.s);
  return line;
}

/// The records of a file as SAM lines; the header's text goes to `header_text`, if given.
inline std::vector<std::string> lines_in(const std::string& path, std::string* header_text = nullptr) {
  const std::unique_ptr<htsFile, int (*)(htsFile*)> file(hts_open(path.c_str(), "r"), hts_close);
  REQUIRE(file);
  const std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> header(sam_hdr_read(file.get()), sam_hdr_destroy);
  REQUIRE(header);
  if (header_text) *header_text = sam_hdr_str(header.get());
  const std::unique_ptr<bam1_t, void (*)(bam1_t*)> record(bam_init1(), bam_destroy1);
  std::vector<std::string> lines;
  int got = 0;
  while ((got = sam_read1(file.get(), header.get(), record.get())) >= 0) {
    lines.push_back(line_of(header.get(), record.get()));
  }
  CHECK(got == -1);
  return lines;
}

}  // namespace warpseed::test
