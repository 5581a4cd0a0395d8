#include "warpseed/reads.hpp"

#include <stdexcept>

#include "api/context_state.hpp"
#include "reads/read_source.hpp"

namespace warpseed {

namespace {

std::unique_ptr<reads::ReadSource> open(const ReadFiles& files) {
  reads::ReadInput input{files.path1, files.path2, files.interleaved, files.cram_reference};
  input.with_tags = false;
  return reads::open_reads(input);
}

}  // namespace

struct ReadReader::State {
  Context context;
  std::unique_ptr<reads::ReadSource> source;
  reads::ReadBatch batch = {};
  std::vector<Read> reads = {};
};

ReadReader::ReadReader(const ReadFiles& files, const Context& context)
    : state_(api::run(context, [&] {
        return std::make_unique<State>(State{context, open(files)});
      })) {}
ReadReader::ReadReader(ReadReader&&) noexcept = default;
ReadReader& ReadReader::operator=(ReadReader&&) noexcept = default;
ReadReader::~ReadReader() = default;

bool ReadReader::paired() const {
  return state_->source->paired();
}

const std::vector<Read>& ReadReader::next(std::size_t count) {
  State& state = *state_;
  if (state.source->paired() && count % 2 != 0) throw std::invalid_argument("ReadReader::next: an odd number of mates");
  state.reads.clear();
  const bool more = api::run(state.context, [&] { return state.source->next(state.batch, count); });
  if (!more) return state.reads;
  state.reads.reserve(state.batch.size());
  for (std::size_t i = 0; i < state.batch.size(); ++i) {
    const reads::ReadView read = state.batch[i];
    state.reads.push_back({read.name, read.comment, read.bases, read.qualities});
  }
  return state.reads;
}

}  // namespace warpseed
