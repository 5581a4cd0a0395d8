// What an Index holds.
#pragma once

#include <string>
#include <utility>

#include "index/index_file.hpp"
#include "warpseed/index.hpp"

namespace warpseed {

struct Index::State {
  index::Index index;

  State(text::Genome genome, index::FmIndex fm) : index(std::move(genome), std::move(fm)) {}
  explicit State(const std::string& path) : index(path) {}
};

}  // namespace warpseed
