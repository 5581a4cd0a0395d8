// BAM files against those that htslib writes.
#include <fmt/format.h>
#include <htslib/bgzf.h>
#include <htslib/sam.h>

#include <algorithm>
#include <tuple>

#include "devices.hpp"
#include "records/alignment_file.hpp"
#include "records/bam_bytes.hpp"
#include "records/bam_fields.hpp"
#include "records/sam_header.hpp"
#include "records/writer_helpers.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace records;
namespace {

/// The block that ends a BGZF file: SAM specification 1.6, section 4.1.2.
constexpr char bgzf_end[28] = {'\x1f', '\x8b', 8,  4, 0, 0, 0, 0, 0, '\xff', 6, 0, 'B', 'C',
                               2,      0,      27, 0, 3, 0, 0, 0, 0, 0,      0, 0, 0,   0};

/// Mostly short; some longer than a BGZF block, one with more CIGAR elements than BAM's 16 bits.
std::vector<BamRecord> records_of_all_sizes(std::uint64_t count, std::mt19937& rng) {
  test::RecordBuilder builder(static_cast<unsigned>(rng()));
  std::vector<BamRecord> records = builder.batch(count);
  for (const std::size_t length : {40000, 43433, 43500, 90000, 200000}) {
    const test::Read read = {"long" + std::to_string(length), "", test::random_text(length, "ACGT", rng), ""};
    AlignmentRecord record;
    record.contig = static_cast<std::int32_t>(rng() % 2), record.position = static_cast<std::int32_t>(rng() % 800);
    const bool one_element = length < 65536;
    for (std::size_t i = 0; i < (one_element ? 1 : length); ++i) {
      const auto covered = static_cast<std::uint32_t>(one_element ? length : 1);
      record.cigar.push_back(cigar_element(i % 2 ? CigarOp::insertion : CigarOp::match, covered));
    }
    const auto place = static_cast<std::ptrdiff_t>(rng() % (records.size() + 1));
    records.insert(records.begin() + place, BamRecord(record, read.view(), "g", false));
  }
  return records;
}

/// Records of two contigs, some over several windows of an index or at their borders, some unmapped, some without contig.
std::vector<BamRecord> records_over_windows(std::int64_t count, std::int64_t bases_a_record, std::mt19937& rng) {
  constexpr std::int64_t window = 1 << 14, begin = 20 * window;
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(end));
  };
  std::vector<BamRecord> records;
  for (std::int64_t i = 0; i < count; ++i) {
    const test::Read read = test::random_read("read" + std::to_string(i), 80, rng);
    const auto size = static_cast<std::uint32_t>(read.bases.size());
    AlignmentRecord record;
    const std::int64_t kind = below(20);
    if (kind > 0) {
      record.contig = below(2) == 0 ? 0 : 2;
      record.position = begin + below(bases_a_record * count / 2);
      if (kind == 1)
        record.position = begin + below(bases_a_record * count / 2 / window + 1) * window - below(2) * size;
    }
    if (kind < 3 || size == 0)
      record.flag = sam_flag::unmapped;
    else
      record.cigar = {cigar_element(CigarOp::match, size)};
    if (kind == 19 && size > 0) {
      record.cigar.push_back(cigar_element(CigarOp::deletion, static_cast<std::uint32_t>(1 + below(20 * window))));
      record.cigar.push_back(cigar_element(CigarOp::match, 1));
      record.cigar.front() = cigar_element(CigarOp::match, size - 1);
      if (size == 1) record.cigar.erase(record.cigar.begin());
    }
    records.emplace_back(record, read.view(), "g", false);
  }
  return records;
}

void sort_by_place(std::vector<BamRecord>& records) {
  const auto key = [](const BamRecord& record) {
    const bam1_core_t& core = record.get()->core;
    return std::tuple(static_cast<std::uint32_t>(core.tid), core.pos, core.flag & BAM_FREVERSE);
  };
  std::stable_sort(records.begin(), records.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

void write_by_htslib(const std::string& path, const SamHeader& from, bool sorted, int level,
                     const std::vector<BamRecord>& records) {
  const std::string text = header_text(from, sorted);
  const std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> header(sam_hdr_parse(text.size(), text.data()),
                                                                sam_hdr_destroy);
  htsFile* file = hts_open(path.c_str(), level < 0 ? "wb" : ("wb" + std::to_string(level)).c_str());
  REQUIRE(file);
  CHECK(sam_hdr_write(file, header.get()) == 0);
  for (const BamRecord& record : records) CHECK(sam_write1(file, header.get(), record.get()) >= 0);
  CHECK(hts_close(file) == 0);
}

void write_by_us(const SamHeader& header, const WriterOptions& options, std::vector<BamRecord> records,
                 std::mt19937& rng) {
  const auto writer = open_alignments(header, options);
  for (std::size_t begin = 0; begin < records.size();) {
    const std::size_t end = std::min<std::size_t>(records.size(), begin + rng() % 3000);
    std::vector<BamRecord> part;
    for (; begin < end; ++begin) part.push_back(std::move(records[begin]));
    writer->write(std::move(part));
  }
  writer->finish();
}

/// Writes records in calls of these sizes, and the others in a last call.
void write_in_calls(const WriterOptions& options, const std::vector<BamRecord>& records,
                    const std::vector<std::size_t>& sizes) {
  std::vector<const bam1_t*> all;
  for (const BamRecord& record : records) all.push_back(record.get());
  const auto file = open_alignment_file(test::small_header(), options);
  std::span<const bam1_t* const> rest(all);
  for (const std::size_t size : sizes) {
    REQUIRE(size <= rest.size());
    write(*file, rest.first(size), options.threads);
    rest = rest.subspan(size);
  }
  write(*file, rest, options.threads);
  file->finish();
}

WriterOptions sorted_bam(const std::string& path, int threads) {
  WriterOptions options;
  options.path = path;
  options.format = AlignmentFormat::bam;
  options.threads = threads;
  options.sort = true;
  return options;
}

/// What each block of the file holds, the empty last one left out.
std::vector<std::string> blocks_of(const std::string& path) {
  const std::unique_ptr<BGZF, int (*)(BGZF*)> file(bgzf_open(path.c_str(), "r"), bgzf_close);
  REQUIRE(file);
  std::vector<std::string> blocks;
  while (bgzf_read_block(file.get()) == 0 && file->block_length > 0) {
    blocks.emplace_back(static_cast<const char*>(file->uncompressed_block), file->block_length);
  }
  CHECK(file->errcode == 0);
  return blocks;
}

bool same_content(const std::string& one, const std::string& other) {
  return test::content_of(one) == test::content_of(other);
}

}  // namespace

TEST_CASE("at a given level BAM has the bytes that htslib writes, and the index those of samtools index",
          "[records][writer]") {
  const int level = GENERATE(0, 1, 6);
  const bool sorted = GENERATE(false, true);
  const int threads = GENERATE(1, 3);
  const std::uint64_t count = GENERATE(0, 1, 700, 20000);
  CAPTURE(level, sorted, threads, count);
  std::mt19937 rng(static_cast<unsigned>(41 + count));
  const test::TempFolder folder;
  std::vector<BamRecord> records = records_of_all_sizes(count, rng);
  const SamHeader header = test::small_header();
  const WriterOptions options = {
      folder.file("ours.bam"), AlignmentFormat::bam, level, threads, sorted, 1 << 30, false, ""};
  if (sorted) sort_by_place(records);
  write_by_htslib(folder.file("theirs.bam"), header, sorted, level, records);
  write_by_us(header, options, std::move(records), rng);
  CHECK(same_content(folder.file("ours.bam"), folder.file("theirs.bam")));
  if (!sorted) return;
  REQUIRE(sam_index_build3(folder.file("theirs.bam").c_str(), nullptr, 0, 1) == 0);
  CHECK(same_content(folder.file("ours.bam.bai"), folder.file("theirs.bam.bai")));
}

TEST_CASE("BAM by our encoder has htslib's blocks, and the index that htslib makes of it", "[records][writer]") {
  const bool sorted = GENERATE(false, true);
  const int threads = GENERATE(1, 3);
  const std::uint64_t count = GENERATE(0, 1, 700, 20000);
  CAPTURE(sorted, threads, count);
  std::mt19937 rng(static_cast<unsigned>(42 + count));
  const test::TempFolder folder;
  std::vector<BamRecord> records = records_of_all_sizes(count, rng);
  const SamHeader header = test::small_header();
  const WriterOptions options = {
      folder.file("ours.bam"), AlignmentFormat::bam, -1, threads, sorted, 1 << 30, false, ""};
  if (sorted) sort_by_place(records);
  write_by_htslib(folder.file("theirs.bam"), header, sorted, 1, records);
  write_by_us(header, options, std::move(records), rng);
  const bool same_blocks = blocks_of(folder.file("ours.bam")) == blocks_of(folder.file("theirs.bam"));
  CHECK(same_blocks);
  CHECK(test::content_of(folder.file("ours.bam")).ends_with(std::string(bgzf_end, sizeof bgzf_end)));
  if (!sorted) return;
  const std::string by_htslib = folder.file("htslib.bai");
  REQUIRE(sam_index_build3(folder.file("ours.bam").c_str(), by_htslib.c_str(), 0, 1) == 0);
  CHECK(same_content(folder.file("ours.bam.bai"), by_htslib));
}

TEST_CASE("records that fill blocks exactly are written as htslib writes them", "[records][writer]") {
  const int level = GENERATE(0, 1);
  const std::size_t bases = GENERATE(226U, 43490U);  // 170 records a block, and one
  CAPTURE(level, bases);
  std::mt19937 rng(47);
  const test::TempFolder folder;
  std::vector<BamRecord> records;
  for (int i = 0; i < (bases > 1000 ? 20 : 5000); ++i) {
    const test::Read read = {fmt::format("{:08}", i), "", test::random_text(bases, "ACGT", rng), ""};
    AlignmentRecord record;
    record.contig = 0, record.position = i / 2, record.flag = sam_flag::unmapped;
    records.emplace_back(record, read.view(), "", false);
    REQUIRE(65280 % bam_size(*records.back().get()) == 0);
  }
  WriterOptions options = sorted_bam(folder.file("ours.bam"), 2);
  options.compression_level = level;
  write_by_htslib(folder.file("theirs.bam"), test::small_header(), true, level, records);
  write_in_calls(options, records,
                 bases > 1000 ? std::vector<std::size_t>{1, 2} : std::vector<std::size_t>{1, 169, 170, 171, 2000});
  CHECK(same_content(options.path, folder.file("theirs.bam")));
  REQUIRE(sam_index_build3(folder.file("theirs.bam").c_str(), nullptr, 0, 1) == 0);
  CHECK(same_content(options.path + ".bai", folder.file("theirs.bam.bai")));
}

TEST_CASE("BAM and its index do not depend on how many records a call has", "[records][writer]") {
  const int threads = GENERATE(1, 3);
  const int level = GENERATE(-1, 0, 1);
  const std::vector<std::size_t> sizes = {0, 1, 5, 0, 300, 2, 0, 40, 7000, 1, 12000, 0, 3, 1000, 1000, 1000};
  CAPTURE(threads, level);
  std::mt19937 rng(44);
  const test::TempFolder folder;
  std::vector<BamRecord> records = records_of_all_sizes(30000, rng);
  sort_by_place(records);
  for (const std::string name : {"one.bam", "many.bam"}) {
    WriterOptions options = sorted_bam(folder.file(name), threads);
    options.compression_level = level;
    write_in_calls(options, records, name == "many.bam" ? sizes : std::vector<std::size_t>());
  }
  CHECK(same_content(folder.file("many.bam"), folder.file("one.bam")));
  CHECK(same_content(folder.file("many.bam.bai"), folder.file("one.bam.bai")));
}

TEST_CASE("records in few and many windows of an index are those that samtools index finds", "[records][writer]") {
  const bool long_contigs = GENERATE(false, true);  // whose index is CSI
  const std::int64_t bases_a_record = GENERATE(1, 40, 900, 30000);
  const int threads = GENERATE(1, 3);
  CAPTURE(long_contigs, bases_a_record, threads);
  std::mt19937 rng(static_cast<unsigned>(46 + bases_a_record));
  const test::TempFolder folder;
  SamHeader header = test::small_header();
  header.contigs = {{"one", long_contigs ? 700'000'000 : 400'000'000}, {"none", 1000}, {"two", 300'000'000}};
  std::vector<BamRecord> records = records_over_windows(5000, bases_a_record, rng);
  sort_by_place(records);
  WriterOptions options = sorted_bam(folder.file("ours.bam"), threads);
  write_by_us(header, options, std::move(records), rng);
  const std::string extension = long_contigs ? ".csi" : ".bai", by_htslib = folder.file("htslib" + extension);
  REQUIRE(sam_index_build3(options.path.c_str(), by_htslib.c_str(), long_contigs ? 14 : 0, 1) == 0);
  CHECK(same_content(options.path + extension, by_htslib));
}

TEST_CASE("an error of the index, which is made in the background, leaves no file", "[records][writer]") {
  const bool more_follows = GENERATE(false, true);
  std::mt19937 rng(45);
  const test::TempFolder folder;
  std::vector<BamRecord> records = records_of_all_sizes(9000, rng);
  sort_by_place(records);
  records.front().get()->core.pos = std::int64_t{1} << 30;  // BAI ends at 2^29
  const std::vector<std::size_t> sizes(more_follows ? 10 : 0, 800);
  CHECK_THROWS_AS(write_in_calls(sorted_bam(folder.file("bad.bam"), 2), records, sizes), InputError);
  CHECK(folder.names().empty());
}

TEST_CASE("fields of a record end where the record does, whatever its lengths claim", "[records][writer]") {
  std::mt19937 rng(43);
  std::vector<BamField> fields;
  std::uint64_t total = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string record(rng() % 400, '\0');
    for (char& byte : record) byte = static_cast<char>(rng() % 4 == 0 ? rng() : 0);
    add_fields(record.data(), record.size(), fields);
    total += record.size();
    REQUIRE((fields.empty() ? 0 : fields.back().end) == total);
  }
  for (std::size_t i = 1; i < fields.size(); ++i) REQUIRE(fields[i - 1].end < fields[i].end);
  std::vector<deflate::Field> cut;
  for (std::uint64_t begin = 0; begin < total; begin += 1000) {
    const std::uint64_t end = std::min(total, begin + 1000);
    cut_fields(fields, begin, end, cut);
    REQUIRE(cut.back().end == end - begin);
  }
}

TEST_CASE("a device compresses BAM to the CPU's bytes", "[records][writer][gpu]") {
  for (const Backend& device : test::devices()) {
    CAPTURE(to_string(device));
    const test::TempFolder folder;
    WriterOptions options;
    options.format = AlignmentFormat::bam;
    options.threads = 2;
    options.sort = true;
    for (const std::string name : {"cpu.bam", "device.bam"}) {
      std::mt19937 rng(46);
      options.path = folder.file(name);
      if (name == "device.bam") options.backend = [&] { return device; };
      const auto writer = open_alignments(test::small_header(), options);
      writer->write(records_of_all_sizes(200000, rng));
      writer->finish();
    }
    const bool same = test::content_of(folder.file("device.bam")) == test::content_of(folder.file("cpu.bam"));
    CHECK(same);
    const bool same_index =
        test::content_of(folder.file("device.bam.bai")) == test::content_of(folder.file("cpu.bam.bai"));
    CHECK(same_index);
  }
}

TEST_CASE("a device's BAM does not depend on how many records a call has", "[records][writer][gpu]") {
  // Calls that a device takes, next to each other and between those too small for it; some of them have less than one
  // slice of what it deflates at a time, some more slices than are in flight.
  const std::vector<std::size_t> sizes = {0,     3,      20000, 0,     1,      20000, 20000, 20000, 20000, 20000, 20000,
                                          20000, 400000, 100,   20000, 400000, 0,     0,     60000, 70000, 1};
  for (const Backend& device : test::devices()) {
    CAPTURE(to_string(device));
    std::mt19937 rng(47);
    const test::TempFolder folder;
    std::vector<BamRecord> records = records_of_all_sizes(1150000, rng);
    sort_by_place(records);
    for (const std::string name : {"cpu.bam", "device.bam"}) {
      WriterOptions options = sorted_bam(folder.file(name), 3);
      if (name == "device.bam") options.backend = [&] { return device; };
      write_in_calls(options, records, name == "device.bam" ? sizes : std::vector<std::size_t>());
    }
    CHECK(same_content(folder.file("device.bam"), folder.file("cpu.bam")));
    CHECK(same_content(folder.file("device.bam.bai"), folder.file("cpu.bam.bai")));
  }
}

TEST_CASE("a device may still compress BAM when its writer is destroyed", "[records][writer][gpu]") {
  for (const Backend& device : test::devices()) {
    CAPTURE(to_string(device));
    std::mt19937 rng(48);
    const test::TempFolder folder;
    WriterOptions options = sorted_bam(folder.file("never.bam"), 2);
    options.backend = [&] { return device; };
    const std::vector<BamRecord> records = records_of_all_sizes(100000, rng);
    std::vector<const bam1_t*> all;
    for (const BamRecord& record : records) all.push_back(record.get());
    write(*open_alignment_file(test::small_header(), options), all, options.threads);
    CHECK(folder.names().empty());
  }
}

}  // namespace warpseed
