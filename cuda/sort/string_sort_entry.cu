// The CUDA entry of sort/string_sort.hpp.
#include "core/transfer.cuh"
#include "sort/entry.hpp"
#include "sort/string_sort.cuh"

namespace warpseed::sort::cuda {

template <class Text>
StringOrder sort_strings(const Strings<Text>& strings, const Backend& backend) {
  if (strings.count == 0) return {{}, {0xFFFFFFFFU}};
  const std::uint64_t symbols = strings.ends[strings.count - 1];
  const std::uint64_t words = symbols / (64 / symbol_bits<Text>)+2;
  const Stream stream(backend);
  stream.pool().require(8 * words + 8 * (strings.count + 1) + string_sorting_bytes(strings.count), "sorting strings");
  Buffer<std::uint64_t> text(words, stream), offsets(strings.count + 1, stream);
  stream.wait();
  upload(text.data(), strings.text.words, 8 * words, stream.pool(), backend.threads);
  upload(offsets.data(), strings.begins, 8 * offsets.size(), stream.pool(), backend.threads);
  Text on_device = strings.text;
  on_device.words = text.data();
  const DeviceOrder sorted = sort_strings(end_to_end(on_device, offsets.data(), strings.count), stream);
  StringOrder host;
  host.order.resize(sorted.order.size()), host.heads.resize(sorted.heads.size());
  stream.wait();
  download(host.order.data(), sorted.order.data(), 4 * host.order.size(), stream.pool(), backend.threads);
  download(host.heads.data(), sorted.heads.data(), 4 * host.heads.size(), stream.pool(), backend.threads);
  return host;
}

template StringOrder sort_strings(const Strings<ByteView>&, const Backend&);
template StringOrder sort_strings(const Strings<text::PackedView>&, const Backend&);

}  // namespace warpseed::sort::cuda
