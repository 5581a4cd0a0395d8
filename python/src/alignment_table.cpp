#include "alignment_table.hpp"

#include "arrays.hpp"

namespace warpseed::python {

namespace {

/// A row, with the names that Alignment has.
struct Row {
  std::int64_t read, contig, r_st, r_en, q_st, q_en, mlen, blen, template_length;
  std::int32_t NM, score, second_score;
  std::uint16_t flag;
  std::int8_t strand, mapq, read_num;
};

Row row_of(const AlignmentBatch& batch, std::size_t read, const Alignment& one) {
  const CigarBases bases(one.cigar);
  const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  Row row{};
  row.read = number(read / batch.mates());
  row.read_num = static_cast<std::int8_t>(1 + (batch.paired ? read % 2 : 0));
  row.contig = number(one.contig), row.r_st = number(one.position), row.r_en = number(one.end);
  row.q_st = bases.query_begin(one.reverse), row.q_en = row.q_st + bases.query();
  row.mlen = bases.matches(one.edit_distance), row.blen = bases.columns();
  row.strand = static_cast<std::int8_t>(one.reverse ? -1 : 1);
  row.flag = one.flag, row.mapq = static_cast<std::int8_t>(one.mapq), row.NM = one.edit_distance;
  row.score = one.score, row.second_score = one.second_score, row.template_length = one.template_length;
  return row;
}

}  // namespace

void add_table_type() {
  PYBIND11_NUMPY_DTYPE(Row, read, contig, r_st, r_en, q_st, q_en, mlen, blen, template_length, NM, score, second_score,
                       flag, strand, mapq, read_num);
}

py::array table_of(const AlignmentBatch& batch) {
  std::vector<Row> rows;
  {
    const py::gil_scoped_release no_gil;
    rows.reserve(batch.alignments.size());
    for (std::size_t read = 0; read < batch.alignments.size(); ++read)
      for (const Alignment& one : batch.alignments[read]) rows.push_back(row_of(batch, read, one));
  }
  return array_of(std::move(rows));
}

}  // namespace warpseed::python
