#include "header_lines.hpp"

#include <fmt/format.h>

#include "core/line_reader.hpp"
#include "records/header_lines.hpp"
#include "warpseed/error.hpp"

namespace warpseed::cli {

namespace {

constexpr std::uint64_t block_bytes = 1 << 16;

void add_line(const std::string& line, records::SamHeader& header, const Logger& logger) {
  if (!records::add_header_line(line, header)) logger.note("-H: the line @HD is left out: align writes its own");
}

void add_file(const std::string& path, records::SamHeader& header, const Logger& logger) {
  LineReader reader(open_bytes(path), block_bytes,
                    {input_name(path), LineLimit::of_text, "give lines of a SAM header, each beginning with @"});
  LineReader::Line line;
  for (reader.begin_record(); reader.next(line); reader.begin_record()) {
    try {
      add_line(std::string(reader.text(line)), header, logger);
    } catch (const InputError& error) {
      throw InputError::at(input_name(path), reader.line_number(), error.what());
    }
  }
}

}  // namespace

void add_header_lines(const std::vector<std::string>& given, records::SamHeader& header, const Logger& logger) {
  for (const std::string& text : given) {
    if (!text.starts_with('@')) {
      add_file(text, header, logger);
      continue;
    }
    try {
      add_line(records::unescape_header(text), header, logger);
    } catch (const InputError& error) {
      throw InputError(fmt::format("-H: {}", error.what()));
    }
  }
}

}  // namespace warpseed::cli
