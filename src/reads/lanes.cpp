#include "reads/lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "core/byte_source.hpp"
#include "core/file_identity.hpp"
#include "reads/lane_headers.hpp"
#include "warpseed/error.hpp"

namespace warpseed::reads {

namespace {

class LanesSource final : public ReadSource {
 public:
  /// Begins with lane `first`.
  explicit LanesSource(const std::vector<Lane>& lanes, std::size_t first = 0) : current_(first) {
    for (const Lane& lane : lanes) open(lane);
    paired_ = std::any_of(sources_.begin(), sources_.end(), [](const auto& source) { return source->paired(); });
    if (paired_) require_pairs(lanes);
    header_ = headers_.take();
    for (std::size_t i = 0; i < first; ++i) sources_[i].reset();
  }

  bool next(ReadBatch& batch, std::uint64_t count) override {
    batch.clear();
    for (; current_ < sources_.size(); sources_[current_++].reset()) {
      std::unique_ptr<ReadSource>& source = sources_[current_];
      if (!source) continue;  // it has no reads
      begun_ = current_;
      if (batch.empty()) {
        source->next(batch, count);
      } else if (source->next(more_, count - batch.size())) {
        append_more(batch);
      }
      if (batch.size() >= count || (!paired_ && !batch.empty())) return true;
    }
    more_ = {};
    return !batch.empty();
  }

  bool paired() const override { return paired_; }
  const ReadHeader& header() const override { return header_; }

  std::optional<SourcePosition> position() const override {
    std::size_t lane = current_;
    while (lane < sources_.size() && !sources_[lane]) ++lane;
    if (lane >= sources_.size()) return {};
    std::optional<SourcePosition> position = lane == begun_ ? sources_[lane]->position() : SourcePosition{};
    if (position) position->lane = lane;
    return position;
  }

 private:
  void open(const Lane& lane) {
    ReadInput input = lane.input;
    const std::string name = input_name(input.path1);
    if (!lane.read_group.empty()) {
      input.with_read_groups = false;
      input.read_group = headers_.add_read_group(lane.read_group, name);
    }
    sources_.push_back(open_reads(input));
    const ReadHeader& header = sources_.back()->header();
    if (input.with_read_groups) {
      std::vector<std::uint32_t> numbers;
      for (const std::string& line : header.read_groups) numbers.push_back(headers_.add_read_group(line, name));
      sources_.back()->number_read_groups(numbers);
    }
    headers_.add_programs(header.programs);
    headers_.add_comments(header.comments);
  }

  /// Mates are in one lane: reads on both sides of a border are none, even if they have one name.
  void append_more(ReadBatch& batch) {
    std::vector<std::uint64_t> singles(batch.singles().begin(), batch.singles().end());
    for (const std::uint64_t single : more_.singles()) singles.push_back(batch.size() + single);
    for (std::uint64_t i = 0; i < more_.size(); ++i) batch.add(more_[i]);
    batch.set_singles(std::move(singles));
  }

  /// A lane without reads is not known to be paired, and does not have to be.
  void require_pairs(const std::vector<Lane>& lanes) {
    const auto pairs = std::find_if(sources_.begin(), sources_.end(), [](const auto& lane) { return lane->paired(); });
    const std::string with_pairs = input_name(lanes[static_cast<std::size_t>(pairs - sources_.begin())].input.path1);
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if (sources_[i]->paired()) continue;
      if (sources_[i]->next(more_, 1)) {
        throw InputError(fmt::format("{}: single reads, but {} holds pairs; align them in two runs",
                                     input_name(lanes[i].input.path1), with_pairs));
      }
      sources_[i].reset();
    }
  }

  static constexpr std::size_t no_lane = ~std::size_t{0};

  LaneHeaders headers_;
  ReadHeader header_;
  std::vector<std::unique_ptr<ReadSource>> sources_;  // by lane; null once all its reads are taken
  std::size_t current_ = 0;
  std::size_t begun_ = no_lane;  // the last lane of which reads have been taken
  bool paired_ = false;
  ReadBatch more_;  // reads of the next lane that complete a batch
};

}  // namespace

std::unique_ptr<ReadSource> open_lanes(const std::vector<Lane>& lanes) {
  if (lanes.size() == 1 && lanes.front().read_group.empty()) return open_reads(lanes.front().input);
  return std::make_unique<LanesSource>(lanes);
}

std::unique_ptr<ReadSource> open_lanes_at(std::vector<Lane> lanes, const SourcePosition& position) {
  if (position.lane >= lanes.size()) throw std::invalid_argument("open_lanes_at: no such lane");
  lanes[position.lane].input.from = position.files;
  if (lanes.size() == 1) return open_lanes(lanes);
  return std::make_unique<LanesSource>(lanes, position.lane);
}

void require_different_files(const std::vector<Lane>& lanes) {
  std::vector<std::pair<FileIdentity, std::string>> known;
  for (const Lane& lane : lanes) {
    require_two_mate_files(lane.input);
    for (const std::string& path : {lane.input.path1, lane.input.path2}) {
      if (path.empty()) continue;
      const FileIdentity identity = input_identity(path);
      if (identity.type == std::filesystem::file_type::character && path != "-") continue;  // as /dev/null
      const auto same =
          std::find_if(known.begin(), known.end(), [&](const auto& file) { return file.first == identity; });
      if (same != known.end()) {
        const std::string first = same->second == path ? "" : " (here and as " + input_name(same->second) + ")";
        throw InputError(
            fmt::format("{}: named twice among the files of reads{}; name each file once", input_name(path), first));
      }
      known.emplace_back(identity, path);
    }
  }
}

}  // namespace warpseed::reads
