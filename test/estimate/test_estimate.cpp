#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/gzip_files.hpp"
#include "core/temp_folder.hpp"
#include "estimate/align_estimate.hpp"
#include "estimate/content_size.hpp"
#include "estimate/costs.hpp"
#include "estimate/index_estimate.hpp"
#include "index/fm_index.hpp"
#include "index/index_file.hpp"
#include "oracle.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

using namespace estimate;
using test::TempFolder;

namespace {

std::string random_letters(std::size_t count, std::string_view letters, unsigned seed) {
  std::mt19937 rng(seed);
  std::string text(count, ' ');
  for (char& letter : text) letter = letters[rng() % letters.size()];
  return text;
}

void put(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Reads of 100 bases as FASTQ, with names of 8 characters.
std::string fastq(std::size_t reads, unsigned seed) {
  std::string text;
  for (std::size_t i = 0; i < reads; ++i) {
    text.append("@").append(random_letters(8, "abcdefgh", seed + static_cast<unsigned>(i))).append("\n");
    text.append(random_letters(100, "ACGT", static_cast<unsigned>(i))).append("\n+\n").append(100, 'I').append("\n");
  }
  return text;
}

Backend backend_of(BackendKind kind, int threads) {
  Backend backend;
  backend.kind = kind;
  backend.threads = threads;
  return backend;
}

}  // namespace

TEST_CASE("the content of a file: exact if it is stored as it is, near if it is compressed", "[estimate]") {
  const TempFolder folder;
  const std::string path = folder.file("text");
  const char* const mode = GENERATE("w1", "wg1");  // BGZF, one member
  CAPTURE(mode);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20, std::size_t{40} << 20}) {
    CAPTURE(size);
    const std::string text = random_letters(size, "ACGT", 5);
    put(path, text);
    const ContentSize plain = content_size(path);
    CHECK(plain.bytes == size);
    CHECK(plain.stored_bytes == size);
    CHECK_FALSE(plain.estimated);
    const std::string packed = test::compress(text, mode);
    put(path, packed);
    const ContentSize estimated = content_size(path);
    CHECK(estimated.stored_bytes == packed.size());
    CHECK(estimated.estimated);
    CHECK(static_cast<double>(estimated.bytes) == Approx(static_cast<double>(size)).epsilon(0.02).margin(100));
  }
  CHECK_THROWS_AS(content_size("-"), InputError);
  CHECK_THROWS_AS(content_size(folder.file("none")), InputError);
}

TEST_CASE("the needs of index grow with the text and obey limits", "[estimate]") {
  const TempFolder folder;
  const std::vector<std::string> one = {folder.file("one.fa")}, two = {one[0], folder.file("two.fa")};
  for (const std::string& path : two)
    put(path, std::string(">x\n").append(random_letters(8 << 20, "ACGT", 1)).append("\n"));
  const Backend cpu = backend_of(BackendKind::cpu, 2), device = backend_of(BackendKind::cuda, 2);
  const RunNeeds less = index_run_needs(one, cpu, {}), more = index_run_needs(two, cpu, {});
  CHECK(2 * less.bases == more.bases);
  CHECK(less.memory_bytes < more.memory_bytes);
  CHECK(2 * less.seconds == Approx(more.seconds));
  CHECK(less.device_memory_bytes == 0);
  index::BuildOptions limited;
  limited.sorting.host_bytes = less.memory_bytes * 9 / 10;
  CHECK(index_run_needs(one, cpu, limited).memory_bytes < less.memory_bytes);
  CHECK(index_run_needs(one, device, {}).device_memory_bytes > 20 * less.bases);
  index::BuildOptions small;
  small.sorting.device_bytes = 100 << 20;
  CHECK(index_run_needs(one, device, small).device_memory_bytes == device_context + (100 << 20));
}

TEST_CASE("the needs of align follow reads, threads, limits and outputs", "[estimate]") {
  const TempFolder folder;
  const auto genome = test::genome_of({random_letters(100'000, "ACGT", 3)});
  const std::string path = folder.file("ref.wsi");
  const std::uint64_t index_bytes =
      index::write_index(path, index::Index(genome, index::build_fm_index(genome.view(), Backend{})));
  put(folder.file("few.fq"), fastq(1000, 1));
  put(folder.file("many.fq"), fastq(4000, 2));
  records::WriterOptions writer;
  std::vector<reads::Lane> lanes = {{{folder.file("few.fq")}, {}}};
  const Backend cpu = backend_of(BackendKind::cpu, 1), device = backend_of(BackendKind::cuda, 1);
  const auto needs = [&](const Backend& backend, std::uint64_t device_limit = 0) {
    return align_run_needs({path, lanes, writer, device_limit}, backend);
  };
  const RunNeeds few = needs(cpu);
  CHECK(few.reads == 1000);
  CHECK(few.bases == 100'000);
  CHECK(few.memory_bytes > index_bytes);
  CHECK(needs(backend_of(BackendKind::cpu, 9)).memory_bytes == few.memory_bytes + 8 * thread_bytes);
  CHECK(needs(device).device_memory_bytes > index_bytes + device_context);
  CHECK(needs(device, 1 << 20).device_memory_bytes == device_context + (1 << 20));

  lanes.push_back({{folder.file("many.fq")}, {}});
  const RunNeeds many = needs(cpu);
  CHECK(many.reads == 5000);
  CHECK(many.output_bytes == Approx(5 * few.output_bytes).epsilon(0.001));
  CHECK(many.temporary_bytes == 0);
  writer.sort = true;
  CHECK(needs(cpu).memory_bytes > many.memory_bytes);
  CHECK(needs(cpu).temporary_bytes == 0);
  writer.sort_memory_bytes = 1 << 20;
  CHECK(needs(cpu).memory_bytes == many.memory_bytes + (1 << 20));
  CHECK(needs(cpu).temporary_bytes > 0);
  writer.format = records::AlignmentFormat::cram;
  CHECK(needs(cpu).output_bytes < needs(cpu).temporary_bytes);
}

}  // namespace warpseed
