// einsum.cpp: products of two terms at a time, as products of matrices.
#include "isthmus/array/products/einsum.h"

#include <algorithm>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/seen.h"
#include "isthmus/array/products/contract.h"
#include "isthmus/array/products/einsum_text.h"
#include "isthmus/core/internal.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// An operand, or the product of some: one axis for each label.
struct Term {
  Array array;
  Labels labels;
  bool is_new = false;  ///< In memory that no operand shows.
};

/// The view of an operand with one axis for each label: the diagonal where labels are repeated, and
/// none where it has length 1 to broadcast.
Term term_of(const Array& x, const Labels& labels, const EinsumTerms& terms) {
  const Layout& whole = x.layout();
  Term term;
  Layout layout;
  layout.offset = whole.offset;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto known = std::find(term.labels.begin(), term.labels.end(), labels[i]);
    if (known != term.labels.end()) {
      layout.strides[static_cast<std::size_t>(known - term.labels.begin())] += whole.strides[i];
      continue;
    }
    if (whole.shape[i] == 1 && terms.lengths.at(labels[i]) != 1) continue;
    term.labels.push_back(labels[i]);
    layout.shape.push_back(whole.shape[i]);
    layout.strides.push_back(whole.strides[i]);
  }
  term.array = layout == whole ? x : seen_as(x, std::move(layout));
  return term;
}

/// The labels of `from` that `is_wanted`.
template <class F>
Labels those(const Labels& from, F is_wanted) {
  Labels found;
  std::copy_if(from.begin(), from.end(), std::back_inserter(found), is_wanted);
  return found;
}

Labels joined(std::initializer_list<const Labels*> parts) {
  Labels all;
  for (const Labels* part : parts) all.insert(all.end(), part->begin(), part->end());
  return all;
}

Axes places_of(const Labels& labels, const Labels& in) {
  Axes places;
  for (const Label label : labels)
    places.push_back(std::find(in.begin(), in.end(), label) - in.begin());
  return places;
}

/// The axes in the order of these labels, of which it has all.
Array in_order(const Term& term, const Labels& labels) {
  return permute_dims(term.array, places_of(labels, term.labels));
}

std::int64_t count_of(const Labels& labels, const EinsumTerms& terms) {
  std::int64_t count = 1;
  for (const Label label : labels) count *= terms.lengths.at(label);
  return count;
}

/// Sums over all axes but these.
void keep(Term& term, const Labels& labels, DType dtype) {
  const Labels summed = those(term.labels, [&](Label label) { return !has(labels, label); });
  if (summed.empty()) return;
  term.array = sum_up(term.array, AxisSet(places_of(summed, term.labels)), dtype);
  term.labels = those(term.labels, [&](Label label) { return has(labels, label); });
  term.is_new = true;
}

class Contraction {
 public:
  Contraction(std::string_view subscripts, EinsumTerms read, std::span<const Array> operands)
      : subscripts_(subscripts), read_(std::move(read)) {
    dtype_ = product_dtype("einsum", operands);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      Term term = term_of(operands[i], read_.operands[i], read_);
      if (term.array.dtype() != dtype_) {
        term.array = astype(term.array, dtype_, false);
        term.is_new = true;
      }
      terms_.push_back(std::move(term));
    }
  }

  const EinsumTerms& read() const { return read_; }

  Array result(const EinsumPath& path) {
    for (const auto& step : path) take(step);
    while (terms_.size() > 1) take({0, 1});
    Term last = std::move(terms_[0]);
    keep(last, read_.result, dtype_);
    const Array made = in_order(last, read_.result);
    return last.is_new ? made : copy(made);
  }

 private:
  /// Replaces the terms at these positions by their product.
  void take(const std::vector<std::int64_t>& step) {
    std::vector<std::size_t> places;
    for (const std::int64_t at : step) {
      const bool is_there = at >= 0 && at < static_cast<std::int64_t>(terms_.size());
      const auto place = static_cast<std::size_t>(at);
      check(is_there && std::ranges::find(places, place) == places.end(), Errc::value,
            "einsum: '{}': a step of the path takes operand {} of {}; operands count from 0, and "
            "each may be taken once",
            subscripts_, at, terms_.size());
      places.push_back(place);
    }
    check(!places.empty(), Errc::value,
          "einsum: '{}': a step of the path is empty; it takes one operand or more", subscripts_);
    std::vector<Term> taken;
    for (const std::size_t place : places) taken.push_back(std::move(terms_[place]));
    std::ranges::sort(places, std::greater<>());
    for (const std::size_t place : places)
      terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(place));
    Term made = std::move(taken[0]);
    for (std::size_t i = 1; i < taken.size(); ++i)
      made = product(std::move(made), std::move(taken[i]), std::span(taken).subspan(i + 1));
    terms_.push_back(std::move(made));
  }

  /// Whether the result or another term has this axis.
  bool is_needed(Label label, std::span<const Term> others) const {
    const auto has_it = [&](const Term& term) { return has(term.labels, label); };
    return has(read_.result, label) || std::ranges::any_of(terms_, has_it) ||
           std::ranges::any_of(others, has_it);
  }

  Term product(Term x, Term y, std::span<const Term> others) const {
    const auto needed = [&](Label label) { return is_needed(label, others); };
    keep(x, those(x.labels, [&](Label l) { return has(y.labels, l) || needed(l); }), dtype_);
    keep(y, those(y.labels, [&](Label l) { return has(x.labels, l) || needed(l); }), dtype_);
    const Labels both = those(x.labels, [&](Label l) { return has(y.labels, l); });
    const Labels stacked = those(both, needed);
    const Labels summed = those(both, [&](Label l) { return !needed(l); });
    const Labels left = those(x.labels, [&](Label l) { return !has(both, l); });
    const Labels right = those(y.labels, [&](Label l) { return !has(both, l); });
    const Labels labels = joined({&stacked, &left, &right});
    if (left.empty() && right.empty() && !summed.empty()) {
      Axes last;
      for (std::size_t i = 0; i < summed.size(); ++i)
        last.push_back(static_cast<std::int64_t>(stacked.size() + i));
      const Labels all = joined({&stacked, &summed});
      return {sum_of_products("einsum", in_order(x, all), in_order(y, all), last, dtype_), labels,
              true};
    }
    const auto shape = [&](const Labels& rows, const Labels& columns) {
      Shape made;
      for (const Label label : stacked) made.push_back(read_.lengths.at(label));
      made.push_back(count_of(rows, read_));
      made.push_back(count_of(columns, read_));
      return made;
    };
    const Array rows =
        reshape(in_order(x, joined({&stacked, &left, &summed})), shape(left, summed));
    const Array columns =
        reshape(in_order(y, joined({&stacked, &summed, &right})), shape(summed, right));
    Array made = summed.empty() ? all_products(rows, columns) : matmul_as("einsum", rows, columns);
    Shape whole;
    for (const Label label : labels) whole.push_back(read_.lengths.at(label));
    return {reshape(made, whole), labels, true};
  }

  /// Of columns (..., m, 1) and rows (..., 1, n).
  Array all_products(const Array& column, const Array& row) const {
    return dtype_.family == Family::boolean ? logical_and(column, row) : column * row;
  }

  std::string_view subscripts_;
  const EinsumTerms read_;
  DType dtype_;
  std::vector<Term> terms_;
};

}  // namespace

Array einsum(std::string_view subscripts, std::span<const Array> operands, const EinsumPath* path) {
  check(!operands.empty(), Errc::value, "einsum: '{}' was given no operands", subscripts);
  Contraction contraction(subscripts, read_einsum(subscripts, operands), operands);
  return contraction.result(path ? *path : cheap_path(contraction.read()));
}

Array einsum(std::span<const Array> operands, std::span<const Axes> axes, const Axes* result,
             const EinsumPath* path) {
  check(!operands.empty(), Errc::value, "einsum was given no operands");
  std::string shown;
  EinsumTerms read = read_einsum(axes, result, operands, shown);
  Contraction contraction(shown, std::move(read), operands);
  return contraction.result(path ? *path : cheap_path(contraction.read()));
}

}  // namespace isthmus::inline ISTHMUS_ABI
