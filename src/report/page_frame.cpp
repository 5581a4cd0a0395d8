#include "report/page_frame.hpp"

#include <fmt/format.h>

#include "report/html_text.hpp"

namespace warpseed::report {

namespace {

/// XML and HTML alike: what looks like markup in it is hidden from an XML parser, and HTML takes it as it is.
std::string script(std::string_view text) {
  return text.empty() ? std::string() : fmt::format("<script>\n//<![CDATA[\n{}//]]>\n</script>\n", text);
}

}  // namespace

std::string page_head(std::string_view title, const PageAssets& assets) {
  return fmt::format(
             "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta "
             "charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
             "<title>{}</title>\n<style>\n{}</style>\n",
             escaped(title), assets.style) +
         script(assets.script) + script(assets.second_script) + "</head>\n<body>\n";
}

std::string page_title(std::string_view heading, std::string_view line) {
  return fmt::format(
      "<header>\n<div class=\"title\">\n<h1>{}</h1>\n<p class=\"run-line\">{}</p>\n</div>\n<button type=\"button\" "
      "id=\"theme\" hidden=\"hidden\" aria-pressed=\"false\">Dark</button>\n",
      heading, line);
}

std::string page_end() {
  return "</main>\n<div id=\"values\" role=\"status\" hidden=\"hidden\"></div>\n</body>\n</html>\n";
}

}  // namespace warpseed::report
