// warpseed.fastx_read.
#include "warpseed/reads.hpp"

#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "module.hpp"
#include "occupied.hpp"

namespace warpseed::python {

namespace py = pybind11;

namespace {

/// Iterates over the reads of a file; some thousand are parsed at a time.
class FastxReader {
 public:
  FastxReader(const std::string& path, bool with_comment) : with_comment_(with_comment), reader_(open(path)) {}

  py::tuple next() {
    const Occupied occupied(busy_);
    if (at_ == reads_.size()) {
      const py::gil_scoped_release no_gil;
      at_ = 0;
      reads_ = reader_.next(1 << 12);
    }
    if (reads_.empty()) throw py::stop_iteration();
    const Read& read = reads_[at_++];
    const auto text = [](std::string_view view) { return py::str(view.data(), view.size()); };
    const py::object qualities = read.qualities.empty() ? py::object(py::none()) : py::object(text(read.qualities));
    if (!with_comment_) return py::make_tuple(text(read.name), text(read.bases), qualities);
    return py::make_tuple(text(read.name), text(read.bases), qualities, text(read.comment));
  }

 private:
  static ReadReader open(const std::string& path) {
    const py::gil_scoped_release no_gil;
    return ReadReader({path}, Context({"cpu"}));
  }

  bool with_comment_;
  ReadReader reader_;
  std::vector<Read> reads_;
  std::size_t at_ = 0;
  bool busy_ = false;  // guarded by the GIL
};

}  // namespace

void add_reads(py::module_& module) {
  using namespace py::literals;
  py::class_<FastxReader>(module, "FastxReader", "The reads of a file; see fastx_read().")
      .def("__iter__", [](const py::object& self) { return self; })
      .def("__next__", &FastxReader::next);
  module.def(
      "fastx_read",
      [](const std::filesystem::path& path, bool read_comment) {
        return std::make_unique<FastxReader>(path.string(), read_comment);
      },
      "path"_a, "read_comment"_a = false,
      "Iterates over the reads of FASTQ, FASTA, SAM, BAM or CRAM, plain or gzip: (name, seq, qual), and the comment "
      "if read_comment. qual is None without qualities. Raises InputError with file and line for a malformed record.");
}

}  // namespace warpseed::python
