// The files next to this one that a page carries in itself; share/cmake/EmbedText.cmake makes the source.
#pragma once

#include <string_view>

namespace warpseed::report {

extern const std::string_view report_css, report_js, overlap_js;

}  // namespace warpseed::report
