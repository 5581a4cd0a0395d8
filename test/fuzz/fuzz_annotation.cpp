// GFF3, GTF and BED: read_annotation(), bound to contigs as `overlap --annotation` does it. The features' positions are
// compared with the columns of their lines.
// Covers: src/text/annotation_reader.cpp src/text/annotation.cpp src/text/gff_genes.cpp
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.hpp"
#include "text/annotation.hpp"

namespace {

using namespace warpseed;

const std::vector<std::string> names = {"chr1", "chr2", "plasmid", "U00096.3"};
const std::vector<std::uint64_t> lengths = {1000, 50, 100, 4'641'652};

std::vector<std::string> lines_of(std::string_view input) {
  std::vector<std::string> lines(1);
  for (const char symbol : input) {
    if (symbol == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += symbol;
    }
  }
  return lines;
}

/// The number in a column of a line, columns counted from 0.
std::uint64_t number_in(const std::string& line, int column) {
  const char between = line.find('\t') == std::string::npos ? ' ' : '\t';
  std::size_t at = between == ' ' ? line.find_first_not_of(' ') : 0;
  for (; column > 0; --column) {
    at = line.find(between, at);
    if (at == std::string::npos) return 0;
    at = between == ' ' ? std::min(line.find_first_not_of(' ', at), line.size()) : at + 1;
  }
  return std::strtoull(line.c_str() + at, nullptr, 10);
}

/// Whether a feature has the positions of its line, or, a block of BED, lies within them.
bool is_of_line(const text::Feature& feature, text::AnnotationFormat format, const std::string& line) {
  if (format != text::AnnotationFormat::bed)
    return feature.begin + 1 == number_in(line, 3) && feature.end == number_in(line, 4);
  return feature.begin >= number_in(line, 1) && feature.end <= number_in(line, 2);
}

void check_features(const text::Annotation& annotation, std::string_view input) {
  const std::vector<std::string> lines = lines_of(input);
  fuzz::require(!annotation.features.empty(), "no features, and no error");
  for (const text::Feature& feature : annotation.features) {
    fuzz::require(feature.begin <= feature.end, "a feature that ends before it begins");
    fuzz::require(feature.contig < annotation.contigs.size() && feature.type < annotation.types.size(),
                  "a contig or a type that there is not");
    fuzz::require(feature.gene == text::Feature::no_gene || feature.gene < annotation.gene_names.size(),
                  "an unknown gene");
    fuzz::require(feature.line >= 1 && feature.line <= lines.size(), "a line that there is not");
    fuzz::require(is_of_line(feature, annotation.format, lines[feature.line - 1]), "other positions than the line's");
  }
  for (const std::uint32_t name : annotation.gene_names)
    fuzz::require(name < annotation.names.size(), "a gene's name that there is not");
}

void check_intervals(const text::BoundAnnotation& bound) {
  std::vector<std::string> types;
  if (bound.format != text::AnnotationFormat::bed && bound.types.size() > 0) types.emplace_back(bound.types[0]);
  const auto intervals = text::feature_intervals(bound, types);
  fuzz::require(intervals.size() == names.size(), "intervals for each contig");
  for (std::size_t contig = 0; contig < intervals.size(); ++contig) {
    std::uint64_t end = 0;
    bool first = true;
    for (const text::Interval& interval : intervals[contig]) {
      fuzz::require(interval.begin < interval.end && interval.end <= lengths[contig], "an interval outside its contig");
      fuzz::require(first || interval.begin > end, "intervals that are not merged or not in order");
      end = interval.end, first = false;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  fuzz::Choices choices(input);
  const fuzz::InputFile file(input);
  fuzz::accepts(file.path(), [&] {
    text::Annotation annotation = text::read_annotation(file.path());
    if (!input.starts_with("\x1F\x8B")) check_features(annotation, input);
    check_intervals(text::bind_annotation(std::move(annotation), names, lengths, choices.below(2) == 0));
  });
  return 0;
}
