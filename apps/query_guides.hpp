// What `query` adds for CRISPR guides: the PAM, and columns of sites and of guides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "approximate/approximate_search.hpp"
#include "overlap/region_label.hpp"
#include "query_run.hpp"

namespace warpseed::cli {

/// The PAM next to each guide, IUPAC codes; without --pam and --pam-5 there is none.
class Pam {
 public:
  /// Throws InputError for a character that is no IUPAC code.
  explicit Pam(const QueryFlags& flags);

  bool given() const { return !codes_.empty(); }
  std::uint32_t length() const { return static_cast<std::uint32_t>(codes_.size()); }
  bool first() const { return first_; }

  /// The pattern to search for.
  std::string with(std::string_view guide) const;

  /// Does a pattern end, or begin, with bases of the PAM already?
  bool is_in(std::string_view pattern) const;

  /// Is it that of Streptococcus pyogenes Cas9, which the MIT and CFD scores are about: NGG, NAG or NRG?
  bool is_of_cas9() const;

 private:
  std::string codes_;
  bool first_ = false;  // on the 5' side
};

/// Columns of a guide's sites, and of a guide.
class GuideColumns {
 public:
  explicit GuideColumns(const Pam& pam) : pam_(pam) {}

  static std::string_view site_header() { return "\tbulges\tguide\tsite\tmit\tcfd"; }
  static std::string_view guide_header() { return "\tmit_specificity\tcfd_specificity"; }

  /// bases: the aligned genome bases, read along the guide.
  std::string of_site(std::string_view guide, const approximate::Occurrence& hit, std::string_view bases) const;

  /// hits: all sites of the guide.
  std::string of_guide(std::string_view guide, const approximate::Located& hits,
                       const std::vector<std::string>& bases) const;

  bool scores(std::string_view guide) const;

 private:
  struct Scores {
    double mit = 0, cfd = 0;
  };
  std::optional<Scores> scores_of(std::string_view guide, const approximate::Occurrence& hit,
                                  std::string_view bases) const;

  const Pam& pam_;
};

/// Labels of occurrences by the features that they are in.
class SiteLabels {
 public:
  /// Throws InputError for an annotation that cannot be read or is of another genome.
  SiteLabels(const QueryFlags& flags, const index::Index& index);

  std::string header() const;
  std::string of(std::uint64_t contig, std::uint64_t begin, std::uint64_t end) const;

 private:
  overlap::RegionLabeller labeller_;
};

}  // namespace warpseed::cli
