// searches.cpp: positions in sorted elements.
#include <type_traits>

#include "isthmus/host/keys.h"
#include "isthmus/host/rows.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {
namespace {

/// NaN comes after all numbers.
template <class T>
bool is_less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a < b || (b != b && a == a);
  else
    return a < b;
}

/// Branches would be mispredicted half of the time, so each halving is a choice of two addresses.
template <class T, bool is_right>
void search(void* out_memory, const void* base, const void* values, const void* counts,
            std::int64_t n) {
  auto* out = static_cast<std::int64_t*>(out_memory);
  const auto* sorted = static_cast<const T*>(base);
  const auto* value = static_cast<const T*>(values);
  const std::int64_t count = *static_cast<const std::int64_t*>(counts);
  for (std::int64_t i = 0; i < n; ++i) {
    const auto goes_on = [&](T at) {
      return is_right ? !is_less(value[i], at) : is_less(at, value[i]);
    };
    std::int64_t first = 0;
    for (std::int64_t left = count; left > 0;) {
      const std::int64_t half = left / 2;
      const bool is_after = goes_on(sorted[first + half]);
      first = is_after ? first + half + 1 : first;
      left = is_after ? left - half - 1 : half;
    }
    out[i] = first;
  }
}

template <class T>
void fill(RowTable& table, TypeId type) {
  table.searches[0][static_cast<int>(type)] = search<T, false>;
  table.searches[1][static_cast<int>(type)] = search<T, true>;
}

}  // namespace

void fill_searches(RowTable& table) {
  fill<std::uint8_t>(table, TypeId::bool_);
  each_key_type([&]<class T>(T, TypeId type) { fill<T>(table, type); });
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
