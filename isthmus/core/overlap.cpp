// overlap.cpp: solves a bounded linear equation in whole numbers.
#include "isthmus/core/overlap.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// What a sum of `step * n`, n from 0 to `most`, adds to an address.
struct Term {
  std::int64_t step, most;
  std::int64_t span = 0;     ///< Of this and all terms behind it.
  std::int64_t divisor = 0;  ///< Of their steps.
};

constexpr int most_tries = 10'000;

/// Whether the terms from the k-th on can add up to `wanted`. The largest step comes first.
bool reach(const std::vector<Term>& terms, std::size_t k, std::int64_t wanted, int& tries) {
  if (wanted == 0) return true;
  if (k == terms.size() || wanted < 0 || wanted > terms[k].span || wanted % terms[k].divisor != 0)
    return false;
  if (--tries < 0) return true;
  const Term& term = terms[k];
  const std::int64_t behind = term.span - term.step * term.most;
  const std::int64_t least =
      wanted > behind ? (wanted - behind + term.step - 1) / term.step : std::int64_t{0};
  for (std::int64_t n = std::min(term.most, wanted / term.step); n >= least; --n)
    if (reach(terms, k + 1, wanted - n * term.step, tries)) return true;
  return false;
}

}  // namespace

bool share_bytes(const Placed& a, const Placed& b) {
  const auto first_of = [](const Placed& x) {
    return x.begin + extent_of(x.layout).begin * x.bytes;
  };
  const auto end_of = [](const Placed& x) { return x.begin + extent_of(x.layout).end * x.bytes; };
  if (a.layout.count() == 0 || b.layout.count() == 0) return false;
  if (first_of(a) >= end_of(b) || first_of(b) >= end_of(a)) return false;
  // From their first bytes on: sums of a's steps = distance + sums of b's. Those of b, counted from
  // its end, are terms on the left.
  std::int64_t wanted = first_of(b) - first_of(a);
  std::vector<Term> terms;
  const auto add = [&](std::int64_t step, std::int64_t most, bool is_of_b) {
    step = std::abs(step);
    if (step == 0 || most == 0) return;
    if (is_of_b) wanted += step * most;
    const auto known = std::ranges::find(terms, step, &Term::step);
    if (known != terms.end())
      known->most += most;
    else
      terms.push_back({step, most});
  };
  for (const Placed* const x : {&a, &b}) {
    for (int k = 0; k < x->layout.ndim(); ++k)
      add(x->layout.strides[k] * x->bytes, x->layout.shape[k] - 1, x == &b);
    add(1, x->bytes - 1, x == &b);
  }
  std::ranges::sort(terms, std::ranges::greater{}, &Term::step);
  for (std::size_t k = terms.size(); k-- > 0;) {
    const bool is_last = k + 1 == terms.size();
    terms[k].span = terms[k].step * terms[k].most + (is_last ? 0 : terms[k + 1].span);
    terms[k].divisor = std::gcd(terms[k].step, is_last ? std::int64_t{0} : terms[k + 1].divisor);
  }
  int tries = most_tries;
  return reach(terms, 0, wanted, tries);
}

}  // namespace isthmus::inline ISTHMUS_ABI
