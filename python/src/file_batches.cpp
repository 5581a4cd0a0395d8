#include "file_batches.hpp"

#include <utility>

#include "occupied.hpp"

namespace warpseed::python {

namespace py = pybind11;

namespace {

ReadReader open(const ReadFiles& files, const Context& context) {
  const py::gil_scoped_release no_gil;
  return ReadReader(files, context);
}

/// Copies reads into one text.
ReadTexts copied(const std::vector<Read>& reads, bool paired) {
  std::size_t bytes = 0;
  bool with_qualities = false;
  for (const Read& read : reads) {
    bytes += read.name.size() + read.bases.size() + read.qualities.size();
    with_qualities = with_qualities || !read.qualities.empty();
  }
  ReadTexts texts;
  std::string& text = *texts.texts.emplace_back(std::make_unique<std::string>());
  text.reserve(bytes);  // so that views stay valid
  const auto add = [&](std::string_view part) {
    const std::size_t begin = text.size();
    text += part;
    return std::string_view(text).substr(begin);
  };
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (!paired || i % 2 == 0) texts.names.push_back(add(reads[i].name));
    texts.bases.push_back(add(reads[i].bases));
    if (with_qualities) texts.qualities.push_back(add(reads[i].qualities));
  }
  return texts;
}

}  // namespace

FileBatches::FileBatches(std::shared_ptr<AlignerHandle> aligner, const ReadFiles& files)
    : aligner_(std::move(aligner)), reader_(open(files, aligner_->context())) {}

std::shared_ptr<AlignmentBatch> FileBatches::next() {
  const Occupied occupied(busy_);
  ReadTexts reads;
  {
    const py::gil_scoped_release no_gil;
    reads = copied(reader_.next(aligner_->part_reads()), reader_.paired());
  }
  if (reads.bases.empty()) throw py::stop_iteration();
  return aligner_->align(std::move(reads), reader_.paired());
}

void add_file_batches(py::module_& module) {
  py::class_<FileBatches>(module, "FileBatches", "The batches of files; see Aligner.map_files().")
      .def("__iter__", [](const py::object& self) { return self; })
      .def("__next__", &FileBatches::next);
}

}  // namespace warpseed::python
