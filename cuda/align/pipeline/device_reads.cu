#include "align/pipeline/device_reads.cuh"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>

#include "core/launch.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint32_t bases_per_word = 32;
constexpr std::uint64_t reads_per_task = 4096;  // host tasks

/// As reads::codes_of().
__device__ std::uint32_t code_of(char base, bool complemented) {
  constexpr unsigned char upper_case = 0xDF;
  const auto upper = static_cast<unsigned char>(base & upper_case);
  if (upper != 'A' && upper != 'C' && upper != 'G' && upper != 'T' && upper != 'U') return text::code_n;
  const std::uint32_t bits = upper >> 1 & 3;  // A 0, C 1, T and U 2, G 3
  const std::uint32_t code = bits ^ bits >> 1;
  return complemented ? 3 - code : code;
}

/// Where the bases of each read are: gathered, from half of its code offset on.
struct GatheredBases {
  const char* text;

  __device__ const char* of(const DeviceReadsView& reads, std::uint64_t read) const {
    return text + reads.code_offsets[read] / 2;
  }
};

/// Where the bases of each read are: in the texts of the batch.
struct BasesInTexts {
  ReadTextsView texts;

  __device__ const char* of(const DeviceReadsView&, std::uint64_t read) const {
    return texts.at(texts.reads[read], texts.reads[read].bases);
  }
};

/// As reads::only_acgtn().
__device__ bool is_acgtn(char base) {
  const char upper = static_cast<char>(base & 0xDF);
  return upper == 'A' || upper == 'C' || upper == 'G' || upper == 'T' || upper == 'N';
}

/// One thread makes one word of one orientation, of the bases and of the unknown ones, and its codes, including the padding
/// past the end of the read. others: null, or DeviceReadsView::others, all 0 before.
template <class Bases>
__global__ void pack_kernel(DeviceReadsView reads, std::uint64_t words_per_read, Bases all_bases, std::uint64_t* words,
                            std::uint8_t* codes, std::uint8_t* others) {
  static_assert(text::code_n == 4, "an N holds 0 among the bases");
  const std::uint64_t orientation = thread_index() / words_per_read, word = thread_index() % words_per_read;
  const std::uint64_t read = orientation / 2;
  const bool reverse = orientation % 2 != 0;
  if (read >= reads.count()) return;
  const std::uint32_t length = reads.lengths[read];
  const std::uint64_t part = packed_words(length), first = word * bases_per_word;
  if (length == 0 || word >= part) return;
  const char* const bases = all_bases.of(reads, read);
  std::uint64_t known = 0, unknown = 0;
  std::uint32_t fours[bases_per_word / 4] = {};  // codes, the first in the lowest byte
  for (std::uint32_t i = 0; i < bases_per_word && first + i < length; ++i) {
    const std::uint64_t at = first + i;
    const char base = bases[reverse ? length - 1 - at : at];
    const std::uint32_t code = code_of(base, reverse);
    if (others && !is_acgtn(base)) others[read] = 1;
    known |= std::uint64_t{code & 3} << (62 - 2 * i);
    unknown |= std::uint64_t{code >> 2} << (62 - 2 * i);
    fours[i / 4] |= code << 8 * (i % 4);
  }
  std::uint64_t* const out = words + reads.offsets[read] + (reverse ? 2 * part : 0) + word;
  out[0] = known, out[part] = unknown;
  if (first >= length) return;
  const std::uint64_t code_begin = reads.code_offsets[read] + (reverse ? DeviceReadsView::code_room(length) : 0);
  auto* const code_words = reinterpret_cast<uint4*>(codes + code_begin + first);
  code_words[0] = {fours[0], fours[1], fours[2], fours[3]};
  code_words[1] = {fours[4], fours[5], fours[6], fours[7]};
}

}  // namespace

DeviceReads::DeviceReads(std::span<const ReadAlignments> reads, const DeviceReadTexts* texts,
                         std::uint32_t longest_allowed, ReadStaging& staging, const Stream& stream) {
  const std::span<std::uint64_t> offsets = staging.offsets.room(reads.size(), staging.share);
  const std::span<std::uint64_t> code_offsets = staging.code_offsets.room(reads.size(), staging.share);
  const std::span<std::uint32_t> lengths = staging.lengths.room(reads.size(), staging.share);
  const tbb::blocked_range<std::uint64_t> all(0, reads.size(), reads_per_task);
  std::atomic<bool> has_all = true;
  tbb::parallel_for(all, [&](const auto& part) {
    for (std::uint64_t i = part.begin(); i < part.end(); ++i) {
      const std::uint32_t length = texts ? texts->base_count(i) : reads[i].read.length();
      const bool fits = length <= longest_allowed && (texts || !reads[i].is_long);
      lengths[i] = fits ? length : 0;
      if (!fits) has_all = false;
    }
  });
  has_all_ = has_all;
  std::uint64_t word_count = 0, code_count = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    offsets[i] = word_count, code_offsets[i] = code_count;
    longest_ = std::max(longest_, lengths[i]);
    word_count += lengths[i] > 0 ? PackedRead::words_of(lengths[i]) : 0;
    code_count += 2 * DeviceReadsView::code_room(lengths[i]);
  }
  offsets_ = Buffer<std::uint64_t>(offsets, stream);
  code_offsets_ = Buffer<std::uint64_t>(code_offsets, stream);
  lengths_ = Buffer<std::uint32_t>(lengths, stream);
  if (texts) {
    others_ = Buffer<std::uint8_t>(reads.size(), stream);
    others_.fill_zero();
    pack(BasesInTexts{texts->view()}, word_count, code_count, stream);
    return;
  }
  const std::span<char> text = staging.text.room(code_count / 2, staging.share);
  tbb::parallel_for(all, [&](const auto& part) {
    for (std::uint64_t i = part.begin(); i < part.end(); ++i)
      std::copy_n(reads[i].read.bases().begin(), lengths[i],
                  text.begin() + static_cast<std::ptrdiff_t>(code_offsets[i] / 2));
  });
  const Buffer<char> bases(text, stream);
  pack(GatheredBases{bases.data()}, word_count, code_count, stream);
}

template <class Bases>
void DeviceReads::pack(const Bases& bases, std::uint64_t word_count, std::uint64_t code_count, const Stream& stream) {
  words_ = Buffer<std::uint64_t>(word_count, stream);
  codes_ = Buffer<std::uint8_t>(code_count, stream);
  const std::uint64_t words_per_read = longest_ > 0 ? packed_words(longest_) : 0;
  launch("pack_kernel", pack_kernel<Bases>, 2 * count() * words_per_read, stream, view(), words_per_read, bases,
         words_.data(), codes_.data(), others_.data());
}

}  // namespace warpseed::align::cuda
