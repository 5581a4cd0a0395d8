#include "plot/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>
#include <string_view>

#include "plot/svg_text.hpp"
#include "plot/tick_step.hpp"

namespace warpseed::plot {

namespace {

struct Unit {
  std::uint64_t bases;
  std::string_view name;
};

/// The unit in which a length is readable.
Unit unit_of(std::uint64_t bases) {
  if (bases >= 2'000'000'000) return {1'000'000'000, "Gb"};
  if (bases >= 2'000'000) return {1'000'000, "Mb"};
  if (bases >= 2'000) return {1'000, "kb"};
  return {1, "bp"};
}

std::string in_unit(std::uint64_t bases, const Unit& unit) {
  const std::string number = decimal(static_cast<double>(bases) / static_cast<double>(unit.bases));
  return fmt::format("{}{} {}", number.front() == '.' ? "0" : "", number, unit.name);
}

}  // namespace

std::string files_text(const text::SequenceList& list) {
  if (list.files.empty()) return "sequences";
  const std::string name = std::filesystem::path(list.files.front()).filename().string();
  return list.files.size() == 1 ? name : fmt::format("{} and {} more", name, list.files.size() - 1);
}

PlotAxis::PlotAxis(const text::SequenceList& list, double pixels) : list_(list), pixels_(pixels) {
  for (const text::SequenceInfo& sequence : list.sequences) begins_.push_back(begins_.back() + sequence.length);
  scale_ = pixels / static_cast<double>(std::max<std::uint64_t>(total(), 1));
}

std::vector<PlotAxis::Tick> PlotAxis::ticks() const {
  const auto step = static_cast<std::uint64_t>(tick_step(static_cast<double>(total()), 8, 1));
  const Unit unit = unit_of(total());
  std::vector<Tick> ticks;
  for (std::uint64_t at = 0; at <= total(); at += step) {
    ticks.push_back({pixel(at), at == 0 ? std::string(1, '0') : in_unit(at, unit)});
  }
  return ticks;
}

std::vector<double> PlotAxis::borders() const {
  constexpr double apart = 2;
  std::vector<double> borders;
  double last = 0;
  for (std::size_t i = 1; i < list_.sequences.size(); ++i) {
    const double at = begin_pixel(i);
    if (at - last < apart || pixels_ - at < apart) continue;
    borders.push_back(last = at);
  }
  return borders;
}

std::vector<std::size_t> PlotAxis::named(double room) const {
  constexpr std::size_t most = 2000;  // more never fit and need not be tried
  std::vector<std::size_t> order(list_.sequences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto longer = [&](std::size_t a, std::size_t b) {
    const std::uint64_t length_a = list_.sequences[a].length, length_b = list_.sequences[b].length;
    return length_a != length_b ? length_a > length_b : a < b;
  };
  const std::size_t tried = std::min(most, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(tried), order.end(), longer);
  order.resize(tried);

  std::set<double> middles;
  std::vector<std::size_t> named;
  for (const std::size_t i : order) {
    const double middle = begin_pixel(i) + width(i) / 2;
    const auto above = middles.lower_bound(middle);
    if (above != middles.end() && *above - middle < room) continue;
    if (above != middles.begin() && middle - *std::prev(above) < room) continue;
    middles.insert(middle);
    named.push_back(i);
  }
  std::sort(named.begin(), named.end());
  return named;
}

}  // namespace warpseed::plot
