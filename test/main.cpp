// The test program's main: Catch2 3 brings its own, Catch2 2 makes one here.
#if !defined(WS_CATCH_VERSION)
#define CATCH_CONFIG_MAIN
#endif
#include "catch.hpp"
