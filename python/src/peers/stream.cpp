// stream.cpp: the argument `stream`: a number, a queue of ours or of another library.
#include "python/src/peers/stream.h"

#include <nanobind/stl/string.h>

#include "isthmus/runtime/devices/registry.h"
#include "python/src/object/queue_object.h"
#include "python/src/peers/opencl_objects.h"
#include "python/src/peers/sycl_objects.h"

namespace isthmus::python {

namespace {

Borrower borrower_of_number(std::string_view who, const Device& device, nb::handle number) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (value == -1 && !overflow) return {nullptr, true};
  const std::uintptr_t address = value > 0      ? static_cast<std::uintptr_t>(value)
                                 : overflow > 0 ? PyLong_AsUnsignedLongLong(number.ptr())
                                                : 0;
  const bool fits = !PyErr_Occurred();
  PyErr_Clear();
  check(fits && address > 2, Errc::value,
        "{}: {} is not the address of a queue of {}; -1 means no waiting", who,
        nb::cast<std::string>(nb::str(number)), device);
  return {queue_at(device, address)};
}

}  // namespace

[[gnu::hot]] Borrower borrower_of(std::string_view who, const Device& device, nb::handle stream) {
  if (stream.is_none()) return {};
  if (PyLong_Check(stream.ptr()) && !PyBool_Check(stream.ptr()))
    return borrower_of_number(who, device, stream);
  if (Ref<BackendQueue> queue = as_queue(stream)) return {std::move(queue)};
  if (is_pyopencl(stream)) return {opencl_queue_of(who, stream)};
  return {sycl_queue_of(who, stream)};
}

std::optional<OnQueue> on_stream(std::string_view who, const Device& device, nb::handle stream) {
  const Borrower borrower = borrower_of(who, device, stream);
  check(!borrower.is_ordered, Errc::value, "{}: -1 is not a queue; pass one, or None", who);
  if (!borrower.queue) return std::nullopt;
  const Device& of = borrower.queue->context->device;
  check(of == device, Errc::device_mismatch, "{}: the queue is of {}; expected one of {}", who, of,
        device);
  return std::optional<OnQueue>(std::in_place, borrower.queue);
}

}  // namespace isthmus::python
