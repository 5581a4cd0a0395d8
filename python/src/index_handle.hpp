// An index as Python holds it: with the context of its work and its searchers.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "warpseed/index.hpp"
#include "warpseed/search.hpp"

namespace warpseed::python {

/// Threads: any number; searches of one index run one after the other.
class IndexHandle {
 public:
  IndexHandle(Index index, Context context) : index_(std::move(index)), context_(std::move(context)) {}

  const Index& index() const { return index_; }
  const Context& context() const { return context_; }

  /// Calls work(searcher), with the searcher of these strands, which is made by the first call.
  template <class Work>
  auto search(Strands strands, const Work& work) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Searcher>& searcher = searchers_[static_cast<std::size_t>(strands)];
    if (!searcher) searcher = std::make_unique<Searcher>(index_, context_, strands);
    return work(*searcher);
  }

 private:
  const Index index_;
  const Context context_;
  std::mutex mutex_;
  std::array<std::unique_ptr<Searcher>, 3> searchers_;  // by Strands
};

}  // namespace warpseed::python
