// Where the library works: backend, threads, progress.
#pragma once

#include <memory>
#include <string>

#include "warpseed/progress.hpp"

namespace warpseed {

struct ContextOptions {
  std::string backend = "auto";    // "cpu", "cuda", "cuda:N", "cuda:N,M" or "auto": the first GPU, else the CPU. Of
                                   // several GPUs an Aligner and the making of suffix arrays and indexes in host
                                   // memory use all, other work the first one named
  int threads = 0;                 // CPU threads; 0: as many as the process may use (affinity mask, control groups)
  ProgressCallback progress = {};  // see progress.hpp
};

/// The resources of a computation: CPU threads, or GPUs with the memory taken from them. The backend changes no result.
///
/// Everything that the library needs for its work belongs to a context: nothing of the process is changed (the current
/// CUDA device, its default memory pool, its flags, log levels), so that contexts do not disturb each other or other
/// libraries. GPU memory stays with the context for the next call and is returned with the last copy of the context.
/// Threads: copies are handles of one context, and any number of threads may use them.
class Context {
 public:
  /// Throws InputError for a name that is no backend's or negative threads, BackendError (with the reason) if the
  /// backend is not usable here.
  explicit Context(const ContextOptions& options = {});

  /// "cpu", "cuda:0", "cuda:0,1".
  std::string backend() const;
  int threads() const;

  /// For the library.
  struct State;
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// Why no GPU can be used here, for the user; empty if one can.
std::string why_no_gpu();

}  // namespace warpseed
