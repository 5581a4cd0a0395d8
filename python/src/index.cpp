// warpseed.Index.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <variant>
#include <vector>

#include "index_handle.hpp"
#include "module.hpp"
#include "search.hpp"
#include "warpseed/version.hpp"

namespace warpseed::python {

namespace py = pybind11;

namespace {

using Path = std::filesystem::path;
using Shared = std::shared_ptr<IndexHandle>;

std::string path_text(const Path& path) {
  return path.string();
}

Shared build(const std::variant<Path, std::vector<Path>>& fasta, const std::optional<Path>& output,
             const std::string& backend, int threads, std::uint32_t sample_step) {
  std::vector<std::string> paths;
  if (const Path* const one = std::get_if<Path>(&fasta)) paths.push_back(path_text(*one));
  if (const auto* const several = std::get_if<std::vector<Path>>(&fasta))
    for (const Path& path : *several) paths.push_back(path_text(path));
  const py::gil_scoped_release no_gil;
  const Context context({backend, threads});
  Index index = Index::build_from_fasta(paths, context, {sample_step});
  if (output) index.save(path_text(*output));
  return std::make_shared<IndexHandle>(std::move(index), context);
}

Shared build_from_sequences(const std::vector<std::pair<std::string, std::string>>& contigs, const std::string& backend,
                            int threads, std::uint32_t sample_step) {
  const py::gil_scoped_release no_gil;
  std::vector<Sequence> sequences;
  for (const auto& [name, bases] : contigs) sequences.push_back({name, bases});
  const Context context({backend, threads});
  return std::make_shared<IndexHandle>(Index::build(sequences, context, {sample_step}), context);
}

Shared open(const Path& path, const std::string& backend, int threads) {
  const py::gil_scoped_release no_gil;
  const Context context({backend, threads});
  return std::make_shared<IndexHandle>(Index::open(path_text(path), context), context);
}

void save(const IndexHandle& handle, const Path& path) {
  const py::gil_scoped_release no_gil;
  handle.index().save(path_text(path));
}

std::vector<std::string> names(const IndexHandle& handle) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < handle.index().contig_count(); ++i) all.emplace_back(handle.index().contig(i).name);
  return all;
}

py::array lengths(const IndexHandle& handle) {
  py::array_t<std::int64_t> all(static_cast<py::ssize_t>(handle.index().contig_count()));
  for (std::size_t i = 0; i < handle.index().contig_count(); ++i)
    all.mutable_at(i) = static_cast<std::int64_t>(handle.index().contig(i).length);
  return all;
}

std::size_t contig_number(const Index& index, const std::variant<std::size_t, std::string>& contig) {
  if (const auto* const number = std::get_if<std::size_t>(&contig)) {
    if (*number >= index.contig_count())
      throw py::index_error("contig " + std::to_string(*number) + ": the index has " +
                            std::to_string(index.contig_count()));
    return *number;
  }
  const std::string& name = std::get<std::string>(contig);
  for (std::size_t i = 0; i < index.contig_count(); ++i)
    if (index.contig(i).name == name) return i;
  throw py::key_error("the index has no contig " + name);
}

std::string bases(const IndexHandle& handle, const std::variant<std::size_t, std::string>& contig, std::uint64_t begin,
                  const std::optional<std::uint64_t>& end) {
  const std::size_t number = contig_number(handle.index(), contig);
  return handle.index().bases(number, begin, end.value_or(handle.index().contig(number).length));
}

/// For pysam.AlignmentHeader.from_dict().
py::dict sam_header(const IndexHandle& handle) {
  using namespace py::literals;
  py::list contigs, programs;
  for (std::size_t i = 0; i < handle.index().contig_count(); ++i) {
    const Contig contig = handle.index().contig(i);
    contigs.append(py::dict("SN"_a = std::string(contig.name), "LN"_a = contig.length));
  }
  programs.append(py::dict("ID"_a = "warpseed", "PN"_a = "warpseed", "VN"_a = std::string(version)));
  return py::dict("HD"_a = py::dict("VN"_a = "1.6", "SO"_a = "unsorted", "GO"_a = "query"), "SQ"_a = contigs,
                  "PG"_a = programs);
}

std::string shown(const IndexHandle& handle) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < handle.index().contig_count(); ++i) total += handle.index().contig(i).length;
  return "<warpseed.Index of " + std::to_string(handle.index().contig_count()) + " contigs, " + std::to_string(total) +
         " bases, on " + handle.context().backend() + ">";
}

void add_makers(py::class_<IndexHandle, Shared>& type) {
  using namespace py::literals;
  type.def_static("build", &build, "fasta"_a, "output"_a = py::none(), py::kw_only(), "backend"_a = "auto",
                  "threads"_a = 0, "sample_step"_a = 4,
                  "Builds the index of a FASTA file or several (plain or gzip), and writes it to `output` if given.\n\n"
                  "backend: auto, cpu, cuda, cuda:N; threads: 0 for all that may be used. Both serve searches, too.\n"
                  "Raises InputError with file and line for bad FASTA, IoError, BackendError.")
      .def_static("build_from_sequences", &build_from_sequences, "contigs"_a, py::kw_only(), "backend"_a = "auto",
                  "threads"_a = 0, "sample_step"_a = 4, "The same of pairs (name, bases) in memory.")
      .def_static("open", &open, "path"_a, py::kw_only(), "backend"_a = "auto", "threads"_a = 0,
                  "Opens an index file (.wsi), checking its checksums.")
      .def("save", &save, "path"_a, "Writes the index file, which appears under its name when complete.");
}

void add_searches(py::class_<IndexHandle, Shared>& type) {
  using namespace py::literals;
  type.def("find", &find, "patterns"_a, py::kw_only(), "strand"_a = "both",
           "Counts patterns as `warpseed query` does.\n\n"
           "patterns: a list of str or bytes; uint8 [patterns, length]; or (codes, offsets) with uint8 [bases] and "
           "[patterns + 1] offsets. Bytes of arrays are codes (A=0 C=1 G=2 T=3 N=4) or letters.\n"
           "strand: both, forward or reverse.\n"
           "Returns a structured array [patterns] of int64: forward, reverse, total. An IUPAC code matches each base "
           "that it stands for (N: all). An empty pattern occurs nowhere.")
      .def("locate", &locate, "patterns"_a, "max_hits"_a = py::none(), py::kw_only(), "strand"_a = "both",
           "Locates patterns as `warpseed query --locate` does.\n\n"
           "patterns, strand: as in find(). max_hits: of a pattern with more occurrences, this many.\n"
           "Returns a structured array [occurrences], by pattern, contig, begin, strand: pattern and contig (numbers), "
           "begin and end on the forward strand (0-based, half-open), strand (1 or -1).");
}

}  // namespace

void add_index(py::module_& module) {
  using namespace py::literals;
  add_search_types();
  py::class_<IndexHandle, Shared> type(module, "Index",
                                       "The FM-index of a genome. Make one with build(), build_from_sequences() or "
                                       "open(); any number of threads may use it.");
  add_makers(type);
  add_searches(type);
  type.def_property_readonly("names", &names, "Names of the contigs: list of str.")
      .def_property_readonly("lengths", &lengths, "Lengths of the contigs: int64 [contigs].")
      .def_property_readonly("backend", [](const IndexHandle& handle) { return handle.context().backend(); })
      .def_property_readonly("threads", [](const IndexHandle& handle) { return handle.context().threads(); })
      .def("bases", &bases, "contig"_a, "begin"_a = 0, "end"_a = py::none(),
           "The bases [begin, end) of a contig, by its name or number: letters A, C, G, T, N.")
      .def("sam_header", &sam_header,
           "The header of SAM as a dict (HD, SQ, PG), for pysam.AlignmentHeader.from_dict(); add RG for read groups.")
      .def("__len__", [](const IndexHandle& handle) { return handle.index().contig_count(); })
      .def("__repr__", &shown);
}

}  // namespace warpseed::python
