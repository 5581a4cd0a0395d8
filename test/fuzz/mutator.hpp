// What libFuzzer calls and offers for inputs whose bytes depend on each other.
#pragma once

#include <cstddef>
#include <cstdint>

/// What a mutator defines: changes data[0..size-1] in place, to at most max_size bytes; returns the new size.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed);

/// libFuzzer's own changes, of the same kind.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
