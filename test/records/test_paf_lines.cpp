// Lines of PAF against the columns that its description asks for.
#include <memory>
#include <string>

#include "catch.hpp"
#include "records/paf_lines.hpp"

using namespace warpseed;

namespace {

/// The PAF of one line of SAM.
std::string paf_of(const std::string& line) {
  const std::string text = "@SQ\tSN:chr1\tLN:1000\n";
  const std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> header(sam_hdr_parse(text.size(), text.c_str()),
                                                                sam_hdr_destroy);
  const std::unique_ptr<bam1_t, void (*)(bam1_t*)> record(bam_init1(), bam_destroy1);
  kstring_t sam = {};
  kputs(line.c_str(), &sam);
  const int parsed = sam_parse1(&sam, header.get(), record.get());
  ks_free(&sam);
  REQUIRE(parsed >= 0);
  std::string paf;
  const bam1_t* const one = record.get();
  records::append_paf_lines({&one, 1}, header.get(), paf);
  return paf;
}

}  // namespace

TEST_CASE("clipped bases are in PAF's query columns and not in cg", "[records][paf]") {
  // 12 bases: 2 clipped, 4 aligned with 1 mismatch, 1 inserted, 2 deleted of the genome, 3 aligned, 2 clipped.
  CHECK(paf_of("r\t0\tchr1\t101\t37\t2S4M1I2D3M2H\t*\t0\t0\tACGTACGTAC\t*\tNM:i:4\tAS:i:5") ==
        "r\t12\t2\t10\t+\tchr1\t1000\t100\t109\t6\t10\t37\ttp:A:P\tNM:i:4\tAS:i:5\tcg:Z:4M1I2D3M\n");
  // On the reverse strand the columns count from the read's own beginning.
  CHECK(paf_of("r\t272\tchr1\t1\t0\t3H5M\t*\t0\t0\tACGTA\t*\tNM:i:0\tAS:i:5") ==
        "r\t8\t0\t5\t-\tchr1\t1000\t0\t5\t5\t5\t0\ttp:A:S\tNM:i:0\tAS:i:5\tcg:Z:5M\n");
  CHECK(paf_of("r\t4\t*\t0\t0\t*\t*\t0\t0\tACGTA\t*").empty());
}
