// The CUDA path of index/fm_index.hpp: uploads the text, builds the index on the device, downloads it.
#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>

#include "core/background_thread.hpp"
#include "core/transfer.cuh"
#include "index/entry.hpp"
#include "index/fm_build.cuh"
#include "suffix/sort_rows.cuh"
#include "warpseed/error.hpp"

namespace warpseed::index::cuda {

namespace {

/// Allocates host memory for the index. This takes a third of a second per gigabyte, as the system clears every page,
/// so it runs while the device sorts.
FmIndex with_room(const FmSizes& sizes) {
  FmIndex index;
  index.sample_step = sizes.sample_step;
  index.position_width = sizes.position_width;
  index.kmer_length = kmer_length_for(sizes.symbols);
  index.blocks.resize(sizes.symbols / block_symbols + 1, RankBlock{});  // a value, so that the pages are written to now
  index.superblocks.resize(sizes.symbols / superblock_symbols + 1);
  index.samples.resize((sizes.symbols + sizes.sample_step - 1) / sizes.sample_step * sizes.position_width, std::byte{});
  index.segment_starts.resize(sizes.segments * sizes.position_width);
  if (index.kmer_length > 0)
    index.kmer_ranges.resize(2 * sizes.position_width * (std::size_t{1} << (2 * index.kmer_length)), std::byte{});
  return index;
}

/// `stream` must be idle.
void fetch(const DeviceIndex& from, FmIndex& to, MemoryPool& pool, int threads) {
  std::copy(std::begin(from.first_row), std::end(from.first_row), std::begin(to.first_row));
  const auto take = [&](auto& host, const auto& buffer) {
    if (host.size() != buffer.size()) throw std::logic_error("fetch: the index has not the size foreseen");
    download(host.data(), buffer.data(), host.size() * sizeof(host[0]), pool, threads);
  };
  take(to.blocks, from.blocks);
  take(to.superblocks, from.superblocks);
  take(to.samples, from.samples);
  take(to.segment_starts, from.segment_starts);
  take(to.kmer_ranges, from.kmer_ranges);
}

/// Sorts and builds, in parts of the rows that fit in memory. The index is made on the first member of a team, where all
/// members add their rows; the others get none.
template <class Pos>
std::optional<DeviceIndex> build_on_team(const suffix::cuda::DeviceText& text, const FmSizes& sizes,
                                         const suffix::SortOptions& sorting, const TeamMember& member,
                                         const std::function<void()>& sorted) {
  std::optional<FmBuilder> mine;
  std::optional<FmBuilder>& builder = *member.share(&mine)[0];
  suffix::cuda::SortRequest request = {sorting};
  if (member.number() == 0) {
    request.reserved_bytes = fm_build_bytes(sizes);
    request.before_rows = [&] { mine.emplace(sizes, member.stream()); };
  }
  suffix::cuda::sort_rows<Pos>(text, sizes.segments, request, member, {}, [&](Row first_row, Buffer<Pos>& suffixes) {
    builder->add(first_row, suffixes, text, member.stream());
  });
  member.meet();
  if (member.number() > 0) return {};
  sorted();
  return builder->finish();
}

}  // namespace

FmIndex build_fm_index(const text::GenomeView& genome, const Backend& backend, const BuildOptions& options,
                       const ProgressCallback& progress) {
  const std::uint64_t rows = genome.text.size;
  const bool narrow = rows <= options.sorting.max_narrow_symbols;
  const FmSizes sizes = {rows, genome.segment_count(), options.sample_step, narrow ? 4U : 8U};
  const auto report = [&](std::string_view stage, std::uint64_t done) {
    if (progress) progress({stage, "bases", done, rows});
  };
  FmIndex index;
  const BackgroundThread<> allocation([&] { index = with_room(sizes); });
  report("sorting suffixes", 0);
  const DeviceTeam team = suffix::cuda::sorting_team(backend, options.sorting);
  team.run([&](const TeamMember& member) {
    const Stream& stream = member.stream();
    const suffix::cuda::DeviceText text(genome, stream, team.threads_each());
    const auto sorted = [&] { report("sorting suffixes", rows), report("building the FM-index", 0); };
    const auto build = narrow ? build_on_team<std::uint32_t> : build_on_team<std::uint64_t>;
    const std::optional<DeviceIndex> made = build(text, sizes, options.sorting, member, sorted);
    if (!made) return;
    stream.wait();
    allocation.get();
    fetch(*made, index, stream.pool(), backend.threads);
  });
  report("building the FM-index", rows);
  return index;
}

}  // namespace warpseed::index::cuda
