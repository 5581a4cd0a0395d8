#include "core/deflate_batch.hpp"

#include "core/entry.hpp"

namespace warpseed {

std::unique_ptr<DeflateBatch> make_deflate_batch(const Backend& backend) {
  return deflate::cuda::make_deflate_batch(backend);
}

}  // namespace warpseed
