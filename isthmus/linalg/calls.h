// calls.h: LAPACK's functions with types. Each returns `info`: 0, or what went wrong.
#pragma once

#include <bit>
#include <complex>
#include <cstdint>
#include <limits>

#include "isthmus/array/number.h"
#include "isthmus/runtime/libraries/lapack.h"

namespace isthmus::inline ISTHMUS_ABI::linalg {

/// The type of the parts of a number.
template <class T>
struct RealOf {
  using type = T;
};
template <class R>
struct RealOf<std::complex<R>> {
  using type = R;
};
template <class T>
using Real = typename RealOf<T>::type;

/// Room that a function wants, in elements of its work arrays.
struct Room {
  std::int64_t work = 1, real_work = 1, integers = 1;
};

/// The functions for matrices of T, as Fortran reads them: columns first, `step` elements from one
/// column to the next.
template <class T>
class Calls {
  // Integers are passed by address. A library with 32 bits reads the lower half of ours.
  static_assert(std::endian::native == std::endian::little);
  using Index = std::int64_t;
  static constexpr bool is_complex = is_complex_number<T>;

 public:
  explicit Calls(const Lapack& lapack) : lapack_(lapack) {}

  Index getrf(Index rows, Index columns, T* a, Index step, Index* pivots) const {
    Index info = 0;
    run(Routine::getrf, &rows, &columns, a, &step, pivots, &info);
    return lapack_.integer(info);
  }

  Index getrs(char how, Index n, Index columns, const T* lu, const Index* pivots, T* b) const {
    Index info = 0;
    run(Routine::getrs, &how, &n, &columns, lu, &n, pivots, b, &n, &info, one);
    return lapack_.integer(info);
  }

  Index getri(Index n, T* lu, const Index* pivots, T* work, Index room) const {
    Index info = 0;
    run(Routine::getri, &n, lu, &n, pivots, work, &room, &info);
    return lapack_.integer(info);
  }

  Index potrf(char triangle, Index n, T* a) const {
    Index info = 0;
    run(Routine::potrf, &triangle, &n, a, &n, &info, one);
    return lapack_.integer(info);
  }

  Index geqrf(Index rows, Index columns, T* a, T* factors, T* work, Index room) const {
    Index info = 0;
    run(Routine::geqrf, &rows, &columns, a, &rows, factors, work, &room, &info);
    return lapack_.integer(info);
  }

  Index orgqr(Index rows, Index columns, Index count, T* a, const T* factors, T* work,
              Index room) const {
    Index info = 0;
    run(Routine::orgqr, &rows, &columns, &count, a, &rows, factors, work, &room, &info);
    return lapack_.integer(info);
  }

  Index gesdd(char job, Index rows, Index columns, T* a, Real<T>* s, T* u, Index u_step, T* vh,
              Index vh_step, T* work, Index room, Real<T>* real_work, Index* integers) const {
    Index info = 0;
    if constexpr (is_complex)
      run(Routine::gesdd, &job, &rows, &columns, a, &rows, s, u, &u_step, vh, &vh_step, work, &room,
          real_work, integers, &info, one);
    else
      run(Routine::gesdd, &job, &rows, &columns, a, &rows, s, u, &u_step, vh, &vh_step, work, &room,
          integers, &info, one);
    return lapack_.integer(info);
  }

  Index syevd(char job, char triangle, Index n, T* a, Real<T>* values, T* work, Real<T>* real_work,
              Index* integers, const Room& room) const {
    Index info = 0;
    if constexpr (is_complex)
      run(Routine::syevd, &job, &triangle, &n, a, &n, values, work, &room.work, real_work,
          &room.real_work, integers, &room.integers, &info, one, one);
    else
      run(Routine::syevd, &job, &triangle, &n, a, &n, values, work, &room.work, integers,
          &room.integers, &info, one, one);
    return lapack_.integer(info);
  }

  /// Real matrices have the imaginary parts of their eigenvalues in `imaginary`.
  Index geev(char job, Index n, T* a, T* values, Real<T>* imaginary, T* vectors, T* work,
             Index room, Real<T>* real_work) const {
    Index info = 0;
    const char no = 'N';
    T unused{};
    const Index step = n > 1 ? n : 1;
    if constexpr (is_complex)
      run(Routine::geev, &no, &job, &n, a, &step, values, &unused, &step, vectors, &step, work,
          &room, real_work, &info, one, one);
    else
      run(Routine::geev, &no, &job, &n, a, &step, values, imaginary, &unused, &step, vectors, &step,
          work, &room, &info, one, one);
    return lapack_.integer(info);
  }

  Index gelsd(Index rows, Index columns, Index count, T* a, T* b, Index b_step, Real<T>* s,
              Real<T> tolerance, Index* rank, T* work, Index room, Real<T>* real_work,
              Index* integers) const {
    Index info = 0;
    *rank = 0;
    if constexpr (is_complex)
      run(Routine::gelsd, &rows, &columns, &count, a, &rows, b, &b_step, s, &tolerance, rank, work,
          &room, real_work, integers, &info);
    else
      run(Routine::gelsd, &rows, &columns, &count, a, &rows, b, &b_step, s, &tolerance, rank, work,
          &room, integers, &info);
    *rank = lapack_.integer(*rank);
    return lapack_.integer(info);
  }

  /// The room that a query has written to the first element of an array: a float may be rounded.
  static Index room_of(const T& written) {
    const double number = static_cast<double>(std::real(written));
    const double up = sizeof(Real<T>) == 4 && number > (1 << 23) ? number * (1 + 1e-6) : number;
    return up < 1 ? 1 : up < 9e18 ? static_cast<Index>(up) : std::numeric_limits<Index>::max();
  }

 private:
  static constexpr std::size_t one = 1;  // the length of a text of one letter

  template <class... Args>
  void run(Routine routine, Args... args) const {
    constexpr TypeId type = dtype_of_type<T>().id;
    reinterpret_cast<void (*)(Args...)>(lapack_.function(routine, type))(args...);
  }

  const Lapack& lapack_;
};

}  // namespace isthmus::inline ISTHMUS_ABI::linalg
