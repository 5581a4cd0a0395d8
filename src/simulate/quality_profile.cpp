#include "simulate/quality_profile.hpp"

#include <fmt/format.h>

#include "warpseed/error.hpp"

namespace warpseed::simulate {

void QualityProfile::add(unsigned mate, std::string_view qualities) {
  std::vector<CycleCounts>& counts = counts_[mate];
  if (counts.size() < qualities.size()) counts.resize(qualities.size());
  std::size_t previous = 0;
  for (std::size_t cycle = 0; cycle < qualities.size(); ++cycle) {
    const auto value = static_cast<std::uint8_t>(qualities[cycle] - 33);
    if (value >= values) {
      throw InputError(
          fmt::format("the character '{}' among base qualities; those of short reads, Phred+33, are {} to {}",
                      qualities[cycle], '!', static_cast<char>(33 + values - 1)));
    }
    const std::uint8_t quality = binned_ ? binned_quality(value) : value;
    ++counts[cycle][previous * values + quality];
    previous = quality;
  }
}

}  // namespace warpseed::simulate
