// chains.cpp: cheap operations that keep eight vectors in registers and tail-call each other.
//
// A chain works on one group of eight vectors at a time. Its accumulator travels through the links
// as arguments, so a step costs one read of its other operand and one jump, and no store. Pairs of
// operations in one link halve the jumps.
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "isthmus/host/quotient.h"
#include "isthmus/host/rows.h"
#include "isthmus/host/vector_functions.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

constexpr std::int64_t group_size = 8 * vector_bytes;

/// AMD's processors with AVX read ahead of all operands by themselves if nothing is prefetched:
/// chains take 0.5 to 0.95 of the time. On Intel's they take up to a tenth longer.
bool is_prefetching_slow() {
#if defined(__AVX__)
  return __builtin_cpu_is("amd");
#else
  return false;
#endif
}

template <class T>
struct Chain {
  typedef T V __attribute__((vector_size(vector_bytes)));
  typedef T Loose __attribute__((vector_size(vector_bytes), aligned(sizeof(T)), may_alias));
  using I = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef I IV __attribute__((vector_size(vector_bytes)));
  using Function = void (*)(const ChainLink*, std::int64_t, V, V, V, V, V, V, V, V);

  static V fabs(V x) { return (V)((IV)x & (IV{} + std::numeric_limits<I>::max())); }
  static V sqrt(V x) {
    V root;
    for (std::size_t i = 0; i < sizeof(V) / sizeof(T); ++i) root[i] = std::sqrt(x[i]);
    return root;
  }

  /// Memory is read and written from front to back, one operand after the other, as processors
  /// expect it that read ahead by themselves. Compilers would order it otherwise.
  static void stay_in_order() { asm volatile("" ::: "memory"); }

  /// One vector's worth of an operand: memory at byte `at`, or one number for all.
  template <bool is_scalar>
  static V operand(const char* p, std::int64_t at, int k) {
    if constexpr (is_scalar) {
      return *reinterpret_cast<const T*>(p) - V{};  // a sum would lose the sign of -0
    } else {
      const V value = *reinterpret_cast<const Loose*>(p + at + k * vector_bytes);
      stay_in_order();
      return value;
    }
  }

  static void store(char* to, V v) {
    *reinterpret_cast<Loose*>(to) = v;
    stay_in_order();
  }
  /// To memory that is aligned.
  static void bypass(char* to, V v) {
#if defined(__AVX512F__)
    _mm512_stream_ps(reinterpret_cast<float*>(to), (__m512)v);
#elif defined(__AVX__)
    _mm256_stream_ps(reinterpret_cast<float*>(to), (__m256)v);
#elif defined(__SSE2__)
    _mm_stream_ps(reinterpret_cast<float*>(to), (__m128)v);
#else
    store(to, v);
#endif
    stay_in_order();
  }
  static void settle() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
  }

  // The real column of ops.def, on vectors.
  template <Link link>
  static V apply(V acc, V other) {
    constexpr bool is_swapped =
        link == Link::rsub || link == Link::rdiv || link == Link::rmax || link == Link::rmin;
    const V x = is_swapped ? other : acc, y = is_swapped ? acc : other;
    if constexpr (link == Link::load) return other;
    if constexpr (link == Link::add) return x + y;
    if constexpr (link == Link::sub || link == Link::rsub) return x - y;
    if constexpr (link == Link::mul) return x * y;
    if constexpr (link == Link::div || link == Link::rdiv) return x / y;
    if constexpr (link == Link::max || link == Link::rmax) return (x >= y) | (x != x) ? x : y;
    if constexpr (link == Link::min || link == Link::rmin) return (x <= y) | (x != x) ? x : y;
  }

#define ISTHMUS_ACCUMULATORS V a, V b, V c, V d, V e, V f, V g, V h
#define ISTHMUS_EACH(X) X(a, 0) X(b, 1) X(c, 2) X(d, 3) X(e, 4) X(f, 5) X(g, 6) X(h, 7)
#define ISTHMUS_NEXT \
  return reinterpret_cast<Function>(link[1].function)(link + 1, at, a, b, c, d, e, f, g, h)

  template <Link op, bool is_scalar>
  static void binary(const ChainLink* link, std::int64_t at, ISTHMUS_ACCUMULATORS) {
    if constexpr (op == Link::div && is_scalar) {
      const Quotient<T> quotient(*reinterpret_cast<const T*>(link->p));
      typename Quotient<T>::Words farthest{};
#define X(v, k) quotient.look_at(v, farthest);
      ISTHMUS_EACH(X)
#undef X
      if (quotient.is_quick() && quotient.can_have(farthest)) {
#define X(v, k) v = quotient.of(v);
        ISTHMUS_EACH(X)
#undef X
        ISTHMUS_NEXT;
      }
    }
    const char* const p = link->p;
#define X(v, k) v = apply<op>(v, operand<is_scalar>(p, at, k));
    ISTHMUS_EACH(X)
#undef X
    ISTHMUS_NEXT;
  }

  template <Link first, Link second, int scalars>
  static void pair(const ChainLink* link, std::int64_t at, ISTHMUS_ACCUMULATORS) {
    const char *const p = link->p, *const q = link->q;
#define X(v, k) v = apply<first>(v, operand<(scalars & 1) != 0>(p, at, k));
    ISTHMUS_EACH(X)
#undef X
#define X(v, k) v = apply<second>(v, operand<(scalars & 2) != 0>(q, at, k));
    ISTHMUS_EACH(X)
#undef X
    ISTHMUS_NEXT;
  }

  template <Link first, Link second, int scalars>
  static void repeat(const ChainLink* link, std::int64_t at, ISTHMUS_ACCUMULATORS) {
    const std::int64_t count = link->count;
    const char *const p = link->p, *const q = link->q;
#define X(v, k) const V p##k = operand<(scalars & 1) != 0>(p, at, k);
    ISTHMUS_EACH(X)
#undef X
#define X(v, k) const V q##k = operand<(scalars & 2) != 0>(q, at, k);
    ISTHMUS_EACH(X)
#undef X
    for (std::int64_t i = 0; i < count; ++i) {
#define X(v, k) v = apply<second>(apply<first>(v, p##k), q##k);
      ISTHMUS_EACH(X)
#undef X
    }
    ISTHMUS_NEXT;
  }

  template <Link outer, Link inner, int scalars>
  static void nested(const ChainLink* link, std::int64_t at, ISTHMUS_ACCUMULATORS) {
    const char *const p = link->p, *const q = link->q;
#define X(v, k) const V p##k = operand<(scalars & 1) != 0>(p, at, k);
    ISTHMUS_EACH(X)
#undef X
    if constexpr (inner == Link::div && scalars == 2) {
      const Quotient<T> quotient(*reinterpret_cast<const T*>(q));
      typename Quotient<T>::Words farthest{};
#define X(v, k) quotient.look_at(p##k, farthest);
      ISTHMUS_EACH(X)
#undef X
      if (quotient.is_quick() && quotient.can_have(farthest)) {
#define X(v, k) v = apply<outer>(v, quotient.of(p##k));
        ISTHMUS_EACH(X)
#undef X
        ISTHMUS_NEXT;
      }
    }
#define X(v, k) v = apply<outer>(v, apply<inner>(p##k, operand<(scalars & 2) != 0>(q, at, k)));
    ISTHMUS_EACH(X)
#undef X
    ISTHMUS_NEXT;
  }

  template <UnaryLink op>
  static void unary(const ChainLink* link, std::int64_t at, ISTHMUS_ACCUMULATORS) {
    if constexpr (op == UnaryLink::stop) {
      return;
    } else {
      char* out = const_cast<char*>(link->p) + at;
      [[maybe_unused]] const bool is_aligned =
          reinterpret_cast<std::uintptr_t>(out) % vector_bytes == 0;
#define X(v, k)                                                           \
  if constexpr (op == UnaryLink::negate) v = -v;                          \
  if constexpr (op == UnaryLink::square) v = v * v;                       \
  if constexpr (op == UnaryLink::absolute) v = fabs(v);                   \
  if constexpr (op == UnaryLink::root) v = sqrt(v);                       \
  if constexpr (op == UnaryLink::store) store(out + k * vector_bytes, v); \
  if constexpr (op == UnaryLink::bypass)                                  \
    is_aligned ? bypass(out + k * vector_bytes, v) : store(out + k * vector_bytes, v);
      ISTHMUS_EACH(X)
#undef X
      ISTHMUS_NEXT;
    }
  }

  /// A function of the vector library, which keeps no registers.
  template <class F>
  static void call(const ChainLink* link, std::int64_t at, ISTHMUS_ACCUMULATORS) {
    typename F::Lanes strays{};
#define X(v, k) strays |= F::strays(v);
    ISTHMUS_EACH(X)
#undef X
    const bool are_inside = !has_negative(strays);
#define X(v, k) v = are_inside ? F::call(v) : F::call_outside(v);
    ISTHMUS_EACH(X)
#undef X
    ISTHMUS_NEXT;
  }

  template <bool prefetches>
  static void run(const ChainLink* links, std::int64_t groups, ChainStreams streams) {
    const V z{};
    for (std::int64_t i = 0; i < groups; ++i) {
      const std::int64_t at = i * group_size;
      if constexpr (prefetches)
        for (int k = 0; k < streams.count; ++k)
#pragma GCC unroll 8
          for (std::int64_t line = 0; line < group_size; line += 64)
            __builtin_prefetch(streams.addresses[k] + at + 2 * group_size + line);
      reinterpret_cast<Function>(links->function)(links, at, z, z, z, z, z, z, z, z);
    }
#if defined(__AVX__)
    // Compilers leave it out behind calls with vectors as arguments. Without it, instructions of
    // SSE, as in the rest of the library, wait for the upper halves of registers.
    _mm256_zeroupper();
#endif
  }

  template <Link op>
  static void fill_binary(ChainTable& table) {
    table.binary[static_cast<int>(op)][0] = reinterpret_cast<void (*)()>(binary<op, false>);
    table.binary[static_cast<int>(op)][1] = reinterpret_cast<void (*)()>(binary<op, true>);
    if constexpr (op <= Link::mul)
      fill_pairs<op>(table, std::make_index_sequence<pair_link_count>());
    fill_nested<op>(table, std::make_index_sequence<4>());
  }
  template <Link first, std::size_t... second>
  static void fill_pairs(ChainTable& table, std::index_sequence<second...>) {
    (fill_pair<first, static_cast<Link>(second)>(table, std::make_index_sequence<4>()), ...);
  }
  template <Link first, Link second, std::size_t... scalars>
  static void fill_pair(ChainTable& table, std::index_sequence<scalars...>) {
    ((table.pair[static_cast<int>(first)][static_cast<int>(second)][scalars] =
          reinterpret_cast<void (*)()>(pair<first, second, static_cast<int>(scalars)>)),
     ...);
    ((table.repeat[static_cast<int>(first)][static_cast<int>(second)][scalars] =
          reinterpret_cast<void (*)()>(repeat<first, second, static_cast<int>(scalars)>)),
     ...);
  }
  template <Link inner, std::size_t... scalars>
  static void fill_nested(ChainTable& table, std::index_sequence<scalars...>) {
    const auto fill = [&]<Link outer>() {
      ((table.operand[static_cast<int>(outer)][static_cast<int>(inner)][scalars] =
            reinterpret_cast<void (*)()>(nested<outer, inner, static_cast<int>(scalars)>)),
       ...);
    };
    fill.template operator()<Link::load>();
    fill.template operator()<Link::add>();
    fill.template operator()<Link::sub>();
    fill.template operator()<Link::rsub>();
    fill.template operator()<Link::mul>();
  }
  template <UnaryLink op>
  static void fill_unary(ChainTable& table) {
    table.unary[static_cast<int>(op)] = reinterpret_cast<void (*)()>(unary<op>);
  }

  static void fill(ChainTable& table) {
    fill_binary<Link::load>(table);
    fill_binary<Link::add>(table);
    fill_binary<Link::sub>(table);
    fill_binary<Link::rsub>(table);
    fill_binary<Link::mul>(table);
    fill_binary<Link::div>(table);
    fill_binary<Link::rdiv>(table);
    fill_binary<Link::max>(table);
    fill_binary<Link::rmax>(table);
    fill_binary<Link::min>(table);
    fill_binary<Link::rmin>(table);
    fill_unary<UnaryLink::negate>(table);
    fill_unary<UnaryLink::square>(table);
    fill_unary<UnaryLink::absolute>(table);
    fill_unary<UnaryLink::root>(table);
    fill_unary<UnaryLink::store>(table);
    fill_unary<UnaryLink::bypass>(table);
    fill_unary<UnaryLink::stop>(table);
    table.run = is_prefetching_slow() ? run<false> : run<true>;
    table.settle = settle;
  }
};

}  // namespace

void fill_chains(RowTable& table) {
  Chain<float>::fill(table.chains[0]);
  Chain<double>::fill(table.chains[1]);
#ifdef ISTHMUS_HAS_VECTOR_MATH
#define X(name)                                                       \
  table.chains[0].calls[static_cast<int>(Op::name)] =                 \
      reinterpret_cast<void (*)()>(Chain<float>::call<Float_##name>); \
  table.chains[1].calls[static_cast<int>(Op::name)] =                 \
      reinterpret_cast<void (*)()>(Chain<double>::call<Double_##name>);
  ISTHMUS_UNARY(X)
#undef X
#endif
  table.group_bytes = group_size;
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
