// Several files of reads, one after the other, as one source.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "reads/read_source.hpp"

namespace warpseed::reads {

/// One file of reads, or two of mates: what one lane of a flow cell gave.
struct Lane {
  ReadInput input;
  std::string read_group;  // @RG line for all its reads; empty: as input.with_read_groups says
};

/// Opens all lanes at once, so that their files are read ahead and mistakes are found before anything is aligned.
///
/// Pairs fill a batch across the border of lanes, so that the batches, and the insert sizes learnt from them, are those
/// of the concatenated files. A batch of single reads may end with its lane. header(): the read groups of all lanes,
/// equal lines once; their programs, whose IDs get a number where lanes use one ID for different ones (the tag PG of
/// reads is left as it is); their comments, equal ones once.
/// Throws as open_reads(); InputError as well if some lanes hold pairs and others single reads, or if two lines of
/// read groups differ but have one ID. Lanes without reads are neither. lanes: at least one.
std::unique_ptr<ReadSource> open_lanes(const std::vector<Lane>& lanes);

/// The same from a position on, as ReadSource::position() gives it. The header is that of all lanes.
std::unique_ptr<ReadSource> open_lanes_at(std::vector<Lane> lanes, const SourcePosition& position);

/// Throws InputError if a file is named twice among all lanes, however it is spelled.
void require_different_files(const std::vector<Lane>& lanes);

}  // namespace warpseed::reads
