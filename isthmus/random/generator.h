// generator.h: random numbers that are the same on every device.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isthmus/array/array.h"
#include "isthmus/array/shape.h"
#include "isthmus/core/device.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace detail {
[[noreturn]] ISTHMUS_EXPORT void refuse_seed(std::int64_t seed);
}  // namespace detail

/// Random numbers.
namespace random {

/// The state of a Generator, which determines its next numbers.
struct State {
  std::uint64_t key = 0;       ///< Of Philox4x32-10.
  std::uint64_t stream = 0;    ///< The high half of its counter.
  std::uint64_t counter = 0;   ///< The low half: the number of 128-bit blocks drawn.
  std::uint64_t children = 0;  ///< The number of generators spawned.
  /// Whether both give the same numbers.
  friend bool operator==(const State&, const State&) = default;
};

/// Draws random numbers with Philox4x32-10, a function of a counter and a key. A call uses as many
/// counters as the result has elements, and each element is a function of its own counter.
/// Therefore numbers do not depend on the device, on threads, or on fusion: their bits are the same
/// everywhere. Names and the order of arguments are those of numpy.random.Generator; the numbers
/// are not NumPy's.
///
/// `size` is the shape of the result. If it has no axes, the result has the broadcast shape of the
/// parameters. The dtype is float32 or float64, by default that of the parameters, or
/// default_real() of the device. The default device is that of the parameters, or the default
/// device. Results are pending, and fuse with the operations around them. Only integers(), choice()
/// and binomial() read the values of array parameters.
///
/// Any thread may call it; two threads never draw the same numbers. A copy draws the same numbers
/// as the original. A moved-from generator is empty: it supports assignment, destruction and
/// set_state(). All functions throw TypeError for dtypes, ValueError for shapes, parameters and an
/// empty generator, and DeviceMismatchError.
class ISTHMUS_EXPORT Generator {
 public:
  /// A generator with the state of another one. Throws ValueError for a counter or a stream above
  /// 2^60.
  explicit Generator(const State& state);
  Generator(const Generator& other);                 ///< Copies the state.
  Generator(Generator&& other) noexcept;             ///< Leaves the other one empty.
  Generator& operator=(const Generator& other);      ///< Copies the state.
  Generator& operator=(Generator&& other) noexcept;  ///< Leaves the other one empty.
  ~Generator();

  /// Numbers in [0, 1), multiples of 2^-53, or of 2^-24 in float32.
  Array random(const Shape& size = {}, std::optional<DType> dtype = {},
               const std::optional<Device>& device = {});
  /// Numbers in [low, high), low + (high - low) * random(): rounding may give `high` itself.
  Array uniform(const Value& low = 0.0, const Value& high = 1.0, const Shape& size = {},
                std::optional<DType> dtype = {}, const std::optional<Device>& device = {});
  /// Integers in [low, high), or with `endpoint` in [low, high]: low + the high half of a product
  /// of 64 random bits and the number of integers. Nothing is rejected, so some integers are more
  /// frequent than others, by at most one part in 2^64 / (high - low). Waits for bounds that are
  /// arrays. Throws ValueError if there is no integer in the range or one does not fit the dtype.
  Array integers(const Value& low, const Value& high, const Shape& size = {},
                 DType dtype = TypeId::int64, Flag endpoint = false,
                 const std::optional<Device>& device = {});
  /// Integers in [0, high).
  Array integers(const Value& high) { return integers(0, high); }

  /// Normal numbers of mean 0 and deviation 1, by the method of Box and Muller; their magnitude is
  /// at most 9.42, or 6.67 in float32.
  Array standard_normal(const Shape& size = {}, std::optional<DType> dtype = {},
                        const std::optional<Device>& device = {});
  /// loc + scale * standard_normal().
  Array normal(const Value& loc = 0.0, const Value& scale = 1.0, const Shape& size = {},
               std::optional<DType> dtype = {}, const std::optional<Device>& device = {});
  /// Exponential numbers of mean 1: -log of a number in (0, 1]; none exceeds 44.4, or 22.2 in
  /// float32.
  Array standard_exponential(const Shape& size = {}, std::optional<DType> dtype = {},
                             const std::optional<Device>& device = {});
  /// scale * standard_exponential().
  Array exponential(const Value& scale = 1.0, const Shape& size = {},
                    std::optional<DType> dtype = {}, const std::optional<Device>& device = {});

  /// Gamma numbers of scale 1 and a shape of 0 or more, by the method of Marsaglia and Tsang.
  Array standard_gamma(const Value& shape, const Shape& size = {}, std::optional<DType> dtype = {},
                       const std::optional<Device>& device = {});
  /// scale * standard_gamma().
  Array gamma(const Value& shape, const Value& scale = 1.0, const Shape& size = {},
              std::optional<DType> dtype = {}, const std::optional<Device>& device = {});
  /// Poisson numbers of the mean `lam`, int64, calculated in the default real dtype of the device;
  /// -2^63 where an array `lam` is not a valid mean.
  Array poisson(const Value& lam = 1.0, const Shape& size = {},
                const std::optional<Device>& device = {});

  /// x / (x + y) of gamma numbers of the shapes a and b, which must be above 0. This includes tiny
  /// shapes: where x and y would be 0 as floats, their quotient is not lost.
  Array beta(const Value& a, const Value& b, const Shape& size = {},
             std::optional<DType> dtype = {}, const std::optional<Device>& device = {});
  /// Sums of the squares of `df` normal numbers, for any df above 0: 2 * standard_gamma(df / 2).
  Array chisquare(const Value& df, const Shape& size = {}, std::optional<DType> dtype = {},
                  const std::optional<Device>& device = {});
  /// Quotients of chisquare(dfnum) / dfnum and chisquare(dfden) / dfden, for any dfnum and dfden
  /// above 0.
  Array f(const Value& dfnum, const Value& dfden, const Shape& size = {},
          std::optional<DType> dtype = {}, const std::optional<Device>& device = {});
  /// Student's t with `df` degrees of freedom: standard_normal() / sqrt(chisquare(df) / df).
  Array standard_t(const Value& df, const Shape& size = {}, std::optional<DType> dtype = {},
                   const std::optional<Device>& device = {});
  /// Quotients of two normal numbers.
  Array standard_cauchy(const Shape& size = {}, std::optional<DType> dtype = {},
                        const std::optional<Device>& device = {});
  /// loc + scale times the difference of two exponential numbers.
  Array laplace(const Value& loc = 0.0, const Value& scale = 1.0, const Shape& size = {},
                std::optional<DType> dtype = {}, const std::optional<Device>& device = {});
  /// scale * sqrt(2 * standard_exponential()).
  Array rayleigh(const Value& scale = 1.0, const Shape& size = {}, std::optional<DType> dtype = {},
                 const std::optional<Device>& device = {});
  /// Numbers from `left` to `right` of the triangular distribution with its peak at `mode`. Throws
  /// ValueError unless left <= mode <= right and left < right.
  Array triangular(const Value& left, const Value& mode, const Value& right, const Shape& size = {},
                   std::optional<DType> dtype = {}, const std::optional<Device>& device = {});
  /// Numbers along a last axis whose sum is 1, of shape (*size, k): gamma numbers of the k shapes
  /// `alpha`, divided by their sum, as in beta().
  Array dirichlet(const Array& alpha, const Shape& size = {}, std::optional<DType> dtype = {},
                  const std::optional<Device>& device = {});
  /// The number of successes in n trials of probability p, int64. Up to 2^10 trials are drawn one
  /// by one; more are halved by beta numbers until they are so few, in the default real dtype of
  /// the device. In float32 that is accurate enough up to about 2^32. Waits for n, if it is an
  /// array, and for the halves. The number is -2^63 where an array p is not a probability.
  Array binomial(const Value& n, const Value& p, const Shape& size = {},
                 const std::optional<Device>& device = {});
  /// The number of failures before n successes, in trials of probability p, int64; n is any number
  /// above 0. Poisson numbers whose means are gamma numbers.
  Array negative_binomial(const Value& n, const Value& p, const Shape& size = {},
                          const std::optional<Device>& device = {});

// A list instead of a parameter is a size: it does not compile.
#define ISTHMUS_SIZE_FIRST(name)                                                                  \
  template <std::integral I, class... Rest>                                                       \
  Array name(std::initializer_list<I>, const Rest&...) {                                          \
    static_assert(detail::never<I>,                                                               \
                  "the size comes after the parameters: normal(0, 1, {3}), exponential(1, {3})"); \
    return Array();                                                                               \
  }
  /// Does not compile.
  ISTHMUS_SIZE_FIRST(uniform)
  /// Does not compile.
  ISTHMUS_SIZE_FIRST(integers)
  /// Does not compile.
  ISTHMUS_SIZE_FIRST(normal)
  /// Does not compile.
  ISTHMUS_SIZE_FIRST(exponential)
  /// Does not compile.
  ISTHMUS_SIZE_FIRST(poisson)
  /// Does not compile.
  ISTHMUS_SIZE_FIRST(laplace)
  /// Does not compile.
  ISTHMUS_SIZE_FIRST(rayleigh)
#undef ISTHMUS_SIZE_FIRST

  /// The elements of x in random order along the axis, with a separate order for each index along
  /// the other axes; without an axis, all elements in random order. New memory.
  Array permuted(const Array& x, OptionalInteger axis = {});
  /// The integers from 0 to `count` - 1 in random order, int64.
  Array permutation(AnyInteger count, const std::optional<Device>& device = {});
  /// The slices of x along the axis in random order; new memory.
  Array permutation(const Array& x, AnyInteger axis = 0);
  /// Shuffles the slices of x along the axis, in place.
  void shuffle(const Array& x, AnyInteger axis = 0);
  /// Slices of x along the axis, drawn with or without replacement, in the shape `size`. `p`, an
  /// array of one axis with the sum 1, gives their probabilities. Waits to read `p`, and if fewer
  /// than one in 32 are drawn without replacement, which takes time and memory in proportion to the
  /// number drawn. Throws ValueError if there are too few slices, and for an invalid `p`.
  Array choice(const Array& x, const Shape& size = {}, Flag replace = true,
               const std::optional<Array>& p = {}, AnyInteger axis = 0);
  /// The same for the integers from 0 to `count` - 1.
  Array choice(AnyInteger count, const Shape& size = {}, Flag replace = true,
               const std::optional<Array>& p = {}, const std::optional<Device>& device = {});
  /// `length` random bytes. Waits.
  std::vector<std::byte> bytes(AnyInteger length);

  /// Generators with their own keys, which derive from this key and from the number spawned before.
  /// Throws ValueError for a negative count, and for more than 2^20.
  std::vector<Generator> spawn(AnyInteger count);
  /// A generator that continues like this one after `jumps` times 2^64 blocks: another stream of
  /// the same key. Throws ValueError for a negative number, and past the last of 2^60 streams.
  Generator jumped(AnyInteger jumps = 1) const;

  State state() const;                 ///< The current state, to save and restore.
  void set_state(const State& state);  ///< Throws as the constructor does.

 private:
  struct Impl;
  Impl& held() const;
  std::unique_ptr<Impl> impl_;
};

/// @{
/// A generator seeded with integers, or without any from the system's entropy. Throws ValueError
/// for a negative integer.
ISTHMUS_EXPORT Generator default_rng();
ISTHMUS_EXPORT Generator default_rng(std::uint64_t seed);
template <std::signed_integral I>
Generator default_rng(I seed) {
  if (seed < 0) isthmus::detail::refuse_seed(static_cast<std::int64_t>(seed));
  return default_rng(static_cast<std::uint64_t>(seed));
}
/// Does not compile for a fraction or a bool.
template <class T>
  requires(std::floating_point<T> || std::same_as<T, bool>)
Generator default_rng(T) {
  static_assert(isthmus::detail::never<T>, "a seed is an integer");
  return default_rng();
}
ISTHMUS_EXPORT Generator default_rng(std::span<const std::uint64_t> seeds);
inline Generator default_rng(std::initializer_list<std::uint64_t> seeds) {
  return default_rng(std::span(seeds.begin(), seeds.size()));
}
/// @}

/// The function Philox4x32-10: the four uint32 of each block of random bits, for uint32 counters of
/// shape (..., 4) and keys of shape (..., 2), whose other axes broadcast. Pending; new memory.
/// Throws TypeError for other dtypes and ValueError for other shapes. Source: Salmon, Moraes, Dror
/// and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11.
ISTHMUS_EXPORT Array philox4x32(const Array& counter, const Array& key);

}  // namespace random

namespace detail {
/// The generator for seeds of any size, each as its 64-bit digits, the lowest first.
ISTHMUS_EXPORT random::Generator seeded(std::span<const std::vector<std::uint64_t>> seeds);
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
