// What runs cost: the constants of the estimates, and where they come from.
//
// "Measured" is: /usr/bin/time of the program at commit 950a653 with synthetic genomes of 100 and 10 Mb (generate
// --length 100000000) and the bundled data, reads of 150 bases of generate_reads, cut to 50 or doubled to 300, and of 3,
// 15 and 100 kb of generate_long_reads, 1 to 16 threads, two cores of a Xeon that other jobs shared; thread time, not
// wall time.
// "Performance page" is share/doc/performance.md.
#pragma once

#include <cstdint>

namespace warpseed::estimate {

// ---- memory of the host
constexpr std::uint64_t program_bytes = 24 << 20;  // measured: code, libraries, buffers of files take 9 MiB
constexpr std::uint64_t thread_bytes = 4 << 20;    // measured: 3.5 MiB for each further thread of `align`

// A read in the pipeline of `align`, wherever it is: text, packed text, alignments, records. Measured: of 262,144 reads
// in batches, single ones of 50, 150 and 300 bases take 1.4, 2.1 and 3.8 KB, paired ones 1.8, 3.1 and 5.0 KB.
constexpr std::uint64_t read_bytes = 1600;
constexpr std::uint64_t read_bytes_a_base = 14;
constexpr std::uint64_t long_read_bytes_a_base = 10;   // measured: 7 to 8 for reads of 3, 15 and 100 kb
constexpr std::uint64_t long_thread_bytes = 16 << 20;  // measured: 10 to 25 MiB a thread with reads of 15 and 100 kb

// ---- memory of a device, in bytes
constexpr std::uint64_t device_context = 600ULL << 20;
constexpr std::uint64_t device_sort_a_symbol = 21;  // performance page, suffix arrays: 61.5 GB for 2,946 M symbols
// Performance page: 18.0 GB in all for 3.1 Gbp, with 4 x 131,072 reads.
constexpr std::uint64_t device_a_base_in_flight = 150;
constexpr std::uint64_t device_most_a_batch = 8ULL << 30;  // what a batch may take at most

// ---- records, in bytes
constexpr std::uint64_t sam_fields = 112;       // measured: all of a SAM line but name, bases and qualities
constexpr std::uint64_t paf_fields = 150;       // measured: all of a PAF line but the name
constexpr std::uint64_t bam_fixed_fields = 36;  // SAM specification, section 4.2, with the name's end
constexpr std::uint64_t bam_fields = bam_fixed_fields + 12 + 60;  // and three CIGAR elements, tags NM MD MC MQ AS XS
constexpr std::uint64_t bam_fields_compressed = 25;               // measured: these, after compression
constexpr double cram_to_bam = 0.6;                               // measured: 0.4 to 0.65, by qualities and depth
constexpr double cram_bytes_a_base = 0.3;                         // of input; a guess between binned and full qualities

// ---- thread time, in seconds
// Performance page: FASTA to index, 3.1 Gbp 244 s, 70 Mb 4.45 s of CPU time; 3 ns a base are not shared by threads.
constexpr double index_a_base = 80e-9;
constexpr double index_a_base_unshared = 3e-9;
constexpr double index_a_base_divsufsort = 95e-9;  // one thread; performance page: 6.5 s for 70 Mb
constexpr double index_a_base_cuda = 3.2e-9;       // performance page: 9.9 s for 3.1 Gbp
constexpr double align_a_read = 3e-6;              // measured: 7.6 us a read of 50 bases, 15.5 us of 150
constexpr double align_a_base = 85e-9;             // the same; reads of 15 kb 35 ns, of 100 kb with 5 % errors 63 ns
constexpr double align_a_read_cuda = 3.0e-6;       // performance page: 4.8 to 5.2 M reads/s with 16 threads
constexpr double compress_a_byte = 6e-9;           // bench_bgzf: 2.1 to 3.8 ns; the rest is for gzip input
constexpr double sort_a_record = 2e-6;             // measured
constexpr double load_a_byte = 1e-9;               // reading an index and its checksums, from a disk of 1 GB/s
constexpr double start_cuda = 0.5;                 // performance page: 0.4 s, for 3.1 Gbp 0.8 s

}  // namespace warpseed::estimate
