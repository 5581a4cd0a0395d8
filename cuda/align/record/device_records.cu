#include "align/record/device_records.cuh"

#include "align/record/plain_record_core.hpp"
#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "core/warp.cuh"

namespace warpseed::align::cuda {

namespace {

/// A path's elements, which a DevicePath has from its end to its begin, or one M.
struct PathElements {
  const std::uint32_t* last_first;
  std::uint32_t count;  // 0: one M
  records::CigarElement whole;

  __device__ records::CigarElement operator[](std::uint32_t i) const {
    return count == 0 ? whole : last_first[count - 1 - i];
  }
};

using Mate = PlainMate<PathElements>;

/// What the kernels read.
struct RecordView {
  TracingView traced;
  TracedPathsView paths;
  ReadTextsView texts;
  const Choice* choices;
};

/// Has the read a plain record, as far as it goes without its mate? Its path has to be known.
__device__ bool may_be_plain(const RecordView& view, std::uint64_t read) {
  const reads::StoredRead& stored = view.texts.reads[read];
  if (!is_simple(stored.name.size, stored.bases.size, stored.qualities.size, stored.tags.size)) return false;
  // Any other base than ACGTN is an N on the device.
  if (view.traced.reads.others[read] != 0 || view.traced.reads.lengths[read] == 0) return false;
  const std::uint64_t begin = view.traced.begins[read];
  const View<Alignment> ranked(view.traced.alignments + begin, view.traced.begins[read + 1] - begin);
  const Choice& choice = view.choices[read];
  return is_plain(ranked, choice, view.traced.options) &&
         view.paths.notes[begin + static_cast<std::uint64_t>(choice.primary)].differences > 0;
}

__device__ Mate mate_of(const RecordView& view, std::uint64_t read) {
  const Choice& choice = view.choices[read];
  const std::uint64_t at = view.traced.begins[read] + static_cast<std::uint64_t>(choice.primary);
  const Alignment& alignment = view.traced.alignments[at];
  const PathEntry& note = view.paths.notes[at];
  const std::uint32_t bases = alignment.query_end - alignment.query_begin;
  PathElements elements = {nullptr, 0, records::cigar_element(records::CigarOp::match, bases)};
  if (note.path > 0) {
    const DevicePath& path = view.paths.paths[note.path - 1];
    elements.last_first = path.elements, elements.count = path.count;
  }
  const std::uint32_t count = elements.count > 0 ? elements.count : (bases > 0 ? 1 : 0);
  Mate mate = {
      &alignment,
      reported_path(elements, count, alignment.query_begin, view.traced.reads.lengths[read] - alignment.query_end),
      View<Difference>(view.paths.differences + note.first_difference, note.differences - 1),
      0,
      choice.mapq,
      choice.proper};
  mate.position =
      static_cast<std::int64_t>(alignment.genome_begin - view.traced.genome.contig_begins[alignment.contig]) +
      mate.path.skipped;
  return mate;
}

/// Room for a record's slot.
__device__ std::uint64_t room_for(const RecordView& view, std::uint64_t read, const Mate& mine, const Mate& mate) {
  const std::uint64_t bases = view.traced.reads.lengths[read];
  return records::RecordSlot::aligned(sizeof(records::RecordSlot) +
                                      records::padded_name(view.texts.reads[read].name.size) +
                                      sizeof(records::CigarElement) * mine.path.size() + (bases + 1) / 2 + bases +
                                      room_for_tags(mine, mate) + view.texts.group_of(read).size);
}

/// A thread a pair: the room for each record, 0 for none. rooms: [reads]
__global__ void measure_records_kernel(RecordView view, std::uint64_t* rooms) {
  const std::uint64_t first = 2 * thread_index(), second = first + 1;
  if (second >= view.traced.reads.count()) return;
  const bool plain = may_be_plain(view, first) && may_be_plain(view, second);
  rooms[first] = rooms[second] = 0;
  if (!plain) return;
  const Mate mate1 = mate_of(view, first), mate2 = mate_of(view, second);
  rooms[first] = room_for(view, first, mate1, mate2);
  rooms[second] = room_for(view, second, mate2, mate1);
}

/// BAM's four bits of a base.
__device__ std::uint8_t nibble(const PackedStrand& bases, std::uint32_t i) {
  if (i >= bases.length()) return 0;
  return bases.unknown[i] != 0 ? 15 : static_cast<std::uint8_t>(1U << bases.bases[i]);
}

/// Where the slots will be on the host.
struct HostBlock {
  records::RecordChunk* chunk;
  std::uint8_t* slots;
};

/// A warp a record: lane 0 writes fields, CIGAR and tags, all lanes name, bases and qualities.
__global__ void write_records_kernel(RecordView view, const std::uint64_t* begins, std::uint8_t* out, HostBlock block) {
  const std::uint64_t read = thread_index() / warp_threads;
  if (read >= view.traced.reads.count() || begins[read] == begins[read + 1]) return;
  const Mate mine = mate_of(view, read), mate = mate_of(view, read ^ 1);
  const reads::StoredRead& stored = view.texts.reads[read];
  const std::uint32_t name = stored.name.size, bases = view.traced.reads.lengths[read];
  const auto padded = static_cast<std::uint32_t>(records::padded_name(name));
  const char* const name_text = view.texts.at(stored, stored.name);
  const char* const quality_text = view.texts.at(stored, stored.qualities);
  const bool has_qualities = stored.qualities.size > 0;
  auto* const slot = reinterpret_cast<records::RecordSlot*>(out + begins[read]);
  auto* const data = reinterpret_cast<std::uint8_t*>(slot + 1);
  const bool reversed = mine.alignment->reverse;
  for_lanes(padded, [&](std::uint32_t i) { data[i] = i < name ? static_cast<std::uint8_t>(name_text[i]) : 0; });
  std::uint8_t* const packed = data + padded + sizeof(records::CigarElement) * mine.path.size();
  std::uint8_t* const qualities = packed + (bases + 1) / 2;
  const PackedStrand strand = view.traced.reads.orientation(2 * read + (reversed ? 1 : 0));
  for_lanes((bases + 1) / 2, [&](std::uint32_t i) {
    packed[i] = static_cast<std::uint8_t>(nibble(strand, 2 * i) << 4 | nibble(strand, 2 * i + 1));
  });
  std::uint32_t score = 0;  // as records::quality_score() has it, but of this lane
  for_lanes(bases, [&](std::uint32_t i) {
    const char quality = has_qualities ? quality_text[reversed ? bases - 1 - i : i] : 0;
    qualities[i] = has_qualities ? static_cast<std::uint8_t>(quality - '!') : 0xFF;
    score += records::score_of_quality(qualities[i]);
  });
  score = __reduce_add_sync(all_lanes, score);
  if (lane_id() != 0) return;
  auto* cigar = reinterpret_cast<records::CigarElement*>(data + padded);
  mine.path.for_each([&](records::CigarElement element) { *cigar++ = element; });
  const std::uint8_t* const end = put_plain_tags(mine, mate, view.texts.group_of(read), qualities + bases);
  const std::uint16_t flags = stored.qc_fail != 0 ? records::sam_flag::qc_fail : std::uint16_t{0};
  const std::uint64_t room = begins[read + 1] - begins[read] - sizeof *slot;
  records::begin_slot(*slot, block.chunk, block.slots + begins[read] + sizeof *slot, room);
  records::set_core(slot->record.core, plain_fields(mine, mate, read % 2 == 0, flags, name, bases));
  slot->record.id = score;
  slot->record.l_data = static_cast<int>(end - data);
}

}  // namespace

void DeviceRecords::make(const TracingView& view, const TracedPaths& paths, const ReadTextsView& texts,
                         const Choice* choices, double share, const Stream& stream) {
  const std::uint64_t count = view.reads.count();
  const RecordView record_view = {view, paths.view(), texts, choices};
  Buffer<std::uint64_t> begins(count + 1, stream);
  begins.fill_zero();
  launch("measure_records_kernel", measure_records_kernel, count / 2, stream, record_view, begins.data());
  exclusive_sum(begins, stream);
  Buffer<std::uint8_t> slots(begins.value_at(count), stream);
  release();
  if (slots.size() == 0) return;
  block_.reset(blocks_->take(slots.size()));
  auto* const on_host = reinterpret_cast<std::uint8_t*>(block_.get()) + RecordBlocks::first_slot;
  slots.fill_zero();  // the room for tags that a record does not need is copied too
  launch("write_records_kernel", write_records_kernel, count * warp_threads, stream, record_view, begins.data(),
         slots.data(), HostBlock{block_.get(), on_host});
  const std::span<std::uint64_t> staged_begins = staged_begins_.room(count + 1, share);
  begins.download(staged_begins), slots.download({on_host, slots.size()});
  begins_ = staged_begins;
}

void DeviceRecords::take(std::uint64_t begin, std::span<records::BamRecord> made) {
  auto* const slots = reinterpret_cast<std::byte*>(block_.get()) + RecordBlocks::first_slot;
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < made.size(); ++i) count += has(begin + i) ? 1 : 0;
  if (count == 0) return;
  block_->enter(count);
  for (std::uint64_t i = 0; i < made.size(); ++i) {
    if (!has(begin + i)) continue;
    auto* const slot = reinterpret_cast<records::RecordSlot*>(slots + begins_[begin + i]);
    made[i] = records::BamRecord(&slot->record);
  }
}

void DeviceRecords::release() {
  begins_ = {};
  block_.reset();
}

}  // namespace warpseed::align::cuda
