// Parses GFF3, GTF and BED. BED: github.com/samtools/hts-specs/blob/master/BEDv1.pdf.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/byte_source.hpp"
#include "core/line_reader.hpp"
#include "core/quoted.hpp"
#include "text/annotation.hpp"
#include "text/gff_genes.hpp"
#include "warpseed/error.hpp"

namespace warpseed::text {

namespace {

constexpr std::uint64_t block_bytes = 1 << 20;
constexpr std::size_t gff_columns = 9;

std::string_view title(AnnotationFormat format) {
  return format == AnnotationFormat::gff3 ? "GFF3" : format == AnnotationFormat::gtf ? "GTF" : "BED";
}

bool looks_numeric(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::uint64_t number(std::string_view text, std::string_view what) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 60;  // two of them can be added without overflow
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc() && end == text.data() + text.size() && value <= largest) return value;
  if (!looks_numeric(text)) throw LineError(fmt::format("{} is {}, which is no whole number", what, quoted(text)));
  throw LineError(fmt::format("{} is {}, which is {}", what, quoted(text),
                              text[0] == '-' ? "negative" : "too large for a position"));
}

/// Splits a line at tabs, or at runs of blanks if it has no tab and `blanks` are allowed.
void split(std::string_view line, bool blanks, std::vector<std::string_view>& columns) {
  columns.clear();
  const bool tabs = line.find('\t') != std::string_view::npos;
  if (!tabs && blanks) {
    for (std::size_t at = line.find_first_not_of(' '); at != std::string_view::npos;) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      columns.push_back(line.substr(at, end - at));
      at = line.find_first_not_of(' ', end);
    }
    return;
  }
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find('\t', at), line.size());
    columns.push_back(line.substr(at, end - at));
    at = end + 1;
  }
}

/// Takes the next number of a comma-separated list in BED; a trailing comma is allowed.
std::uint64_t take_listed(std::string_view& list, std::string_view what) {
  if (list.empty()) throw LineError(fmt::format("{} are fewer than column 10 says", what));
  const std::size_t size = std::min(list.find(','), list.size());
  const std::uint64_t value = number(list.substr(0, size), what);
  list.remove_prefix(std::min(size + 1, list.size()));
  return value;
}

class AnnotationReader {
 public:
  explicit AnnotationReader(const std::string& path) {
    annotation_.path = input_name(path);
    std::unique_ptr<ByteSource> source = open_bytes(path);
    compressed_ = source->compressed();
    lines_.emplace(std::move(source), block_bytes,
                   LineLimit{annotation_.path, LineLimit::of_text, "give GFF3, GTF or BED, one feature in a line"});
  }

  Annotation read();

 private:
  bool next_line(std::string_view& line);
  void add_line(std::string_view line);
  void comment(std::string_view line);
  void find_format(std::string_view line);
  void add_gff();
  void check_style(AttributeStyle style);
  void add_bed();
  void add_blocks(Feature block);
  void add(Feature feature) { annotation_.features.push_back(feature); }
  std::uint32_t contig(std::string_view name);
  std::uint16_t type(std::string_view name);
  std::uint32_t line_number() const { return static_cast<std::uint32_t>(lines_->line_number()); }

  Annotation annotation_;
  GeneFinder genes_{annotation_.names};
  std::optional<LineReader> lines_;
  std::vector<std::string_view> columns_;  // of the current line
  std::size_t bed_columns_ = 0;            // of the first line
  std::uint64_t first_line_ = 0;           // the first line that is not a comment
  std::uint64_t version_line_ = 0;         // line of ##gff-version, 0 without it
  std::uint64_t style_line_ = 0;           // line whose attributes showed GFF3 or GTF
  std::uint32_t last_contig_ = 0, last_type_ = 0;
  bool is_gff_ = false;  // GFF3 or GTF; version_line_ or style_line_ show which
  bool is_bed_ = false;
  bool in_fasta_ = false;
  bool compressed_ = false;
};

bool AnnotationReader::next_line(std::string_view& line) {
  lines_->begin_record();
  LineReader::Line found;
  if (!lines_->next(found)) return false;
  line = lines_->text(found);
  return true;
}

Annotation AnnotationReader::read() {
  std::string_view line;
  try {
    while (!in_fasta_ && next_line(line)) add_line(line);
    if (in_fasta_) lines_->skip_rest();  // to its end all the same, for the checksum
  } catch (const LineError& problem) {
    const std::uint64_t where = lines_->line_number();
    // Nonsense out of a compressed file mostly comes of damage; then the checksum, further on, says the true cause.
    if (compressed_) lines_->skip_rest();
    throw InputError::at(annotation_.path, where, problem.what());
  }
  if (annotation_.features.empty())
    throw InputError(annotation_.path + ": holds no features; the file is empty or was cut");
  if (is_gff_) genes_.resolve(annotation_);
  annotation_.circular.resize(annotation_.contigs.size());
  return std::move(annotation_);
}

void AnnotationReader::add_line(std::string_view line) {
  if (line.empty()) return;
  if (lines_->line_number() > std::numeric_limits<std::uint32_t>::max())
    throw LineError("more lines than 4,294,967,295; split the file");
  if (line.front() == '#') return comment(line);
  for (const std::string_view word : {"track", "browser"}) {
    if (line.starts_with(word) && (line.size() == word.size() || line[word.size()] == ' ')) return;
  }
  const bool may_have_fasta = version_line_ != 0 && annotation_.format == AnnotationFormat::gff3;
  if (line.front() == '>' && (may_have_fasta || (is_gff_ && annotation_.format == AnnotationFormat::gff3))) {
    in_fasta_ = true;
    return;
  }
  if (std::memchr(line.data(), '\0', line.size())) throw LineError("byte 0x00 in it; this is no text");
  split(line, !is_gff_, columns_);
  if (!is_gff_ && !is_bed_) find_format(line);
  if (is_bed_) {
    add_bed();
  } else {
    add_gff();
  }
}

void AnnotationReader::comment(std::string_view line) {
  constexpr std::string_view version = "##gff-version", fasta = "##FASTA";
  if (line.starts_with(fasta) && !is_bed_ && annotation_.format == AnnotationFormat::gff3) in_fasta_ = true;
  if (!line.starts_with(version) || is_gff_ || is_bed_) return;
  line.remove_prefix(version.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  version_line_ = lines_->line_number();
  annotation_.format = line.starts_with('3') ? AnnotationFormat::gff3 : AnnotationFormat::gtf;
}

void AnnotationReader::find_format(std::string_view line) {
  first_line_ = lines_->line_number();
  if (columns_.size() >= 3 && looks_numeric(columns_[1]) && looks_numeric(columns_[2])) {
    if (version_line_ != 0)
      throw LineError(fmt::format("a line of BED, but line {} says GFF; remove what is wrong", version_line_));
    is_bed_ = true;
    annotation_.format = AnnotationFormat::bed;
    bed_columns_ = columns_.size();
    return;
  }
  const bool tabs = line.find('\t') != std::string_view::npos;
  is_gff_ = version_line_ != 0 || (columns_.size() == gff_columns && tabs);
  if (is_gff_) return split(line, false, columns_);
  std::string problem =
      "neither GFF3 nor GTF (nine columns, tabs between them) nor BED (whole numbers in columns 2 and 3)";
  if (line.front() == '>') problem += "; this is FASTA, give the annotation that goes with it";
  if (columns_.size() >= gff_columns && !tabs) problem += "; there are blanks where GFF has tabs";
  throw LineError(problem + "; a heading begins with #");
}

std::uint32_t AnnotationReader::contig(std::string_view name) {
  if (annotation_.contigs.size() > 0 && annotation_.contigs[last_contig_] == name) return last_contig_;
  if (name.empty()) throw LineError("column 1 is empty, where the sequence's name must be");
  return last_contig_ = annotation_.contigs.add(name);
}

std::uint16_t AnnotationReader::type(std::string_view name) {
  if (annotation_.types.size() > 0 && annotation_.types[last_type_] == name)
    return static_cast<std::uint16_t>(last_type_);
  if (name.empty()) throw LineError("column 3 is empty, where the feature's type must be");
  last_type_ = annotation_.types.add(name);
  if (last_type_ > std::numeric_limits<std::uint16_t>::max())
    throw LineError("more than 65,536 different types in column 3; is this GFF3 or GTF?");
  return static_cast<std::uint16_t>(last_type_);
}

/// The first line with attributes determines GFF3 or GTF; all others must agree.
void AnnotationReader::check_style(AttributeStyle style) {
  if (style == AttributeStyle::bare) return;
  const bool equals = style == AttributeStyle::equals;
  const auto format = equals ? AnnotationFormat::gff3 : AnnotationFormat::gtf;
  if (style_line_ == 0) {
    style_line_ = lines_->line_number();
    if (version_line_ == 0) annotation_.format = format;
  }
  if (annotation_.format == format) return;
  const std::string_view style_name = equals ? "key=value, as in GFF3" : "key \"value\", as in GTF";
  const std::uint64_t stated_at = version_line_ != 0 ? version_line_ : style_line_;
  throw LineError(fmt::format("attributes of the kind {}, but line {} says that this is {}; {}", style_name, stated_at,
                              title(annotation_.format),
                              version_line_ != 0 ? "correct or remove that line" : "convert one part into the other"));
}

void AnnotationReader::add_gff() {
  if (columns_.size() != gff_columns) {
    throw LineError(fmt::format("{} column{}, where GFF3 and GTF have {}, tabs between them", columns_.size(),
                                columns_.size() == 1 ? "" : "s", gff_columns));
  }
  const std::string_view attributes = columns_[8] == "." ? std::string_view() : columns_[8];
  const AttributeStyle style = attribute_style(attributes);
  check_style(style);
  Feature feature;
  const std::uint64_t first = number(columns_[3], "the begin, column 4,");
  feature.end = number(columns_[4], "the end, column 5,");
  if (first == 0) throw LineError("the begin, column 4, is 0; GFF3 and GTF count from 1");
  if (first > feature.end) throw LineError(fmt::format("the begin, {}, is after the end, {}", first, feature.end));
  if (columns_[6].size() != 1 || std::strchr("+-.?", columns_[6][0]) == nullptr)
    throw LineError(fmt::format("the strand, column 7, is {}; it must be one of + - . ?", quoted(columns_[6])));
  const bool gff3 = annotation_.format == AnnotationFormat::gff3;
  feature.begin = first - 1;
  feature.line = line_number();
  feature.contig =
      gff3 && columns_[0].find('%') != std::string_view::npos ? contig(unescaped(columns_[0])) : contig(columns_[0]);
  feature.type = type(columns_[2]);
  feature.strand = columns_[6][0];
  bool circular = false;
  if (style == AttributeStyle::equals) {
    feature.gene = genes_.add_gff3(attributes, columns_[2], feature.line, circular);
  } else if (style == AttributeStyle::spaced) {
    feature.gene = genes_.add_gtf(attributes);
  }
  add(feature);
  if (!circular || feature.begin != 0) return;
  annotation_.circular.resize(annotation_.contigs.size());
  annotation_.circular[feature.contig] = true;
}

void AnnotationReader::add_bed() {
  if (columns_.size() != bed_columns_) {
    throw LineError(fmt::format("{} column{}, where line {} has {}", columns_.size(), columns_.size() == 1 ? "" : "s",
                                first_line_, bed_columns_));
  }
  Feature feature;
  feature.begin = number(columns_[1], "the begin, column 2,");
  feature.end = number(columns_[2], "the end, column 3,");
  if (feature.begin > feature.end)
    throw LineError(fmt::format("the begin, {}, is after the end, {}", feature.begin, feature.end));
  feature.line = line_number();
  feature.contig = contig(columns_[0]);
  feature.type = type("block");
  feature.gene = static_cast<std::uint32_t>(annotation_.gene_names.size());
  const bool named = columns_.size() > 3 && !columns_[3].empty();
  annotation_.gene_names.push_back(annotation_.names.add(named ? columns_[3] : "."));
  if (columns_.size() > 5 && columns_[5].size() == 1 && std::strchr("+-", columns_[5][0])) {
    feature.strand = columns_[5][0];
  }
  if (columns_.size() < 12) return add(feature);
  add_blocks(feature);
}

/// block: a feature for the whole line.
void AnnotationReader::add_blocks(Feature block) {
  const std::uint64_t begin = block.begin, size = block.end - block.begin;
  const std::uint64_t count = number(columns_[9], "the number of blocks, column 10,");
  if (count == 0) throw LineError("column 10 says that there are no blocks; there must be one at least");
  std::string_view sizes = columns_[10], starts = columns_[11];
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t block_size = take_listed(sizes, "block sizes, column 11,");
    const std::uint64_t block_start = take_listed(starts, "block starts, column 12,");
    if (block_start + block_size > size)
      throw LineError(fmt::format("block {} leaves the line's interval, which has {} bases", i + 1, size));
    block.begin = begin + block_start;
    block.end = block.begin + block_size;
    add(block);
  }
  if (!sizes.empty() || !starts.empty())
    throw LineError(fmt::format("more block sizes or starts than the {} of column 10", count));
}

}  // namespace

Annotation read_annotation(const std::string& path) {
  return AnnotationReader(path).read();
}

}  // namespace warpseed::text
