// Raw deflate (RFC 1951) of blocks whose fields are known, by a parse that a GPU can repeat: see deflate_core.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/deflate_tokens.hpp"

namespace warpseed {

namespace deflate {

/// Writes the stored_header_bytes bytes that precede `size` stored ones, at most most_stored. last: of the stream's blocks.
void put_stored_header(std::size_t size, bool last, std::byte* out);

/// Writes the bytes as they are, in stored deflate blocks, and returns how many bytes that makes: up to 10 more.
std::size_t write_stored(std::span<const std::byte> block, std::byte* out);

}  // namespace deflate

/// Owns 300 KiB. Threads: one caller at a time.
class DeflateEncoder {
 public:
  DeflateEncoder();

  /// The compressed block, at most block.size() + 5 bytes; valid until the next call. The same bytes in every run, on every
  /// machine. Cost: some 3 ns a byte. For block and fields see TokenFinder::find().
  std::span<const std::byte> encode(std::span<const std::byte> block, std::span<const deflate::Field> fields = {});

 private:
  deflate::TokenFinder finder_;
  std::vector<std::byte> out_;
};

}  // namespace warpseed
