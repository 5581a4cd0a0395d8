#include "approximate/bulges.hpp"

#include <algorithm>

namespace warpseed::approximate {

namespace {

constexpr text::BaseSet any_base = text::set_of_letter('N');

/// Adds all forms that begin as `form` and have `bases_left` more bases of the pattern and at most `bulges` more bulges.
void add_forms(BulgeForm& form, std::uint32_t bases_left, unsigned bulges, std::vector<BulgeForm>& forms) {
  if (bases_left == 0) {
    if (form.empty() || form.back() == '=') forms.push_back(form);
    return;
  }
  for (const char operation : {'D', 'I', '='}) {
    const bool bulge = operation != '=';
    if (bulge && (bulges == 0 || form.empty())) continue;
    if (bulge && form.back() != '=' && form.back() != operation) continue;
    form.push_back(operation);
    add_forms(form, bases_left - (operation == 'D' ? 0 : 1), bulges - (bulge ? 1 : 0), forms);
    form.pop_back();
  }
}

}  // namespace

std::vector<BulgeForm> bulge_forms(std::uint32_t length, unsigned bulges) {
  std::vector<BulgeForm> forms;
  BulgeForm form;
  add_forms(form, length, bulges, forms);
  std::stable_sort(forms.begin(), forms.end(),
                   [](const BulgeForm& a, const BulgeForm& b) { return bulges_of(a) < bulges_of(b); });
  return forms;
}

unsigned bulges_of(std::string_view form) {
  return static_cast<unsigned>(form.size() - static_cast<std::size_t>(std::count(form.begin(), form.end(), '=')));
}

std::vector<text::BaseSet> with_bulges(std::span<const text::BaseSet> pattern, std::uint32_t first,
                                       std::string_view form) {
  std::vector<text::BaseSet> result(pattern.begin(), pattern.begin() + first);
  std::size_t at = first;
  for (const char operation : form) {
    if (operation == 'D') result.push_back(any_base);
    if (operation == '=') result.push_back(pattern[at]);
    at += operation == 'D' ? 0 : 1;
  }
  result.insert(result.end(), pattern.begin() + static_cast<std::ptrdiff_t>(at), pattern.end());
  return result;
}

}  // namespace warpseed::approximate
