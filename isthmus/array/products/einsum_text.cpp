// einsum_text.cpp: subscripts to labels of axes, and an order of multiplication.
#include "isthmus/array/products/einsum_text.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "isthmus/core/axis_count.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

constexpr Label first_of_dots = 256;     // past all letters
constexpr Label first_of_numbers = 512;  // past all axes of "..."

bool is_of_dots(Label label) { return label >= first_of_dots && label < first_of_numbers; }

std::string to_text(Label label) {
  if (label >= first_of_numbers) return format("axis {}", label - first_of_numbers);
  if (label < first_of_dots) return format("'{}'", static_cast<char>(label));
  return format("axis {} of '...'", first_of_dots - label - 1);
}

/// What names the axes of one operand, or of the result: letters or numbers, and perhaps "..."
/// between them.
struct Part {
  Labels before, after;
  bool has_dots = false;

  /// With so many axes for "...".
  Labels labels(std::int64_t dots) const {
    Labels all = before;
    for (std::int64_t i = dots; has_dots && i > 0; --i)
      all.push_back(first_of_dots + static_cast<Label>(i) - 1);
    all.insert(all.end(), after.begin(), after.end());
    return all;
  }
  std::int64_t names() const { return static_cast<std::int64_t>(before.size() + after.size()); }
};

/// All bytes of the one, as UTF-8 has them.
std::string_view character_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return text.substr(begin, end - begin);
}

Part part_of(std::string_view whole, std::string_view text) {
  Part part;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (text.substr(i).starts_with("...")) {
      check(!part.has_dots, Errc::value, "einsum: '{}': '{}' has '...' twice", whole, text);
      part.has_dots = true;
      i += 2;
      continue;
    }
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    check(is_letter, Errc::value,
          "einsum: '{}': '{}' is not a letter; an axis is a letter from a to z or A to Z, or in "
          "'...'",
          whole, character_at(text, i));
    (part.has_dots ? part.after : part.before).push_back(static_cast<Label>(c));
  }
  return part;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t comma; (comma = text.find(',')) != text.npos; text.remove_prefix(comma + 1))
    parts.push_back(text.substr(0, comma));
  parts.push_back(text);
  return parts;
}

/// The number of axes that "..." stands for.
std::int64_t dots_of(std::string_view whole, std::size_t number, const Part& part, const Array& x) {
  const std::int64_t more = x.ndim() - part.names();
  check(part.has_dots ? more >= 0 : more == 0, Errc::value,
        "einsum: '{}': operand {} has shape {} and names for {}{}; each axis needs one{}", whole,
        number, x.shape(), detail::AxisCount(part.names()), part.has_dots ? " beside '...'" : "",
        part.has_dots ? "" : ", or '...' for others");
  return more;
}

void note_lengths(EinsumTerms& terms, std::string_view whole, std::size_t number,
                  const Labels& labels, const Array& x) {
  std::map<Label, std::int64_t> own;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::int64_t length = x.shape()[i];
    const auto [first, is_new] = own.try_emplace(labels[i], length);
    check(is_new || first->second == length, Errc::value,
          "einsum: '{}': {} has {} and {} elements in operand {}; a diagonal needs equal axes",
          whole, to_text(labels[i]), first->second, length, number);
    std::int64_t& known = terms.lengths.try_emplace(labels[i], length).first->second;
    check(known == length || known == 1 || length == 1, Errc::value,
          "einsum: '{}': {} has {} elements in operand {} and {} before; all must be equal, or 1",
          whole, to_text(labels[i]), length, number, known);
    if (known == 1) known = length;
  }
}

/// Axes of "...", then names that are there once, in the order of the alphabet or of the numbers.
Labels implied_result(const EinsumTerms& terms, std::int64_t dots) {
  std::map<Label, int> times;
  for (const Labels& labels : terms.operands)
    for (const Label label : labels) ++times[label];
  Part part;
  part.has_dots = true;
  for (const auto& [label, count] : times)
    if (!is_of_dots(label) && count == 1) part.after.push_back(label);
  return part.labels(dots);
}

void check_result(const EinsumTerms& terms, std::string_view whole) {
  for (std::size_t i = 0; i < terms.result.size(); ++i) {
    const Label label = terms.result[i];
    check(terms.lengths.contains(label), Errc::value,
          "einsum: '{}': {} is in the result but in no operand", whole, to_text(label));
    check(std::count(terms.result.begin(), terms.result.end(), label) == 1, Errc::value,
          "einsum: '{}': {} appears twice in the result; each axis may appear once", whole,
          to_text(label));
  }
}

/// `result`: null if it is implied.
EinsumTerms terms_of(std::string_view whole, std::span<const Part> parts, const Part* result,
                     std::span<const Array> operands) {
  check(parts.size() == operands.size(), Errc::value,
        "einsum: '{}' is for {} operands, but {} were given", whole, parts.size(), operands.size());
  EinsumTerms terms;
  std::int64_t dots = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::int64_t own = dots_of(whole, i, parts[i], operands[i]);
    dots = std::max(dots, own);
    terms.operands.push_back(parts[i].labels(own));
    note_lengths(terms, whole, i, terms.operands.back(), operands[i]);
  }
  if (!result) {
    terms.result = implied_result(terms, dots);
    return terms;
  }
  check(result->has_dots || dots == 0, Errc::value,
        "einsum: '{}': the axes of '...' are not in the result; write '...' after '->'", whole);
  terms.result = result->labels(dots);
  check_result(terms, whole);
  return terms;
}

std::string shown_list(const Axes& axes) {
  std::string text;
  for (const std::int64_t axis : axes)
    text += (text.empty() ? "" : ", ") + (axis == other_axes ? "..." : format("{}", axis));
  return format("[{}]", text);
}

Part part_of(std::string_view whole, const Axes& axes) {
  constexpr std::int64_t most = 1 << 20;
  Part part;
  for (const std::int64_t axis : axes) {
    if (axis == other_axes) {
      check(!part.has_dots, Errc::value, "einsum: '{}': '...' appears twice in one list", whole);
      part.has_dots = true;
      continue;
    }
    check(axis >= 0 && axis < most, Errc::value,
          "einsum: '{}': {} does not name an axis; numbers from 0 to {} do", whole, axis, most - 1);
    (part.has_dots ? part.after : part.before)
        .push_back(first_of_numbers + static_cast<Label>(axis));
  }
  return part;
}

}  // namespace

EinsumTerms read_einsum(std::string_view subscripts, std::span<const Array> operands) {
  std::string plain(subscripts);
  std::erase(plain, ' ');
  const std::string_view text = plain;
  const auto arrow = text.find("->");
  std::vector<Part> parts;
  for (const std::string_view part : split(text.substr(0, arrow)))
    parts.push_back(part_of(subscripts, part));
  if (arrow == text.npos) return terms_of(subscripts, parts, nullptr, operands);
  const Part result = part_of(subscripts, text.substr(arrow + 2));
  return terms_of(subscripts, parts, &result, operands);
}

EinsumTerms read_einsum(std::span<const Axes> axes, const Axes* result,
                        std::span<const Array> operands, std::string& shown) {
  for (const Axes& list : axes) shown += (shown.empty() ? "" : ", ") + shown_list(list);
  if (result) shown += " -> " + shown_list(*result);
  std::vector<Part> parts;
  for (const Axes& list : axes) parts.push_back(part_of(shown, list));
  if (!result) return terms_of(shown, parts, nullptr, operands);
  const Part made = part_of(shown, *result);
  return terms_of(shown, parts, &made, operands);
}

namespace {

using Set = std::set<Label>;

double elements(const Set& labels, const std::map<Label, std::int64_t>& lengths) {
  double count = 1;
  for (const Label label : labels) count *= static_cast<double>(lengths.at(label));
  return count;
}

/// The labels of the product of two terms that the others or the result need.
Set product_of_terms(const std::vector<Set>& all, std::size_t i, std::size_t j, const Set& result) {
  Set left;
  for (const std::size_t at : {i, j})
    for (const Label label : all[at]) {
      bool is_needed = result.contains(label);
      for (std::size_t k = 0; k < all.size() && !is_needed; ++k)
        is_needed = k != i && k != j && all[k].contains(label);
      if (is_needed) left.insert(label);
    }
  return left;
}

bool share(const Set& a, const Set& b) {
  return std::any_of(a.begin(), a.end(), [&](Label label) { return b.contains(label); });
}

}  // namespace

EinsumPath cheap_path(const EinsumTerms& terms) {
  std::vector<Set> all;
  for (const Labels& labels : terms.operands) all.emplace_back(labels.begin(), labels.end());
  const Set result(terms.result.begin(), terms.result.end());
  EinsumPath path;
  while (all.size() > 2) {
    // pairs without a common axis last; then by memory, then by work
    std::optional<std::tuple<bool, double, double>> least;
    std::size_t first = 0, second = 1;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        Set both = all[i];
        both.insert(all[j].begin(), all[j].end());
        const double made = elements(product_of_terms(all, i, j, result), terms.lengths);
        const double freed = elements(all[i], terms.lengths) + elements(all[j], terms.lengths);
        const std::tuple cost(!share(all[i], all[j]), made - freed, elements(both, terms.lengths));
        if (least && !(cost < *least)) continue;
        least = cost;
        first = i;
        second = j;
      }
    Set made = product_of_terms(all, first, second, result);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(second));
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(first));
    all.push_back(std::move(made));
    path.push_back({static_cast<std::int64_t>(first), static_cast<std::int64_t>(second)});
  }
  return path;
}

}  // namespace isthmus::inline ISTHMUS_ABI
