#include "warpseed/context.hpp"

#include <fmt/format.h>

#include "api/context_state.hpp"
#include "core/processors.hpp"
#include "warpseed/error.hpp"

namespace warpseed {

namespace {

int thread_count(int wanted) {
  if (wanted < 0)
    throw InputError(fmt::format("{} threads; give 1 or more, or 0 for all that the process may use", wanted));
  return wanted > 0 ? wanted : usable_processors();
}

}  // namespace

Context::Context(const ContextOptions& options)
    : state_(std::make_shared<const State>(
          State{choose_backend(options.backend, thread_count(options.threads)), options.progress})) {}

std::string Context::backend() const {
  return to_string(state_->backend);
}

int Context::threads() const {
  return state_->backend.threads;
}

std::string why_no_gpu() {
  return why_no_cuda();
}

}  // namespace warpseed
