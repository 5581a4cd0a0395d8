// Runs many small state machines in turn, so that the memory accesses of one overlap with the work of the others.
#pragma once

#include <cstddef>

namespace warpseed {

/// Keeps up to `at_a_time` lanes in progress until no work is left. refill(lane): gives a lane its next piece of work,
/// false if none is left. step(lane): takes one step, which should read only what the step before has prefetched; true
/// if that was the last one of the piece. Lanes are copied when others end: they hold no pointers to themselves.
template <class Lane, std::size_t at_a_time, class Refill, class Step>
void interleave(Refill refill, Step step) {
  Lane lanes[at_a_time];
  std::size_t active = 0;
  while (active < at_a_time && refill(lanes[active])) ++active;
  while (active > 0) {
    for (std::size_t i = 0; i < active;) {
      if (!step(lanes[i]) || refill(lanes[i])) {
        ++i;
      } else {
        lanes[i] = lanes[--active];
      }
    }
  }
}

}  // namespace warpseed
