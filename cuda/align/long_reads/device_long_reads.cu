#include "align/long_reads/device_long_reads.cuh"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "align/long_reads/anchor_chainer.hpp"
#include "core/buffer.cuh"

namespace warpseed::align::cuda {

namespace {

constexpr std::uint64_t bytes_a_base =
    20;  // about: packed strands, room for matches, anchors, their sorting and chains

/// Downloads a buffer to a pinned array. Only queues the copy.
template <class T>
std::span<const T> fetch(const Buffer<T>& from, PinnedArray<T>& to) {
  const std::span<T> room = to.room(from.size());
  from.download(room);
  return room;
}

}  // namespace

DeviceLongReads::DeviceLongReads(const AlignmentDeviceData& index, const Stream& stream, std::uint64_t memory_bytes)
    : index_(index),
      stream_(stream),
      memory_bytes_(memory_bytes),
      most_bases_(memory_bytes / 2 / bytes_a_base),
      rules_(anchor_rules(index.fm(), index.options())) {}

void DeviceLongReads::chain(std::span<ReadAlignments> reads, StageTimes& times) {
  std::vector<ReadAlignments*> group;
  std::uint64_t bases = 0;
  const auto finish_group = [&] {
    try {
      if (!group.empty()) chain_group(group, times);
    } catch (const OutOfDeviceMemory&) {  // the CPU chains them
    }
    group.clear(), bases = 0;
  };
  for (ReadAlignments& read : reads) {
    if (!read.is_long) continue;
    read.has_chains = false;
    if (read.read.length() > most_bases_) continue;
    if (bases + read.read.length() > most_bases_) finish_group();
    group.push_back(&read), bases += read.read.length();
  }
  finish_group();
}

void DeviceLongReads::chain_group(Group reads, StageTimes& times) {
  const auto end_stage = [&](AlignStage stage) {
    stream_.wait();
    times.end(stage);
  };
  const Uploaded uploaded = upload(reads);
  end_stage(AlignStage::copies);
  Buffer<StrandAnchor> found = find_anchors(index_, rules_, uploaded.view(), uploaded.parts, stream_);
  end_stage(AlignStage::seeds);
  const DeviceAnchorChains chains =
      chain_anchors(arrange_anchors(std::move(found), reads.size(), index_.genome_size(), stream_), stream_);
  end_stage(AlignStage::chains);
  const DeviceJointPaths joints = align_joints(index_, uploaded.view(), chains, memory_bytes_ / 8, stream_);
  end_stage(AlignStage::extension);
  hand_out(reads, chains, joints);
  times.end(AlignStage::copies);
}

DeviceLongReads::Uploaded DeviceLongReads::upload(Group reads) {
  const std::span<std::uint64_t> offsets = offsets_.room(reads.size()),
                                 part_begins = part_begins_.room(reads.size() + 1);
  const std::span<std::uint32_t> lengths = lengths_.room(reads.size());
  std::uint64_t word_count = 0, parts = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    lengths[i] = reads[i]->read.length();
    offsets[i] = word_count, part_begins[i] = parts;
    word_count += reads[i]->read.words().size(), parts += anchor_parts(lengths[i]);
  }
  part_begins[reads.size()] = parts;
  const std::span<std::uint64_t> words = words_.room(word_count);
  tbb::parallel_for(std::size_t{0}, reads.size(), [&](std::size_t i) {
    std::copy(reads[i]->read.words().begin(), reads[i]->read.words().end(),
              words.begin() + static_cast<std::ptrdiff_t>(offsets[i]));
  });
  return {Buffer<std::uint64_t>(words, stream_), Buffer<std::uint64_t>(offsets, stream_),
          Buffer<std::uint64_t>(part_begins, stream_), Buffer<std::uint32_t>(lengths, stream_), parts};
}

void DeviceLongReads::hand_out(Group reads, const DeviceAnchorChains& chains, const DeviceJointPaths& joints) {
  const auto anchors = fetch(chains.anchors, anchors_);
  const auto found = fetch(chains.chains, chains_);
  const auto paths = fetch(joints.paths, joints_);
  const auto elements = fetch(joints.elements, elements_);
  const auto anchor_begins = fetch(chains.anchor_begins, anchor_begins_),
             chain_begins = fetch(chains.chain_begins, chain_begins_),
             joint_begins = fetch(joints.begins, joint_begins_);
  stream_.wait();
  tbb::parallel_for(std::size_t{0}, reads.size(), [&](std::size_t i) {
    const auto part = [i]<class T>(std::span<const T> all, std::span<const std::uint64_t> begins) {
      return all.subspan(begins[i], begins[i + 1] - begins[i]);
    };
    ChainedAnchors& chained = reads[i]->chained;
    const auto own_anchors = part(anchors, anchor_begins);
    const auto own_chains = part(found, chain_begins);
    const auto own_paths = part(paths, joint_begins);
    chained.anchors.assign(own_anchors.begin(), own_anchors.end());
    chained.chains.assign(own_chains.begin(), own_chains.end());
    AnchorChainer::sort_chains(chained.chains);
    chained.joints.assign(own_paths.begin(), own_paths.end());
    chained.elements.clear();
    if (!own_paths.empty()) {
      const std::uint32_t begin = own_paths.front().first, end = own_paths.back().first + own_paths.back().count;
      chained.elements.assign(elements.begin() + begin, elements.begin() + end);
      for (JointPath& path : chained.joints) path.first -= begin;
    }
    reads[i]->has_chains = true;
  });
}

}  // namespace warpseed::align::cuda
