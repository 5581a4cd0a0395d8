#include "query_guides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "approximate/guide_scores.hpp"
#include "core/quoted.hpp"
#include "overlap/label_text.hpp"
#include "text/annotation.hpp"
#include "text/base_set.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return result;
}

char lower(char letter) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

/// A guide and a site in columns: a gap is -, and a base of the site that differs is in lower case.
struct AlignedGuide {
  std::string guide, site;

  /// operations: read along the guide.
  AlignedGuide(std::string_view pattern, std::string_view bases, std::string_view operations) {
    std::size_t in_pattern = 0, in_bases = 0;
    for (const char operation : operations) {
      guide += operation == 'D' ? '-' : pattern[in_pattern++];
      site += operation == 'I' ? '-' : operation == 'X' ? lower(bases[in_bases++]) : bases[in_bases++];
    }
  }
};

overlap::RegionLabeller labeller_of(const QueryFlags& flags, const index::Index& index) {
  std::vector<std::string> names;
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t contig = 0; contig < index.genome().contig_count(); ++contig) {
    names.emplace_back(index.contig_name(contig));
    lengths.push_back(index.contig_length(contig));
  }
  const auto bound =
      text::bind_annotation(text::read_annotation(flags.annotation), names, lengths, flags.allow_missing);
  return {bound, flags.features};
}

}  // namespace

Pam::Pam(const QueryFlags& flags) : codes_(upper(flags.pam + flags.pam_5)), first_(!flags.pam_5.empty()) {
  for (const char code : codes_) {
    if (text::set_of_letter(code) != 0) continue;
    throw InputError(fmt::format("{} {}: {} is no IUPAC code of bases, such as N, R or G", first_ ? "--pam-5" : "--pam",
                                 quoted(codes_), quoted(std::string(1, code))));
  }
}

std::string Pam::with(std::string_view guide) const {
  if (guide.empty()) return {};
  return first_ ? codes_ + std::string(guide) : std::string(guide) + codes_;
}

bool Pam::is_in(std::string_view pattern) const {
  if (pattern.size() <= codes_.size()) return false;
  const std::string_view end = first_ ? pattern.substr(0, length()) : pattern.substr(pattern.size() - length());
  return std::equal(end.begin(), end.end(), codes_.begin(),
                    [](char base, char code) { return (text::set_of_letter(base) & ~text::set_of_letter(code)) == 0; });
}

bool Pam::is_of_cas9() const {
  return !first_ && (codes_ == "NGG" || codes_ == "NAG" || codes_ == "NRG");
}

bool GuideColumns::scores(std::string_view guide) const {
  return pam_.is_of_cas9() && guide.size() == approximate::guide_length &&
         upper(guide).find_first_not_of("ACGT") == std::string::npos;
}

std::optional<GuideColumns::Scores> GuideColumns::scores_of(std::string_view guide, const approximate::Occurrence& hit,
                                                            std::string_view bases) const {
  const bool gaps = hit.operations.find_first_not_of("=X") != std::string::npos;
  if (gaps || !scores(guide)) return {};
  const std::string_view site = bases.substr(0, guide.size()), pam = bases.substr(guide.size());
  return Scores{approximate::mit_score(upper(guide), site), approximate::cfd_score(upper(guide), site, pam)};
}

std::string GuideColumns::of_site(std::string_view guide, const approximate::Occurrence& hit,
                                  std::string_view bases) const {
  std::string operations = hit.operations;
  if (hit.reverse) std::reverse(operations.begin(), operations.end());
  const AlignedGuide aligned(upper(pam_.with(guide)), bases, operations);
  const auto bulges = std::count_if(operations.begin(), operations.end(), [](char c) { return c == 'I' || c == 'D'; });
  const auto scores = scores_of(guide, hit, bases);
  return fmt::format("\t{}\t{}\t{}\t{}\t{}", bulges, aligned.guide, aligned.site,
                     scores ? fmt::format("{:.3f}", scores->mit) : ".",
                     scores ? fmt::format("{:.4f}", scores->cfd) : ".");
}

std::string GuideColumns::of_guide(std::string_view guide, const approximate::Located& hits,
                                   const std::vector<std::string>& bases) const {
  if (!scores(guide)) return "\t.\t.";
  Scores sum;
  bool target = false;  // the first site without differences is not off target
  for (std::size_t i = 0; i < hits.hits.size(); ++i) {
    const auto scores = scores_of(guide, hits.hits[i], bases[i]);
    if (!scores) continue;
    if (!target && hits.hits[i].differences == 0) {
      target = true;
      continue;
    }
    sum.mit += scores->mit, sum.cfd += 100 * scores->cfd;
  }
  return fmt::format("\t{:.3f}\t{:.3f}", approximate::specificity(sum.mit), approximate::specificity(sum.cfd));
}

SiteLabels::SiteLabels(const QueryFlags& flags, const index::Index& index) : labeller_(labeller_of(flags, index)) {}

std::string SiteLabels::header() const {
  std::string header;
  overlap::append_label_header(header, "");
  return header;
}

std::string SiteLabels::of(std::uint64_t contig, std::uint64_t begin, std::uint64_t end) const {
  std::string columns;
  overlap::append_label(columns, labeller_.label(contig, begin, end));
  return columns;
}

}  // namespace warpseed::cli
