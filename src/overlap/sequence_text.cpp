#include "overlap/sequence_text.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <unordered_map>

#include "core/byte_source.hpp"
#include "index/index_file.hpp"
#include "text/fasta.hpp"
#include "text/genome_join.hpp"
#include "warpseed/error.hpp"

namespace warpseed::overlap {

namespace {

/// Decides by the name, as everywhere: distinguishing an index from a pipe of FASTA would need reading it.
bool is_index(std::string_view path) {
  return path.ends_with(".wsi");
}

std::vector<text::GenomePart> parts_of(const std::vector<SequenceFile>& files, bool reversed) {
  std::vector<text::GenomePart> parts;
  for (const SequenceFile& file : files) parts.push_back({file.genome(), reversed});
  return parts;
}

std::uint64_t contigs_in(const std::vector<text::GenomePart>& parts) {
  std::uint64_t contigs = 0;
  for (const text::GenomePart& part : parts) contigs += part.genome.contig_count();
  return contigs;
}

std::uint64_t symbols_in(const std::vector<text::GenomePart>& parts) {
  std::uint64_t symbols = 0;
  for (const text::GenomePart& part : parts) symbols += part.genome.text.size;
  return symbols;
}

}  // namespace

SequenceFile::SequenceFile(std::string path) : path_(std::move(path)) {
  if (is_index(path_)) {
    index_ = std::make_shared<const index::Index>(path_);
  } else {
    genome_ = text::read_fasta(std::span(&path_, 1));
  }
}

SequenceFile::SequenceFile(std::string path, text::Genome genome)
    : path_(std::move(path)), genome_(std::move(genome)) {}
SequenceFile::SequenceFile(SequenceFile&&) noexcept = default;
SequenceFile& SequenceFile::operator=(SequenceFile&&) noexcept = default;
SequenceFile::~SequenceFile() = default;

text::GenomeView SequenceFile::genome() const {
  return genome_ ? genome_->view() : index_->genome();
}

std::string_view SequenceFile::name(std::uint64_t contig) const {
  return index_ ? index_->contig_name(contig) : std::string_view(genome_->names[contig]);
}

void SequenceFile::replace(text::Genome masked) {
  if (!index_) masked.names = std::move(genome_->names);
  genome_ = std::move(masked);
}

text::SequenceList list_sequences(const std::vector<SequenceFile>& files) {
  text::SequenceList list;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    list.files.push_back(files[i].path());
    const text::GenomeView genome = files[i].genome();
    for (std::uint64_t contig = 0; contig < genome.contig_count(); ++contig) {
      const std::uint64_t length = genome.contig_begins[contig + 1] - genome.contig_begins[contig];
      list.sequences.push_back({std::string(files[i].name(contig)), length, i});
    }
  }
  return list;
}

std::vector<SequenceFile> read_sequence_files(const std::vector<std::string>& paths) {
  std::vector<std::optional<SequenceFile>> read(paths.size());
  tbb::parallel_for(std::size_t{0}, paths.size(), [&](std::size_t i) { read[i].emplace(paths[i]); });
  std::vector<SequenceFile> files;
  for (auto& file : read) files.push_back(std::move(*file));

  const text::SequenceList list = list_sequences(files);
  std::unordered_map<std::string_view, std::uint32_t> file_of;
  for (const text::SequenceInfo& sequence : list.sequences) {
    const auto [there, is_new] = file_of.emplace(sequence.name, sequence.file);
    if (is_new) continue;
    throw InputError(fmt::format("{}: a sequence is called \"{}\", as in {}; rename one of them",
                                 input_name(list.files[sequence.file]), sequence.name,
                                 input_name(list.files[there->second])));
  }
  return files;
}

SequenceText::SequenceText(const std::vector<SequenceFile>& targets, const std::vector<SequenceFile>& queries,
                           Strands strands, int threads)
    : targets_(list_sequences(targets)), queries_(list_sequences(queries)), self_(queries.empty()) {
  if (targets.size() == 1) target_index_ = targets[0].index();
  const std::vector<SequenceFile>& searched = self_ ? targets : queries;
  std::vector<text::GenomePart> sections[3];
  sections[0] = parts_of(targets, false);
  if (!self_ && strands != Strands::reverse) sections[1] = parts_of(queries, false);
  if (strands != Strands::forward) sections[2] = parts_of(searched, true);
  std::vector<text::GenomePart> parts;
  for (int i = 0; i < 3; ++i) {
    sections_[i + 1] = {sections_[i].first_contig + contigs_in(sections[i]),
                        sections_[i].text_begin + symbols_in(sections[i])};
    parts.insert(parts.end(), sections[i].begin(), sections[i].end());
  }
  genome_ = text::joined(parts, threads);
  const text::GenomeView genome = genome_.view();
  for (std::uint64_t contig = 0, segment = 0; contig < contig_count(); ++contig) {
    while (genome.segments[segment].genome_begin < genome.contig_begins[contig]) ++segment;
    contig_text_.push_back(genome.segments[segment].text_begin);
    contig_segments_.push_back(segment);
  }
  contig_text_.push_back(genome.text.size);
  contig_segments_.push_back(genome.segment_count());
  make_hints();
}

void SequenceText::make_hints() {
  const text::GenomeView genome = genome_.view();
  contig_hints_.resize(genome.text.size / positions_per_hint + 1);
  for (std::uint64_t i = 0, contig = 0; i < contig_hints_.size() && contig_count() > 0; ++i) {
    while (contig + 1 < contig_count() && contig_text_[contig + 1] <= i * positions_per_hint) ++contig;
    contig_hints_[i] = static_cast<std::uint32_t>(contig);
  }
  segment_hints_.resize(genome_.base_count() / bases_per_hint + 2);
  for (std::uint64_t i = 0, segment = 0; i < segment_hints_.size(); ++i) {
    const GenomePos at = i * bases_per_hint;
    while (segment + 1 < genome.segment_count() && genome.segments[segment + 1].genome_begin <= at) ++segment;
    segment_hints_[i] = segment;
  }
}

std::uint64_t SequenceText::contig_of(TextPos position) const {
  std::uint64_t contig = contig_hints_[position / positions_per_hint];
  while (contig_text_[contig + 1] <= position) ++contig;
  return contig;
}

SequencePosition SequenceText::location(TextPos position) const {
  const text::GenomeView genome = genome_.view();
  const std::uint64_t contig = contig_of(position);
  const std::uint64_t first = contig_segments_[contig], count = contig_segments_[contig + 1] - first;
  const text::Segment& segment = genome.segments[first + text::last_not_above(count, position, [&](std::uint64_t i) {
                                                   return genome.segments[first + i].text_begin;
                                                 })];
  const GenomePos at = segment.genome_begin + (position - segment.text_begin);
  const int section = position >= sections_[2].text_begin ? 2 : position >= sections_[1].text_begin ? 1 : 0;
  return {static_cast<std::uint32_t>(contig - sections_[section].first_contig), at - genome.contig_begins[contig],
          section > 0, section == 2};
}

std::optional<TextPos> SequenceText::position(const SequencePosition& location) const {
  const int section = location.reverse ? 2 : location.is_query && !self_ ? 1 : 0;
  const text::GenomeView genome = genome_.view();
  const std::uint64_t contig = sections_[section].first_contig + location.sequence;
  const GenomePos at = genome.contig_begins[contig] + location.offset;
  if (genome.segment_count() == 0 || at < genome.segments[0].genome_begin) return {};
  const std::uint64_t first = segment_hints_[at / bases_per_hint];
  const std::uint64_t count = segment_hints_[at / bases_per_hint + 1] + 1 - first;  // usually 1
  const std::uint64_t segment =
      first + text::last_not_above(count, at, [&](std::uint64_t i) { return genome.segments[first + i].genome_begin; });
  const std::uint64_t offset = at - genome.segments[segment].genome_begin;
  if (offset >= genome.segment_length(segment)) return {};
  return genome.segments[segment].text_begin + offset;
}

CommonRegion SequenceText::region(TextPos target, TextPos query, std::uint64_t length) const {
  const SequencePosition t = location(target), q = location(query);
  const std::uint64_t query_begin = q.reverse ? queries().sequences[q.sequence].length - q.offset - length : q.offset;
  return {t.sequence, q.sequence, t.offset, query_begin, length, q.reverse};
}

}  // namespace warpseed::overlap
