#include "reads/input_meter.hpp"

#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "core/gzip_files.hpp"
#include "core/temp_folder.hpp"
#include "reads/read_source.hpp"

namespace warpseed::reads {

namespace {

std::string fastq_of(int reads) {
  std::string text;
  for (int i = 0; i < reads; ++i) text += "@r" + std::to_string(i) + "\nACGT\n+\nIIII\n";
  return text;
}

}  // namespace

TEST_CASE("the meter has read nothing at first, half with one of two files, all at the end", "[reads][meter]") {
  const test::TempFolder folder;
  const std::vector<std::string> paths = {folder.write("1.fq", fastq_of(100)), folder.write("2.fq", fastq_of(100))};
  const auto meter = std::make_shared<InputMeter>(paths);
  CHECK(meter->share() == 0);
  std::vector<char> bytes(1 << 20);
  for (const auto& [path, wanted] : {std::pair(paths[0], 0.5), std::pair(paths[1], 1.0)}) {
    const auto source = metered(open_bytes(path), meter);
    CHECK(source->read(bytes) == fastq_of(100).size());
    CHECK(source->read(bytes) == 0);
    CHECK(meter->share() == wanted);
  }
}

TEST_CASE("the meter counts what reads are read from, compressed or not, up to all of it", "[reads][meter]") {
  const test::TempFolder folder;
  const std::string plain = folder.write("1.fq", fastq_of(50000)), other = folder.write("2.fq", fastq_of(50000));
  const std::string packed = folder.write("3.fq.gz", test::compress(fastq_of(50000), "wg"));
  for (const std::vector<std::string>& paths : {std::vector{plain}, {packed}, {plain, other}, {packed, other}}) {
    ReadInput input = {paths[0]};
    if (paths.size() > 1) input.path2 = paths[1];
    input.meter = std::make_shared<InputMeter>(paths);
    const auto source = open_reads(input);
    ReadBatch batch;
    double before = 0;
    while (source->next(batch, 1000)) {
      const double share = input.meter->share();
      CHECK(share >= before);
      before = share;
    }
    INFO(paths[0] << " " << paths.size());
    CHECK(input.meter->share() == 1);
  }
}

TEST_CASE("with a file whose size is not known nothing is", "[reads][meter]") {
  const test::TempFolder folder;
  const std::string file = folder.write("1.fq", fastq_of(10));
  for (const std::string& other : {std::string("-"), std::string("/dev/null"), folder.file("none")}) {
    const std::vector<std::string> paths = {file, other};
    InputMeter meter(paths);
    meter.add(10);
    CHECK(meter.share() == 0);
  }
}

}  // namespace warpseed::reads
