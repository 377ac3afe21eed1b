// elements.cpp: the elements of a vector as an array that owns it.
#include <memory>

#include "isthmus/exchange/share.h"
#include "isthmus/runtime/registry.h"

namespace isthmus::detail {

using Owner = std::shared_ptr<void>;

static bool drop_owner(Memory& memory) noexcept {
  delete static_cast<Owner*>(memory.owner);
  return false;
}

Array adopted(Owner owner, const void* elements, std::size_t count, DType dtype) {
  auto held = std::make_unique<Owner>(std::move(owner));
  Foreign foreign;
  foreign.who = "Array";
  foreign.address = const_cast<void*>(elements);
  foreign.dtype = dtype;
  foreign.layout = row_major(Shape(count));
  foreign.is_private = true;
  foreign.owner = held.get();
  foreign.release = drop_owner;
  Array array = adopt(foreign);
  held.release();  // the memory has it
  return array;
}

Array adopted_there(Owner owner, const void* elements, std::size_t count, DType dtype) {
  return to_device(adopted(std::move(owner), elements, count, dtype), default_device());
}

}  // namespace isthmus::detail
