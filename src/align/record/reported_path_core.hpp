// The part of a path that a record reports: without gaps at its ends. What MD and NM say of it.
#pragma once

#include <cstdint>

#include "align/record/path_core.hpp"
#include "core/view.hpp"
#include "records/record_text_core.hpp"

namespace warpseed::align {

/// Elements: elements[i] is a path's i-th element, M, I or D.
template <class Elements>
struct ReportedPath {
  Elements elements;
  std::uint32_t begin, end;             // of the elements that are left
  std::uint32_t clip_front, clip_back;  // read bases before and after them
  std::uint32_t skipped;                // genome bases of the alignment before them

  /// Elements of the CIGAR, soft clips included.
  WS_HD std::uint32_t size() const { return end - begin + (clip_front > 0 ? 1 : 0) + (clip_back > 0 ? 1 : 0); }

  /// Calls use(element) for each of the CIGAR.
  template <class Use>
  WS_HD void for_each(const Use& use) const {
    if (clip_front > 0) use(records::cigar_element(records::CigarOp::soft_clip, clip_front));
    for (std::uint32_t i = begin; i < end; ++i) use(elements[i]);
    if (clip_back > 0) use(records::cigar_element(records::CigarOp::soft_clip, clip_back));
  }

  /// Bases of the genome that it covers.
  WS_HD std::uint32_t genome_bases() const {
    std::uint32_t bases = 0;
    for (std::uint32_t i = begin; i < end; ++i)
      bases += records::cigar_op(elements[i]) == records::CigarOp::insertion ? 0 : records::cigar_length(elements[i]);
    return bases;
  }
};

/// Removes gaps at the very ends of a path of `count` elements: insertions become clips, deletions are dropped.
/// clip_front, clip_back: read bases before and after the path.
template <class Elements>
WS_HD inline ReportedPath<Elements> reported_path(const Elements& elements, std::uint32_t count,
                                                  std::uint32_t clip_front, std::uint32_t clip_back) {
  ReportedPath<Elements> path = {elements, 0, count, clip_front, clip_back, 0};
  const auto removed = [&](std::uint32_t i, records::CigarOp op) {
    return records::cigar_op(elements[i]) == op ? records::cigar_length(elements[i]) : 0;
  };
  for (; path.begin < path.end && records::cigar_op(elements[path.begin]) != records::CigarOp::match; ++path.begin) {
    path.clip_front += removed(path.begin, records::CigarOp::insertion);
    path.skipped += removed(path.begin, records::CigarOp::deletion);
  }
  for (; path.begin < path.end && records::cigar_op(elements[path.end - 1]) != records::CigarOp::match; --path.end) {
    path.clip_back += removed(path.end - 1, records::CigarOp::insertion);
  }
  return path;
}

/// NM. differences: of the whole path, ascending.
template <class Elements>
WS_HD inline std::int32_t edit_distance(const ReportedPath<Elements>& path, const View<Difference>& differences) {
  std::uint32_t edits = 0;
  for (std::uint32_t i = path.begin; i < path.end; ++i) {
    const records::CigarElement element = path.elements[i];
    if (records::cigar_op(element) == records::CigarOp::insertion) edits += records::cigar_length(element);
  }
  const std::uint32_t end = path.skipped + path.genome_bases();
  for (const Difference one : differences)
    edits += difference_offset(one) >= path.skipped && difference_offset(one) < end ? 1 : 0;
  return static_cast<std::int32_t>(edits);
}

/// MD: calls put(character) for each.
template <class Elements, class Put>
WS_HD inline void put_mismatches(const ReportedPath<Elements>& path, const View<Difference>& differences,
                                 const Put& put) {
  std::uint64_t next = 0;
  while (next < differences.size && difference_offset(differences[next]) < path.skipped) ++next;
  std::uint32_t at = path.skipped, same = 0;
  const auto flush = [&] {
    records::put_decimal(same, put);
    same = 0;
  };
  for (std::uint32_t i = path.begin; i < path.end; ++i) {
    const records::CigarElement element = path.elements[i];
    if (records::cigar_op(element) == records::CigarOp::insertion) continue;
    const bool deleted = records::cigar_op(element) == records::CigarOp::deletion;
    if (deleted) flush(), put('^');
    for (const std::uint32_t end = at + records::cigar_length(element); at < end; ++next) {
      const std::uint32_t offset = next < differences.size ? difference_offset(differences[next]) : end;
      const std::uint32_t differs = offset < end ? offset : end;
      same += differs - at;
      at = differs;
      if (at == end) break;
      if (!deleted) flush();
      put("ACGTN"[difference_code(differences[next])]);
      ++at;
    }
  }
  flush();
}

}  // namespace warpseed::align
