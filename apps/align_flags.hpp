// The options of `warpseed align`: declared, parsed, checked against each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "align/align_options.hpp"
#include "align/pair/insert_size_distribution.hpp"
#include "bwa_flags.hpp"
#include "cli.hpp"
#include "reads/lanes.hpp"
#include "reads/read_source.hpp"
#include "records/alignment_writer.hpp"

namespace warpseed::cli {

/// All options of the command line, as given.
struct AlignFlags {
  std::string index_path, alt_path, format, reference, insert_sizes, json_path, html_path, shard, plan_path;
  reads::ReadInput input;                              // path1 and path2: as given, perhaps several with commas
  std::vector<std::string> first_files, second_files;  // of -1 and -2
  std::vector<std::string> header_lines;               // of -H
  std::vector<std::string> read_groups;                // of -R: one for all lanes, or one each
  std::vector<reads::Lane> lanes;                      // completed: all of the above
  records::WriterOptions writer;
  align::AlignOptions align;
  BwaFlags bwa;
  std::vector<std::string> notes;  // to be logged
  std::string preset = "auto", cs = "none", summary = "warpseed";
  std::string open = "6", extend = "1", clip = "5", alternatives = "5,200";
  std::optional<std::uint64_t> sort_memory;
  std::uint64_t device_memory = 0;
  bool estimate = false, load = false, map = false, learn_only = false;
  bool with_comment = false, no_alt = false, no_rescue = false, no_pairing = false;
};

void add_files(CLI::App& app, AlignFlags& flags);
void add_tags(CLI::App& app, AlignFlags& flags);
void add_scoring(CLI::App& app, AlignFlags& flags);

/// All outputs, including the index of sorted output. For BAM it is one of two, depending on the contigs' lengths.
std::vector<RunFile> output_files(const AlignFlags& flags);

/// Checks and completes options that depend on each other. Throws InputError.
void complete(const CLI::App& app, AlignFlags& flags, const Common& common);

/// Of -I. bwa mem's insert size excludes the first base: it is one less than the fragment's length. Throws InputError.
align::InsertSizeDistributions parse_insert_sizes(const std::string& text, const Scoring& scoring);

}  // namespace warpseed::cli
