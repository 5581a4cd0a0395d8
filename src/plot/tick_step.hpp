// Round distances of the ticks of an axis.
#pragma once

#include <cmath>
#include <initializer_list>

namespace warpseed::plot {

/// The smallest of `least` times 1, 2, 5, 10, 20... with at most `most` whole steps in `span`. least: a power of ten.
inline double tick_step(double span, unsigned most, double least) {
  for (double ten = least;; ten *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (std::floor(span / (ten * factor)) <= most) return ten * factor;
    }
  }
}

}  // namespace warpseed::plot
