// powers.cpp: products of several matrices.
#include <limits>
#include <utility>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/products/contract.h"
#include "isthmus/array/reduce/reduced.h"
#include "isthmus/linalg/inverse.h"
#include "isthmus/linalg/on_host.h"
#include "isthmus/linalg/solve.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

Array matrix_power(const Array& x, AnyInteger n) {
  const std::string_view who = "matrix_power";
  check_has_numbers(who, x);
  check(x.ndim() >= 2 && x.shape(-1) == x.shape(-2), Errc::value,
        "{}: shape {}: the last two axes must be equal, for square matrices", who, x.shape());
  const std::int64_t exponent = n;
  const InContextOf meanwhile(x);
  if (exponent == 0)
    return copy(broadcast_to(eye(x.shape(-1), {}, 0, x.dtype(), x.device()), x.shape()));
  Array square = exponent < 0 ? inverses_for(who, x) : x;
  // the negative of the least integer does not fit
  std::uint64_t rest =
      exponent < 0 ? -static_cast<std::uint64_t>(exponent) : static_cast<std::uint64_t>(exponent);
  Array made;
  for (;; square = matmul_as(who, square, square)) {
    if (rest & 1) made = made.has_value() ? matmul_as(who, made, square) : square;
    if (!(rest >>= 1)) break;
  }
  return exponent == 1 ? copy(made) : made;
}

namespace {

/// The product of the matrices from one to another, in the best order.
class Chain {
 public:
  explicit Chain(std::span<const Array> matrices)
      : matrices_(matrices), count_(matrices.size()), split_(count_ * count_) {
    std::vector<double> cost(count_ * count_, 0);
    for (std::size_t length = 1; length < count_; ++length)
      for (std::size_t first = 0; first + length < count_; ++first) {
        const std::size_t last = first + length;
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t at = first; at < last; ++at) {
          const double sizes = static_cast<double>(matrices[first].shape(0)) *
                               static_cast<double>(matrices[at].shape(1)) *
                               static_cast<double>(matrices[last].shape(1));
          const double found = cost[first * count_ + at] + cost[(at + 1) * count_ + last] + sizes;
          if (found < best) best = found, split_[first * count_ + last] = at;
        }
        cost[first * count_ + last] = best;
      }
  }

  Array multiply() const { return multiply(0, count_ - 1); }

 private:
  Array multiply(std::size_t first, std::size_t last) const {
    if (first == last) return matrices_[first];
    const std::size_t at = split_[first * count_ + last];
    return matmul_as("multi_dot", multiply(first, at), multiply(at + 1, last));
  }

  const std::span<const Array> matrices_;
  const std::size_t count_;
  std::vector<std::size_t> split_;  // by the first and the last one
};

}  // namespace

Array multi_dot(std::span<const Array> arrays) {
  const std::string_view who = "multi_dot";
  check(arrays.size() >= 2, Errc::value, "{}: {} arrays; at least 2 are needed", who,
        arrays.size());
  std::vector<Array> matrices(arrays.begin(), arrays.end());
  const bool has_row = arrays.front().ndim() == 1, has_column = arrays.back().ndim() == 1;
  if (has_row) matrices.front() = expand_dims(matrices.front(), 0);
  if (has_column) matrices.back() = expand_dims(matrices.back(), 1);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    check(
        matrices[i].ndim() == 2, Errc::value,
        "{}: array {} has the shape {}; each must be a matrix, but the first and the last one may "
        "be vectors",
        who, i, arrays[i].shape());
    check(i == 0 || matrices[i - 1].shape(1) == matrices[i].shape(0), Errc::value,
          "{}: array {} has the shape {}, and array {} {}: the columns of one must be as many as "
          "the rows of the next",
          who, i - 1, arrays[i == 0 ? 0 : i - 1].shape(), i, arrays[i].shape());
  }
  const Array made = Chain(matrices).multiply();
  if (has_row && has_column) return squeeze(made);
  return has_row ? squeeze(made, 0) : has_column ? squeeze(made, 1) : made;
}

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
