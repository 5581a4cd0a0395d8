#include "text/annotation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "warpseed/error.hpp"

namespace warpseed::text {

namespace {

constexpr std::uint32_t nowhere = 0xFFFFFFFF;
constexpr std::uint32_t ambiguous = 0xFFFFFFFE;

/// True if the names probably mean the same sequence: "chr1" and "1", "NC_000913.3" and "NC_000913".
bool look_alike(std::string_view a, std::string_view b) {
  const auto core = [](std::string_view name) {
    if (name.starts_with("chr")) name.remove_prefix(3);
    if (name == "M") name = "MT";
    return name.substr(0, name.find('.', 1));
  };
  return core(a) == core(b);
}

/// Maps the sequence names of an annotation to contigs.
class NameMatch {
 public:
  NameMatch(const Annotation& annotation, std::span<const std::string> names)
      : annotation_(annotation), names_(names), contig_of_(annotation.contigs.size(), nowhere), used_(names.size()) {
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    numbers.reserve(names.size());
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      const auto [entry, is_new] = numbers.emplace(names[i], i);
      if (!is_new) entry->second = ambiguous;
    }
    for (std::uint32_t i = 0; i < contig_of_.size(); ++i) {
      const auto found = numbers.find(annotation.contigs[i]);
      if (found == numbers.end()) continue;
      contig_of_[i] = found->second;
      if (found->second != ambiguous) used_[found->second] = true;
    }
  }

  /// The contig of a feature, or nowhere. Throws InputError if the name is ambiguous.
  std::uint32_t contig_of(const Feature& feature) const {
    if (contig_of_[feature.contig] == ambiguous) {
      throw InputError::at(
          annotation_.path, feature.line,
          fmt::format("two sequences are called \"{}\"; rename one of them", annotation_.contigs[feature.contig]));
    }
    return contig_of_[feature.contig];
  }

  std::uint64_t unknown_names() const {
    return static_cast<std::uint64_t>(std::count(contig_of_.begin(), contig_of_.end(), nowhere));
  }
  std::uint64_t contigs_without_features() const {
    return static_cast<std::uint64_t>(std::count(used_.begin(), used_.end(), false));
  }

  [[noreturn]] void fail_unknown(const Feature& feature) const;

 private:
  const Annotation& annotation_;
  std::span<const std::string> names_;
  std::vector<std::uint32_t> contig_of_;  // [contigs of the annotation]
  std::vector<bool> used_;                // [contigs]
};

void NameMatch::fail_unknown(const Feature& feature) const {
  const std::string_view name = annotation_.contigs[feature.contig];
  std::uint64_t example = names_.size();
  bool alike = false;
  for (std::uint64_t i = 0; i < names_.size() && !alike; ++i) {
    if (used_[i]) continue;
    alike = look_alike(names_[i], name);
    if (alike || example == names_.size()) example = i;
  }
  std::string problem = fmt::format("no sequence is called \"{}\"; {} of the annotation's {} names are not found", name,
                                    unknown_names(), annotation_.contigs.size());
  if (example < names_.size()) {
    problem += fmt::format(", and {} of the {} sequences are not annotated: \"{}\" there against \"{}\" here",
                           contigs_without_features(), names_.size(), names_[example], name);
  }
  problem += alike ? "; these two look like one, so rename one side," : "; give the annotation of these sequences,";
  problem += " or leave such features out with --allow-missing";
  throw InputError::at(annotation_.path, feature.line, problem);
}

void require_inside(const FeatureTable& table, const Feature& feature, std::string_view name, std::uint64_t length,
                    bool circular) {
  if (feature.end <= length) return;
  if (circular && feature.begin < length && feature.end - feature.begin <= length) return;
  const std::string_view remedy =
      circular ? "on a circular one it may run through the origin, but must begin before it and go round once at most"
      : table.format == AnnotationFormat::gff3
          ? "is this the annotation of another version, or is Is_circular=true missing?"
          : "is this the annotation of another version?";
  throw InputError::at(
      table.path, feature.line,
      fmt::format("the feature ends at {}, but \"{}\" has {} bases; {}", feature.end, name, length, remedy));
}

void sort_features(BoundAnnotation& bound) {
  std::sort(bound.features.begin(), bound.features.end(), [](const Feature& a, const Feature& b) {
    return std::tie(a.contig, a.begin, a.end, a.line) < std::tie(b.contig, b.begin, b.end, b.line);
  });
  bound.first_features.assign(bound.lengths.size() + 1, 0);
  for (const Feature& feature : bound.features) ++bound.first_features[feature.contig + std::uint64_t{1}];
  for (std::uint64_t i = 0; i < bound.lengths.size(); ++i) bound.first_features[i + 1] += bound.first_features[i];
}

/// [types] True for the selected types.
std::vector<bool> chosen_types(const FeatureTable& table, std::span<const std::string> wanted) {
  std::vector<bool> chosen(table.types.size(), table.format == AnnotationFormat::bed);
  if (table.format == AnnotationFormat::bed) {
    if (wanted.empty()) return chosen;
    throw InputError(fmt::format("{}: a BED file has no feature types, all of it counts; leave out --feature {}",
                                 table.path, wanted.front()));
  }
  const std::string usual[] = {"CDS"};
  for (const std::string& type : wanted.empty() ? std::span(usual) : wanted) {
    const std::uint32_t number = table.types.find(type);
    if (number != StringTable::none) {
      chosen[number] = true;
      continue;
    }
    std::vector<std::string_view> there;
    for (std::uint32_t i = 0; i < table.types.size(); ++i) there.push_back(table.types[i]);
    std::sort(there.begin(), there.end());
    throw InputError(fmt::format("{}: no feature of type \"{}\"; choose with --feature among those that occur: {}",
                                 table.path, type, fmt::join(there, ", ")));
  }
  return chosen;
}

}  // namespace

bool is_gene_type(std::string_view type) {
  return type == "gene" || type == "pseudogene" || type.ends_with("_gene");
}

BoundAnnotation bind_annotation(Annotation annotation, std::span<const std::string> names,
                                std::span<const std::uint64_t> lengths, bool allow_missing) {
  if (names.size() != lengths.size()) throw std::invalid_argument("bind_annotation: one length a name");
  const NameMatch match(annotation, names);
  BoundAnnotation bound;
  std::size_t kept = 0;
  for (Feature feature : annotation.features) {
    const std::uint32_t contig = match.contig_of(feature);
    if (contig == nowhere) {
      if (!allow_missing) match.fail_unknown(feature);
      continue;
    }
    require_inside(annotation, feature, names[contig], lengths[contig], annotation.circular[feature.contig]);
    feature.contig = contig;
    annotation.features[kept++] = feature;
  }
  bound.unknown_features = annotation.features.size() - kept;
  annotation.features.resize(kept);
  bound.unknown_names = match.unknown_names();
  bound.contigs_without_features = match.contigs_without_features();
  static_cast<FeatureTable&>(bound) = std::move(static_cast<FeatureTable&>(annotation));
  bound.lengths.assign(lengths.begin(), lengths.end());
  sort_features(bound);
  return bound;
}

std::vector<std::vector<Interval>> feature_intervals(const BoundAnnotation& annotation,
                                                     std::span<const std::string> types) {
  const std::vector<bool> chosen = chosen_types(annotation, types);
  std::vector<std::vector<Interval>> found(annotation.lengths.size());
  for (std::uint64_t contig = 0; contig < found.size(); ++contig) {
    const std::uint64_t length = annotation.lengths[contig];
    for (const Feature& feature : annotation.on(contig)) {
      if (!chosen[feature.type]) continue;
      found[contig].push_back({feature.begin, std::min(feature.end, length)});
      if (feature.end > length) found[contig].push_back({0, feature.end - length});
    }
    merge_intervals(found[contig]);
  }
  return found;
}

void merge_intervals(std::vector<Interval>& intervals) {
  std::sort(intervals.begin(), intervals.end());
  std::size_t kept = 0;
  for (const Interval interval : intervals) {
    if (interval.begin == interval.end) continue;
    if (kept > 0 && interval.begin <= intervals[kept - 1].end) {
      intervals[kept - 1].end = std::max(intervals[kept - 1].end, interval.end);
    } else {
      intervals[kept++] = interval;
    }
  }
  intervals.resize(kept);
}

}  // namespace warpseed::text
