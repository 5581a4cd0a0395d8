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
  const char* tags = qualities + place.qualities;
  return {{name, place.name}, {comment, place.comment}, {letters, place.letters}, {qualities, place.qualities},
          {tags, place.tags}, place.read_group,         place.qc_fail != 0};
}

void ReadBatch::add(const ReadView& read) {
  places_.push_back({text_.size(), narrow(read.name), narrow(read.comment), narrow(read.letters),
                     narrow(read.qualities), narrow(read.tags), read.read_group & 0x7FFFFFFF, read.qc_fail});
  text_.append(read.name).append(read.comment).append(read.letters).append(read.qualities).append(read.tags);
}

void ReadBatch::clear() {
  text_.clear();
  places_.clear();
}

}  // namespace warpseed
