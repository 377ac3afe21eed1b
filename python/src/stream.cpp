// stream.cpp: numbers, queues of ours and of others as guests.
#include "python/src/stream.h"

#include "isthmus/runtime/registry.h"
#include "python/src/opencl_objects.h"
#include "python/src/queue_object.h"
#include "python/src/sycl_objects.h"

namespace isthmus::python {

namespace {

constexpr const char* who = "__dlpack__: stream";

Guest guest_of_number(const Device& device, nb::handle number) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (value == -1 && !overflow) return {nullptr, true};
  const std::uintptr_t address = value > 0      ? static_cast<std::uintptr_t>(value)
                                 : overflow > 0 ? PyLong_AsUnsignedLongLong(number.ptr())
                                                : 0;
  if (PyErr_Occurred()) PyErr_Clear();
  check(address > 2, Errc::value,
        "{}: {} is not the address of a queue of {}; -1 means that nobody waits", who, value,
        device);
  return {queue_at(device, address)};
}

}  // namespace

Guest guest_of(const Device& device, nb::handle stream) {
  if (stream.is_none()) return {};
  if (PyLong_Check(stream.ptr()) && !PyBool_Check(stream.ptr()))
    return guest_of_number(device, stream);
  if (Ref<Queue> queue = as_queue(stream)) return {std::move(queue)};
  if (is_pyopencl(stream)) return {opencl_queue_of(who, stream)};
  return {sycl_queue_of(who, stream)};
}

}  // namespace isthmus::python
