// user version | count REF.fa PATTERN | pairs REF.wsi READS
#include <exception>
#include <iostream>
#include <string_view>

#include "user.hpp"
#include "warpseed/error.hpp"
#include "warpseed/search.hpp"

int main(int argc, char** argv) try {
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "version") {
    std::cout << version_text() << '\n';
  } else if (command == "count" && argc == 4) {
    const warpseed::Context context({"cpu", 1});
    std::cout << warpseed::Searcher(warpseed::Index::build_from_fasta({argv[2]}, context), context).count(argv[3])
              << '\n';
  } else if (command == "pairs" && argc == 4) {
    print_pairs(argv[2], argv[3]);
  } else {
    throw warpseed::InputError("no such command");
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
