#include "estimate/align_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "align/pipeline/align_run.hpp"
#include "align/pipeline/batch_aligner.hpp"
#include "core/huge_pages.hpp"
#include "core/processors.hpp"
#include "estimate/content_size.hpp"
#include "estimate/costs.hpp"
#include "estimate/read_sample.hpp"
#include "index/index_needs.hpp"
#include "reads/read_prefetcher.hpp"
#include "records/record_order.hpp"

namespace warpseed::estimate {

namespace {

using records::AlignmentFormat;

constexpr double long_read_bases = 1000;  // see -x auto: longer single reads are long

std::uint64_t whole(double value) {
  return static_cast<std::uint64_t>(std::llround(value));
}

/// All reads of a run, by their mean.
struct Reads {
  ReadSample mean;
  double count = 0;

  bool are_long() const { return !mean.paired && mean.bases > long_read_bases; }
  double bases() const { return count * mean.bases; }
};

std::vector<std::string> files_of(std::span<const reads::Lane> lanes) {
  std::vector<std::string> files;
  for (const reads::Lane& lane : lanes) {
    files.push_back(lane.input.path1);
    if (!lane.input.path2.empty()) files.push_back(lane.input.path2);
  }
  return files;
}

/// Fills what is known of the input.
Reads count_reads(std::span<const reads::Lane> lanes, RunNeeds& needs) {
  double content = 0;
  for (const std::string& path : files_of(lanes)) {
    const ContentSize size = content_size(path);
    needs.input_bytes += size.stored_bytes;
    content += static_cast<double>(size.bytes);
    if (size.estimated) needs.compressed.push_back(path);
  }
  Reads reads = {sample_reads(lanes.front().input), 0};
  if (reads.mean.reads == 0) return reads;
  reads.count =
      content / (reads.mean.format == ReadFormat::cram ? cram_bytes_a_base * reads.mean.bases : reads.mean.stored);
  needs.reads = whole(reads.count);
  needs.bases = whole(reads.bases());
  return reads;
}

/// The reads that are in batches at a time, at most: in the pipeline, or read ahead.
double reads_in_flight(const Reads& reads, const Backend& backend, std::uint64_t batches) {
  double batch = backend.kind == BackendKind::cuda ? static_cast<double>(align::device_batch_reads)
                                                   : static_cast<double>(align::Aligner::slice_reads);
  if (!reads.mean.paired && reads.mean.reads > 0) {
    const auto text = std::max<std::uint64_t>(1, whole(reads.mean.name + reads.mean.comment + 2 * reads.mean.bases));
    batch = std::min(batch, static_cast<double>(reads::batch_text.reads_within(text)));
  }
  return std::min(reads.count, batch * static_cast<double>(batches));
}

unsigned devices_of(const Backend& backend) {
  return backend.kind == BackendKind::cpu ? 0 : static_cast<unsigned>(backend.all_devices().size());
}

std::uint64_t pipeline_bytes(const Reads& reads, const Backend& backend) {
  const std::uint64_t batches = align::most_batches(align::max_concurrent_batches(devices_of(backend))) +
                                reads::ReadPrefetcher::portions_ahead + 1;
  const double a_base = reads.are_long() ? long_read_bytes_a_base : read_bytes_a_base;
  const double a_read = static_cast<double>(read_bytes) + a_base * reads.mean.bases;
  const std::uint64_t a_thread = reads.are_long() ? long_thread_bytes : thread_bytes;
  return whole(reads_in_flight(reads, backend, batches) * a_read) +
         static_cast<std::uint64_t>(backend.threads) * a_thread;
}

/// Bytes of a record's data in memory: htslib's, without its fixed fields.
double data_bytes(const AlignRun& run, const ReadSample& mean) {
  const double comment = run.with_comment || mean.format != ReadFormat::text ? mean.comment : 0;
  return static_cast<double>(bam_fields - bam_fixed_fields) + mean.name + 4 + 1.5 * mean.bases + comment;
}

double waiting_bytes(const AlignRun& run, const Reads& reads) {
  return reads.count * static_cast<double>(records::waiting_bytes(whole(data_bytes(run, reads.mean))));
}

bool has_runs_on_disk(const AlignRun& run, const Reads& reads) {
  const std::uint64_t held = records::held_bytes(run.writer.sort_memory_bytes);
  return run.writer.sort && waiting_bytes(run, reads) > static_cast<double>(held);
}

std::uint64_t sort_bytes(const AlignRun& run, const Reads& reads) {
  if (!run.writer.sort) return 0;
  return std::min(run.writer.sort_memory_bytes, whole(waiting_bytes(run, reads)));
}

/// Compressed records, as BAM has them at a low level.
double compressed_bytes(const AlignRun& run, const Reads& reads) {
  const double comment = run.with_comment || reads.mean.format != ReadFormat::text ? reads.mean.comment : 0;
  return reads.count * (static_cast<double>(bam_fields_compressed) + reads.mean.compressed + comment / 3);
}

double output_bytes(const AlignRun& run, const Reads& reads) {
  const ReadSample& mean = reads.mean;
  const double comment = run.with_comment || mean.format != ReadFormat::text ? mean.comment : 0;
  switch (run.writer.format) {
    case AlignmentFormat::sam:
      return reads.count * (static_cast<double>(sam_fields) + mean.name + comment + mean.bases + mean.qualities);
    case AlignmentFormat::paf: return reads.count * (static_cast<double>(paf_fields) + mean.name);
    case AlignmentFormat::cram: return cram_to_bam * compressed_bytes(run, reads);
    case AlignmentFormat::bam: break;
  }
  if (run.writer.compression_level != 0) return compressed_bytes(run, reads);
  return reads.count * (4.0 + bam_fixed_fields + data_bytes(run, mean));
}

std::uint64_t device_bytes(const AlignRun& run, const Reads& reads, std::uint64_t index_bytes) {
  const double batch = std::min(reads.count, static_cast<double>(align::device_batch_reads));
  const double bases = batch * reads.mean.bases * static_cast<double>(device_a_base_in_flight);
  const std::uint64_t wanted =
      index_bytes + align::batches_per_device * std::min(device_most_a_batch, whole(bases)) + device_context;
  return run.device_memory_bytes == 0 ? wanted : std::min(wanted, device_context + run.device_memory_bytes);
}

double seconds(const AlignRun& run, const Reads& reads, const Backend& backend, std::uint64_t index_bytes) {
  const bool cuda = backend.kind == BackendKind::cuda;
  double thread_seconds =
      cuda ? reads.count * align_a_read_cuda : reads.count * align_a_read + reads.bases() * align_a_base;
  const int level = run.writer.compression_level;  // below 0: a device compresses BAM
  const bool compressed = run.writer.format == AlignmentFormat::cram ||
                          (run.writer.format == AlignmentFormat::bam && level != 0 && !(cuda && level < 0));
  if (compressed) thread_seconds += reads.count * data_bytes(run, reads.mean) * compress_a_byte;
  if (run.writer.sort) thread_seconds += reads.count * sort_a_record;
  const int threads = std::min(backend.threads, usable_processors());
  return (cuda ? start_cuda : 0) + static_cast<double>(index_bytes) * load_a_byte + thread_seconds / threads;
}

}  // namespace

RunNeeds align_run_needs(const AlignRun& run, const Backend& backend) {
  RunNeeds needs;
  const index::IndexFileSize index = index::index_file_size(run.index_path);
  const Reads reads = count_reads(run.lanes, needs);
  needs.memory_bytes = index.bytes + huge_page_bytes + program_bytes + pipeline_bytes(reads, backend) +
                       sort_bytes(run, reads) + (run.reported ? index.symbols / 8 : 0);
  if (backend.kind == BackendKind::cuda) needs.device_memory_bytes = device_bytes(run, reads, index.bytes);
  needs.output_bytes = whole(output_bytes(run, reads));
  if (has_runs_on_disk(run, reads)) needs.temporary_bytes = whole(compressed_bytes(run, reads));
  needs.seconds = seconds(run, reads, backend, index.bytes);
  return needs;
}

}  // namespace warpseed::estimate
