// The test program's main, for Catch2 2 and 3.
#define CATCH_CONFIG_RUNNER  // Catch2 2 is then compiled here
#include "catch.hpp"
#include "records/htslib_messages.hpp"

int main(int argc, char** argv) {
  warpseed::records::silence_htslib();  // the tests of damaged files look at the exceptions
  return Catch::Session().run(argc, argv);
}
