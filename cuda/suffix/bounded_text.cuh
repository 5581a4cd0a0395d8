// A genome's text on the device, in which comparisons end at separators.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "suffix/bounded_text_core.hpp"
#include "suffix/device_text.cuh"

namespace warpseed::suffix::cuda {

/// Adds to a genome's text on the device the bitmap that suffix/bounded_text_core.hpp needs: one bit per 256 symbols.
class BoundedText {
 public:
  BoundedText() = default;

  /// Queued on the stream. text: of a genome; must outlive this.
  BoundedText(const DeviceText& text, const Stream& stream);

  GenomeText view() const { return {{text_.words, text_.size}, {text_.separators, blocks_.data()}}; }

 private:
  DeviceTextView text_;
  Buffer<std::uint32_t> blocks_;
};

}  // namespace warpseed::suffix::cuda
