// warpseed.Alignment and warpseed.AlignmentBatch.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "alignment_batch.hpp"
#include "alignment_table.hpp"
#include "cigar.hpp"
#include "module.hpp"

namespace warpseed::python {

namespace py = pybind11;

namespace {

using SharedBatch = std::shared_ptr<AlignmentBatch>;

py::str text(std::string_view view) {
  return {view.data(), view.size()};
}

py::object text_or_none(std::string_view view) {
  return view.empty() ? py::object(py::none()) : py::object(text(view));
}

/// [length, operation] of each element but the clips, the operation as BAM's number.
py::list cigar_list(const AlignedRead& read) {
  constexpr std::string_view operations = "MIDNSHP=X";
  py::list list;
  for_each_element(read.alignment().cigar, [&](std::int64_t length, char op) {
    if (op == 'S' || op == 'H') return;
    py::list element;
    element.append(length), element.append(operations.find(op));
    list.append(element);
  });
  return list;
}

/// The columns of PAF from the third on, with the program's tags.
std::string shown(const AlignedRead& read) {
  const Alignment& one = read.alignment();
  const auto number = [](auto value) { return std::to_string(value) + '\t'; };
  std::string line = number(read.query_begin()) + number(read.query_end()) + (one.reverse ? "-\t" : "+\t");
  line +=
      std::string(read.contig().name) + '\t' + number(read.contig().length) + number(one.position) + number(one.end);
  line += number(read.matches()) + number(read.cigar_bases().columns()) + number(one.mapq);
  line += one.is_secondary() ? "tp:A:S" : "tp:A:P";
  line += "\tNM:i:" + number(one.edit_distance) + "AS:i:" + number(one.score) + "cg:Z:" + read.unclipped_cigar();
  if (!one.differences.empty()) line += "\tcs:Z:" + one.differences;
  if (!one.ambiguous_differences.empty()) line += "\tds:Z:" + one.ambiguous_differences;
  return line;
}

/// The alignments of read or pair i, those of the first mate first.
py::list alignments_at(const SharedBatch& batch, py::ssize_t i) {
  const auto size = static_cast<py::ssize_t>(batch->size());
  if (i < -size || i >= size) throw py::index_error("the batch has " + std::to_string(size) + " reads or pairs");
  const std::size_t first = static_cast<std::size_t>(i < 0 ? i + size : i) * batch->mates();
  py::list list;
  for (std::size_t read = first; read < first + batch->mates(); ++read)
    for (std::size_t k = 0; k < batch->alignments[read].size(); ++k) list.append(AlignedRead(batch, read, k));
  return list;
}

/// Name, bases and qualities of a read of the batch, for the records of reads that are not aligned.
py::tuple read_at(const AlignmentBatch& batch, std::size_t read) {
  const ReadTexts& reads = batch.reads;
  if (read >= reads.bases.size()) throw py::index_error("the batch has fewer reads");
  return py::make_tuple(text_or_none(reads.names.empty() ? std::string_view() : reads.names[read / batch.mates()]),
                        text(reads.bases[read]),
                        text_or_none(reads.qualities.empty() ? std::string_view() : reads.qualities[read]));
}

/// Calls a function of the package's Python part, which alone knows pysam.
template <class Self>
py::object call_python(const char* function, const Self& self, const py::object& header, const py::object& read_group) {
  return py::module_::import("warpseed._pysam").attr(function)(self, header, read_group);
}

void add_mappy_names(py::class_<AlignedRead>& type) {
  const auto add = [&](const char* name, auto value, const char* doc) { type.def_property_readonly(name, value, doc); };
  add(
      "ctg", [](const AlignedRead& a) { return text(a.contig().name); }, "name of the contig");
  add(
      "ctg_len", [](const AlignedRead& a) { return a.contig().length; }, "its length");
  add(
      "r_st", [](const AlignedRead& a) { return a.alignment().position; }, "begin on the contig, from 0");
  add(
      "r_en", [](const AlignedRead& a) { return a.alignment().end; }, "one past the end on the contig");
  add(
      "strand", [](const AlignedRead& a) { return a.alignment().reverse ? -1 : 1; }, "1 forward, -1 reverse");
  add(
      "trans_strand", [](const AlignedRead&) { return 0; }, "0: nothing is spliced");
  add(
      "blen", [](const AlignedRead& a) { return a.cigar_bases().columns(); }, "columns of the alignment, with gaps");
  add("mlen", &AlignedRead::matches, "equal bases");
  add(
      "NM", [](const AlignedRead& a) { return a.alignment().edit_distance; }, "edit distance");
  add(
      "mapq", [](const AlignedRead& a) { return a.alignment().mapq; }, "mapping quality, 0 to 60");
  add("cigar", &cigar_list, "[[length, operation]], operations as in BAM, without clips");
  add("cigar_str", &AlignedRead::unclipped_cigar, "the same as text; sam_cigar has the clips");
  add(
      "MD", [](const AlignedRead& a) { return a.alignment().mismatches; }, "tag MD");
  add(
      "cs", [](const AlignedRead& a) { return a.alignment().differences; }, "tag cs; empty unless the aligner has cs=");
  add(
      "is_primary", [](const AlignedRead& a) { return !a.alignment().is_secondary(); },
      "not secondary; the parts of a split read are primary, is_supplementary tells the later ones");
  add("read_num", &AlignedRead::read_number, "1, or 2 for the second mate");
  add("q_st", &AlignedRead::query_begin, "begin on the read as sequenced, from 0");
  add("q_en", &AlignedRead::query_end, "one past the end on the read");
}

void add_sam_names(py::class_<AlignedRead>& type) {
  const auto add = [&](const char* name, auto value, const char* doc) { type.def_property_readonly(name, value, doc); };
  add(
      "flag", [](const AlignedRead& a) { return a.alignment().flag; }, "SAM's flags");
  add(
      "score", [](const AlignedRead& a) { return a.alignment().score; }, "tag AS");
  add(
      "second_score", [](const AlignedRead& a) { return a.alignment().second_score; }, "tag XS; -1 for none");
  add(
      "sam_cigar", [](const AlignedRead& a) { return a.alignment().cigar; }, "CIGAR with clips, as in SAM");
  add(
      "SA", [](const AlignedRead& a) { return a.alignment().split; }, "tag SA: other parts of a split read");
  add(
      "XA", [](const AlignedRead& a) { return a.alignment().alternatives; }, "tag XA: other positions");
  add(
      "ds", [](const AlignedRead& a) { return a.alignment().ambiguous_differences; }, "tag ds, with ds=True");
  add(
      "contig", [](const AlignedRead& a) { return a.alignment().contig; }, "number of the contig");
  add(
      "template_length", [](const AlignedRead& a) { return a.alignment().template_length; }, "SAM's TLEN");
  add(
      "is_proper_pair", [](const AlignedRead& a) { return a.alignment().is_proper_pair(); }, "flag 0x2");
  add(
      "is_secondary", [](const AlignedRead& a) { return a.alignment().is_secondary(); }, "flag 0x100");
  add(
      "is_supplementary", [](const AlignedRead& a) { return a.alignment().is_supplementary(); }, "flag 0x800");
  add(
      "tags", [](const AlignedRead& a) { return sam_tags(a.alignment()); }, "the tags as in SAM, with tabs between");
  add(
      "mate",
      [](const AlignedRead& a) -> py::object {
        const std::optional<MatePosition>& mate = a.alignment().mate;
        if (!mate) return py::none();
        return py::make_tuple(mate->contig, mate->position, mate->mapq, mate->cigar);
      },
      "(contig's number, position, MAPQ, CIGAR) of an aligned mate, or None");
  add(
      "_next",
      [](const AlignedRead& a) -> py::object {
        const auto next = a.next_position();
        if (!next) return py::none();
        return py::make_tuple(text(a.batch().index->index().contig(next->first).name), next->second);
      },
      "name of the contig and position of SAM's RNEXT and PNEXT, or None");
  add(
      "name", [](const AlignedRead& a) { return text_or_none(a.name()); }, "name of the read, or None");
  add(
      "query", [](const AlignedRead& a) { return text(a.query()); }, "the read's bases as sequenced");
  add(
      "qualities", [](const AlignedRead& a) { return text_or_none(a.qualities()); }, "its qualities, or None");
}

void add_batch(py::module_& module) {
  using namespace py::literals;
  py::class_<AlignmentBatch, SharedBatch>(
      module, "AlignmentBatch",
      "The alignments of many reads or pairs: a sequence; item i is the list of alignments of read or pair i, those of "
      "the first mate first, each mate's primary one first.")
      .def("__len__", &AlignmentBatch::size)
      .def("__getitem__", &alignments_at)
      .def_readonly("paired", &AlignmentBatch::paired, "whether the items are pairs")
      .def("read", &read_at, "number"_a, "(name, bases, qualities) of a read; of pair i reads 2i and 2i + 1")
      .def("to_numpy", &table_of,
           "All alignments as a structured array [alignments]: read (number of the read or pair), read_num, contig "
           "(number), r_st, r_en, q_st, q_en, strand, flag, mapq, NM, mlen, blen, score, second_score, "
           "template_length.")
      .def(
          "to_pysam",
          [](const SharedBatch& self, const py::object& header, const py::object& read_group) {
            return call_python("batch_records", self, header, read_group);
          },
          "header"_a, "read_group"_a = py::none(),
          "All records, those of reads that are not aligned too, as pysam.AlignedSegment, in the order in which "
          "`warpseed align` writes them. header: pysam.AlignmentHeader.");
}

}  // namespace

void add_alignments(py::module_& module) {
  using namespace py::literals;
  add_table_type();
  py::class_<AlignedRead> type(module, "Alignment",
                               "One alignment of a read, with mappy's names. Positions count from 0, ranges are "
                               "half-open.");
  add_mappy_names(type);
  add_sam_names(type);
  type.def("__str__", &shown)
      .def("__repr__", [](const AlignedRead& a) { return "<warpseed.Alignment " + shown(a) + ">"; })
      .def(
          "to_pysam",
          [](const AlignedRead& self, const py::object& header, const py::object& read_group) {
            return call_python("record", self, header, read_group);
          },
          "header"_a, "read_group"_a = py::none(),
          "The record as pysam.AlignedSegment. header: pysam.AlignmentHeader.");
  add_batch(module);
}

}  // namespace warpseed::python
