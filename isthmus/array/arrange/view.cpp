// view.cpp: the same memory as elements of another dtype.
#include "isthmus/array/apply.h"

namespace isthmus::inline ISTHMUS_ABI {

namespace {

/// What makes any layout fit, in words of both languages.
constexpr std::string_view copy_first = "copy it row by row first, by x.flatten().reshape(shape)";

/// The last axis with as many bytes of elements of another size.
void resize_last_axis(Layout& layout, DType from, DType to, bool has_elements) {
  const std::int64_t old_bytes = from.bytes(), bytes = to.bytes();
  check(layout.ndim() > 0, Errc::value,
        "view: one {} is not one {}, which has another size; an array with an axis could be "
        "viewed, such as x.ravel()",
        from, to);
  std::int64_t& length = layout.shape.back();
  std::int64_t& stride = layout.strides.back();
  check(length == 1 || stride == 1 || !has_elements, Errc::value,
        "view: the last axis has stride {}; to view {} as {}, of another size, its elements must "
        "be contiguous: {}",
        stride, from, to, copy_first);
  std::int64_t all = 0;
  check(product_fits(length, old_bytes, all), Errc::value,
        "view: {} elements of {} are more than 2^63-1 bytes", length, from);
  if (bytes < old_bytes)
    check(old_bytes % bytes == 0, Errc::value,
          "view: an element of {} has {} bytes, which is not a multiple of the {} bytes of {}",
          from, old_bytes, bytes, to);
  check(all % bytes == 0, Errc::value,
        "view: the last axis of length {} has {} bytes as {}, which is not a multiple of the {} "
        "bytes of {}",
        length, all, from, bytes, to);
  length = all / bytes;
  stride = 1;
}

/// Strides and the offset, in elements of another size.
void scale(Layout& layout, DType from, DType to) {
  const std::int64_t old_bytes = from.bytes(), bytes = to.bytes();
  for (int axis = 0; axis < layout.ndim() - 1; ++axis) {
    std::int64_t& stride = layout.strides[axis];
    std::int64_t step = 0;
    if (!product_fits(stride, old_bytes, step)) step = 0;  // only of an axis of length 1
    check(step % bytes == 0 || layout.shape[axis] == 1, Errc::value,
          "view: the stride of axis {} is {} in bytes, which is not a multiple of the {} bytes of "
          "{}; {}",
          axis, step, bytes, to, copy_first);
    stride = step / bytes;
  }
  check(layout.offset * old_bytes % bytes == 0, Errc::value,
        "view: the first element is at byte {} of its memory, which is not a multiple of the {} "
        "bytes of {}; {}",
        layout.offset * old_bytes, bytes, to, copy_first);
  layout.offset = layout.offset * old_bytes / bytes;
}

void check_alignment(const BackendMemory& memory, DType dtype) {
  if (memory.kind == MemoryKind::buffer) return;  // has no address
  const std::int64_t alignment = alignment_of(dtype);
  check(memory.handle % static_cast<std::uintptr_t>(alignment) == 0, Errc::value,
        "view: the memory is misaligned for {}, which needs addresses that are multiples of {}; {}",
        dtype, alignment, copy_first);
}

}  // namespace

Array Array::view(DType as) const {
  const DType from = dtype();
  if (as == from) return *this;
  const bool has_elements = size() > 0;
  Layout seen = layout();
  if (as.bytes() != from.bytes()) {
    resize_last_axis(seen, from, as, has_elements);
    if (has_elements)
      scale(seen, from, as);
    else
      seen = row_major({seen.shape.begin(), seen.shape.end()});
    detail::checked_bytes("view", {seen.shape.begin(), seen.shape.end()}, as.bytes(), Errc::value);
  }
  eval();
  const Ref<BackendMemory>& memory = storage()->memory();
  if (has_elements) check_alignment(*memory, as);
  // through the view others than 0 and 1 can come to be bools, in either direction
  if (from.id == TypeId::bool_) memory->has_any_bytes = true;
  return from_view({memory, as, std::move(seen), is_read_only()});
}

}  // namespace isthmus::inline ISTHMUS_ABI
