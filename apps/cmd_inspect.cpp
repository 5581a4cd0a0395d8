// warpseed inspect: shows, checks or unpacks an index file.
#include <fmt/format.h>

#include "cli.hpp"
#include "core/output_file.hpp"
#include "core/page_cache.hpp"
#include "index/index_file.hpp"
#include "index_path.hpp"
#include "text/fasta.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

void print_summary(const index::Index& index, OutputFile& out) {
  const text::GenomeView& genome = index.genome();
  const index::FmView& fm = index.fm();
  const GenomePos sequence = genome.contig_begins[genome.contig_count()];
  const std::uint64_t bases = genome.text.size - genome.segment_count();
  out.write(fmt::format("built-by\t{}\nbases\t{}\nunknown-bases\t{}\ncontigs\t{}\nsegments\t{}\n", index.built_by(),
                        sequence, sequence - bases, genome.contig_count(), genome.segment_count()));
  out.write(fmt::format("sample-step\t{}\nkmer-length\t{}\nposition-bytes\t{}\n", fm.sample_step, fm.kmer_length,
                        fm.samples.width));
  out.write(fmt::format("checksum\t{:08x}\n", index.checksum()));
  out.write("\n#section\toffset\tbytes\tcrc32\n");
  std::uint64_t bytes = 0;
  for (const index::SectionInfo& section : index.sections()) {
    out.write(fmt::format("{}\t{}\t{}\t{:08x}\n", section.name, section.offset, section.bytes, section.crc32));
    bytes += section.bytes;
  }
  out.write(fmt::format("\nsection-bytes\t{}\n", bytes));
  if (sequence > 0) {
    out.write(fmt::format("bytes-a-base\t{:.3f}\n", static_cast<double>(bytes) / static_cast<double>(sequence)));
  }
  out.write("\n#contig\tlength\n");
  for (std::uint64_t i = 0; i < index.contig_count(); ++i) {
    out.write(fmt::format("{}\t{}\n", index.contig_name(i), index.contig_length(i)));
  }
}

void print_fasta(const index::Index& index, OutputFile& out) {
  std::vector<std::string_view> names;
  for (std::uint64_t i = 0; i < index.contig_count(); ++i) names.push_back(index.contig_name(i));
  write_fasta(index.genome(), names, [&](std::string_view text) { out.write(text); });
}

/// Opening the file has already checked the checksums.
void print_verification(const index::Index& index, int threads, OutputFile& out) {
  for (const index::SectionInfo& section : index.sections())
    out.write(fmt::format("checksum of {}: ok\n", section.name));
  const std::string wrong = index::verify_against_text(index.fm(), index.genome(), threads);
  if (!wrong.empty()) {
    throw InputError(
        fmt::format("{}: the FM-index does not belong to the text: {}; build it again with warpseed "
                    "index",
                    index.path(), wrong));
  }
  out.write("FM-index against the text: ok\n");
}

/// The file in memory, in bytes. Opening the index has read all of it.
void print_residence(const std::string& path, std::uint64_t before, OutputFile& out) {
  out.write(fmt::format("in-memory-before\t{}\nin-memory\t{}\n", before, bytes_in_page_cache(path)));
}

}  // namespace

int run_inspect(int argc, char** argv) {
  std::string path, output = "-";
  bool summary = false, fasta = false, verify = false, warm = false;
  Common common;
  CLI::App app("Shows what an index file holds, checks it, or gives the reference back.", "warpseed inspect");
  app.add_option("REF.wsi", path, "index file, or the FASTA file that it is next to")->required();
  auto* modes = app.add_option_group("what to do");
  modes->add_flag("--summary", summary, "contigs, sections and how it was built (the default)");
  modes->add_flag("--fasta", fasta, "the reference as FASTA, 60 letters a line, N for every unknown base");
  modes->add_flag("--verify", verify, "checksums, and every row of the FM-index against the text");
  modes->add_flag(
      "--warm", warm,
      "read the file into the system's memory, which jobs that map it share; prints how much of it was there "
      "before and is there now, in bytes");
  modes->require_option(0, 1);
  app.add_option("-o,--output", output, "file to write; - is standard output")->capture_default_str();
  common.add_to(app);
  if (!parse(app, argc, argv)) return exit_ok;
  path = find_index(path);
  require_distinct_files({{path}}, {{output}});

  Logger logger("inspect", common, argc, argv);
  remove_stale_outputs({{output}}, logger);
  const std::uint64_t in_memory = warm ? bytes_in_page_cache(path) : 0;
  const index::Index index(path);
  OutputFile out(output);
  if (fasta) {
    print_fasta(index, out);
  } else if (verify) {
    print_verification(index, common.threads, out);
  } else if (warm) {
    print_residence(path, in_memory, out);
  } else {
    print_summary(index, out);
  }
  out.commit();
  logger.closing();
  return exit_ok;
}

}  // namespace warpseed::cli
