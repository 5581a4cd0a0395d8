// Decodes CRAM in a process of its own, because htslib can crash on a damaged file.
#pragma once

#include <memory>
#include <string>

#include "core/byte_source.hpp"

namespace warpseed::reads {

/// The subcommand of the program that decodes: `warpseed decode-cram NAME [FASTA]`.
constexpr const char* cram_decoder_command = "decode-cram";

/// Names the program that decodes CRAM from now on, for the whole process; empty, as at first: this process decodes. A
/// program that has the subcommand calls this once, before it reads.
void set_cram_decoder(std::string program);

/// Whether a program was named.
bool has_cram_decoder();

/// The records of CRAM as BAM, stored in BGZF without compression, from the program that was named. cram: the file's
/// bytes. name: for messages. reference_path: FASTA; empty: htslib's default. Throws IoError if the decoder cannot be run.
/// read() throws InputError if the file is damaged, also where the decoder ended by a signal; IoError if the decoder was
/// killed; and what reading `cram` throws.
std::unique_ptr<ByteSource> decoded_cram(std::unique_ptr<ByteSource> cram, const std::string& name,
                                         const std::string& reference_path);

/// The decoder's work: CRAM from standard input, that BAM to standard output. Throws as RecordReader does, IoError
/// if it cannot write.
void decode_cram(const std::string& name, const std::string& reference_path);

}  // namespace warpseed::reads
