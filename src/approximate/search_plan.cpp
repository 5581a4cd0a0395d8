#include "approximate/search_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "approximate/trie_core.hpp"

namespace warpseed::approximate {

namespace {

constexpr double verify_cost = 2;             // of a row, in steps of the search
constexpr std::uint32_t border_choices = 32;  // borders of parts that are considered, at most

constexpr double worth_giving_up = 2;    // so much cheaper are other parts, as some steps have been in vain
constexpr double repeat_identity = 0.9;  // bases that two copies of a repeat share
constexpr double least_give_up_rows = 64, give_up_share = 1.0 / 8;  // of the steps with other parts

std::uint32_t give_up_rows_for(double other_steps) {
  constexpr double most = SearchPlan::never - 1;
  return static_cast<std::uint32_t>(std::clamp(other_steps * give_up_share, least_give_up_rows, most));
}

/// What a text base may be where a pattern has a code: the number of its bases, and whether others are allowed.
/// A byte, so that the choices of a whole pattern are a string.
class Choice {
 public:
  Choice(text::BaseSet set, bool exact) : byte_(static_cast<char>(text::set_size(set) | (exact ? exact_flag : 0))) {}
  explicit Choice(char byte) : byte_(byte) {}

  char byte() const { return byte_; }
  unsigned matching() const { return static_cast<unsigned>(byte_) & (exact_flag - 1); }
  unsigned differing() const { return (static_cast<unsigned>(byte_) & exact_flag) != 0 ? 0 : 4 - matching(); }

 private:
  static constexpr unsigned exact_flag = 8;

  char byte_;
};

/// Expected cost of the search of one part. In a random text of n bases a string of t bases has n / 4^t rows.
class PartCost {
 public:
  PartCost(std::string_view choices, const SearchedText& text, const SearchOptions& options)
      : choices_(choices), text_(text), edits_(options.metric == Metric::edits) {}

  double of(const Part& part) const {
    Counts counts = {1};  // strings with exactly e differences
    double rows = static_cast<double>(text_.size), cost = 0;
    const auto most_verified = static_cast<double>(verified_rows(edits_ ? Metric::edits : Metric::mismatches));
    const std::uint32_t jump = first_steps_from_table(part) ? text_.kmer_length : 0;
    const std::uint32_t whole = edits_ ? part.end - std::min(part.end, part.left_budget) : part.end;
    for (std::uint32_t length = 0; length < whole && rows > most_verified; ++length, rows /= 4) {
      if (length >= jump) cost += strings(counts) * std::min(1.0, rows);
      const std::uint32_t at = part.end - 1 - length;
      counts = extended(counts, Choice(choices_[at]), at >= part.begin ? part.budget : part.left_budget);
    }
    return cost + (strings(counts) * rows + repeat_rows(part)) * verify_cost;
  }

 private:
  using Counts = std::array<double, max_differences + 1>;

  /// Copies of a repeat that are like a part within its budget: a binomial distribution of differences.
  double repeat_rows(const Part& part) const {
    double share = std::pow(repeat_identity, part.length()), sum = 0;
    for (std::uint32_t e = 0; e <= part.budget && e <= part.length(); ++e) {
      sum += share;
      share *= (part.length() - e) / (e + 1.0) * (1 - repeat_identity) / repeat_identity;
    }
    return text_.copies * sum;
  }

  bool first_steps_from_table(const Part& part) const {
    const auto choices = choices_.substr(part.begin, part.length());
    return part.budget == 0 && part.length() >= text_.kmer_length &&
           std::all_of(choices.begin(), choices.end(), [](char choice) { return Choice(choice).matching() == 1; });
  }

  Counts extended(const Counts& counts, Choice choice, std::uint32_t budget) const {
    const double differing = choice.differing() + (edits_ ? 4.0 : 0.0);  // any base may be inserted
    Counts result = {};
    for (std::uint32_t e = 0; e <= budget; ++e) {
      result[e] = counts[e] * choice.matching() + (e > 0 ? counts[e - 1] * differing : 0);
    }
    return result;
  }

  static double strings(const Counts& counts) {
    double sum = 0;
    for (const double count : counts) sum += count;
    return sum;
  }

  std::string_view choices_;
  SearchedText text_;
  bool edits_;
};

/// Finds the cheapest parts, from the right end of a pattern to its left one.
class PartChooser {
 public:
  PartChooser(std::string_view choices, const SearchedText& text, const SearchOptions& options)
      : cost_(choices, text, options), differences_(options.differences) {
    const auto length = static_cast<std::uint32_t>(choices.size());
    const std::uint32_t step = (length + border_choices - 1) / border_choices;
    for (std::uint32_t border = 0; border < length; border += step) borders_.push_back(border);
    borders_.push_back(length);
    states_.resize(borders_.size() * (differences_ + 1));
    state(borders_.size() - 1, 0).cost = 0;
  }

  SearchPlan choose() {
    for (std::size_t end = borders_.size() - 1; end > 0; --end) {
      for (std::uint32_t used = 0; used <= differences_; ++used) {
        if (state(end, used).cost < unreached) extend(end, used);
      }
    }
    return best_;
  }

 private:
  static constexpr double unreached = std::numeric_limits<double>::infinity();

  /// The cheapest parts to the right of a border whose budgets use some of the differences.
  struct State {
    double cost = unreached;
    Part part;  // the leftmost one
    std::size_t end = 0;
    std::uint32_t used = 0;  // state to its right
  };

  State& state(std::size_t border, std::uint32_t used) { return states_[border * (differences_ + 1) + used]; }

  void extend(std::size_t end, std::uint32_t used) {
    const double so_far = state(end, used).cost;
    for (std::size_t begin = 0; begin < end; ++begin) {
      const std::uint32_t left = differences_ - used;
      for (std::uint32_t budget = begin == 0 ? left : 0; budget <= left; ++budget) {
        if (begin > 0 && budget == left) continue;  // nothing would be left for the parts to its left
        const Part part = {borders_[begin], borders_[end], budget, left};
        const double cost = so_far + cost_.of(part);
        if (begin == 0 && cost < best_.steps) {
          best_.steps = cost;
          collect(part, end, used);
        } else if (begin > 0 && cost < state(begin, used + budget + 1).cost) {
          state(begin, used + budget + 1) = {cost, part, end, used};
        }
      }
    }
  }

  void collect(const Part& first, std::size_t end, std::uint32_t used) {
    best_.parts = {first};
    while (end + 1 < borders_.size()) {
      const State& next = state(end, used);
      best_.parts.push_back(next.part);
      end = next.end, used = next.used;
    }
  }

  PartCost cost_;
  std::uint32_t differences_;
  std::vector<std::uint32_t> borders_;
  std::vector<State> states_;
  SearchPlan best_ = {{}, unreached, 0};
};

}  // namespace

const SearchPlan& SearchPlanner::plan(std::span<const text::BaseSet> pattern, bool reverse) {
  const std::size_t exact_left = reverse ? options_.exact_end : options_.exact_begin;
  const std::size_t exact_right = reverse ? options_.exact_begin : options_.exact_end;
  if (pattern.size() <= exact_left + exact_right + options_.differences) {
    throw std::invalid_argument("plan: a pattern must have more bases than differences");
  }
  const bool with_ends = options_.metric == Metric::mismatches;  // with edits, the exact ends are verified only
  std::string choices;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool exact = i < exact_left || i >= pattern.size() - exact_right;
    if (with_ends || !exact) choices += Choice(pattern[i], exact).byte();
  }
  return plan_for(choices);
}

const SearchPlan& SearchPlanner::plan_of_single(std::span<const text::BaseSet> pattern, bool reverse) {
  const SearchPlan*& known = plan_of_length(pattern.size(), reverse);
  if (!known) known = &plan(pattern, reverse);
  return *known;
}

const SearchPlan*& SearchPlanner::plan_of_length(std::size_t length, bool reverse) {
  std::vector<const SearchPlan*>& plans = plans_by_length_[reverse];
  if (plans.size() <= length) plans.resize(length + 1);
  return plans[length];
}

const SearchPlan& SearchPlanner::plan_for(const std::string& choices) {
  const auto found = plans_.find(choices);
  if (found != plans_.end()) return found->second;
  SearchPlan plan = PartChooser(choices, text_, options_).choose();
  if (for_repeats_) {
    const PartCost cost(choices, for_repeats_->text_, options_);
    double steps = 0;
    for (const Part& part : plan.parts) steps += cost.of(part);
    const double others = for_repeats_->plan_for(choices).steps;
    if (steps > worth_giving_up * others) plan.give_up_rows = give_up_rows_for(others);
  }
  plan.number = static_cast<std::uint32_t>(plans_.size());
  return plans_.emplace(choices, std::move(plan)).first->second;
}

}  // namespace warpseed::approximate
