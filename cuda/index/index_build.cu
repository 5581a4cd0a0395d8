// The entry behind index/fm_index.hpp: text up, suffix array and index made on the device, the index down.
#include <algorithm>
#include <future>
#include <stdexcept>

#include "core/error.hpp"
#include "core/transfer.cuh"
#include "entry.hpp"
#include "index/fm_build.cuh"
#include "suffix/prefix_doubling.cuh"

namespace warpseed::cuda {

namespace {

/// Takes host memory for the index. That is a third of a second a gigabyte, as the system clears every page, so
/// it is done while the device sorts.
FmIndex with_room(std::uint64_t rows, std::uint64_t segments, std::uint32_t sample_step) {
  FmIndex index;
  index.sample_step = sample_step;
  index.position_width = 4;
  index.kmer_length = kmer_length_for(rows);
  index.blocks.resize(rows / block_symbols + 1);
  index.superblocks.resize(rows / superblock_symbols + 1);
  index.samples.resize((rows + sample_step - 1) / sample_step * 4);
  index.segment_starts.resize(segments * 4);
  if (index.kmer_length > 0) index.kmer_ranges.resize(std::uint64_t{8} << (2 * index.kmer_length));
  return index;
}

/// `stream` must have been waited for.
void fetch(const DeviceIndex& from, FmIndex& to, int device, int threads) {
  std::copy(std::begin(from.first_row), std::end(from.first_row), std::begin(to.first_row));
  const auto take = [&](auto& host, const auto& buffer) {
    if (host.size() != buffer.size()) throw std::logic_error("fetch: the index has not the size foreseen");
    download(host.data(), buffer.data(), host.size() * sizeof(host[0]), device, threads);
  };
  take(to.blocks, from.blocks);
  take(to.superblocks, from.superblocks);
  take(to.samples, from.samples);
  take(to.segment_starts, from.segment_starts);
  take(to.kmer_ranges, from.kmer_ranges);
}

}  // namespace

FmIndex build_fm_index(const GenomeView& genome, const Backend& backend, std::uint32_t sample_step,
                       const ProgressCallback& progress) {
  const std::uint64_t rows = genome.text.size, segments = genome.segment_count();
  if (!fits_narrow(rows)) {
    throw BackendError("texts of more than " + std::to_string(narrow_limit) +
                       " symbols are not indexed on a device yet; use --backend cpu");
  }
  const auto tell = [&](std::string_view stage, std::uint64_t done) {
    if (progress) progress({stage, "bases", done, rows});
  };
  const Stream stream(backend.device);
  require_device_memory(sorting_bytes(rows, segments), "sorting suffixes");
  auto room = std::async(std::launch::async, with_room, rows, segments, sample_step);
  tell("sorting suffixes", 0);
  const DeviceText text(genome, stream, backend.threads);
  const Buffer<std::uint32_t> suffixes = sort_suffixes(text, false, stream).suffixes;
  tell("sorting suffixes", rows);
  tell("building the FM-index", 0);
  const DeviceIndex made = fm_index_on_device(text, suffixes, segments, sample_step, stream);
  stream.wait();
  FmIndex index = room.get();
  fetch(made, index, backend.device, backend.threads);
  tell("building the FM-index", rows);
  return index;
}

}  // namespace warpseed::cuda
