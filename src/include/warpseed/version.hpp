// The version of warpseed.
#pragma once

#include <string_view>

namespace warpseed {

/// "major.minor.patch". Until 1.0 a new minor version may change this interface.
inline constexpr std::string_view version = "0.9.0";

}  // namespace warpseed
