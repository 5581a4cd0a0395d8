// Where the fields of BAM records begin, for the encoder. Private to the module.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/deflate_tokens.hpp"

namespace warpseed::records {

/// A field of a piece of BAM, which may have more bytes than a block.
struct BamField {
  std::uint64_t end;
  deflate::FieldKind kind;
};

/// Appends the fields of the record that begins where the last field ends, and has `bytes` bytes with its length: what
/// precedes the bases, bases, qualities, tags. Neighbours of one kind are joined: tags and the next record's beginning.
/// A record whose lengths do not fit its bytes is one field.
void add_fields(const char* record, std::uint64_t bytes, std::vector<BamField>& fields);

/// Those of a block [begin, end) of the piece, counted from its begin.
void cut_fields(std::span<const BamField> fields, std::uint64_t begin, std::uint64_t end,
                std::vector<deflate::Field>& cut);

}  // namespace warpseed::records
