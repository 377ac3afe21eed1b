// vector_functions.h: libmvec's functions, and what they give outside of where they are fast.
//
// libmvec asks the C library for each lane that is special to it, in 3 to 14 ns. What log(0) and
// exp(-1000) are is known without asking.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "isthmus/host/vector_math.h"

#ifdef ISTHMUS_HAS_VECTOR_MATH
#include <immintrin.h>

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

template <class V>
using Lane = std::remove_cvref_t<decltype(V{}[0])>;
template <class T>
using Limits = std::numeric_limits<T>;

template <class V>
using Bits = decltype(V{} < V{});

template <class V>
V all_lanes(Lane<V> value) {
  return V{} + value;
}
template <class V>
constexpr Lane<V> infinity = Limits<Lane<V>>::infinity();
template <class V>
constexpr Lane<V> nan = Limits<Lane<V>>::quiet_NaN();
template <class V>
V size_of(V x) {
  return (V)((Bits<V>)x & (Bits<V>{} + Limits<Lane<Bits<V>>>::max()));
}

/// Whether a lane is below 0.
template <class B>
bool has_negative(B lanes) {
  constexpr bool is_32 = sizeof(Lane<B>) == 4;
#if defined(__AVX512F__)
  if constexpr (is_32) return _mm512_movepi32_mask(reinterpret_cast<__m512i>(lanes));
  return _mm512_movepi64_mask(reinterpret_cast<__m512i>(lanes));
#elif defined(__AVX2__)
  if constexpr (is_32) return _mm256_movemask_ps(reinterpret_cast<__m256>(lanes));
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(lanes));
#else
  if constexpr (is_32) return _mm_movemask_ps(reinterpret_cast<__m128>(lanes));
  return _mm_movemask_pd(reinterpret_cast<__m128d>(lanes));
#endif
}

/// From 0 or more to more.
template <class T>
struct Range {
  T least, most;
};

// For each function, its values outside of a range of what is `measured` of an element, by default
// its size. Inside libmvec is asked, and `inner` is where it is fast. A `within` says more exactly
// which elements it is asked for.

/// Numbers up to a size.
template <int most_of_float, int most_of_double>
struct UpTo {
  template <class T>
  static constexpr Range<T> range{0, sizeof(T) == 4 ? most_of_float : most_of_double};
  template <class T>
  static constexpr T inner = T(0.5);
  template <class V>
  static V measured(V x) {
    return size_of(x);
  }
};

/// All numbers but infinities.
struct Finite : UpTo<0, 0> {
  template <class T>
  static constexpr Range<T> range{0, Limits<T>::max()};
};

/// Powers, up to exponents of which libmvec makes normal numbers. The library is asked from
/// `least` to `most`, between which results are neither 0 nor infinite.
template <int size_of_float, int size, int least_of_float, int most_of_float, int least, int most>
struct Powers : UpTo<size_of_float, size> {
  template <class V>
  static Bits<V> within(V x) {
    constexpr bool is_float = sizeof(Lane<V>) == 4;
    return (x >= static_cast<Lane<V>>(is_float ? least_of_float : least)) &
           (x <= static_cast<Lane<V>>(is_float ? most_of_float : most));
  }
  template <class V>
  static V outside(V x) {
    return x < 0 ? V{} : x + infinity<V>;
  }
};
using DomainOf_exp = Powers<87, 708, -104, 89, -746, 710>;
using DomainOf_exp2 = Powers<126, 1022, -151, 129, -1076, 1025>;
struct DomainOf_expm1 : DomainOf_exp {
  template <class V>
  static V outside(V x) {
    return x < 0 ? all_lanes<V>(-1) : x + infinity<V>;
  }
};
struct DomainOf_sinh : UpTo<90, 711> {
  template <class V>
  static V outside(V x) {
    return x * infinity<V>;
  }
};
struct DomainOf_cosh : DomainOf_sinh {
  template <class V>
  static V outside(V x) {
    return x * x * infinity<V>;
  }
};
struct DomainOf_tanh : Finite {
  template <class V>
  static V outside(V x) {
    return x < 0 ? all_lanes<V>(-1) : x > 0 ? all_lanes<V>(1) : x;
  }
};

struct DomainOf_log : Finite {
  template <class T>
  static constexpr Range<T> range{Limits<T>::denorm_min(), Limits<T>::max()};
  template <class V>
  static V measured(V x) {
    return x;
  }
  template <class V>
  static V outside(V x) {
    return x < 0 ? all_lanes<V>(nan<V>) : x == 0 ? all_lanes<V>(-infinity<V>) : x;
  }
};
using DomainOf_log2 = DomainOf_log;
using DomainOf_log10 = DomainOf_log;
struct DomainOf_log1p : DomainOf_log {
  template <class V>
  static V measured(V x) {
    return x + 1;
  }
  template <class V>
  static V outside(V x) {
    return x < -1 ? all_lanes<V>(nan<V>) : x == -1 ? all_lanes<V>(-infinity<V>) : x;
  }
};

struct DomainOf_sin : Finite {
  template <class V>
  static V outside(V x) {
    return x - x;
  }
};
using DomainOf_cos = DomainOf_sin;
using DomainOf_tan = DomainOf_sin;
struct DomainOf_asin : UpTo<1, 1> {
  template <class V>
  static V outside(V) {
    return all_lanes<V>(nan<V>);
  }
};
using DomainOf_acos = DomainOf_asin;
using DomainOf_atanh = DomainOf_asin;
struct DomainOf_atan : Finite {
  template <class V>
  static V outside(V x) {
    const V right = all_lanes<V>(static_cast<Lane<V>>(M_PI_2));
    return x < 0 ? -right : x > 0 ? right : x;
  }
};
struct DomainOf_asinh : Finite {
  template <class V>
  static V outside(V x) {
    return x;
  }
};
struct DomainOf_acosh : DomainOf_log {
  template <class T>
  static constexpr Range<T> range{1, Limits<T>::max()};
  template <class T>
  static constexpr T inner = 2;
  template <class V>
  static V outside(V x) {
    return x < 1 ? all_lanes<V>(nan<V>) : x;
  }
};

/// Below the range products of the root are no normal numbers.
struct DomainOf_cbrt : Finite {
  template <class T>
  static constexpr Range<T> range{sizeof(T) == 4 ? T(1e-25) : T(1e-250), Limits<T>::max()};
  template <class V>
  static V outside(V x) {
    for (std::size_t i = 0; i < sizeof(V) / sizeof(Lane<V>); ++i)
      if (x[i] != 0 && x[i] - x[i] == 0) x[i] = std::cbrt(x[i]);
    return x;
  }
  /// One step of Newton's, from a root that is nearly right.
  template <class V>
  static V corrected(V x, V root) {
    const V square = root * root;
    V lost, excess;
    for (std::size_t i = 0; i < sizeof(V) / sizeof(Lane<V>); ++i) {
      lost[i] = std::fma(root[i], root[i], -square[i]);
      excess[i] = std::fma(square[i], root[i], -x[i]);
    }
    return root - (excess + lost * root) / (3 * square);
  }
};

/// A function of libmvec on vectors of any values.
template <class V, class D, auto of_library>
struct VectorFunction {
  using Vector = V;
  using Lanes = Bits<V>;

  static V call(V x) {
    if constexpr (requires { D::corrected(x, x); }) return D::corrected(x, of_library(x));
    return of_library(x);
  }
  /// Below 0 where a lane is outside of the range, as NaN is: what overflows on one side is below 0
  /// on the other. By bits, since comparisons of several vectors would wait for each other.
  static Lanes strays(V x) {
    using I = Lane<Lanes>;
    constexpr Range<Lane<V>> range = D::template range<Lane<V>>;
    const auto bits = (Lanes)D::measured(x);
    const Lanes above = std::bit_cast<I>(range.most) - bits;
    if constexpr (range.least == 0)
      return above;  // sizes are 0 or more
    else
      return above | (bits - std::bit_cast<I>(range.least));
  }
  /// Of which some lanes are outside.
  static V call_outside(V x) {
    Bits<V> is_inside;
    if constexpr (requires { D::within(x); })
      is_inside = D::within(x);
    else
      is_inside = strays(x) >= 0;
    const V inner = all_lanes<V>(D::template inner<Lane<V>>);
    return is_inside ? call(is_inside ? x : inner) : D::outside(x);
  }
};

#define X(name)                                                                             \
  using Float_##name = VectorFunction<VectorFloat, DomainOf_##name, ISTHMUS_MVEC(name, v)>; \
  using Double_##name = VectorFunction<VectorDouble, DomainOf_##name, ISTHMUS_MVEC_DOUBLE(name, v)>;
ISTHMUS_UNARY(X)
#undef X

}  // namespace
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA

#endif
