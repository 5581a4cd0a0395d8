// Indexes a FASTA file and aligns reads to it, one sequence a line: align_reads REF.fa READS.txt
// Prints number, flag, contig, position (from 1), MAPQ, CIGAR and tags, as in SAM, with tabs between.
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "warpseed/aligner.hpp"
#include "warpseed/error.hpp"
#include "warpseed/index.hpp"

int main(int argc, char** argv) try {
  if (argc != 3) throw warpseed::InputError("usage: align_reads REF.fa READS.txt");
  const warpseed::Context context;  // the first GPU, else all CPU threads
  const warpseed::Index index = warpseed::Index::build_from_fasta({argv[1]}, context);
  warpseed::Aligner aligner(index, context);

  std::ifstream file(argv[2]);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  const std::vector<std::string_view> reads(lines.begin(), lines.end());

  const std::vector<warpseed::Alignments> all = aligner.align_batch(reads);
  for (std::size_t read = 0; read < all.size(); ++read) {
    for (const warpseed::Alignment& found : all[read]) {
      std::printf("%zu\t%d\t%s\t%llu\t%d\t%s\t%s\n", read, found.flag,
                  std::string(index.contig(found.contig).name).c_str(),
                  static_cast<unsigned long long>(found.position + 1), found.mapq, found.cigar.c_str(),
                  sam_tags(found).c_str());
    }
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "align_reads: %s\n", error.what());
  return 1;
}
