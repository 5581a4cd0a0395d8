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

/// Adds read-only properties: name, docstring, getter.
class Properties {
 public:
  explicit Properties(py::class_<AlignedRead>& type) : type_(type) {}

  template <class Get>
  void operator()(const char* name, const char* doc, const Get& get) const {
    type_.def_property_readonly(name, get, doc);
  }

 private:
  py::class_<AlignedRead>& type_;
};

void add_mappy_names(const Properties& add) {
  add("ctg", "name of the contig", [](const AlignedRead& a) { return text(a.contig().name); });
  add("ctg_len", "its length", [](const AlignedRead& a) { return a.contig().length; });
  add("r_st", "begin on the contig, from 0", [](const AlignedRead& a) { return a.alignment().position; });
  add("r_en", "one past the end on the contig", [](const AlignedRead& a) { return a.alignment().end; });
  add("strand", "1 forward, -1 reverse", [](const AlignedRead& a) { return a.alignment().reverse ? -1 : 1; });
  add("trans_strand", "0: nothing is spliced", [](const AlignedRead&) { return 0; });
  add("blen", "columns of the alignment, with gaps", [](const AlignedRead& a) { return a.cigar_bases().columns(); });
  add("mlen", "equal bases", &AlignedRead::matches);
  add("NM", "edit distance", [](const AlignedRead& a) { return a.alignment().edit_distance; });
  add("mapq", "mapping quality, 0 to 60", [](const AlignedRead& a) { return a.alignment().mapq; });
  add("cigar", "[[length, operation]], operations as in BAM, without clips", &cigar_list);
  add("cigar_str", "the same as text; sam_cigar has the clips", &AlignedRead::unclipped_cigar);
  add("MD", "tag MD", [](const AlignedRead& a) { return a.alignment().mismatches; });
  add("cs", "tag cs; empty unless the aligner has cs=", [](const AlignedRead& a) { return a.alignment().differences; });
  add("is_primary", "not secondary; parts of a split read are primary, is_supplementary marks all but the first",
      [](const AlignedRead& a) { return !a.alignment().is_secondary(); });
  add("read_num", "1, or 2 for the second mate", &AlignedRead::read_number);
  add("q_st", "begin on the read as sequenced, from 0", &AlignedRead::query_begin);
  add("q_en", "one past the end on the read", &AlignedRead::query_end);
}

void add_sam_names(const Properties& add) {
  add("flag", "SAM's flags", [](const AlignedRead& a) { return a.alignment().flag; });
  add("is_proper_pair", "flag 0x2", [](const AlignedRead& a) { return a.alignment().is_proper_pair(); });
  add("is_secondary", "flag 0x100", [](const AlignedRead& a) { return a.alignment().is_secondary(); });
  add("is_supplementary", "flag 0x800", [](const AlignedRead& a) { return a.alignment().is_supplementary(); });
  add("score", "tag AS", [](const AlignedRead& a) { return a.alignment().score; });
  add("second_score", "tag XS; -1 for none", [](const AlignedRead& a) { return a.alignment().second_score; });
  add("sam_cigar", "CIGAR with clips, as in SAM", [](const AlignedRead& a) { return a.alignment().cigar; });
  add("RG", "tag RG; empty unless the aligner has read_group=", [](const AlignedRead& a) {
    return a.alignment().read_group;
  });
  add("SA", "tag SA: other parts of a split read", [](const AlignedRead& a) { return a.alignment().split; });
  add("XA", "tag XA: other positions", [](const AlignedRead& a) { return a.alignment().alternatives; });
  add("ds", "tag ds, with ds=True", [](const AlignedRead& a) { return a.alignment().ambiguous_differences; });
  add("tags", "the tags as in SAM, with tabs between", [](const AlignedRead& a) { return sam_tags(a.alignment()); });
  add("contig", "number of the contig", [](const AlignedRead& a) { return a.alignment().contig; });
  add("template_length", "SAM's TLEN", [](const AlignedRead& a) { return a.alignment().template_length; });
}

void add_mate_and_read(const Properties& add) {
  add("mate", "(contig's number, position, MAPQ, CIGAR) of an aligned mate, or None",
      [](const AlignedRead& a) -> py::object {
        const std::optional<MatePosition>& mate = a.alignment().mate;
        if (!mate) return py::none();
        return py::make_tuple(mate->contig, mate->position, mate->mapq, mate->cigar);
      });
  add("_next", "name of the contig and position of SAM's RNEXT and PNEXT, or None",
      [](const AlignedRead& a) -> py::object {
        const auto next = a.next_position();
        if (!next) return py::none();
        return py::make_tuple(text(a.batch().index->index().contig(next->first).name), next->second);
      });
  add("name", "name of the read, or None", [](const AlignedRead& a) { return text_or_none(a.name()); });
  add("query", "the read's bases as sequenced", [](const AlignedRead& a) { return text(a.query()); });
  add("qualities", "its qualities, or None", [](const AlignedRead& a) { return text_or_none(a.qualities()); });
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
      .def_readonly("read_group", &AlignmentBatch::read_group, "ID of the aligner's read group; empty for none")
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
  const Properties properties(type);
  add_mappy_names(properties);
  add_sam_names(properties);
  add_mate_and_read(properties);
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
