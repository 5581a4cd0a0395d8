// gzip and BGZF files written by htslib, which shares no code with the reader under test.
#pragma once

#include <htslib/bgzf.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/temp_folder.hpp"

namespace warpseed::test {

/// `mode` as for bgzf_open(): "w" BGZF, "wg" one plain gzip member, with a level of 0 to 9 before or after.
inline std::string compress(std::string_view content, const char* mode) {
  const TempFolder folder;
  const std::string path = folder.file("made.gz");
  BGZF* out = bgzf_open(path.c_str(), mode);
  if (!out) throw std::runtime_error("bgzf_open");
  const bool written = bgzf_write(out, content.data(), content.size()) == static_cast<ssize_t>(content.size());
  if (bgzf_close(out) != 0 || !written) throw std::runtime_error("bgzf_write");
  return content_of(path);
}

/// The empty block that ends a BGZF file, SAM specification 4.1.2.
constexpr std::uint64_t bgzf_end_bytes = 28;

}  // namespace warpseed::test
