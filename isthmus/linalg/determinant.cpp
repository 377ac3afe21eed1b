// determinant.cpp: products of the diagonal of U, which do not overflow on the way.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "isthmus/array/create/create.h"
#include "isthmus/linalg/calls.h"
#include "isthmus/linalg/on_host.h"
#include "isthmus/linalg/solve.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

namespace {

double size_of(double x) { return std::abs(x); }
double size_of(const std::complex<double>& x) {
  return std::max(std::abs(x.real()), std::abs(x.imag()));
}
double scaled(double x, int exponent) { return std::scalbn(x, exponent); }
std::complex<double> scaled(const std::complex<double>& x, int exponent) {
  return {std::scalbn(x.real(), exponent), std::scalbn(x.imag(), exponent)};
}
std::complex<double> product(const std::complex<double>& x, const std::complex<double>& y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}
double product(double x, double y) { return x * y; }

/// A product as a number of which another factor leads to no overflow, times a power of 2.
template <class N>
class Determinant {
 public:
  void multiply(N factor) {
    normalize(factor);
    number_ = product(number_, factor);
    normalize(number_);
  }
  /// 0, or NaN, whatever has been multiplied.
  void become(N number) { number_ = number, exponent_ = 0; }
  void negate() { number_ = -number_; }
  N value() const {
    constexpr std::int64_t most = 1 << 20;
    return scaled(number_, static_cast<int>(std::clamp(exponent_, -most, most)));
  }
  bool is_finite() const { return std::isfinite(size_of(number_)); }
  N sign() const {
    if constexpr (std::is_same_v<N, double>)
      return number_ < 0 ? -1 : number_ > 0 ? 1 : number_;
    else
      return number_ == N() ? number_ : number_ / std::abs(number_);
  }
  double log_of_size() const {
    if (std::abs(exponent_) < 500)
      return std::log(std::abs(scaled(number_, static_cast<int>(exponent_))));
    return std::log(std::abs(number_)) + static_cast<double>(exponent_) * std::log(2.0);
  }

 private:
  void normalize(N& number) {
    const double size = size_of(number);
    if ((size > 1e-150 && size < 1e150) || size == 0 || !std::isfinite(size)) return;
    const int exponent = std::ilogb(size);
    number = scaled(number, -exponent);
    exponent_ += exponent;
  }

  N number_ = 1;
  std::int64_t exponent_ = 0;
};

/// Calls write(i, determinant) for each matrix. `writes` are evaluated and reachable.
template <class T, class Write>
void each_determinant(const HostWork& work, const Array& x, std::span<const Array> writes,
                      Write write) {
  using N = std::conditional_t<is_complex_number<T>, std::complex<double>, double>;
  const Stack from(x, in_front_of(x));
  const Calls<T> calls(work.lapack());
  const std::int64_t n = from.rows;
  work.check_extents({n, product_at_most(n, n)});
  const auto make_worker = [&] {
    return [&, lu = room_for<T>(n * n),
            pivots = room_for<std::int64_t>(n)](std::int64_t i) -> std::int64_t {
      gather_rows(from, i, lu.get());  // a transpose has the same determinant
      calls.getrf(n, n, lu.get(), n, pivots.get());
      Determinant<N> found;
      for (std::int64_t j = 0; j < n; ++j) {
        const T pivot = lu[j * n + j];
        // the matrix is singular, even if pivots behind this one have overflowed
        if (pivot == T() && found.is_finite()) {
          gather_rows(from, i, lu.get());
          found.become(is_finite(lu.get(), n * n) ? 0 : std::numeric_limits<double>::quiet_NaN());
          break;
        }
        found.multiply(N(pivot));
        if (work.lapack().integer(pivots.get(), j) != j + 1) found.negate();
      }
      write(i, found);
      return 0;
    };
  };
  work.run({&x, 1}, writes, x.size() / n / n, product_at_most(n * n, n), make_worker);
}

}  // namespace

Array det(const Array& given) {
  const std::string_view who = "det";
  const Array x = square_of(who, given);
  const InContextOf meanwhile(x);
  const Shape front = in_front_of(x);
  if (x.size() == 0) return ones(front, x.dtype(), x.device());
  const HostWork work(who);
  const Array made = empty(front, x.dtype(), x.device());
  make_reachable(who, x);
  make_reachable(who, made);
  with_type(x.dtype(), [&]<class T>(T) {
    T* const out = elements_of<T>(made);
    each_determinant<T>(work, x, {&made, 1},
                        [out](std::int64_t i, const auto& found) { out[i] = T(found.value()); });
  });
  return made;
}

SignLogDet slogdet(const Array& given) {
  const std::string_view who = "slogdet";
  const Array x = square_of(who, given);
  const InContextOf meanwhile(x);
  const Shape front = in_front_of(x);
  const DType real = real_part(x.dtype());
  if (x.size() == 0) return {ones(front, x.dtype(), x.device()), zeros(front, real, x.device())};
  const HostWork work(who);
  const Array made[] = {empty(front, x.dtype(), x.device()), empty(front, real, x.device())};
  make_reachable(who, x);
  for (const Array& one : made) make_reachable(who, one);
  with_type(x.dtype(), [&]<class T>(T) {
    T* const sign = elements_of<T>(made[0]);
    Real<T>* const size = elements_of<Real<T>>(made[1]);
    each_determinant<T>(work, x, made, [=](std::int64_t i, const auto& found) {
      sign[i] = T(found.sign());
      size[i] = static_cast<Real<T>>(found.log_of_size());
    });
  });
  return {made[0], made[1]};
}

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
