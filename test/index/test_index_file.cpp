#include "index/index_file.hpp"
#include "index/index_needs.hpp"

#include <cstddef>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "core/temp_folder.hpp"
#include "fm_helpers.hpp"
#include "index_bytes.hpp"
#include "message_of.hpp"
#include "oracle.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace index;
using namespace text;

namespace {

namespace fs = std::filesystem;
using test::content_of;
using test::front_of;
using test::seal;
using test::TempFolder;

void put_bytes(const std::string& path, std::string_view bytes) {
  fs::remove(path);  // some file systems flush a file at once if it is truncated and refilled
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// The error message for a file with these bytes; empty if it opens.
std::string complaint(const std::string& path, std::string_view bytes) {
  put_bytes(path, bytes);
  return test::message_of<InputError>([&] { const Index index(path); });
}

template <class T>
bool same_view(View<T> a, View<T> b) {
  return a.size == b.size && (a.size == 0 || std::memcmp(a.data, b.data, a.bytes()) == 0);
}

bool same_positions(PositionArray a, PositionArray b) {
  return a.size == b.size && a.width == b.width && (a.size == 0 || std::memcmp(a.data, b.data, a.bytes()) == 0);
}

void check_same(const Index& opened, const Genome& genome, const FmIndex& index) {
  const FmView fm = opened.fm(), expected = index.view();
  CHECK(same_view(fm.blocks, expected.blocks));
  CHECK(same_view(fm.superblocks, expected.superblocks));
  CHECK(std::equal(std::begin(fm.first_row), std::end(fm.first_row), std::begin(expected.first_row)));
  CHECK(same_positions(fm.samples, expected.samples));
  CHECK(same_positions(fm.segment_starts, expected.segment_starts));
  CHECK(same_positions(fm.kmer_ranges, expected.kmer_ranges));
  CHECK(fm.sample_step == expected.sample_step);
  CHECK(fm.kmer_length == expected.kmer_length);
  CHECK(same_view(opened.genome().segments, genome.view().segments));
  CHECK(same_view(opened.genome().contig_begins, genome.view().contig_begins));
  CHECK(opened.genome().text.size == genome.text_size());
  CHECK(std::equal(genome.words.begin(), genome.words.end(), opened.genome().text.words));
  REQUIRE(opened.contig_count() == genome.contig_count());
  for (std::uint64_t i = 0; i < genome.contig_count(); ++i) {
    CHECK(opened.contig_name(i) == genome.names[i]);
    CHECK(opened.contig_name(i).data()[opened.contig_name(i).size()] == '\0');
    CHECK(opened.contig_length(i) == genome.contig_begins[i + 1] - genome.contig_begins[i]);
  }
}

}  // namespace

TEST_CASE("an index file holds what was written", "[index]") {
  const TempFolder folder;
  const std::string path = folder.file("ref.wsi");
  for (const test::NamedText& text : test::difficult_texts(8)) {
    CAPTURE(text.name);
    const Genome genome = test::genome_of(text.contigs);
    const FmIndex narrow = build_fm_index(genome.view(), Backend{});
    for (const FmIndex& fm : {narrow, test::widened(narrow)}) {
      const std::uint64_t written = write_index(path, Index(genome, fm));
      CHECK(written == fs::file_size(path));
      const Index opened(path);
      check_same(opened, genome, fm);
      check_same(Index(genome, fm), genome, fm);
      check_same(Index(path, {Residence::loaded, 2}), genome, fm);  // read into large pages
      CHECK(opened.path() == path);
      CHECK(opened.built_by().substr(0, 9) == "warpseed ");
      CHECK(opened.sections().size() == format::section_count);
      CHECK(verify_against_text(opened.fm(), opened.genome(), 1).empty());
    }
  }
  CHECK_THROWS_AS(write_index(folder.file("no/such/folder.wsi"), Index(test::genome_of({"A"}), FmIndex{})), IoError);
}

TEST_CASE("a file read into large pages is unchanged", "[index]") {
  const TempFolder folder;
  const std::string path = folder.file("file");
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1} << 21, (std::size_t{1} << 24) + 5}) {
    CAPTURE(size);
    std::string bytes(size, 'a');
    for (std::size_t i = 0; i < size; i += 997) bytes[i] = static_cast<char>(i % 251);
    put_bytes(path, bytes);
    for (const int threads : {1, 3}) {
      const MappedFile file(path, {Residence::loaded, threads});
      const auto* first = reinterpret_cast<const char*>(file.bytes().data());
      CHECK(std::string_view(first, file.bytes().size()) == bytes);
    }
  }
}

TEST_CASE("an index takes at most 2.8 bytes per base with default settings", "[index]") {
  const TempFolder folder;
  const Genome genome = test::genome_of(test::big_text(1'000'000, 2));
  const std::uint64_t bytes =
      write_index(folder.file("ref.wsi"), Index(genome, build_fm_index(genome.view(), Backend{})));
  CHECK(static_cast<double>(bytes) / static_cast<double>(genome.base_count()) < 2.8);
}

TEST_CASE("every flipped bit and every truncation of an index file is detected", "[index]") {
  const TempFolder folder;
  const std::string path = folder.file("ref.wsi"), broken = folder.file("broken.wsi");
  std::mt19937 rng(6);
  const Genome genome = test::genome_of({test::random_bases(300, 4, rng), "NACGTN"});
  write_index(path, Index(genome, build_fm_index(genome.view(), Backend{})));
  const std::string good = content_of(path);
  REQUIRE(complaint(broken, good).empty());
  for (std::size_t at = 0; at < good.size(); ++at) {
    CAPTURE(at);
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1 << at % 8);
    REQUIRE(test::contains(complaint(broken, bad), broken));
    REQUIRE(test::contains(complaint(broken, std::string_view(good).substr(0, at)), "ndex"));
  }
  CHECK(test::contains(complaint(broken, good + "x"), "follow its end"));
}

TEST_CASE("an index whose contigs have control characters in their names is forged", "[index]") {
  const TempFolder folder;
  for (const char* name : {"a\x1B[31m", "a\nb", "\x01"}) {
    Genome genome = test::genome_of({"ACGTTGCAACGGATTC"});
    genome.names = {name};
    const std::string path = folder.file("forged.wsi");
    write_index(path, Index(genome, build_fm_index(genome.view(), Backend{})));
    CHECK(test::contains(test::message_of<InputError>([&] { const Index index(path); }), "contig-names"));
  }
}

TEST_CASE("a damaged index says which section it is", "[index]") {
  const TempFolder folder;
  const std::string path = folder.file("ref.wsi"), broken = folder.file("broken.wsi");
  const Genome genome = test::genome_of(test::big_text(30'000, 12));
  write_index(path, Index(genome, build_fm_index(genome.view(), Backend{})));
  const std::string good = content_of(path);
  const format::Front front = front_of(good);
  for (std::uint32_t id = 0; id < format::section_count; ++id) {
    REQUIRE(front.entries[id].bytes > 0);
    std::string bad = good;
    bad[front.entries[id].offset + front.entries[id].bytes / 2] ^= 4;
    const std::string name(format::section_names[id]);
    CHECK(test::contains(complaint(broken, bad), "section " + name + " is damaged"));
  }
  CHECK(test::contains(complaint(broken, good.substr(0, 100'000 % good.size())), "truncated"));
  std::string other = good;
  other[8] = 9;
  CHECK(test::contains(complaint(broken, other), "format version 9, this program reads 1"));
  std::string swapped = good;
  std::reverse(swapped.begin() + 12, swapped.begin() + 16);
  CHECK(test::contains(complaint(broken, swapped), "byte order"));
}

TEST_CASE("files of other kinds are rejected with their kind", "[index]") {
  const TempFolder folder;
  const std::string path = folder.file("file");
  CHECK(test::contains(complaint(path, ""), "empty"));
  CHECK(test::contains(complaint(path, ">chr1\nACGT\n"), "FASTA"));
  CHECK(test::contains(complaint(path, std::string(5000, 'x')), "not a warpseed index"));
  CHECK(test::contains(complaint(path, "warps"), "not a warpseed index"));
  CHECK(test::contains(complaint(path, "warpseed"), "truncated"));
  const auto opening = [](const std::string& name) {
    return test::message_of<InputError>([&] { const Index index(name); });
  };
  CHECK(test::contains(opening(folder.file("missing.wsi")), "no such file"));
  CHECK(test::contains(opening(fs::temp_directory_path().string()), "directory"));
  CHECK(test::contains(opening("/dev/null"), "not a regular file"));
}

TEST_CASE("forged headers never cause reads outside the file", "[index]") {
  const TempFolder folder;
  const std::string path = folder.file("ref.wsi"), forged = folder.file("forged.wsi");
  const Genome genome = test::genome_of({"ACGTTGCAACNNNACGTACGTT", "GGGTTTACA", std::string(300, 'C')});
  write_index(path, Index(genome, build_fm_index(genome.view(), Backend{})));
  const std::string good = content_of(path);
  constexpr unsigned seed = 99;
  std::mt19937_64 rng(seed);
  const std::uint64_t values[] = {0, 1, 2, 0x7F, 0xFFFFFFFF, good.size(), ~std::uint64_t{0}, std::uint64_t{1} << 63};
  // Front, metadata, names, begins, segments: all from which the reader computes sizes and offsets.
  const std::size_t end = front_of(good).entries[format::text].offset;
  int opened = 0;
  for (int i = 0; i < 4000; ++i) {
    CAPTURE(i, seed);
    std::string bad = good;
    for (std::uint64_t changes = 1 + rng() % 3; changes > 0; --changes) {
      const std::uint64_t value = rng() % 4 == 0 ? rng() : values[rng() % std::size(values)];
      const std::size_t width = rng() % 2 == 0 ? 4 : 8;
      std::memcpy(bad.data() + rng() % (end / width) * width, &value, width);
    }
    seal(bad);
    put_bytes(forged, bad);
    try {
      const Index index(forged);
      ++opened;  // only names or unused fields changed, or nothing: all claimed data must be readable
      for (std::uint64_t c = 0; c < index.contig_count(); ++c) REQUIRE(index.contig_name(c).size() < bad.size());
      REQUIRE_NOTHROW(verify_against_text(index.fm(), index.genome(), 1));
    } catch (const InputError&) {
    }
  }
  CHECK(opened > 0);
}

TEST_CASE("a reference of nearly nothing but N is refused, and so is its index", "[index]") {
  const TempFolder folder;
  Genome genome = test::genome_of({"ACGT"});
  const FmIndex fm = build_fm_index(genome.view(), Backend{});
  for (const bool too_many : {false, true}) {
    const std::uint64_t most = genome.text_size() + format::most_unknown(genome.text_size());
    genome.contig_begins.back() = genome.segments.back().genome_begin = most + (too_many ? 1 : 0);
    const std::string path = folder.file("unknown.wsi");
    write_index(path, Index(genome, fm));
    CHECK(test::message_of<InputError>([&] { const Index index(path); }).empty() == !too_many);
    const std::string built = test::message_of<InputError>([&] { build_fm_index(genome.view(), Backend{}); });
    CHECK((built.find("N and only 4 other bases") != std::string::npos) == too_many);
  }
}

TEST_CASE("an index with a segment of no bases is refused", "[index]") {
  const TempFolder folder;
  Genome genome = test::genome_of({"ACGT", "NNNNNNNNNNNNNNNNNNNNACGTAC"});
  const FmIndex fm = build_fm_index(genome.view(), Backend{});
  const std::string path = folder.file("ref.wsi");
  write_index(path, Index(genome, fm));
  const Index whole(path);
  CHECK(whole.genome().segments.size == 3);
  genome.segments[1] = {1, 4};  // which leaves room for all other bases
  write_index(path, Index(genome, fm));
  CHECK(test::contains(test::message_of<InputError>([&] { const Index index(path); }), "segments is damaged"));
}

TEST_CASE("an index has at most 256 rows a sample, and prints what built it", "[index]") {
  const TempFolder folder;
  const std::string path = folder.file("ref.wsi");
  const Genome genome = test::genome_of(test::big_text(2000, 5));
  BuildOptions options;
  options.sample_step = 256;
  write_index(path, Index(genome, build_fm_index(genome.view(), Backend{}, options)));
  const std::string good = content_of(path);
  CHECK(complaint(path, good).empty());
  const format::Entry entry = front_of(good).entries[format::metadata];
  for (const char other : {'\x1F', '\x7F', '\x1B'}) {
    std::string bad = good;
    bad[entry.offset + offsetof(format::Metadata, built_by)] = other;
    seal(bad);
    CHECK(test::contains(complaint(path, bad), "metadata is damaged"));
  }
}

TEST_CASE("an index in which two contigs have one name is refused", "[index]") {
  const TempFolder folder;
  Genome genome = test::genome_of({"ACGTTGCA", "TTGACA", "CCGTA"});
  const FmIndex fm = build_fm_index(genome.view(), Backend{});
  const std::string path = folder.file("ref.wsi");
  write_index(path, Index(genome, fm));
  const Index distinct(path);
  CHECK(distinct.contig_count() == 3);
  genome.names[2] = genome.names[0];
  write_index(path, Index(genome, fm));
  CHECK(test::message_of<InputError>([&] { const Index index(path); }).find("contig-names is damaged") !=
        std::string::npos);
}

TEST_CASE("an index whose rank blocks count wrong is refused", "[index]") {
  const TempFolder folder;
  const std::string path = folder.file("ref.wsi");
  const Genome genome = test::genome_of(test::big_text(200'000, 5));
  write_index(path, Index(genome, build_fm_index(genome.view(), Backend{})));
  const std::string good = content_of(path);
  const format::Front front = front_of(good);
  for (const format::Section section : {format::rank_blocks, format::superblocks}) {
    const format::Entry& entry = front.entries[section];
    const std::size_t element = section == format::rank_blocks ? sizeof(RankBlock) : sizeof(Superblock);
    for (const std::size_t at : {std::size_t{0}, entry.bytes / element / 2, entry.bytes / element - 1}) {
      CAPTURE(section, at);
      std::string bad = good;
      bad[entry.offset + at * element + 2] = static_cast<char>(bad[entry.offset + at * element + 2] + 1);
      seal(bad);
      CHECK(complaint(path, bad).find("rank-blocks is damaged") != std::string::npos);
    }
  }
}

TEST_CASE("the file of an index takes what index_needs() foretells", "[index][file]") {
  const TempFolder folder;
  const Genome genome = test::genome_of(test::big_text(400'000, 71));
  for (const std::uint32_t step : {1U, 4U, 64U}) {
    CAPTURE(step);
    const auto said = static_cast<double>(index_needs(genome.view(), Backend{}, {{step}, {}}).file_bytes);
    BuildOptions options;
    options.sample_step = step;
    const auto bytes = static_cast<double>(
        write_index(folder.file("needs.wsi"), Index(genome, build_fm_index(genome.view(), Backend{}, options))));
    CHECK(bytes == Approx(said).epsilon(0.05));
  }
}

}  // namespace warpseed
