// Catch2 2 (Debian 12) and 3 (Ubuntu 24.04) behind one include.
#pragma once

#if defined(WS_CATCH_VERSION) && WS_CATCH_VERSION >= 3
#include <catch2/catch_all.hpp>
using Catch::Approx;  // Catch2 2 puts it in the global namespace itself
#else
#include <catch2/catch.hpp>
#endif
