// Coordinate order against std::stable_sort, in memory and through runs on disk; and the index.
#include <tuple>

#include "catch.hpp"
#include "records/sam_header.hpp"
#include "records/writer_helpers.hpp"

using namespace warpseed;
using namespace warpseed::records;
using test::RecordBuilder;

namespace {

constexpr std::uint64_t in_memory = 1ULL << 30;

WriterOptions sorted_options(const std::string& path, std::uint64_t memory_bytes, int threads) {
  WriterOptions options;
  options.path = path;
  options.format = choose_format("", path);
  options.threads = threads;
  options.sort = true;
  options.sort_memory_bytes = memory_bytes;
  return options;
}

void write_all(const WriterOptions& options, unsigned seed, std::uint64_t count) {
  RecordBuilder builder(seed);
  const auto writer = open_alignments(test::small_header(), options);
  for (std::uint64_t done = 0; done < count; done += 100) {
    writer->write(builder.batch(std::min<std::uint64_t>(100, count - done)));
  }
  writer->finish();
}

std::vector<std::string> wanted_lines(unsigned seed, std::uint64_t count) {
  const std::string text = header_text(test::small_header(), true);
  const std::shared_ptr<sam_hdr_t> header(sam_hdr_parse(text.size(), text.data()), sam_hdr_destroy);
  std::vector<BamRecord> records = RecordBuilder(seed).batch(count);
  const auto key = [](const BamRecord& record) {
    const bam1_core_t& core = record.get()->core;
    const bool unaligned = core.tid < 0;
    return std::tuple(unaligned, core.tid, core.pos, !unaligned && bam_is_rev(record.get()));
  };
  std::stable_sort(records.begin(), records.end(),
                   [&](const BamRecord& a, const BamRecord& b) { return key(a) < key(b); });
  std::vector<std::string> lines;
  for (const BamRecord& record : records) lines.push_back(test::line_of(header.get(), record.get()));
  return lines;
}

/// How many records an index finds in a region.
std::uint64_t count_in(const std::string& path, const std::string& region) {
  const std::unique_ptr<htsFile, int (*)(htsFile*)> file(hts_open(path.c_str(), "r"), hts_close);
  const std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> header(sam_hdr_read(file.get()), sam_hdr_destroy);
  const std::unique_ptr<hts_idx_t, void (*)(hts_idx_t*)> index(sam_index_load(file.get(), path.c_str()),
                                                               hts_idx_destroy);
  REQUIRE(index);
  const std::unique_ptr<hts_itr_t, void (*)(hts_itr_t*)> place(
      sam_itr_querys(index.get(), header.get(), region.c_str()), hts_itr_destroy);
  REQUIRE(place);
  const std::unique_ptr<bam1_t, void (*)(bam1_t*)> record(bam_init1(), bam_destroy1);
  std::uint64_t count = 0;
  while (sam_itr_next(file.get(), place.get(), record.get()) >= 0) ++count;
  return count;
}

}  // namespace

TEST_CASE("records are sorted as by std::stable_sort", "[records][writer][sort]") {
  const std::string name = GENERATE("x.sam", "x.bam", "x.cram");
  const int threads = GENERATE(1, 2);
  const std::uint64_t memory_bytes = GENERATE(in_memory, std::uint64_t{40000}, std::uint64_t{3000});
  const std::uint64_t count = GENERATE(0, 1, 2, 1500);
  CAPTURE(name, threads, memory_bytes, count);
  const test::TempFolder folder;
  write_all(sorted_options(folder.file(name), memory_bytes, threads), 31, count);
  std::string header;
  CHECK(test::lines_in(folder.file(name), &header) == wanted_lines(31, count));
  CHECK(header == header_text(test::small_header(), true));
}

TEST_CASE("sorted bytes do not depend on threads, memory or backend", "[records][writer][sort][backend]") {
  const std::string extension = GENERATE(".sam", ".bam", ".cram");
  CAPTURE(extension);
  const test::TempFolder folder;
  write_all(sorted_options(folder.file("a" + extension), in_memory, 1), 32, 5000);
  write_all(sorted_options(folder.file("b" + extension), in_memory, 2), 32, 5000);
  write_all(sorted_options(folder.file("c" + extension), 10000, 1), 32, 5000);  // hundreds of runs
  write_all(sorted_options(folder.file("d" + extension), 100000, 3), 32, 5000);
  WriterOptions options = sorted_options(folder.file("e" + extension), 1000000, 2);
  options.backend = [] { return available_backends().back(); };
  write_all(options, 32, 5000);
  const std::string index = extension == ".bam" ? ".bam.bai" : extension == ".cram" ? ".cram.crai" : extension;
  for (const std::string name : {"b", "c", "d", "e"}) {
    CAPTURE(name);
    const bool same = test::content_of(folder.file(name + extension)) == test::content_of(folder.file("a" + extension));
    CHECK(same);
    const bool same_index = test::content_of(folder.file(name + index)) == test::content_of(folder.file("a" + index));
    CHECK(same_index);
  }
  CHECK(folder.names().size() == (extension == ".sam" ? 5 : 10));
}

TEST_CASE("the index finds all records of a region", "[records][writer][sort]") {
  const std::string name = GENERATE("x.bam", "x.cram");
  CAPTURE(name);
  const test::TempFolder folder;
  const std::string path = folder.file(name);
  write_all(sorted_options(path, in_memory, 2), 33, 3000);
  std::uint64_t wanted = 0, unaligned = 0;
  for (const std::string& line : wanted_lines(33, 3000)) {
    wanted += line.find("\tone\t") != std::string::npos;
    unaligned += line.find("\t*\t0\t0\t*\t*\t0\t") != std::string::npos;
  }
  CHECK(count_in(path, "one") == wanted);
  CHECK(count_in(path, "*") == unaligned);
  CHECK(count_in(path, "one:4990-5000") < wanted);
}

TEST_CASE("contigs too long for BAI get a CSI", "[records][writer][sort]") {
  const std::uint64_t length = GENERATE(1ULL << 29, (1ULL << 29) + 1);
  const test::TempFolder folder;
  const SamHeader header = {{{"one", length}}, {}, "", {}, {}};
  open_alignments(header, sorted_options(folder.file("x.bam"), in_memory, 1))->finish();
  const std::string index = length > 1ULL << 29 ? "x.bam.csi" : "x.bam.bai";
  CHECK(folder.names() == std::vector<std::string>{"x.bam", index});
}
