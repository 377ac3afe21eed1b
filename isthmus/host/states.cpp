// states.cpp: the reductions of reductions.def that have a state, on dense elements.
#include <limits>

#include "isthmus/host/fold_values.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

#define ISTHMUS_STATE(name, fields_, lift_, expression, finish_)                 \
  template <class T>                                                             \
  struct State_##name {                                                          \
    struct State {                                                               \
      fields_                                                                    \
    };                                                                           \
    static State state(auto... fields) { return {fields...}; }                   \
    static State lift(T x, std::int64_t i) { return (void)x, (void)i, (lift_); } \
    static auto combine(const auto& x, const auto& y) { return expression; }     \
    static auto finish(const State& x) { return finish_; }                       \
  };
// integers are calculated in int, if they are shorter
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnarrowing"
namespace integer {
#define STATE(name, rule, fields, lift, whole_, real_, finish, ...) \
  ISTHMUS_STATE(name, fields, lift, whole_, finish)
#include "isthmus/core/reductions.def"
}  // namespace integer
namespace real {
#define STATE(name, rule, fields, lift, whole_, real_, finish, ...) \
  ISTHMUS_STATE(name, fields, lift, real_, finish)
#include "isthmus/core/reductions.def"
}  // namespace real
#pragma GCC diagnostic pop

/// In the order of fold.h.
template <class S, class T>
auto fold_in_lanes(const T* x, std::int64_t n, std::int64_t first) {
  typename S::State lane[lane_count];
  const std::int64_t lanes = n < lane_count ? n : lane_count;
  for (std::int64_t k = 0; k < lanes; ++k) lane[k] = S::lift(x[k], first + k);
  for (std::int64_t k = lanes; k < n; ++k)
    lane[k % lane_count] = S::combine(lane[k % lane_count], S::lift(x[k], first + k));
  fold_lanes(lanes,
             [&](std::int64_t a, std::int64_t b) { lane[a] = S::combine(lane[a], lane[b]); });
  return lane[0];
}

template <class S, class T>
void fold_states(void* out, const void* elements, std::int64_t n, std::int64_t first, const void*) {
  const auto state = fold_in_lanes<S>(static_cast<const T*>(elements), n, first);
  std::memcpy(out, &state, sizeof state);
}

/// Vectors in a row that are compared with a value.
template <class T>
struct Block {
  using V = typename Lanes<T>::V;
  using Found = decltype(V{} == V{});
  using Place = std::remove_cvref_t<decltype(Found{}[0])>;
  static constexpr std::int64_t width = sizeof(V) / sizeof(T), vectors = 4, size = vectors * width;

  Block(const T* x, V value) {
#pragma GCC unroll 4
    for (int k = 0; k < vectors; ++k)
      found[k] = Elements<T>{x}.template vector<V>(k * width) == value;
  }
  bool any() const {
    const Found all = found[0] | found[1] | found[2] | found[3];
    std::uint64_t words[sizeof(V) / 8], bits = 0;
    std::memcpy(words, &all, sizeof all);
    for (const std::uint64_t word : words) bits |= word;
    return bits;
  }
  /// Of the first element that is found, if any is: without a branch, which nothing foresees.
  std::int64_t first() const {
    const Found number = numbers();
    Found least = Found{} + std::numeric_limits<Place>::max();
    for (int k = vectors - 1; k >= 0; --k)
      least = found[k] ? number + static_cast<Place>(k * width) : least;
    return least_of(least);
  }
  /// The same of `n` elements, which make a vector, but no block; `n` if none is found.
  static std::int64_t first_of_few(const T* x, std::int64_t n, V value) {
    const Found number = numbers();
    Found least = Found{} + std::numeric_limits<Place>::max();
    const auto take = [&](std::int64_t i) {
      const Found is_found = Elements<T>{x}.template vector<V>(i) == value;
      least = is_found ? number + static_cast<Place>(i) : least;
    };
    take(n - width);
    for (std::int64_t i = (n / width - 1) * width; i >= 0; i -= width) take(i);
    return std::min<std::int64_t>(least_of(least), n);
  }
  static Found numbers() {
    Found number{};
    for (int k = 0; k < width; ++k) number[k] = static_cast<Place>(k);
    return number;
  }
  static std::int64_t least_of(const Found& places) {
    alignas(64) Place lane[width];
    std::memcpy(lane, &places, sizeof places);
    fold_all<integer::Combine_min<Place, Place>, width / 2>(lane);
    return lane[0];
  }
  Found found[vectors];
};

/// The first of `n` elements that equals `value`; `n` if none does.
template <class T>
std::int64_t first_equal(const T* x, std::int64_t n, T value) {
  using B = Block<T>;
  const auto wanted = typename B::V{} + value;
  std::int64_t i = 0;
  if (n < B::width) {
    std::int64_t first = n;  // no branch here, either
    for (i = n; i-- > 0;) first = x[i] == value ? i : first;
    return first;
  }
  if (n < B::size) return B::first_of_few(x, n, wanted);
  for (; i + B::size <= n; i += B::size)
    if (const B block(x + i, wanted); block.any()) return i + block.first();
  // the last block begins with elements that are known to differ
  const B block(x + n - B::size, wanted);
  return block.any() ? n - B::size + block.first() : n;
}

template <class T>
std::int64_t first_nan(const T* x) {
  std::int64_t i = 0;
  while (x[i] == x[i]) ++i;
  return i;
}

/// The extreme of `n` elements, of equal ones any: the last vector may overlap the one before.
/// False if they are too few, or if one may be NaN, which their sum shows.
template <template <class, class> class Extreme, class T>
bool find_extreme(T& best, const T* x, std::int64_t n) {
  using V = typename Lanes<T>::V;
  using Plain = Extreme<V, typename Lanes<T>::UV>;
  using Step = std::conditional_t<std::is_integral_v<T>, Plain, Ordered<Plain>>;
  constexpr std::int64_t width = sizeof(V) / sizeof(T), vectors = 4;
  const Elements<T> elements{x};
  if (n < width) return false;
  V of[vectors], sum[vectors];
#pragma GCC unroll 4
  for (int k = 0; k < vectors; ++k) sum[k] = of[k] = elements.template vector<V>(0);
  const auto take = [&](int k, std::int64_t i) {
    const V next = elements.template vector<V>(i);
    if constexpr (std::is_floating_point_v<T>) sum[k] += next;
    of[k] = Step::apply(of[k], next);
  };
  std::int64_t i = 0;
  for (; i + vectors * width <= n; i += vectors * width)
#pragma GCC unroll 4
    for (int k = 0; k < vectors; ++k) take(k, i + k * width);
  for (; i + width <= n; i += width) take(0, i);
  take(1, n - width);
  of[0] = Step::apply(Step::apply(of[0], of[1]), Step::apply(of[2], of[3]));
  alignas(64) T lane[width];
  std::memcpy(lane, &of[0], sizeof(V));
  using Single = Extreme<T, typename Unsigned<T>::type>;
  fold_all<std::conditional_t<std::is_integral_v<T>, Single, Ordered<Single>>, width / 2>(lane);
  best = lane[0];
  if constexpr (std::is_integral_v<T>) return true;
  const V sums = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  T all = sums[0];
  for (int k = 1; k < width; ++k) all += sums[k];
  return all == all;
}

/// The chunk's extreme, then where it is: both are passes of few instructions, and the second one
/// is left out for most chunks. `Extreme` is the row that gives the element, NaN if any is NaN.
template <class S, template <class, class> class Extreme, bool skips_nan, class T>
void fold_extreme(void* out, const void* elements, std::int64_t n, std::int64_t first,
                  const void* known_state) {
  using State = typename S::State;
  const auto* x = static_cast<const T*>(elements);
  T best;
  if (!find_extreme<Extreme>(best, x, n)) fold<Extreme, T, parts_of<T>(true)>(&best, x, n);
  if constexpr (skips_nan) {
    if (best != best) {
      T filled[chunk_length];
      constexpr T infinite = std::numeric_limits<T>::infinity();
      const T last = Extreme<T, T>::apply(-infinite, infinite) > 0 ? -infinite : infinite;
      best = last;
      for (std::int64_t at = 0; at < n; at += chunk_length) {
        const std::int64_t count = n - at < chunk_length ? n - at : chunk_length;
        for (std::int64_t k = 0; k < count; ++k)
          filled[k] = x[at + k] == x[at + k] ? x[at + k] : last;
        const T next = fold_chunk<Extreme, T, parts_of<T>(true)>(Elements<T>{filled}, count);
        best = Extreme<T, T>::apply(best, next);
      }
    }
  }
  State state = S::lift(best, first);
  if (known_state) {
    State known;
    std::memcpy(&known, known_state, sizeof known);
    if (S::combine(known, state).index == known.index)
      return static_cast<void>(std::memcpy(out, &known, sizeof known));
  }
  const std::int64_t at = best == best ? first_equal(x, n, best) : first_nan(x);
  // nothing but NaN
  state = at < n ? S::lift(best, first + at) : fold_in_lanes<S>(x, n, first);
  std::memcpy(out, &state, sizeof state);
}

template <class S>
void combine(void* out, const void* x_states, const void* y_states, const void*, std::int64_t n) {
  auto* states = static_cast<typename S::State*>(out);
  const auto* x = static_cast<const typename S::State*>(x_states);
  const auto* y = static_cast<const typename S::State*>(y_states);
  for (std::int64_t k = 0; k < n; ++k) states[k] = S::combine(x[k], y[k]);
}

/// States side by side, in the order of fold.h.
template <class S, class T>
struct Lane {
  using State = typename S::State;
  static constexpr std::int64_t count = lane_count;
  static void begin(void* lane, const void* elements, std::int64_t n, std::int64_t at) {
    const auto* x = static_cast<const T*>(elements);
    for (std::int64_t k = 0; k < n; ++k) static_cast<State*>(lane)[k] = S::lift(x[k], at);
  }
  static void take(void* lane, const void* elements, std::int64_t n, std::int64_t at, bool) {
    auto* states = static_cast<State*>(lane);
    const auto* x = static_cast<const T*>(elements);
    for (std::int64_t k = 0; k < n; ++k) states[k] = S::combine(states[k], S::lift(x[k], at));
  }
  static void join(void* lane, const void* other, std::int64_t n) {
    combine<S>(lane, lane, other, nullptr, n);
  }
  static void close(void* states, const void* lane, std::int64_t n, std::int64_t) {
    std::memcpy(states, lane, static_cast<std::size_t>(n) * sizeof(State));
  }
};

/// All values, then their positions within the chunk, in integers as long as the values, so that
/// vectors choose both alike.
template <class S, class T>
struct ExtremeLane {
  using State = typename S::State;
  using Place = std::conditional_t<sizeof(T) == 8, std::int64_t,
                                   std::conditional_t<sizeof(T) == 4, std::int32_t, std::int16_t>>;
  static_assert(sizeof(T) + sizeof(Place) <= sizeof(State));
  /// States of which the second one has the greater position. They are values of two types, since
  /// compilers make vectors of a choice between numbers, but not between places in memory.
  struct New {
    T value;
    int index;
  };
  struct Old {
    T value;
    int index;
    operator New() const { return {value, index}; }
  };
  static constexpr std::int64_t count = 1;
  static Place* places(void* lane, std::int64_t n) {
    return reinterpret_cast<Place*>(static_cast<char*>(lane) + n * std::int64_t{sizeof(Place)});
  }
  static void begin(void* lane, const void* elements, std::int64_t n, std::int64_t at) {
    std::memcpy(lane, elements, static_cast<std::size_t>(n) * sizeof(T));
    Place* place = places(lane, n);
    for (std::int64_t k = 0; k < n; ++k) place[k] = static_cast<Place>(at % chunk_length);
  }
  static void take(void* lane, const void* elements, std::int64_t n, std::int64_t at,
                   bool in_order) {
    in_order ? take_as<true>(lane, elements, n, at) : take_as<false>(lane, elements, n, at);
  }
  template <bool in_order>
  static void take_as(void* lane, const void* elements, std::int64_t n, std::int64_t at) {
    auto* value = static_cast<T*>(lane);
    Place* place = places(lane, n);
    const auto* x = static_cast<const T*>(elements);
    const auto now = static_cast<Place>(at % chunk_length);
#pragma GCC ivdep
    for (std::int64_t k = 0; k < n; ++k) {
      const int before = in_order ? 0 : static_cast<int>(place[k]);
      const int index = in_order ? 1 : static_cast<int>(now);
      const bool is_new = S::combine(Old{value[k], before}, New{x[k], index}).index == index;
      value[k] = is_new ? x[k] : value[k];
      place[k] = is_new ? now : place[k];
    }
  }
  static void join(void*, const void*, std::int64_t) {}  // there is one lane
  static void close(void* states, const void* lane, std::int64_t n, std::int64_t first) {
    const auto* value = static_cast<const T*>(lane);
    const Place* place = places(const_cast<void*>(lane), n);
    for (std::int64_t k = 0; k < n; ++k)
      static_cast<State*>(states)[k] = S::lift(value[k], first + place[k]);
  }
};

/// A result is no longer than a state, so that it never covers a state that is still to be read.
template <class S, class Result>
void finish(void* results, const void* states, std::int64_t n) {
  static_assert(sizeof(Result) <= sizeof(typename S::State));
  for (std::int64_t k = 0; k < n; ++k) {
    const auto result =
        static_cast<Result>(S::finish(static_cast<const typename S::State*>(states)[k]));
    std::memcpy(static_cast<char*>(results) + k * static_cast<std::int64_t>(sizeof result), &result,
                sizeof result);
  }
}

/// How elements T become states S; where there is more to know of a row, it has ways of its own.
template <class S, class T>
struct Ways {
  static constexpr auto fold = fold_states<S, T>;
  using Side = Lane<S, T>;
};
template <class S, template <class, class> class Extreme, bool skips_nan, class T>
struct ExtremeWays {
  static constexpr auto fold = fold_extreme<S, Extreme, skips_nan, T>;
  using Side = ExtremeLane<S, T>;
};
#define ISTHMUS_EXTREME(name, extreme, skips_nan)                                       \
  template <class T>                                                                    \
  struct Ways<integer::State_##name<T>, T>                                              \
      : ExtremeWays<integer::State_##name<T>, integer::Combine_##extreme, false, T> {}; \
  template <class T>                                                                    \
  struct Ways<real::State_##name<T>, T>                                                 \
      : ExtremeWays<real::State_##name<T>, real::Combine_##extreme, skips_nan, T> {};
ISTHMUS_EXTREME(argmax, max, false)
ISTHMUS_EXTREME(argmin, min, false)
ISTHMUS_EXTREME(nanargmax, max, true)
ISTHMUS_EXTREME(nanargmin, min, true)
#undef ISTHMUS_EXTREME

/// What a row gives of elements T.
template <AccumulateRule rule, class T>
using Given = std::conditional_t<rule == AccumulateRule::index, std::int64_t, T>;

template <class S, class T, AccumulateRule rule>
void fill(RowTable& table, int row, TypeId type) {
  using W = Ways<S, T>;
  using Side = typename W::Side;
  table.states[row][static_cast<int>(type)] = {sizeof(typename S::State),
                                               W::fold,
                                               combine<S>,
                                               finish<S, Given<rule, T>>,
                                               Side::count,
                                               Side::begin,
                                               Side::take,
                                               Side::join,
                                               Side::close};
}

template <template <class> class S, AccumulateRule rule>
void fill_integers(RowTable& table, int row) {
  fill<S<std::uint8_t>, std::uint8_t, rule>(table, row, TypeId::bool_);
  fill<S<std::int8_t>, std::int8_t, rule>(table, row, TypeId::int8);
  fill<S<std::int16_t>, std::int16_t, rule>(table, row, TypeId::int16);
  fill<S<std::int32_t>, std::int32_t, rule>(table, row, TypeId::int32);
  fill<S<std::int64_t>, std::int64_t, rule>(table, row, TypeId::int64);
  fill<S<std::uint8_t>, std::uint8_t, rule>(table, row, TypeId::uint8);
  fill<S<std::uint16_t>, std::uint16_t, rule>(table, row, TypeId::uint16);
  fill<S<std::uint32_t>, std::uint32_t, rule>(table, row, TypeId::uint32);
  fill<S<std::uint64_t>, std::uint64_t, rule>(table, row, TypeId::uint64);
}

template <template <class> class S, AccumulateRule rule>
void fill_reals(RowTable& table, int row) {
  fill<S<float>, float, rule>(table, row, TypeId::float32);
  fill<S<double>, double, rule>(table, row, TypeId::float64);
}

}  // namespace

void fill_states(RowTable& table) {
  int row = 0;
#define STATE(name, rule, ...)                                            \
  fill_integers<integer::State_##name, AccumulateRule::rule>(table, row); \
  fill_reals<real::State_##name, AccumulateRule::rule>(table, row);       \
  ++row;
#include "isthmus/core/reductions.def"
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
