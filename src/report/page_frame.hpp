// What is around the content of each page.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpseed::report {

struct PageAssets {
  std::string_view style, script, second_script = {};
};

/// From the doctype to <body>. title: not escaped. The text is well-formed XML, too.
std::string page_head(std::string_view title, const PageAssets& assets);

/// <header> with heading, a line below it and the switch of the theme; the caller ends it. Both arguments are HTML.
std::string page_title(std::string_view heading, std::string_view line);

/// From </main> on.
std::string page_end();

}  // namespace warpseed::report
