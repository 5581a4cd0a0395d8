// The text of a plan.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>
#include <utility>

#include "align/pipeline/run_plan.hpp"
#include "align/report/align_report.hpp"
#include "core/byte_source.hpp"
#include "core/checksum.hpp"
#include "core/line_reader.hpp"
#include "warpseed/error.hpp"

namespace warpseed::align {

namespace {

constexpr std::string_view first_line = "warpseed plan\t1";
constexpr std::uint64_t block_bytes = 1 << 16;

std::uint32_t checksum_of(std::string_view text) {
  return crc32(std::as_bytes(std::span(text)));
}

std::string mark_line(const PlanMark& mark) {
  std::string line =
      fmt::format("mark\t{}\t{}\t{}\t{}", mark.reads, mark.singles, mark.one_more ? 1 : 0, mark.position.lane);
  for (const reads::FilePosition& file : mark.position.files) {
    line += fmt::format("\t{}\t{}\t{}\t{}\t{}", file.bytes.offset, file.bytes.block, file.bytes.block_offset,
                        file.lines, file.header_bytes);
  }
  return line + "\n";
}

std::string group_lines(const PlannedGroup& group) {
  std::string lines = fmt::format("group\t{}\t{}\n", group.number, group.final);
  for (unsigned i = 0; i < orientation_count; ++i) {
    const InsertSizeDistribution& model = group.distributions[static_cast<Orientation>(i)];
    if (!model.known) continue;
    lines += fmt::format("insert-size\t{}\t{}\t{}\t{}\t{}\n", orientation_names[i], model.mean, model.deviation,
                         model.low, model.high);
  }
  return lines;
}

/// The lines of a plan, as they are added to it.
class PlanParser {
 public:
  PlanParser(RunPlan& plan, const Scoring& scoring, std::string name)
      : plan_(plan), scoring_(scoring), name_(std::move(name)) {}

  void add(std::string_view line, std::uint64_t number) {
    line_ = number, rest_ = line;
    const std::string_view kind = field();
    if (kind == "index") {
      plan_.index_checksum = whole<std::uint32_t>(16);
    } else if (kind == "options") {
      plan_.options = field();
    } else if (kind == "file") {
      const auto bytes = whole<std::uint64_t>();
      plan_.files.push_back({std::string(std::exchange(rest_, {})), bytes});
    } else if (kind == "reads") {
      plan_.reads = whole<std::uint64_t>();
    } else if (kind == "group") {
      plan_.groups.push_back({whole<std::uint32_t>(), whole<std::uint64_t>(), {}});
    } else if (kind == "insert-size") {
      add_insert_sizes();
    } else if (kind == "mark") {
      add_mark();
    } else {
      fail();
    }
    if (!rest_.empty()) fail();
  }

  [[noreturn]] void fail() const {
    throw InputError::at(name_, line_, "no line of a plan; make it again with warpseed align --learn-only");
  }

 private:
  std::string_view field() {
    const std::size_t end = std::min(rest_.find('\t'), rest_.size());
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return text;
  }

  template <class Number, class... Base>
  Number parsed(Base... base) {
    const std::string_view text = field();
    Number number{};
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number, base...);
    if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) fail();
    return number;
  }
  template <class Number>
  Number whole(int base = 10) {
    return parsed<Number>(base);
  }

  void add_insert_sizes() {
    const std::string_view name = field();
    const auto* const found = std::find(orientation_names.begin(), orientation_names.end(), name);
    if (found == orientation_names.end() || plan_.groups.empty()) fail();
    const auto mean = parsed<double>(), deviation = parsed<double>();
    const auto low = whole<std::int64_t>(), high = whole<std::int64_t>();
    if (low < 0 || high < low || high > max_insert_size || !(deviation > 0)) fail();
    plan_.groups.back().distributions[static_cast<Orientation>(found - orientation_names.begin())] =
        learnt_insert_sizes(mean, deviation, low, high, scoring_);
  }

  void add_mark() {
    PlanMark mark;
    mark.reads = whole<std::uint64_t>(), mark.singles = whole<std::uint64_t>();
    mark.one_more = whole<unsigned>() == 1;
    mark.position.lane = whole<std::uint64_t>();
    while (!rest_.empty()) {
      reads::FilePosition file;
      for (std::uint64_t* const value :
           {&file.bytes.offset, &file.bytes.block, &file.bytes.block_offset, &file.lines, &file.header_bytes}) {
        *value = whole<std::uint64_t>();
      }
      mark.position.files.push_back(file);
    }
    if (mark.singles > mark.reads || mark.position.lane >= plan_.files.size()) fail();
    plan_.marks.push_back(std::move(mark));
  }

  RunPlan& plan_;
  const Scoring& scoring_;
  const std::string name_;
  std::uint64_t line_ = 0;
  std::string_view rest_;  // of the line
};

[[noreturn]] void fail_damaged(const std::string& name) {
  throw InputError(name + ": a plan that is cut short or was changed; make it again with warpseed align --learn-only");
}

}  // namespace

std::string plan_text(const RunPlan& plan) {
  std::string text = fmt::format("{}\nindex\t{:08x}\noptions\t{}\nreads\t{}\n", first_line, plan.index_checksum,
                                 plan.options, plan.reads);
  for (const RunPlan::File& file : plan.files) text += fmt::format("file\t{}\t{}\n", file.bytes, file.path);
  for (const PlannedGroup& group : plan.groups) text += group_lines(group);
  for (const PlanMark& mark : plan.marks) text += mark_line(mark);
  return text + fmt::format("end\t{:08x}\n", checksum_of(text));
}

RunPlan read_plan(const std::string& path, const Scoring& scoring) {
  const std::string name = input_name(path);
  LineReader lines(open_bytes(path), block_bytes,
                   {name, LineLimit::of_text, "give a plan of warpseed align --learn-only"});
  LineReader::Line line;
  lines.begin_record();
  if (!lines.next(line) || lines.text(line) != first_line)
    throw InputError(name + ": no plan; warpseed align --learn-only makes one");
  RunPlan plan;
  PlanParser parser(plan, scoring, name);
  std::string text = fmt::format("{}\n", first_line);
  for (lines.begin_record(); lines.next(line); lines.begin_record()) {
    const std::string_view content = lines.text(line);
    if (content.starts_with("end\t")) {
      if (content == fmt::format("end\t{:08x}", checksum_of(text)) && lines.peek() < 0) return plan;
      break;
    }
    text.append(content).push_back('\n');
    parser.add(content, lines.line_number());
  }
  fail_damaged(name);
}

}  // namespace warpseed::align
