#include "sort/string_sort.cuh"

#include <bit>
#include <optional>

#include "core/launch.cuh"
#include "core/primitives.cuh"
#include "sort/string_keys.cuh"
#include "sort/string_splitters.cuh"
#include "sort/string_ties.cuh"

namespace warpseed::sort::cuda {

namespace {

__global__ void number_kernel(std::uint32_t* values, std::uint64_t count) {
  const std::uint64_t i = thread_index();
  if (i < count) values[i] = static_cast<std::uint32_t>(i);
}

__global__ void pack_heads_kernel(const std::uint8_t* flags, std::uint64_t count, std::uint64_t words,
                                  std::uint32_t* heads) {
  const std::uint64_t row = thread_index();
  store_heads(heads, row, words, row >= count || flags[row] != 0);
}

unsigned bits_for(std::uint64_t count) {
  return count <= 1 ? 0 : static_cast<unsigned>(std::bit_width(count - 1));
}

/// Strings left tied by the first round, from which on a search in a sorted sample is worth the sample's sort.
constexpr std::uint64_t min_ties_for_splitters = 1 << 20;

/// Groups of at most this many strings are sorted by comparing all pairs. A round costs something per string and at
/// least its launches, so that more comparisons pay off for few strings. (8 to 32 and 32 to 128 were measured within 5
/// %.)
std::uint32_t small_group(std::uint64_t strings) {
  constexpr std::uint64_t few = 1 << 17;
  return strings <= few ? 64 : 16;
}

/// The rounds of one sort.
template <class Text>
class Rounds {
 public:
  Rounds(const Strings<Text>& strings, const SortedOutput& output, const Stream& stream, const StageDone& done)
      : output_(output), stream_(stream), done_(done), maker_(strings, stream), strings_(maker_.strings()) {}

  void run() {
    bool left = round(Round::first);
    if (left && ties_->count() >= min_ties_for_splitters) left = round(Round::by_splitters);
    while (left) left = round(Round::later);
  }

 private:
  enum class Round { first, by_splitters, later };

  /// Sorts tied strings (all in the first round) and settles what it can. True if some are still tied.
  bool round(Round kind) {
    const SlotsView slots = ties_ ? ties_->view() : SlotsView{nullptr, nullptr, nullptr, strings_.count};
    SortablePairs<std::uint32_t> pairs(slots.count, stream_);
    list_strings(slots, pairs.values.data());
    SortedSlots sorted;
    sorted.depths = slots.depths, sorted.count = slots.count, sorted.small_group = small_group(slots.count);
    std::optional<Splitters<Text>> splitters;
    if (kind == Round::by_splitters) {
      splitters.emplace(strings_, slots, stream_);
      say("splitters");
      splitters->find_buckets(slots, pairs.keys.data(), stream_);
      say("buckets");
      pairs.sort(slots.count, 0, bits_for(splitters->bucket_count()), stream_);
      sorted.shape = {0, 0, 0};  // the keys are groups alone
      sorted.depths = splitters->depths();
    } else {
      const auto made = maker_.make(slots, ties_ ? bits_for(ties_->groups()) : 0, pairs.keys.data(), stream_);
      say("keys");
      sort_by_key(pairs, slots.count, made.shape, made.varying);
      sorted.shape = made.shape;
    }
    say("radix sort");
    sorted.keys = pairs.keys.data(), sorted.strings = pairs.values.data();
    sorted.rows = ties_ ? ties_->rows() : nullptr;
    return settle_and_keep(sorted, kind);
  }

  void list_strings(const SlotsView& slots, std::uint32_t* strings) const {
    if (slots.strings == nullptr)
      return launch("number_kernel", number_kernel, slots.count, stream_, strings, slots.count);
    check(cudaMemcpyAsync(strings, slots.strings, slots.count * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice,
                          stream_.handle()),
          "copying strings' numbers");
  }

  /// Sorts by the bits in which keys differ, unless these are group bits only, which are in order already.
  void sort_by_key(SortablePairs<std::uint32_t>& pairs, std::uint64_t count, KeyShape shape,
                   std::uint64_t varying) const {
    const std::uint64_t of_strings = shape.bits() >= 64 ? varying : varying & ((std::uint64_t{1} << shape.bits()) - 1);
    if (of_strings == 0) return;
    pairs.sort(count, static_cast<unsigned>(std::countr_zero(varying)), static_cast<unsigned>(std::bit_width(varying)),
               stream_);
  }

  bool settle_and_keep(const SortedSlots& sorted, Round kind) {
    Groups groups(sorted.count, stream_);
    const bool left = write_settled(strings_, sorted, output_, groups, stream_);
    say("write_settled");
    if (!left) return false;
    groups.sum_up(stream_);
    const bool splitters_next = kind == Round::first && groups.tied_count() >= min_ties_for_splitters;
    Ties next(strings_, sorted, groups, !splitters_next, stream_);
    ties_ = std::move(next);
    say("ties");
    return true;
  }

  void say(std::string_view stage) const {
    if (done_) done_(stage);
  }

  SortedOutput output_;
  const Stream& stream_;
  const StageDone& done_;
  KeyMaker<Text> maker_;
  Strings<Text> strings_;
  std::optional<Ties> ties_;
};

}  // namespace

std::uint64_t string_sorting_bytes(std::uint64_t count) {
  // Keys and values twice, tied strings before and after a round, order and heads; histograms of the sort and the like.
  return 56 * count + (std::uint64_t{64} << 20);
}

template <class Text>
DeviceOrder sort_strings(const Strings<Text>& strings, const Stream& stream, const StageDone& done) {
  const std::uint64_t count = strings.count;
  if (count == 0) return {};
  stream.pool().require(string_sorting_bytes(count), "sorting strings");
  DeviceOrder sorted{{count, stream}, {count / 32 + 1, stream}};
  Buffer<std::uint8_t> flags(count, stream);
  Rounds<Text>(strings, {sorted.order.data(), flags.data()}, stream, done).run();
  launch("pack_heads_kernel", pack_heads_kernel, 32 * sorted.heads.size(), stream, flags.data(), count,
         sorted.heads.size(), sorted.heads.data());
  if (done) done("heads");
  return sorted;
}

template DeviceOrder sort_strings(const Strings<ByteView>&, const Stream&, const StageDone&);
template DeviceOrder sort_strings(const Strings<text::PackedView>&, const Stream&, const StageDone&);

}  // namespace warpseed::sort::cuda
