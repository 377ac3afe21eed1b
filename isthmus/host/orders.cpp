// orders.cpp: which orders elements are in already.
#include "isthmus/host/key_rows.h"

namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA {

namespace {

template <class T, bool is_descending>
int orders_in(const char* elements, std::int64_t n) {
  constexpr std::int64_t few = 16, block = 512;  // few tell of elements in no order
  KeyOf<T> keys[block];
  int orders = is_rising | is_falling;
  for (std::int64_t begin = 0, size = few; begin + 1 < n && orders;
       begin += size - 1, size = block) {
    const std::int64_t count = std::min(size, n - begin);
    make_keys<T, is_descending>(keys, elements + begin * static_cast<std::int64_t>(sizeof(T)),
                                count);
    KeyOf<T> falls = 0, rises = 0;  // as wide as a key, for vectors
    for (std::int64_t i = 1; i < count; ++i) {
      falls |= static_cast<KeyOf<T>>(keys[i] < keys[i - 1]);
      rises |= static_cast<KeyOf<T>>(keys[i] >= keys[i - 1]);
    }
    orders &= (falls ? 0 : is_rising) | (rises ? 0 : is_falling);
  }
  return orders;
}

template <class T>
int orders(const void* elements, std::int64_t n, bool is_descending) {
  const auto* const in = static_cast<const char*>(elements);
  return is_descending ? orders_in<T, true>(in, n) : orders_in<T, false>(in, n);
}

template <class T>
void fill(RowTable& table, TypeId type) {
  table.keys[static_cast<int>(type)].orders = orders<T>;
}

}  // namespace

void fill_orders(RowTable& table) {
  each_key_type([&]<class T>(T, TypeId type) { fill<T>(table, type); });
}

}  // namespace isthmus::inline ISTHMUS_ABI::host::ISTHMUS_ISA
