#include "aligner_options.hpp"

#include <pybind11/stl.h>

#include <algorithm>

namespace warpseed::python {

namespace py = pybind11;

namespace {

/// Takes values out of keywords; what is left at the end is unknown.
class Keywords {
 public:
  Keywords(const py::dict& keywords, std::string where)
      : left_(py::module_::import("builtins").attr("dict")(keywords)), where_(std::move(where)) {}

  template <class T>
  void take(const char* name, T& value) {
    if (!left_.contains(name)) return;
    const py::object given = left_.attr("pop")(name);
    try {
      value = given.cast<T>();
    } catch (const py::cast_error&) {
      throw py::type_error(where_ + name +
                           ": a value of another type, or out of range: " + std::string(py::repr(given)));
    }
  }

  void finish() const {
    for (const auto& [name, value] : left_)
      throw py::type_error("unknown option " + where_ + std::string(py::str(name)));
  }

 private:
  py::dict left_;
  std::string where_;
};

void take_scoring(const py::dict& keywords, Scoring& scoring) {
  Keywords all(keywords, "scoring ");
  all.take("match", scoring.match), all.take("mismatch", scoring.mismatch);
  all.take("deletion_open", scoring.deletion_open), all.take("insertion_open", scoring.insertion_open);
  all.take("deletion_extend", scoring.deletion_extend), all.take("insertion_extend", scoring.insertion_extend);
  all.take("clip_begin", scoring.clip_begin), all.take("clip_end", scoring.clip_end);
  all.take("unpaired", scoring.unpaired), all.take("drop", scoring.drop);
  all.finish();
}

void take_long_scoring(const py::dict& keywords, LongScoring& scoring) {
  Keywords all(keywords, "long_scoring ");
  all.take("match", scoring.match), all.take("mismatch", scoring.mismatch);
  all.take("gap_open", scoring.gap_open), all.take("gap_extend", scoring.gap_extend);
  all.take("long_gap_open", scoring.long_gap_open), all.take("long_gap_extend", scoring.long_gap_extend);
  all.take("drop", scoring.drop), all.take("end_bonus", scoring.end_bonus);
  all.finish();
}

void take_search(Keywords& all, AlignParameters& options) {
  all.take("min_seed", options.min_seed), all.take("band", options.band);
  all.take("reseed_factor", options.reseed_factor), all.take("reseed_rows", options.reseed_rows);
  all.take("rare_rows", options.rare_rows), all.take("rival_edits", options.rival_edits);
  all.take("max_occurrences", options.max_occurrences), all.take("chain_drop", options.chain_drop);
  all.take("max_chains", options.max_chains), all.take("max_diagonals", options.max_diagonals);
  all.take("max_rescues", options.max_rescues), all.take("rescue_mates", options.rescue_mates);
  all.take("pairing", options.pairing), all.take("long_reads", options.long_reads);
}

void take_report(Keywords& all, AlignParameters& options) {
  all.take("min_score", options.min_score), all.take("min_long_score", options.min_long_score);
  all.take("report_all", options.report_all), all.take("soft_clip_split", options.soft_clip_split);
  all.take("split_as_secondary", options.split_as_secondary);
  all.take("max_alternatives", options.max_alternatives), all.take("max_with_alt", options.max_with_alt);
  all.take("alternative_ratio", options.alternative_ratio);
  all.take("ds", options.ds), all.take("eqx", options.eqx);
  std::string cs = "none";
  all.take("cs", cs);
  if (cs != "none" && cs != "short" && cs != "long") throw py::value_error("cs \"" + cs + "\": none, short or long");
  options.cs = cs == "short" ? CsTag::short_form : cs == "long" ? CsTag::long_form : CsTag::none;
}

}  // namespace

AlignOptions options_of(const std::string& preset, const py::dict& keywords) {
  AlignOptions options;
  apply_preset(preset, options);
  Keywords all(keywords, "");
  py::dict scoring, long_scoring;
  all.take("scoring", scoring), all.take("long_scoring", long_scoring);
  take_scoring(scoring, options.scoring);
  take_long_scoring(long_scoring, options.long_scoring);
  take_search(all, options);
  take_report(all, options);
  all.take("alt_contigs", options.alt_contigs), all.take("device_memory", options.device_memory);
  all.take("read_group", options.read_group);
  all.finish();
  return options;
}

}  // namespace warpseed::python
