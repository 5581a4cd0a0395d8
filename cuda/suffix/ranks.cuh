// Ranks of suffixes on the devices of a team.
#pragma once

#include <cstdint>

#include "core/buffer.cuh"
#include "core/device_team.cuh"

namespace warpseed::suffix::cuda {

/// Ranks by slot, in slices of equal size, one slice on each device. Owns nothing.
struct RanksView {
  std::uint32_t* slices[max_team_size] = {};
  std::uint32_t slice_size = 0;  // of all slices but the last
  bool is_split = false;

  __device__ std::uint32_t& operator[](std::uint64_t slot) const {
    if (!is_split) return slices[0][slot];
    const std::uint32_t slice = static_cast<std::uint32_t>(slot) / slice_size;
    return slices[slice][static_cast<std::uint32_t>(slot) - slice * slice_size];
  }
};

/// A member's slice of the ranks, and the view of all slices.
struct Ranks {
  Buffer<std::uint32_t> slice;
  RanksView view;
};

/// The rows of a sorted list that a member has: its own follow those of the members before it.
struct TeamRows {
  std::uint64_t first = 0;  // of this member
  std::uint64_t all = 0;    // of all members
};

}  // namespace warpseed::suffix::cuda
