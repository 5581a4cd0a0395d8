#include "align/record/difference_tags.hpp"

#include <cstdint>

namespace warpseed::align {

namespace {

using records::CigarOp;

char lower_base(std::uint8_t code) {
  return "acgtn"[code];
}

void append_bases(std::span<const std::uint8_t> codes, std::string& to) {
  for (const std::uint8_t code : codes) to += lower_base(code);
}

void append_bracketed(std::span<const std::uint8_t> codes, std::string& to) {
  if (codes.empty()) return;
  to += '[';
  append_bases(codes, to);
  to += ']';
}

/// A gap's bases, codes [at, at + length), with the ambiguity of its position.
void append_ambiguous(std::span<const std::uint8_t> codes, std::size_t at, std::size_t length, std::string& to) {
  std::size_t left = 0, right = 0;
  while (left < length && left < at && codes[at - 1 - left] == codes[at + length - 1 - left]) ++left;
  while (right < length && at + length + right < codes.size() && codes[at + right] == codes[at + length + right])
    ++right;
  const auto bases = codes.subspan(at, length);
  if (left + right >= length) return append_bracketed(bases, to);
  append_bracketed(bases.first(right), to);
  append_bases(bases.subspan(right, length - left - right), to);
  append_bracketed(bases.last(left), to);
}

/// Calls pairs(begin of query, begin of genome, length, equal) for runs of equal bases and for single mismatches, and
/// gap(begin of query, begin of genome, length, op) for gaps.
template <class Pairs, class Gap>
void for_each_piece(std::span<const records::CigarElement> cigar, const AlignedCodes& codes, Pairs pairs, Gap gap) {
  std::size_t query = 0, genome = 0;
  const auto equal = [&](std::size_t k) {
    return codes.query[query + k] == codes.genome[genome + k] && codes.query[query + k] < 4;
  };
  for (const records::CigarElement element : cigar) {
    const std::size_t length = records::cigar_length(element);
    const CigarOp op = records::cigar_op(element);
    if (op == CigarOp::match) {
      for (std::size_t k = 0; k < length;) {
        std::size_t end = k;
        while (end < length && equal(end)) ++end;
        if (end > k) pairs(query + k, genome + k, end - k, true);
        if (end < length) pairs(query + end, genome + end, 1, false);
        k = end + 1;
      }
      query += length, genome += length;
    } else {
      gap(query, genome, length, op);
      (op == CigarOp::insertion ? query : genome) += length;
    }
  }
}

void append_pairs(const AlignedCodes& codes, std::size_t query, std::size_t genome, std::size_t length, bool equal,
                  CsTag form, std::string& to) {
  if (!equal) {
    to += '*', to += lower_base(codes.genome[genome]), to += lower_base(codes.query[query]);
  } else if (form == CsTag::long_form) {
    to += '=';
    for (std::size_t k = 0; k < length; ++k) to += "ACGTN"[codes.query[query + k]];
  } else {
    to += ':' + std::to_string(length);
  }
}

}  // namespace

std::string cs_text(std::span<const records::CigarElement> cigar, const AlignedCodes& codes, CsTag form) {
  std::string text;
  for_each_piece(
      cigar, codes,
      [&](std::size_t query, std::size_t genome, std::size_t length, bool equal) {
        append_pairs(codes, query, genome, length, equal, form, text);
      },
      [&](std::size_t query, std::size_t genome, std::size_t length, CigarOp op) {
        text += op == CigarOp::insertion ? '+' : '-';
        append_bases(
            op == CigarOp::insertion ? codes.query.subspan(query, length) : codes.genome.subspan(genome, length), text);
      });
  return text;
}

std::string ds_text(std::span<const records::CigarElement> cigar, const AlignedCodes& codes) {
  std::string text;
  for_each_piece(
      cigar, codes,
      [&](std::size_t query, std::size_t genome, std::size_t length, bool equal) {
        append_pairs(codes, query, genome, length, equal, CsTag::short_form, text);
      },
      [&](std::size_t query, std::size_t genome, std::size_t length, CigarOp op) {
        text += op == CigarOp::insertion ? '+' : '-';
        if (op == CigarOp::insertion) {
          append_ambiguous(codes.query, query, length, text);
        } else {
          append_ambiguous(codes.genome, genome, length, text);
        }
      });
  return text;
}

std::vector<records::CigarElement> with_mismatches(std::span<const records::CigarElement> cigar,
                                                   const AlignedCodes& codes) {
  std::vector<records::CigarElement> out;
  const auto add = [&](CigarOp op, std::size_t length) {
    records::append(out, op, static_cast<std::uint32_t>(length));
  };
  for_each_piece(
      cigar, codes,
      [&](std::size_t, std::size_t, std::size_t length, bool equal) {
        add(equal ? CigarOp::equal : CigarOp::mismatch, length);
      },
      [&](std::size_t, std::size_t, std::size_t length, CigarOp op) { add(op, length); });
  return out;
}

}  // namespace warpseed::align
