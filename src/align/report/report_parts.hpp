// Parts of the JSON report about the reference, its coverage and the reads' bases; private to the module.
#pragma once

#include "align/report/align_report.hpp"
#include "align/report/json_writer.hpp"

namespace warpseed::align {

void add_reference(const ReportContext& context, JsonWriter& json);
void add_base_qualities(const AlignStatistics& statistics, JsonWriter& json);
void add_gc_content(const AlignStatistics& statistics, JsonWriter& json);
void add_coverage(const AlignStatistics& statistics, const ReportContext& context, JsonWriter& json);

}  // namespace warpseed::align
