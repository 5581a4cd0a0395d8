#include "text/pack_bases.cuh"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <stdexcept>
#include <string>

#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "core/transfer.cuh"
#include "text/alphabet.hpp"
#include "text/entry.hpp"
#include "warpseed/error.hpp"

namespace warpseed::text::cuda {

namespace {

constexpr unsigned mask_bases = 32;  // letters per mask, one mask per thread
constexpr std::uint64_t nowhere = ~std::uint64_t{0};

/// True for A, C, G, T and U. Bit 5 is the case.
__device__ bool is_base(char letter) {
  const auto upper = static_cast<char>(letter & ~0x20);
  return upper == 'A' || upper == 'C' || upper == 'G' || upper == 'T' || upper == 'U';
}

__device__ bool is_unknown(char letter) {
  constexpr std::uint32_t unknown = 1U << ('R' - 'A') | 1U << ('Y' - 'A') | 1U << ('S' - 'A') | 1U << ('W' - 'A') |
                                    1U << ('K' - 'A') | 1U << ('M' - 'A') | 1U << ('B' - 'A') | 1U << ('D' - 'A') |
                                    1U << ('H' - 'A') | 1U << ('V' - 'A') | 1U << ('N' - 'A');
  const unsigned number = static_cast<unsigned char>(letter & ~0x20) - static_cast<unsigned>('A');
  return (letter & 0x40) != 0 && number < 26 && (unknown >> number & 1) != 0;
}

/// A=0 C=1 G=2 T=3 from bits 1 and 2 of the letter, which are 0, 1, 3, 2 for A, C, G, T and 2 for U.
__device__ std::uint64_t code_of_base(char letter) {
  const unsigned bits = static_cast<unsigned>(letter) >> 1 & 3;
  return bits ^ bits >> 1;
}

/// bases[i]: bit k is set if letter 32 i + k is a base. `invalid`: position of the first letter outside IUPAC.
__global__ void mark_bases_kernel(View<char> sequence, std::uint32_t* bases, unsigned long long* invalid) {
  const std::uint64_t i = thread_index();
  const std::uint64_t lane = threadIdx.x % mask_bases, warp_begin = i / mask_bases * mask_bases;
  std::uint32_t mine = 0;
  for (unsigned k = 0; k < mask_bases; ++k) {  // the warp reads the letters of one mask per iteration
    const std::uint64_t at = (warp_begin + k) * mask_bases + lane;
    const bool inside = at < sequence.size, base = inside && is_base(sequence[at]);
    if (inside && !base && !is_unknown(sequence[at])) atomicMin(invalid, static_cast<unsigned long long>(at));
    const std::uint32_t mask = __ballot_sync(~0U, base);
    if (lane == k) mine = mask;
  }
  if (i * mask_bases < sequence.size) bases[i] = mine;
}

__global__ void mark_contigs_kernel(View<std::uint64_t> contig_begins, std::uint32_t* breaks) {
  const std::uint64_t i = thread_index();
  if (i >= contig_begins.size) return;
  atomicOr(&breaks[contig_begins[i] / mask_bases], 1U << contig_begins[i] % mask_bases);
}

/// Both bitmaps end in a zero mask.
struct Masks {
  const std::uint32_t* bases;   // [count + 1]
  const std::uint32_t* breaks;  // [count + 1] the letters at which contigs begin
  std::uint64_t count;

  /// The letters at which segments begin.
  __device__ std::uint32_t begins(std::uint64_t i) const {
    const std::uint32_t before = i == 0 ? 0 : bases[i - 1];
    return bases[i] & ~(__funnelshift_l(before, bases[i], 1) & ~breaks[i]);
  }
  /// The last letters of segments.
  __device__ std::uint32_t lasts(std::uint64_t i) const {
    return bases[i] & (~__funnelshift_r(bases[i], bases[i + 1], 1) | __funnelshift_r(breaks[i], breaks[i + 1], 1));
  }
};

using MaskScan = cub::BlockScan<unsigned, threads_per_block>;

__global__ void count_segments_kernel(Masks masks, std::uint32_t* begins, std::uint32_t* lasts) {
  using Reduce = cub::BlockReduce<unsigned, threads_per_block>;
  __shared__ Reduce::TempStorage storage[2];
  const std::uint64_t i = thread_index();
  const bool inside = i < masks.count;
  const unsigned begun = Reduce(storage[0]).Sum(inside ? __popc(masks.begins(i)) : 0U);
  const unsigned ended = Reduce(storage[1]).Sum(inside ? __popc(masks.lasts(i)) : 0U);
  if (threadIdx.x == 0) begins[blockIdx.x] = begun, lasts[blockIdx.x] = ended;
}

__device__ void write_positions(std::uint32_t mask, std::uint64_t base, std::uint64_t* out) {
  for (; mask != 0; mask &= mask - 1) *out++ = base + static_cast<unsigned>(__ffs(static_cast<int>(mask))) - 1;
}

/// first_begin, first_last: [blocks] the number of segments that begin and end before each block.
__global__ void list_segments_kernel(Masks masks, const std::uint32_t* first_begin, const std::uint32_t* first_last,
                                     std::uint64_t* begins, std::uint64_t* lasts) {
  __shared__ MaskScan::TempStorage storage[2];
  const std::uint64_t i = thread_index();
  const std::uint32_t begun = i < masks.count ? masks.begins(i) : 0, ended = i < masks.count ? masks.lasts(i) : 0;
  unsigned begins_before, lasts_before;
  MaskScan(storage[0]).ExclusiveSum(static_cast<unsigned>(__popc(begun)), begins_before);
  MaskScan(storage[1]).ExclusiveSum(static_cast<unsigned>(__popc(ended)), lasts_before);
  write_positions(begun, i * mask_bases, begins + first_begin[blockIdx.x] + begins_before);
  write_positions(ended, i * mask_bases, lasts + first_last[blockIdx.x] + lasts_before);
}

/// sizes[i]: symbols of segment i, its separator included; the last is 0.
__global__ void size_segments_kernel(View<std::uint64_t> begins, const std::uint64_t* lasts, std::uint64_t* sizes) {
  const std::uint64_t i = thread_index();
  if (i <= begins.size) sizes[i] = i < begins.size ? lasts[i] - begins[i] + 2 : 0;
}

__global__ void make_segments_kernel(View<std::uint64_t> begins, const std::uint64_t* text_begins,
                                     std::uint64_t sequence, Segment* segments) {
  const std::uint64_t i = thread_index();
  if (i <= begins.size) segments[i] = {text_begins[i], i < begins.size ? begins[i] : sequence};
}

/// One thread per word of text: 32 symbols, from as many segments as needed.
__global__ void pack_words_kernel(View<char> sequence, View<Segment> segments, std::uint64_t text_size,
                                  std::uint64_t word_count, std::uint64_t* words, std::uint32_t* separators) {
  const std::uint64_t i = thread_index();
  if (i >= word_count) return;
  std::uint64_t word = 0;
  std::uint32_t ends = 0;
  const TextPos begin = i * 32, end = begin + 32 < text_size ? begin + 32 : text_size;
  if (begin < end) {
    std::uint64_t segment =
        last_not_above(segments.size - 1, begin, [&](std::uint64_t s) { return segments[s].text_begin; });
    Segment here = segments[segment], next = segments[segment + 1];
    for (TextPos at = begin; at < end; ++at) {
      if (at == next.text_begin) here = next, next = segments[++segment + 1];
      if (at + 1 == next.text_begin) {
        ends |= 1U << (at - begin);
      } else {
        const char letter = sequence[here.genome_begin + (at - here.text_begin)];
        word |= code_of_base(letter) << (62 - 2 * (at - begin));
      }
    }
  }
  words[i] = word;
  separators[i] = ends;
}

void require_contigs(std::span<const std::uint64_t> contig_begins, std::uint64_t sequence) {
  bool rising = !contig_begins.empty() && contig_begins.front() == 0 && contig_begins.back() == sequence;
  for (std::size_t i = 1; rising && i < contig_begins.size(); ++i) rising = contig_begins[i - 1] <= contig_begins[i];
  if (!rising) throw std::invalid_argument("pack_letters: contig_begins must rise from 0 to the number of letters");
}

/// [segments + 1] The segments, from the bitmaps of the letters.
Buffer<Segment> find_segments(View<char> sequence, std::span<const std::uint64_t> contig_begins, const Stream& stream) {
  const std::uint64_t masks = (sequence.size + mask_bases - 1) / mask_bases;
  const std::uint64_t blocks = (masks + threads_per_block - 1) / threads_per_block;
  Buffer<std::uint32_t> bases(masks + 1, stream), breaks(masks + 1, stream);
  Buffer<unsigned long long> invalid(1, stream);
  bases.fill_zero();
  breaks.fill_zero();
  check(cudaMemsetAsync(invalid.data(), 0xFF, sizeof(nowhere), stream.handle()), "setting device memory");
  const Buffer<std::uint64_t> device_contigs(contig_begins, stream);
  launch("mark_bases_kernel", mark_bases_kernel, masks, stream, sequence, bases.data(), invalid.data());
  launch("mark_contigs_kernel", mark_contigs_kernel, contig_begins.size(), stream, device_contigs.view(),
         breaks.data());
  if (const std::uint64_t at = invalid.value_at(0); at != nowhere) {
    throw InputError("letter " + std::to_string(at + 1) + " of the text is not a nucleotide");
  }
  const Masks view{bases.data(), breaks.data(), masks};
  Buffer<std::uint32_t> first_begin(blocks + 1, stream), first_last(blocks + 1, stream);
  first_begin.fill_zero();
  first_last.fill_zero();
  launch("count_segments_kernel", count_segments_kernel, masks, stream, view, first_begin.data(), first_last.data());
  exclusive_sum(first_begin, stream);
  exclusive_sum(first_last, stream);
  const std::uint64_t count = first_begin.value_at(blocks);
  Buffer<std::uint64_t> begins(count, stream), lasts(count, stream), sizes(count + 1, stream);
  launch("list_segments_kernel", list_segments_kernel, masks, stream, view, first_begin.data(), first_last.data(),
         begins.data(), lasts.data());
  launch("size_segments_kernel", size_segments_kernel, count + 1, stream, begins.view(), lasts.data(), sizes.data());
  with_temporary_storage("summing segments", stream, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, sizes.data(), sizes.data(), static_cast<int>(count + 1),
                                         stream.handle());
  });
  Buffer<Segment> segments(count + 1, stream);
  launch("make_segments_kernel", make_segments_kernel, count + 1, stream, begins.view(), sizes.data(), sequence.size,
         segments.data());
  return segments;
}

}  // namespace

PackedBases pack_bases(View<char> sequence, std::span<const std::uint64_t> contig_begins, const Stream& stream) {
  require_contigs(contig_begins, sequence.size);
  PackedBases packed;
  packed.segments = find_segments(sequence, contig_begins, stream);
  packed.text_size = packed.segments.value_at(packed.segments.size() - 1).text_begin;
  const std::uint64_t words = packed.text_size / 32 + 2;
  packed.words = Buffer<std::uint64_t>(words, stream);
  packed.separators = Buffer<std::uint32_t>(words, stream);
  launch("pack_words_kernel", pack_words_kernel, words, stream, sequence, packed.segments.view(), packed.text_size,
         words, packed.words.data(), packed.separators.data());
  stream.wait();
  return packed;
}

Genome to_host(const PackedBases& packed, std::span<const std::uint64_t> contig_begins, const Backend& backend) {
  Genome genome;
  MemoryPool& pool = pools_of(backend).of(backend.device);
  genome.contig_begins.assign(contig_begins.begin(), contig_begins.end());
  genome.segments.resize(packed.segments.size());
  genome.words.resize(packed.words.size());
  download(genome.segments.data(), packed.segments.data(), genome.segments.size() * sizeof(Segment), pool,
           backend.threads);
  download(genome.words.data(), packed.words.data(), genome.words.size() * sizeof(std::uint64_t), pool,
           backend.threads);
  return genome;
}

Genome pack_bases(std::span<const char> sequence, std::span<const std::uint64_t> contig_begins,
                  const Backend& backend) {
  const Stream stream(backend);
  Buffer<char> device_bases(sequence.size(), stream);
  stream.wait();  // upload() uses streams of its own
  upload(device_bases.data(), sequence.data(), sequence.size(), stream.pool(), backend.threads);
  return to_host(pack_bases(device_bases.view(), contig_begins, stream), contig_begins, backend);
}

}  // namespace warpseed::text::cuda
