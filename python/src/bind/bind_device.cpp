// bind_device.cpp: devices, pools and counters.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "isthmus/graph/node.h"
#include "isthmus/hazards/hazards.h"
#include "isthmus/runtime/devices/registry.h"
#include "isthmus/runtime/kernels/kernel_cache.h"
#include "isthmus/runtime/memory/memory_pool.h"
#include "isthmus/runtime/observe/statistics.h"
#include "isthmus/runtime/submit/queues.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/collections.h"
#include "python/src/object/context.h"
#include "python/src/protocol.h"

namespace isthmus::python {

using detail::format;

namespace {

nb::dict describe(const Device& device) {
  const DeviceInfo info = [&] {
    const Unblocked unblocked;
    return device.info();
  }();
  nb::dict d = new_dict();
  d["name"] = info.name;
  d["driver"] = info.driver;
  d["memory_bytes"] = info.memory_bytes;
  d["largest_allocation"] = info.largest_allocation;
  d["fp64"] = info.has_fp64;
  d["fp16"] = info.has_fp16;
  d["unified_memory"] = info.has_unified_memory;
  d["system_memory"] = info.has_system_memory;
  d["shared_buffers"] = info.has_shared_buffers;
  nb::list kinds = new_list();
  for (MemoryKind kind : info.kinds) kinds.append(to_string(kind));
  d["memory_kinds"] = nb::tuple(kinds);
  return d;
}

nb::dict pool_dict(const Device& device) {
  const PoolStatistics s = pool_statistics(device);
  nb::dict d = new_dict();
  d["bytes_in_use"] = s.bytes_in_use;
  d["bytes_idle"] = s.bytes_idle;
  d["peak_bytes"] = s.peak_bytes;
  d["blocks_in_use"] = s.blocks_in_use;
  d["blocks_idle"] = s.blocks_idle;
  d["hits"] = s.hits;
  d["misses"] = s.misses;
  d["cap_bytes"] = s.cap_bytes;
  return d;
}

nb::dict statistics_dict() {
  const Statistics s = statistics();
  nb::dict d = new_dict();
  d["kernels"] = s.kernels;
  d["launched"] = s.launched;
  d["inlined"] = s.inlined;
  d["steps"] = s.steps;
  d["copies"] = s.copies;
  nb::dict stops = new_dict();
  for (int i = 0; i < static_cast<int>(Stop::count_); ++i)
    stops[nb::str(std::string(to_string(static_cast<Stop>(i))).c_str())] = s.stops[i];
  d["stops"] = stops;
  const CacheStatistics c = cache_statistics();
  nb::dict cache = new_dict();
  cache["hits"] = c.hits;
  cache["disk_hits"] = c.disk_hits;
  cache["compiled"] = c.compiled;
  cache["rejected"] = c.rejected;
  d["cache"] = cache;
  return d;
}

nb::dict counters() {
  catch_up();
  const Counters c = isthmus::counters();
  nb::dict d = new_dict();
  d["memories"] = c.memories;
  d["nodes"] = c.nodes;
  d["reaper_backlog"] = c.reaper_backlog;
  return d;
}

void bind_class(nb::module_& m) {
  nb::class_<Device> c(m, "Device", "One device of one backend, such as \"opencl:0\".");
  c.attr("__module__") = "isthmus";
  c.def(
      "__init__", [](Device* self, nb::handle text) { new (self) Device(device_of(text)); },
      nb::sig("def __init__(self, name: str | Device, /) -> None"));
  c.def(
      "__str__", [](const Device& d) { return to_string(d); }, nb::sig("def __str__(self) -> str"));
  c.def(
      "__repr__", [](const Device& d) { return format("Device('{}')", to_string(d)); },
      nb::sig("def __repr__(self) -> str"));
  // equal to its own text, so with the hash of that
  c.def(
      "__hash__",
      [](const Device& d) { return PyObject_Hash(nb::str(to_string(d).c_str()).ptr()); },
      nb::sig("def __hash__(self) -> int"));
  c.def(
      "__eq__",
      [](const Device& d, nb::handle other) -> nb::object {
        Device o;
        if (PyUnicode_Check(other.ptr())) return nb::bool_(to_string(d) == utf8_of(other));
        if (!nb::try_cast(other, o)) return nb::borrow(Py_NotImplemented);
        return nb::bool_(d == o);
      },
      nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"),
      "Whether it is the same device, or its name: x.device == \"opencl:0\".");
  c.def(
      "__reduce__",
      [](nb::handle self) {
        const std::string name = to_string(instance_of<Device>(self));
        return nb::make_tuple(self.type(), nb::make_tuple(name));
      },
      nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
  c.def_prop_ro(
      "backend", [](const Device& d) { return std::string(d.backend()); },
      nb::sig("def backend(self) -> str"), "Name of the backend.");
  c.def_prop_ro(
      "index", [](const Device& d) { return d.index(); }, nb::sig("def index(self) -> int"),
      "Index of the device in its backend.");
  c.def_prop_ro("info", &describe, nb::sig("def info(self) -> dict[str, typing.Any]"),
                "Properties of the device: driver, memory, fp64, memory kinds, limits.");
}

}  // namespace

void bind_device(nb::module_& m) {
  bind_class(m);
  bind_context(m);
  m.def(
      "_find_devices",
      [] {
        const Devices found = [] {
          const Unblocked unblocked;
          return find_devices();
        }();
        nb::list devices = new_list(), absences = new_list();
        for (const Device& d : found.devices) devices.append(d);
        for (const Absence& a : found.absences)
          absences.append(nb::make_tuple(a.backend, a.reason));
        return nb::make_tuple(nb::tuple(devices), nb::tuple(absences));
      },
      nb::sig("def _find_devices() -> tuple[tuple[Device, ...], tuple[tuple[str, str], ...]]"));
  m.def(
      "synchronize",
      [](nb::handle d) {
        synchronize(device_of(d));
        catch_up();
      },
      nb::arg("device") = nb::none(),
      nb::sig("def synchronize(device: Device | str | None = None) -> None"),
      "Waits until all work that any thread has enqueued on a device has finished.");
  m.def(
      "_pool_statistics", [](nb::handle d) { return pool_dict(device_of(d)); }, nb::arg().none(),
      nb::sig("def _pool_statistics(device: object, /) -> dict[str, int]"));
  m.def(
      "_pool_trim", [](nb::handle d, std::int64_t keep) { return trim_pool(device_of(d), keep); },
      nb::arg().none(), nb::arg(), nb::sig("def _pool_trim(device: object, keep: int, /) -> int"));
  m.def(
      "_pool_set_cap", [](nb::handle d, std::int64_t cap) { set_pool_cap(device_of(d), cap); },
      nb::arg().none(), nb::arg(),
      nb::sig("def _pool_set_cap(device: object, cap: int, /) -> None"));
  m.def("statistics", &statistics_dict, nb::sig("def statistics() -> dict[str, typing.Any]"),
        "Counts of this process: kernels run and where, their operations, transfers between "
        "memories, why fusion ended, and the kernel cache.");
  m.def("counters", &counters, nb::sig("def counters() -> dict[str, int]"),
        "Objects of the core that are alive now: memories that are in use or wait to be\n"
        "released, pending nodes, and the reaper's backlog: memories that were dropped while\n"
        "work on them was unfinished. For idle memory in pools see\n"
        "isthmus.memory.pool_statistics.");
  m.def(
      "_library",
      [](nb::handle d, const std::string& capability) {
        const Device device = device_of(d);
        return reinterpret_cast<std::uintptr_t>(
            backend(device).library(device.index(), capability));
      },
      nb::sig("def _library(device: object, capability: str, /) -> int"),
      "Address of a backend's function table, for ctypes; 0 if it has none with that name.");
  m.def(
      "_cache_folder", [] { return cache_folder().string(); },
      nb::sig("def _cache_folder() -> str"));
  m.def(
      "_cache_info",
      [] {
        const cache::Info found = [] {
          const Unblocked unblocked;
          return cache::info();
        }();
        return nb::make_tuple(found.folder, found.files, found.nbytes, found.limit_nbytes,
                              found.hits, found.disk_hits, found.compiled, found.rejected);
      },
      nb::sig("def _cache_info() -> tuple[str, int, int, int, int, int, int, int]"));
  m.def("_clear_cache", &cache::clear, nb::sig("def _clear_cache(disk: bool, /) -> None"));
}

}  // namespace isthmus::python
