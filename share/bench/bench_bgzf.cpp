// Compression of BAM: bench_bgzf FILE.bam...
//
// Cuts the file's records into BGZF blocks as our writer does and compresses each with one thread: our encoder,
// libdeflate (through htslib) at levels 1 and 6, ISA-L at levels 1 to 3. Prints MB of BAM a second (CPU time, the best of
// --repeat runs, which alternate) and the compressed size relative to the BAM's, both without headers of blocks
// and, libdeflate apart, checksums. Every block is inflated and compared. With --backend cuda also our encoder on a
// device, many blocks at a time, MB a second of wall time from and to host memory, checked against the CPU's streams.
#include <fmt/format.h>
#include <htslib/bgzf.h>
#include <isa-l/igzip_lib.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/bgzf_encoder.hpp"
#include "core/deflate.hpp"
#include "core/deflate_batch.hpp"
#include "core/deflate_encoder.hpp"
#include "records/bam_fields.hpp"

namespace {

using namespace warpseed;
using Bytes = std::vector<std::byte>;

struct Block {
  std::span<const std::byte> bytes;
  std::vector<deflate::Field> fields;
};

struct Method {
  std::string name;
  std::function<std::size_t(const Block&, std::span<std::byte>)> compress;  // the raw deflate stream
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t bytes = 0;
};

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The file's decompressed bytes.
Bytes read_bam(const std::string& path) {
  BGZF* file = bgzf_open(path.c_str(), "r");
  if (file == nullptr) throw std::runtime_error("cannot open " + path);
  Bytes all, some(1 << 20);
  ssize_t got = 0;
  while ((got = bgzf_read(file, some.data(), some.size())) > 0) all.insert(all.end(), some.begin(), some.begin() + got);
  bgzf_close(file);
  if (got < 0 || all.size() < 12 || std::memcmp(all.data(), "BAM\1", 4) != 0)
    throw std::runtime_error(path + " is not BAM");
  return all;
}

std::uint32_t number_at(const Bytes& bam, std::size_t at) {
  if (at + 4 > bam.size()) throw std::runtime_error("truncated BAM");
  std::uint32_t number = 0;
  std::memcpy(&number, bam.data() + at, sizeof number);
  return number;
}

std::size_t header_end(const Bytes& bam) {
  std::size_t at = 8 + number_at(bam, 4);
  const std::uint32_t contigs = number_at(bam, at);
  at += 4;
  for (std::uint32_t i = 0; i < contigs; ++i) at += 8 + number_at(bam, at);
  return at;
}

/// A record begins a block if it does not fit into the previous one. Records longer than a block are left out.
std::vector<Block> cut(const Bytes& bam) {
  std::vector<Block> blocks;
  std::vector<records::BamField> fields;
  std::size_t begin = header_end(bam), at = begin;
  const auto close = [&] {
    if (at > begin) {
      blocks.push_back({{bam.data() + begin, at - begin}, {}});
      records::cut_fields(fields, 0, at - begin, blocks.back().fields);
    }
    fields.clear();
  };
  while (at < bam.size()) {
    const std::size_t bytes = 4 + std::size_t{number_at(bam, at)};
    if (at + bytes > bam.size()) throw std::runtime_error("truncated BAM");
    if (at + bytes - begin > bgzf_block_bytes) close(), begin = at;
    if (bytes > bgzf_block_bytes) {
      begin = at += bytes;
      continue;
    }
    records::add_fields(reinterpret_cast<const char*>(bam.data() + at), bytes, fields);
    at += bytes;
  }
  close();
  return blocks;
}

Method ours() {
  return {"warpseed", [encoder = std::make_shared<DeflateEncoder>()](const Block& block, std::span<std::byte> out) {
            const auto packed = encoder->encode(block.bytes, block.fields);
            std::copy(packed.begin(), packed.end(), out.begin());
            return packed.size();
          }};
}

Method libdeflate(int level) {
  return {fmt::format("libdeflate {}", level), [level](const Block& block, std::span<std::byte> out) {
            constexpr std::size_t header = 18, footer = 8;
            std::array<std::byte, BGZF_MAX_BLOCK_SIZE> whole;
            std::size_t size = whole.size();
            if (bgzf_compress(whole.data(), &size, block.bytes.data(), block.bytes.size(), level) != 0) {
              throw std::runtime_error("bgzf_compress failed");
            }
            std::copy_n(whole.begin() + header, size - header - footer, out.begin());
            return size - header - footer;
          }};
}

Method isal(int level) {
  return {fmt::format("ISA-L {}", level),
          [level, room = std::make_shared<std::vector<std::uint8_t>>(ISAL_DEF_LVL3_DEFAULT)](const Block& block,
                                                                                             std::span<std::byte> out) {
            isal_zstream stream;
            isal_deflate_stateless_init(&stream);
            stream.level = static_cast<std::uint32_t>(level);
            stream.level_buf = room->data(), stream.level_buf_size = static_cast<std::uint32_t>(room->size());
            stream.end_of_stream = 1;
            stream.next_in = reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(block.bytes.data()));
            stream.avail_in = static_cast<std::uint32_t>(block.bytes.size());
            stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
            stream.avail_out = static_cast<std::uint32_t>(out.size());
            if (isal_deflate_stateless(&stream) != COMP_OK) throw std::runtime_error("isal_deflate_stateless failed");
            return std::size_t{stream.total_out};
          }};
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Blocks [begin, end) that a device deflates at a time.
struct DeviceSlice {
  std::unique_ptr<DeflateBatch> batch;
  std::size_t begin = 0, end = 0;

  void start(const std::vector<Block>& blocks, std::size_t first, std::size_t last) {
    begin = first, end = last;
    std::vector<BatchBlock> laid_out;
    std::uint64_t bytes = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t size = blocks[i].bytes.size();
      laid_out.push_back({bytes, static_cast<std::uint32_t>(size), blocks[i].fields});
      bytes = DeflateBatch::after(bytes + size);
    }
    char* const room = batch->room(bytes);
    for (std::size_t i = begin; i < end; ++i)
      std::memcpy(room + laid_out[i - begin].begin, blocks[i].bytes.data(), blocks[i].bytes.size());
    if (!batch->start(laid_out)) throw std::runtime_error("the device has too little free memory");
  }
};

/// Deflates all blocks, and calls use(block, stream) for each.
template <class Use>
void deflate_on_device(std::vector<DeviceSlice>& slices, const std::vector<Block>& blocks, Use use) {
  constexpr std::size_t blocks_a_slice = 128;
  std::size_t next = 0;
  const auto finish_next = [&] {
    DeviceSlice& slice = slices[next];
    if (slice.begin < slice.end) slice.batch->wait();
    for (std::size_t i = slice.begin; i < slice.end; ++i) use(i, slice.batch->packed(i - slice.begin));
    slice.begin = slice.end;
  };
  for (std::size_t begin = 0; begin < blocks.size(); begin += blocks_a_slice) {
    finish_next();
    slices[next].start(blocks, begin, std::min(blocks.size(), begin + blocks_a_slice));
    next = (next + 1) % slices.size();
  }
  for (std::size_t i = 0; i < slices.size(); ++i, next = (next + 1) % slices.size()) finish_next();
}

void run_on_device(const Backend& backend, const std::vector<Block>& blocks, std::uint64_t total, int repeats) {
  std::vector<DeviceSlice> slices;
  for (int i = 0; i < 6; ++i) slices.push_back({make_deflate_batch(backend)});
  DeflateEncoder encoder;
  std::uint64_t packed = 0;
  deflate_on_device(slices, blocks, [&](std::size_t i, std::span<const std::byte> stream) {
    const auto wanted = encoder.encode(blocks[i].bytes, blocks[i].fields);
    const bool stored = stream.empty() && wanted.size() > blocks[i].bytes.size();
    if (!stored && !std::ranges::equal(stream, wanted)) throw std::runtime_error("the device's stream is another one");
    packed += wanted.size();
  });
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    const double begin = wall_seconds();
    deflate_on_device(slices, blocks, [](std::size_t, std::span<const std::byte>) {});
    best = std::min(best, wall_seconds() - begin);
  }
  fmt::print("{:<14} {:>7.1f} MB/s {:>8.4f}\n", to_string(backend), static_cast<double>(total) / 1e6 / best,
             static_cast<double>(packed) / static_cast<double>(total));
}

void check(const Method& method, const std::vector<Block>& blocks, std::span<std::byte> out) {
  for (const Block& block : blocks) {
    Bytes back(block.bytes.size());
    const std::size_t size = method.compress(block, out);
    if (!inflate(out.first(size), back) || !std::ranges::equal(back, block.bytes)) {
      throw std::runtime_error(method.name + ": a block does not come back");
    }
  }
}

void run(const std::string& path, const Backend& backend, int repeats) {
  const Bytes bam = read_bam(path);
  const std::vector<Block> blocks = cut(bam);
  std::uint64_t total = 0;
  for (const Block& block : blocks) total += block.bytes.size();
  fmt::print("{}: {} blocks, {:.1f} MB\n", path, blocks.size(), static_cast<double>(total) / 1e6);
  std::vector<Method> methods = {ours(), libdeflate(1), libdeflate(6), isal(1), isal(2), isal(3)};
  Bytes out(1 << 18);
  for (const Method& method : methods) check(method, blocks, out);
  for (int i = 0; i < repeats; ++i) {
    for (Method& method : methods) {
      method.bytes = 0;
      const double begin = cpu_seconds();
      for (const Block& block : blocks) method.bytes += method.compress(block, out);
      method.seconds = std::min(method.seconds, cpu_seconds() - begin);
    }
  }
  for (const Method& method : methods) {
    fmt::print("{:<14} {:>7.1f} MB/s {:>8.4f}\n", method.name, static_cast<double>(total) / 1e6 / method.seconds,
               static_cast<double>(method.bytes) / static_cast<double>(total));
  }
  if (backend.kind == BackendKind::cuda) run_on_device(backend, blocks, total, repeats);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> paths;
  std::string backend = "cpu";
  int repeats = 5;
  CLI::App app("Speed and size of BAM's compression.", "bench_bgzf");
  app.add_option("BAM", paths, "files, at any level")->required();
  app.add_option("--backend", backend, "cpu, or a device, such as cuda");
  app.add_option("--repeat", repeats, "measurements")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    for (const std::string& path : paths) run(path, choose_backend(backend, 1), repeats);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_bgzf: error: {}\n", error.what());
    return 1;
  }
  return 0;
}
