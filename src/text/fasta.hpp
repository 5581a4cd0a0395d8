// Reads FASTA into a Genome, and writes it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "text/genome.hpp"
#include "warpseed/progress.hpp"

namespace warpseed::text {

/// Bytes that are parsed at a time: they fit the last-level cache, and several threads can read parts of them.
constexpr std::uint64_t fasta_block_bytes = 8 << 20;

/// Reads FASTA files (plain, gzip or BGZF; "-" is standard input) into one genome, in the given order.
/// A contig's name is its header up to the first white space. Lines may have any length and end in LF or CRLF. Empty
/// lines are skipped.
///
/// Cost: one pass, at least 500 MB/s per core for plain files, which all oneTBB threads read. Memory: a quarter of a byte
/// per base.
/// Throws InputError (file:line: cause and remedy) for an empty file, FASTQ, a record without name or sequence, a name
/// that SAM does not allow (it begins with * or =), two contigs of the same name, a letter outside IUPAC, damaged gzip;
/// IoError if a file cannot be read.
/// block_bytes: parsed at a time, at least 1; the genome does not depend on it.
Genome read_fasta(std::span<const std::string> paths, const ProgressCallback& progress = {},
                  std::uint64_t block_bytes = fasta_block_bytes);

/// Writes contigs as FASTA, 60 bases per line, N runs as N.
/// write: called with portions of the text in order.
void write_fasta(const GenomeView& genome, std::span<const std::string_view> names,
                 const std::function<void(std::string_view)>& write);

}  // namespace warpseed::text
