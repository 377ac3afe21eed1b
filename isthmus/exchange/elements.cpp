// elements.cpp: elements of programs as arrays, and those of arrays as elements of programs.
#include <memory>

#include "isthmus/exchange/share.h"
#include "isthmus/exchange/span.h"

namespace isthmus::inline ISTHMUS_ABI::detail {

using Owner = std::shared_ptr<void>;

Array adopted(Owner owner, const void* elements, std::size_t count, DType dtype) {
  Foreign foreign;
  foreign.who = "Array";
  foreign.address = const_cast<void*>(elements);
  foreign.dtype = dtype;
  foreign.layout = row_major(Shape(count));
  foreign.is_private = true;
  return adopt(foreign, std::move(owner));
}

Array adopted_there(Owner owner, const void* elements, std::size_t count, DType dtype) {
  return to_device(adopted(std::move(owner), elements, count, dtype), default_device());
}

Array shared_elements(Owner owner, const void* elements, std::size_t count, const Shape& shape,
                      DType dtype, bool is_read_only) {
  check(std::cmp_equal(checked_count("from_span", shape), count), Errc::value,
        "from_span: shape {} does not fit the span's {} elements", shape, count);
  Foreign foreign;
  foreign.who = "from_span";
  foreign.address = const_cast<void*>(elements);
  foreign.dtype = dtype;
  foreign.layout = row_major(shape);
  foreign.is_read_only = is_read_only;
  return adopt(foreign, std::move(owner));
}

void begin_loan(const Array& array, DType dtype, bool is_read_only) {
  check(
      array.dtype() == dtype, Errc::type,
      "to_span: asked for {}, but the array's elements are {}; use astype, or host_address to see "
      "their bytes",
      dtype, array.dtype());
  check(is_row_major(array.layout()), Errc::exchange,
        "to_span: elements with strides {} are not a span; use contiguous", array.layout().strides);
  check(is_host_reachable(array), Errc::exchange,
        "to_span: the host cannot access memory of {}; use to_device", array.device());
  check(is_read_only || !array.is_read_only(), Errc::exchange,
        "to_span: the array is read-only; ask for a span of const");
  begin_export(array);
}

void end_loan(const Array& array) noexcept { end_export(*array.storage()->memory()); }

}  // namespace isthmus::inline ISTHMUS_ABI::detail
