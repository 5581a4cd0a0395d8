#include "core/deflate_blocks.cuh"
#include "core/lanes.cuh"
#include "core/launch.cuh"
#include "core/warp.cuh"

namespace warpseed::deflate::cuda {

namespace {

__device__ void mark_stretch(Found* found, std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t at = begin; at < end; ++at) {
    found[at] = at + longer_match <= end ? Found::in_stretch(end) : Found::no_match(0);
  }
}

/// One thread per piece of runs: its runs become matches, what is between them stretches.
__global__ void __launch_bounds__(threads_per_block) mark_runs_kernel(BatchView batch) {
  const std::uint64_t i = thread_index();
  if (i >= batch.pieces.size || batch.pieces[i].kind != FieldKind::runs) return;
  const Piece piece = batch.pieces[i];
  const std::uint32_t block = batch.blocks[piece.block].begin, end = piece.begin + piece.size;
  const std::uint8_t* bytes = batch.bytes.data + block;
  Found* found = batch.found + block;
  std::uint32_t done = piece.begin, repeats = 0;  // bytes like the one before them, the last ones before `at`
  for (std::uint32_t at = max(done, 1U); at < end;) {
    repeats = bytes[at] == bytes[at - 1] ? repeats + 1 : 0;
    ++at;
    if (repeats < min_run) continue;
    const std::uint32_t start = at - min_run, most = min(end - start, max_match);
    std::uint32_t length = min_run;
    while (length < most && bytes[start + length] == bytes[start]) ++length;
    mark_stretch(found, done, start);
    found[start] = Found::match(length, 1);
    for (std::uint32_t inner = 1; inner < length; ++inner) found[start + inner] = Found::no_match(0);
    done = at = start + length;
    repeats = 0;
  }
  mark_stretch(found, done, end);
}

/// Calls work(begin, end) for every piece of the block with this kind, in order, in all lanes.
template <class Work>
__device__ void for_pieces(const BatchView& batch, const Block& block, FieldKind kind, Work work) {
  for (std::uint32_t first = block.first_piece; first < block.end_piece; first += warp_threads) {
    const std::uint32_t mine = first + lane_id();
    Piece piece{};
    if (mine < block.end_piece) piece = batch.pieces[mine];
    unsigned lanes = __ballot_sync(all_lanes, mine < block.end_piece && piece.kind == kind);
    const std::uint32_t begin_and_size = std::uint32_t{piece.begin} << 16 | piece.size;
    while (lanes != 0) {
      const std::uint32_t taken = __shfl_sync(all_lanes, begin_and_size, static_cast<int>(pop_lowest_lane(lanes)));
      work(taken >> 16, (taken >> 16) + (taken & 0xFFFF));
    }
  }
}

/// The last positions with each hash. Entry: four positions of 16 bits, or one. A warp enters 32 positions at once.
template <class Entry>
struct Table {
  Entry* entries;

  /// All lanes: their entry becomes as if the lanes had come one after the other. Returns what each had found then.
  /// hash: another one for each lane that enters nothing, beyond all hashes.
  __device__ Entry enter(std::uint32_t hash, std::uint32_t position, bool enters) const {
    const unsigned same = __match_any_sync(all_lanes, hash);
    Entry before = enters ? entries[hash] : Entry{0};
    __syncwarp();
    unsigned lower = same & lower_lane_mask();
    constexpr unsigned kept = sizeof(Entry) / sizeof(std::uint16_t);
    while (count_ones(lower) > kept) lower &= lower - 1;
    while (lower != 0) push(before, position - lane_id() + pop_lowest_lane(lower));
    if (enters && same >> lane_id() == 1) {  // the last lane of its hash
      Entry after = before;
      push(after, position);
      entries[hash] = after;
    }
    __syncwarp();
    return before;
  }

  __device__ static void push(Entry& entry, std::uint32_t position) {
    entry =
        static_cast<Entry>(sizeof(Entry) > sizeof(std::uint16_t) ? std::uint64_t{entry} << 16 | position : position);
  }
};

/// Enters the positions of [begin, end) that belong to the table, 32 at a time: belongs(p), hash(p).
template <class Entry, class Belongs, class Hash>
__device__ void list_in(std::uint32_t begin, std::uint32_t end, Table<Entry> table, std::uint64_t* candidates,
                        Belongs belongs, Hash hash) {
  for (std::uint32_t first = begin; first < end; first += warp_threads) {
    const std::uint32_t position = first + lane_id();
    const bool enters = position < end && belongs(position);
    const Entry before = table.enter(enters ? hash(position) : ~lane_id(), position, enters);
    if (enters) candidates[position] = before;
  }
}

constexpr unsigned table_kinds = 3;
constexpr std::uint32_t table_bytes = sizeof(std::uint64_t) << short_hash_bits;
static_assert(table_bytes >= sizeof(std::uint16_t) << long_hash_bits);

/// One warp per block (x) and table (y).
__global__ void __launch_bounds__(warp_threads) list_candidates_kernel(BatchView batch) {
  __shared__ std::uint64_t memory[table_bytes / sizeof(std::uint64_t)];
  for_lanes(table_bytes / sizeof(std::uint64_t), [&](std::uint32_t i) { memory[i] = 0; });
  const Block block = batch.blocks[blockIdx.x];
  const std::uint8_t* bytes = batch.bytes.data + block.begin;
  const Found* found = batch.found + block.begin;
  std::uint64_t* candidates = batch.candidates + block.begin;
  const Table<std::uint64_t> of_four{memory};
  const Table<std::uint16_t> of_one{reinterpret_cast<std::uint16_t*>(memory)};
  const auto all = [](std::uint32_t) { return true; };
  const auto long_hash_of = [&](std::uint32_t at, std::uint32_t count) {
    return long_hash(long_key(bytes + at, count));
  };
  switch (static_cast<FieldKind>(blockIdx.y)) {
    case FieldKind::short_matches:
      return for_pieces(batch, block, FieldKind::short_matches, [&](std::uint32_t begin, std::uint32_t end) {
        list_in(begin, max(end, min_match - 1) - (min_match - 1), of_four, candidates, all,
                [&](std::uint32_t at) { return short_hash(bytes + at); });
      });
    case FieldKind::long_matches:
      return for_pieces(batch, block, FieldKind::long_matches, [&](std::uint32_t begin, std::uint32_t end) {
        list_in(begin, max(end, long_match - 1) - (long_match - 1), of_one, candidates, all,
                [&](std::uint32_t at) { return long_hash_of(at, long_match); });
      });
    case FieldKind::runs:
      return for_pieces(batch, block, FieldKind::runs, [&](std::uint32_t begin, std::uint32_t end) {
        list_in(
            begin, end, of_one, candidates, [&](std::uint32_t at) { return found[at].is_in_stretch(); },
            [&](std::uint32_t at) { return long_hash_of(at, longer_match); });
      });
  }
}

/// The best of four candidates, compared over sure_bytes, or where that is all of them, over compared_bytes.
struct BestCandidate {
  std::uint32_t position = 0, length = 0;

  __device__ BestCandidate(const std::uint8_t* bytes, std::uint32_t at, std::uint64_t candidates) {
    const std::uint8_t* here = bytes + at;
    for (std::uint32_t which = 0; which < 4; ++which) {
      const auto from = static_cast<std::uint32_t>(candidates >> (16 * which) & 0xFFFF);
      std::uint32_t equal = match_length(here, bytes + from, 0, sure_bytes);
      if (equal == sure_bytes) equal = match_length(here, bytes + from, sure_bytes, compared_bytes);
      if (which == 0 || equal > length) position = from, length = equal;
    }
  }
};

__device__ Found short_match(const std::uint8_t* bytes, std::uint32_t at, std::uint32_t end, std::uint64_t candidates) {
  const BestCandidate best(bytes, at, candidates);
  if (best.length < min_match) return Found::no_match(0);
  const std::uint32_t sure = min(best.length, sure_bytes), distance = at - best.position;
  if (!in_reach(distance)) return Found::no_match(sure);
  const std::uint32_t most = min(end - at, max_match);
  if (best.length < compared_bytes) return Found::match(min(best.length, most), distance, sure);
  return Found::match(match_length(bytes + at, bytes + best.position, compared_bytes, most), distance, sure);
}

/// Of at least `count` bytes, within a stretch that ends at `end`.
__device__ Found long_match_of(const std::uint8_t* bytes, std::uint32_t at, std::uint32_t end, std::uint64_t candidate,
                               std::uint32_t count) {
  const auto from = static_cast<std::uint32_t>(candidate);
  if (long_key(bytes + at, count) != long_key(bytes + from, count) || !in_reach(at - from)) return Found::no_match(0);
  return Found::match(match_length(bytes + at, bytes + from, count, min(end - at, max_match)), at - from);
}

/// One warp per piece.
__global__ void __launch_bounds__(threads_per_block) find_matches_kernel(BatchView batch) {
  const std::uint64_t i = thread_index() / warp_threads;
  if (i >= batch.pieces.size) return;
  const Piece piece = batch.pieces[i];
  const std::uint32_t block = batch.blocks[piece.block].begin, end = piece.begin + piece.size;
  const std::uint8_t* bytes = batch.bytes.data + block;
  const std::uint64_t* candidates = batch.candidates + block;
  Found* found = batch.found + block;
  for (std::uint32_t at = piece.begin + lane_id(); at < end; at += warp_threads) {
    if (piece.kind == FieldKind::runs) {
      const Found member = found[at];
      if (member.is_in_stretch())
        found[at] = long_match_of(bytes, at, member.stretch_end(), candidates[at], longer_match);
    } else if (piece.kind == FieldKind::long_matches) {
      found[at] =
          at + long_match <= end ? long_match_of(bytes, at, end, candidates[at], long_match) : Found::no_match(0);
    } else {
      found[at] = at + min_match <= end ? short_match(bytes, at, end, candidates[at]) : Found::no_match(0);
    }
  }
}

}  // namespace

void find_matches(const BatchView& batch, const Stream& stream) {
  if (batch.blocks.size == 0) return;
  launch("mark_runs_kernel", mark_runs_kernel, batch.pieces.size, stream, batch);
  const dim3 grid(static_cast<unsigned>(batch.blocks.size), table_kinds);
  list_candidates_kernel<<<grid, warp_threads, 0, stream.handle()>>>(batch);
  check_launch("list_candidates_kernel", stream.handle());
  launch("find_matches_kernel", find_matches_kernel, batch.pieces.size * warp_threads, stream, batch);
}

}  // namespace warpseed::deflate::cuda
