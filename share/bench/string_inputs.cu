#include "string_inputs.cuh"

#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "core/launch.cuh"
#include "core/primitives.cuh"

namespace warpseed::bench {

namespace {

using cuda::thread_index;

/// A hash of two numbers.
__device__ std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9E3779B97F4A7C15ULL + b * 0xD1B54A32D192ED03ULL + 0x2545F4914F6CDD1DULL;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ x >> 27) * 0x94D049BB133111EBULL;
  return x ^ x >> 31;
}

/// Writes characters one by one; only counts them if `out` is null.
struct Pen {
  std::uint8_t* out;
  std::uint64_t size = 0;
  __device__ void put(char letter) {
    if (out != nullptr) out[size] = static_cast<std::uint8_t>(letter);
    ++size;
  }
  __device__ void put_word(std::uint64_t seed, unsigned length) {
    constexpr char bases[] = "eeeetttaaaoooiiinnnsssrrhhllddccuummffppggwyybvkxjqz";  // frequencies as in English
    for (unsigned i = 0; i < length; ++i) put(bases[mixed(seed, i) % (sizeof bases - 1)]);
  }
  __device__ void put_number(std::uint64_t number, unsigned digits) {
    std::uint64_t scale = 1;
    for (unsigned i = 1; i < digits; ++i) scale *= 10;
    for (; digits > 0; --digits, scale /= 10) put(static_cast<char>('0' + number / scale % 10));
  }
};

/// 100 bytes of any value.
__device__ void write_random(Pen& pen, std::uint64_t i) {
  for (unsigned k = 0; k < 100; ++k) pen.put(static_cast<char>(mixed(i, k)));
}

/// 3 to 20 letters: one of 200,000 stems, low numbers more often, and an ending in two of three words.
__device__ void write_word(Pen& pen, std::uint64_t i) {
  const std::uint64_t roll = mixed(i, 1) % 200000;
  const std::uint64_t stem = roll * (mixed(i, 2) % 200000) / 200000;
  pen.put_word(stem, 3 + static_cast<unsigned>(mixed(stem, 3) % 8));
  if (mixed(i, 4) % 3 != 0) pen.put_word(mixed(i, 5) % 50000, 1 + static_cast<unsigned>(mixed(i, 6) % 10));
}

/// 20 to 180 characters: 2 to 10 folders deep in a tree with up to 8 children per folder, then one of many files.
__device__ void write_path(Pen& pen, std::uint64_t i) {
  std::uint64_t folder = 7;
  const unsigned depth = 2 + static_cast<unsigned>(mixed(i, 1) % 9);
  for (unsigned level = 0; level < depth; ++level) {
    pen.put('/');
    folder = mixed(folder, mixed(i, 10 + level) % (1 + folder % 8));
    pen.put_word(folder, 4 + static_cast<unsigned>(folder % 11));
  }
  pen.put('/');
  pen.put_word(folder, 3 + static_cast<unsigned>(folder % 5));
  pen.put('_');
  pen.put_number(mixed(i, 2), 8);
  pen.put('.');
  pen.put_word(mixed(i, 3) % 9, 3);
}

constexpr unsigned read_length = 150;

__device__ void write_bases(Pen& pen, std::uint64_t i, std::uint64_t place) {
  for (unsigned k = 0; k < read_length; ++k) {
    const std::uint64_t error = mixed(i, 100 + k);
    const std::uint64_t base = mixed(place + k, 3) + (error % 1000 == 0 ? 1 + error / 1000 % 3 : 0);
    pen.put("ACGT"[base % 4]);
  }
}

/// A read of a genome of 100 million random bases. Reads are drawn from four fifths as many fragments, so that at least
/// half of the reads have a duplicate; one base in a thousand is a sequencing error.
__device__ void write_read(Pen& pen, std::uint64_t i, std::uint64_t count) {
  const std::uint64_t fragment = mixed(i, 1) % (count * 4 / 5 + 1);
  write_bases(pen, i, mixed(fragment, 2) % 100'000'000);
}

/// A read of one of 1000 positions, low numbers more often: long runs of equal reads, with errors at all offsets.
__device__ void write_amplicon(Pen& pen, std::uint64_t i) {
  const std::uint64_t place = (mixed(i, 1) % 1000) * (mixed(i, 2) % 1000) / 1000;
  write_bases(pen, i, place * 1'000'000);
}

/// Writes string i, or only measures it if there is no output; returns its length.
__device__ std::uint64_t write(Input input, std::uint64_t i, std::uint64_t count, std::uint8_t* out) {
  Pen pen{out};
  switch (input) {
    case Input::random: write_random(pen, i); break;
    case Input::words: write_word(pen, i); break;
    case Input::paths: write_path(pen, i); break;
    case Input::reads: write_read(pen, i, count); break;
    case Input::amplicons: write_amplicon(pen, i); break;
  }
  return pen.size;
}

__global__ void lengths_kernel(Input input, std::uint64_t count, std::uint64_t* lengths) {
  const std::uint64_t i = thread_index();
  if (i < count) lengths[i] = write(input, i, count, nullptr);
  if (i == count) lengths[i] = 0;
}

__global__ void bytes_in_use_kernel(Input input, std::uint64_t count, const std::uint64_t* offsets,
                                    std::uint8_t* bytes) {
  const std::uint64_t i = thread_index();
  if (i < count) write(input, i, count, bytes + offsets[i]);
}

__global__ void pack_kernel(const std::uint8_t* bases, std::uint64_t size, std::uint64_t words, std::uint64_t* packed) {
  const std::uint64_t word = thread_index();
  if (word >= words) return;
  std::uint64_t bits = 0;
  for (std::uint64_t i = 32 * word; i < 32 * word + 32; ++i) {
    const unsigned letter = i < size ? bases[i] : 'A';
    bits = bits << 2 | (letter == 'C' ? 1 : letter == 'G' ? 2 : letter == 'T' ? 3 : 0);
  }
  packed[word] = bits;
}

}  // namespace

template <>
sort::Strings<sort::ByteView> DeviceStrings<sort::ByteView>::view() const {
  return sort::end_to_end(sort::ByteView{words.data()}, offsets.data(), offsets.size() - 1);
}
template <>
sort::Strings<text::PackedView> DeviceStrings<text::PackedView>::view() const {
  return sort::end_to_end(text::PackedView{words.data(), symbols}, offsets.data(), offsets.size() - 1);
}

DeviceStrings<sort::ByteView> make_bytes(Input input, std::uint64_t count, const cuda::Stream& stream) {
  cuda::Buffer<std::uint64_t> lengths(count + 1, stream);
  cuda::launch("lengths_kernel", lengths_kernel, count + 1, stream, input, count, lengths.data());
  DeviceStrings<sort::ByteView> made;
  made.offsets = {count + 1, stream};
  cuda::with_temporary_storage("summing lengths", stream, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, lengths.data(), made.offsets.data(), count + 1,
                                         stream.handle());
  });
  made.symbols = made.offsets.value_at(count);
  made.words = {made.symbols / 8 + 2, stream};
  made.words.fill_zero();
  cuda::launch("bytes_in_use_kernel", bytes_in_use_kernel, count, stream, input, count, made.offsets.data(),
               reinterpret_cast<std::uint8_t*>(made.words.data()));
  return made;
}

DeviceStrings<text::PackedView> make_packed_reads(std::uint64_t count, const cuda::Stream& stream) {
  DeviceStrings<sort::ByteView> bytes = make_bytes(Input::reads, count, stream);
  DeviceStrings<text::PackedView> made;
  made.symbols = bytes.symbols;
  made.words = {made.symbols / 32 + 2, stream};
  cuda::launch("pack_kernel", pack_kernel, made.words.size(), stream,
               reinterpret_cast<const std::uint8_t*>(bytes.words.data()), bytes.symbols, made.words.size(),
               made.words.data());
  made.offsets = std::move(bytes.offsets);
  return made;
}

}  // namespace warpseed::bench
