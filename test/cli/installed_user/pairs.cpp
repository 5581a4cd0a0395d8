#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "user.hpp"
#include "warpseed/aligner.hpp"
#include "warpseed/index.hpp"

namespace {

void print(std::size_t read, const warpseed::Alignment& found, const warpseed::Index& index) {
  std::cout << read << '\t' << found.flag << '\t' << index.contig(found.contig).name << '\t' << found.position + 1
            << '\t' << found.mapq << '\t' << found.cigar << '\t';
  if (found.mate) {
    std::cout << (found.mate->contig == found.contig ? "=" : index.contig(found.mate->contig).name) << '\t'
              << found.mate->position + 1;
  } else {
    std::cout << "=\t" << found.position + 1;  // as SAM has it for the mate that is not aligned
  }
  std::cout << '\t' << found.template_length << '\t' << sam_tags(found) << '\n';
}

}  // namespace

void print_pairs(const std::string& index_path, const std::string& reads_path) {
  std::ifstream file(reads_path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  const std::vector<std::string_view> reads(lines.begin(), lines.end());

  const warpseed::Context context;
  const warpseed::Index index = warpseed::Index::open(index_path, context);
  const auto all = warpseed::Aligner(index, context).align_pairs(reads);
  for (std::size_t read = 0; read < all.size(); ++read)
    for (const warpseed::Alignment& found : all[read]) print(read, found, index);
}
