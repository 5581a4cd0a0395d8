// Runs many dependent chains of memory accesses side by side, so that their cache misses overlap.
#pragma once

#include <cstdint>

namespace warpseed::index {

constexpr unsigned in_flight = 16;  // interleaved items per core, to hide memory latency

/// Processes items [begin, end) with up to in_flight of them interleaved.
/// start(item, state) begins an item, step(state) advances it and returns false at the end, finish(state) ends it.
template <class State, class Start, class Step, class Finish>
void run_interleaved(std::uint64_t begin, std::uint64_t end, const Start& start, const Step& step,
                     const Finish& finish) {
  State states[in_flight];
  unsigned active = 0;
  while (active < in_flight && begin < end) start(begin++, states[active++]);
  while (active > 0) {
    for (unsigned i = 0; i < active;) {
      if (step(states[i])) {
        ++i;
        continue;
      }
      finish(states[i]);
      if (begin < end) {
        start(begin++, states[i++]);
      } else {
        states[i] = states[--active];
      }
    }
  }
}

}  // namespace warpseed::index
