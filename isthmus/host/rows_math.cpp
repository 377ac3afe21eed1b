// rows_math.cpp: rows of elementary functions, through those of vector_functions.h.
//
// They are called with whole vectors only, the last one padded, so that an element has the same
// bits wherever it stands. Elsewhere the scalar rows of rows_real.cpp stay.
#include <cstring>

#include "isthmus/host/rows.h"
#include "isthmus/host/vector_functions.h"

#ifdef ISTHMUS_HAS_VECTOR_MATH

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

template <class V>
V load(const char* memory, std::size_t bytes = sizeof(V)) {
  V value = V{} + 1;  // padding that is in the domain of every function
  std::memcpy(&value, memory, bytes);
  return value;
}

/// One look at the lanes of so many vectors.
template <class F, int count>
void call_each(char* to, const char* from) {
  using V = typename F::Vector;
  typename F::Lanes strays{};
  for (int i = 0; i < count; ++i) strays |= F::strays(load<V>(from + i * sizeof(V)));
  const auto store = [&](int i, V value) { std::memcpy(to + i * sizeof(V), &value, sizeof value); };
  if (!has_negative(strays)) [[likely]] {
    for (int i = 0; i < count; ++i) store(i, F::call(load<V>(from + i * sizeof(V))));
  } else {
    for (int i = 0; i < count; ++i) store(i, F::call_outside(load<V>(from + i * sizeof(V))));
  }
}

template <class F>
void unary(void* out, const void* x, std::int64_t bytes) {
  using V = typename F::Vector;
  constexpr std::int64_t one = sizeof(V), eight = 8 * one;
  auto* to = static_cast<char*>(out);
  const auto* from = static_cast<const char*>(x);
  std::int64_t i = 0;
  for (; i + eight <= bytes; i += eight) call_each<F, 8>(to + i, from + i);
  for (; i + one <= bytes; i += one) call_each<F, 1>(to + i, from + i);
  if (i == bytes) return;
  const std::size_t rest = static_cast<std::size_t>(bytes - i);
  const V value = F::call_outside(load<V>(from + i, rest));
  std::memcpy(to + i, &value, rest);
}

template <class V, class F>
void binary(F function, void* out, const void* x, const void* y, std::int64_t bytes) {
  auto* to = static_cast<char*>(out);
  const auto* left = static_cast<const char*>(x);
  const auto* right = static_cast<const char*>(y);
  std::int64_t i = 0;
  for (; i + static_cast<std::int64_t>(sizeof(V)) <= bytes; i += sizeof(V)) {
    const V value = function(load<V>(left + i), load<V>(right + i));
    std::memcpy(to + i, &value, sizeof value);
  }
  if (i == bytes) return;
  const std::size_t rest = static_cast<std::size_t>(bytes - i);
  const V value = function(load<V>(left + i, rest), load<V>(right + i, rest));
  std::memcpy(to + i, &value, rest);
}

#define X(name)                                                                                \
  void row_##name##_float(void* o, const void* x, const void*, const void*, std::int64_t n) {  \
    unary<Float_##name>(o, x, n * 4);                                                          \
  }                                                                                            \
  void row_##name##_double(void* o, const void* x, const void*, const void*, std::int64_t n) { \
    unary<Double_##name>(o, x, n * 8);                                                         \
  }
ISTHMUS_UNARY(X)
#undef X
#define X(name)                                                                                  \
  void row_##name##_float(void* o, const void* x, const void* y, const void*, std::int64_t n) {  \
    binary<VectorFloat>(ISTHMUS_MVEC(name, vv), o, x, y, n * 4);                                 \
  }                                                                                              \
  void row_##name##_double(void* o, const void* x, const void* y, const void*, std::int64_t n) { \
    binary<VectorDouble>(ISTHMUS_MVEC_DOUBLE(name, vv), o, x, y, n * 8);                         \
  }
ISTHMUS_BINARY(X)
#undef X

}  // namespace

void fill_math_rows(RowTable& table) {
#define X(name)                                                                                  \
  table.ops[static_cast<int>(Op::name)][static_cast<int>(TypeId::float32)] = row_##name##_float; \
  table.ops[static_cast<int>(Op::name)][static_cast<int>(TypeId::float64)] = row_##name##_double;
  ISTHMUS_UNARY(X)
  ISTHMUS_BINARY(X)
#undef X
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA

#else

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
void fill_math_rows(RowTable&) {}
}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA

#endif
