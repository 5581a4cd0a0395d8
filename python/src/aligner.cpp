// warpseed.Aligner.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <variant>

#include "aligner_handle.hpp"
#include "aligner_options.hpp"
#include "arrays.hpp"
#include "file_batches.hpp"
#include "module.hpp"

namespace warpseed::python {

namespace {

using Path = std::filesystem::path;
using SharedIndex = std::shared_ptr<IndexHandle>;
using SharedAligner = std::shared_ptr<AlignerHandle>;

SharedAligner make_aligner(const std::variant<SharedIndex, Path>& wanted, const std::string& preset,
                           const std::optional<std::string>& backend, const std::optional<int>& threads,
                           const py::kwargs& keywords) {
  const AlignOptions options = options_of(preset, keywords);
  const py::gil_scoped_release no_gil;
  const SharedIndex* const given = std::get_if<SharedIndex>(&wanted);
  const bool same_context = given && !backend && !threads;
  const Context context = same_context ? (*given)->context() : Context({backend.value_or("auto"), threads.value_or(0)});
  const SharedIndex index =
      given ? *given : std::make_shared<IndexHandle>(Index::open(std::get<Path>(wanted).string(), context), context);
  return std::make_shared<AlignerHandle>(index, context, options);
}

/// Adds the texts of a sequence, of one for every read of `step`; None gives nothing.
void add_texts(const py::object& sequence, const char* what, std::size_t expected, std::vector<std::string_view>& texts,
               ReadTexts& reads) {
  const py::tuple all(sequence);
  if (all.size() != expected) {
    throw py::value_error(std::string(what) + ": " + std::to_string(all.size()) + ", and seqs1 has " +
                          std::to_string(expected));
  }
  for (const py::handle& one : all) texts.push_back(one.is_none() ? std::string_view() : text_of(one, what));
  reads.objects.push_back(all);
}

/// Puts the second mates after each first one.
void interleave(std::vector<std::string_view>& texts) {
  const std::size_t pairs = texts.size() / 2;
  std::vector<std::string_view> both;
  both.reserve(texts.size());
  for (std::size_t i = 0; i < pairs; ++i) both.push_back(texts[i]), both.push_back(texts[pairs + i]);
  texts = std::move(both);
}

void check_qualities(const ReadTexts& reads) {
  for (std::size_t i = 0; i < reads.qualities.size(); ++i) {
    if (!reads.qualities[i].empty() && reads.qualities[i].size() != reads.bases[i].size())
      throw py::value_error("read " + std::to_string(i) + ": " + std::to_string(reads.bases[i].size()) + " bases and " +
                            std::to_string(reads.qualities[i].size()) + " qualities");
  }
}

std::shared_ptr<AlignmentBatch> map_batch(AlignerHandle& aligner, const py::object& names, const py::object& seqs1,
                                          const py::object& seqs2, const py::object& quals1, const py::object& quals2) {
  if (PyUnicode_Check(seqs1.ptr()) || PyBytes_Check(seqs1.ptr())) throw py::type_error("seqs1: give a list of reads");
  const bool paired = !seqs2.is_none();
  if (!paired && !quals2.is_none()) throw py::value_error("quals2 without seqs2");
  if (paired && quals1.is_none() != quals2.is_none()) throw py::value_error("give quals1 and quals2, or neither");
  ReadTexts reads;
  const py::tuple first(seqs1);
  const std::size_t count = first.size();
  if (!names.is_none()) add_texts(names, "names", count, reads.names, reads);
  add_texts(first, "seqs1", count, reads.bases, reads);
  if (paired) add_texts(seqs2, "seqs2", count, reads.bases, reads), interleave(reads.bases);
  if (!quals1.is_none()) add_texts(quals1, "quals1", count, reads.qualities, reads);
  if (!quals2.is_none()) add_texts(quals2, "quals2", count, reads.qualities, reads), interleave(reads.qualities);
  check_qualities(reads);
  return aligner.align(std::move(reads), paired);
}

py::object map_one(AlignerHandle& aligner, const py::object& name, const py::object& seq1, const py::object& seq2,
                   const py::object& qual1, const py::object& qual2) {
  const auto list = [](const py::object& one) {
    return one.is_none() ? py::object(py::none()) : py::object(py::make_tuple(one));
  };
  const auto batch = map_batch(aligner, list(name), py::make_tuple(seq1), list(seq2), list(qual1), list(qual2));
  return py::iter(py::cast(batch)[py::int_(0)]);
}

void add_maps(py::class_<AlignerHandle, SharedAligner>& type) {
  using namespace py::literals;
  type.def("map", &map_one, "name"_a, "seq1"_a, "seq2"_a = py::none(), "qual1"_a = py::none(), "qual2"_a = py::none(),
           "Aligns a read, or a pair if seq2 is given; iterates over its alignments (Alignment), the primary one of "
           "each mate first. name may be None. One pair is too few to learn fragment lengths from: see "
           "set_fragment_length(). For many reads map_batch() is the fast way.")
      .def("map_batch", &map_batch, "names"_a, "seqs1"_a, "seqs2"_a = py::none(), "quals1"_a = py::none(),
           "quals2"_a = py::none(),
           "Aligns many reads, or pairs if seqs2 is given, with all threads or on the GPU.\n\n"
           "seqs1, seqs2: str or bytes as sequenced, [reads or pairs]; names: the same number, or None; quals1, "
           "quals2: Phred+33, for to_pysam().\nReturns an AlignmentBatch. Reads are numbered from call to call, and "
           "fragment lengths are learnt from the first 32,768 reads of pairs: calls with multiples of 16,384 pairs "
           "give what one call with all pairs gives.")
      .def(
          "map_files",
          [](const SharedAligner& self, const Path& path1, const std::optional<Path>& path2, bool interleaved) {
            return std::make_unique<FileBatches>(
                self, ReadFiles{path1.string(), path2 ? path2->string() : "", interleaved, ""});
          },
          "path1"_a, "path2"_a = py::none(), "interleaved"_a = false,
          "Aligns the reads of FASTQ, FASTA, SAM, BAM or CRAM, or the pairs of two files or of an interleaved one: "
          "iterates over an AlignmentBatch for every 32,768 reads (of long reads fewer). No object is made for a "
          "read unless it is asked for: the fastest way from a file.");
}

}  // namespace

void add_aligner(py::module_& module) {
  using namespace py::literals;
  add_file_batches(module);
  py::class_<AlignerHandle, SharedAligner> type(module, "Aligner",
                                                "Aligns reads and pairs to an index, as `warpseed align` does: the "
                                                "n-th read of an aligner as the n-th of a file.");
  type.def(py::init(&make_aligner), "index"_a, "preset"_a = "auto", py::kw_only(), "backend"_a = py::none(),
           "threads"_a = py::none(),
           "index: an Index or the path of one. preset: auto, sr, hifi or ont, as `warpseed align -x`. backend, "
           "threads: those of the index if not given.\n"
           "Further keywords: the fields of the C++ AlignParameters (min_seed, min_score, report_all, cs='short', "
           "eqx, ...), scoring and long_scoring as dicts, alt_contigs, device_memory, "
           "read_group (a header line as `warpseed align -R` takes it: the tag RG of all records).\n"
           "Raises InputError for a value out of range, TypeError for an unknown keyword.");
  add_maps(type);
  type.def(
          "set_fragment_length",
          [](AlignerHandle& self, double mean, double deviation, std::int64_t low, std::int64_t high) {
            const py::gil_scoped_release no_gil;
            self.set_fragment_length({mean, deviation, low, high});
          },
          "mean"_a, "deviation"_a = 0, "low"_a = 0, "high"_a = 0,
          "Gives the lengths of fragments instead of learning them, before the first pair. deviation 0: a tenth of the "
          "mean; low, high: of proper pairs, 0: four deviations around the mean.")
      .def_property_readonly(
          "read_group_line", [](const AlignerHandle& self) { return std::string(self.read_group_line()); },
          "the header line of read_group, with tabs; empty for none")
      .def_property_readonly("index", [](const AlignerHandle& self) { return self.index(); })
      .def_property_readonly("backend", [](const AlignerHandle& self) { return self.context().backend(); })
      .def_property_readonly("threads", [](const AlignerHandle& self) { return self.context().threads(); });
}

}  // namespace warpseed::python
