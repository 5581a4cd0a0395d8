#include "reads/read_batch.hpp"

#include <cassert>
#include <limits>

namespace warpseed {

namespace {

std::uint32_t narrow(std::string_view part) {
  assert(part.size() <= std::numeric_limits<std::uint32_t>::max());
  return static_cast<std::uint32_t>(part.size());
}

}  // namespace

ReadView ReadBatch::operator[](std::uint64_t i) const {
  const Place& place = places_[i];
  const char* name = text_.data() + place.begin;
  const char* comment = name + place.name;
  const char* letters = comment + place.comment;
  const char* qualities = letters + place.letters;
  return {{name, place.name}, {comment, place.comment}, {letters, place.letters}, {qualities, place.qualities}};
}

void ReadBatch::add(std::string_view name, std::string_view comment, std::string_view letters,
                    std::string_view qualities) {
  places_.push_back({text_.size(), narrow(name), narrow(comment), narrow(letters), narrow(qualities)});
  text_.append(name).append(comment).append(letters).append(qualities);
}

void ReadBatch::clear() {
  text_.clear();
  places_.clear();
}

}  // namespace warpseed
