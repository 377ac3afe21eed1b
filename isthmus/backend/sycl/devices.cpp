// devices.cpp: the list of devices and their numbers in other people's counting.
#include "isthmus/backend/sycl/devices.h"

#include <algorithm>
#include <charconv>

#include "isthmus/base/error.h"
#include "isthmus/runtime/libraries/vendor.h"
#include "isthmus/runtime/libraries/vendor_libraries.h"

namespace isthmus::sycl_usm {

using detail::format;

namespace {

namespace info = sycl::info::device;

DeviceInfo describe(const sycl::device& device) {
  DeviceInfo facts;
  facts.name = device.get_info<info::name>();
  facts.driver =
      format("{}, {}, driver {}", device.get_platform().get_info<sycl::info::platform::name>(),
             device.get_info<info::version>(), device.get_info<info::driver_version>());
  facts.memory_bytes = device.get_info<info::global_mem_size>();
  facts.largest_allocation = device.get_info<info::max_mem_alloc_size>();
  facts.has_fp64 = device.has(sycl::aspect::fp64);
  facts.has_fp16 = device.has(sycl::aspect::fp16);
  facts.has_unified_memory = device.is_cpu();
  facts.has_system_memory = device.has(sycl::aspect::usm_system_allocations);
  facts.kinds = {MemoryKind::device};
  if (device.has(sycl::aspect::usm_shared_allocations)) facts.kinds.push_back(MemoryKind::shared);
  if (device.has(sycl::aspect::usm_host_allocations)) facts.kinds.push_back(MemoryKind::host);
  return facts;
}

/// A work-group shares no memory here: kernels that the compiler takes from text declare none.
Traits traits_of(const sycl::device& device, const DeviceInfo& facts) {
  Traits traits;
  traits.dialect = Dialect::sycl;
  traits.has_fp64 = facts.has_fp64;
  traits.is_cpu = device.is_cpu();
  traits.largest_group = static_cast<int>(device.get_info<info::max_work_group_size>());
  traits.words = 0;  // handler::set_arg takes no struct of a size known at run time
  return traits;
}

const driver::ClDevice* opencl_device(const sycl::device& device) {
  if (device.get_backend() != sycl::backend::opencl) return nullptr;
  return new driver::ClDevice(driver::describe(sycl::get_native<sycl::backend::opencl>(device)));
}

const SyclDevice* make_device(const sycl::device& device) {
  const DeviceInfo facts = describe(device);
  return new SyclDevice{device, facts, opencl_device(device), device.is_cpu(),
                        traits_of(device, facts)};
}

int rank_of(const SyclDevice& d) { return d.device.is_gpu() ? 0 : d.is_cpu ? 2 : 1; }

/// All that DLPack's numbers count.
const std::vector<sycl::device>& numbered() {
  static auto& once = *new Once<std::vector<sycl::device>>;
  return once.get([] {
    return sycl_call("sycl::device::get_devices", [] {
      auto made = std::make_unique<std::vector<sycl::device>>();
      for (const sycl::device& device : sycl::device::get_devices())
        if (sycl::default_selector_v(device) >= 0) made->push_back(device);
      return made;
    });
  });
}

}  // namespace

const std::vector<const SyclDevice*>& devices() {
  static auto& once = *new Once<std::vector<const SyclDevice*>>;
  const auto& found = once.get([] {
    return sycl_call("sycl::device::get_devices", [] {
      auto made = std::make_unique<std::vector<const SyclDevice*>>();
      for (const sycl::device& device : sycl::device::get_devices())
        if (device.has(sycl::aspect::usm_device_allocations)) made->push_back(make_device(device));
      std::ranges::stable_sort(*made, {}, [](const SyclDevice* d) { return rank_of(*d); });
      return made;
    });
  });
  if (found.empty())
    fail(Errc::backend_unavailable, "SYCL finds no device with USM: {}", why_intel_is_missing());
  return found;
}

const SyclDevice& device_at(int index) {
  const auto& all = devices();
  check(index >= 0 && static_cast<std::size_t>(index) < all.size(), Errc::device_not_found,
        "sycl: there is no device {}; there are {} with USM", index, all.size());
  return *all[static_cast<std::size_t>(index)];
}

int index_of(const sycl::device& device) {
  const auto& all = devices();
  const auto found =
      std::ranges::find_if(all, [&](const SyclDevice* d) { return d->device == device; });
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

int find_device(std::string_view selector) {
  int index = -1;
  const char* const end = selector.data() + selector.size();
  const auto [at, error] = std::from_chars(selector.data(), end, index);
  if (error == std::errc() && at == end) {
    check(index >= 0 && static_cast<std::size_t>(index) < devices().size(), Errc::device_not_found,
          "there is no such device");
    return index;
  }
  try {
    const sycl::ext::oneapi::filter_selector filter{std::string(selector)};
    index = call("sycl::filter_selector", [&] { return index_of(sycl::device(filter)); });
  } catch (const sycl::exception& e) {
    fail(Errc::device_not_found, "SYCL says: {}", e.what());
  }
  check(index >= 0, Errc::device_not_found, "it has no USM");
  return index;
}

int dlpack_number(int device) {
  const auto& all = numbered();
  const auto found = std::ranges::find(all, device_at(device).device);
  check(found != all.end(), Errc::exchange, "sycl:{}: DLPack has no number for this device",
        device);
  return static_cast<int>(found - all.begin());
}

int device_of_dlpack_number(int number) {
  const auto& all = numbered();
  const bool is_known = number >= 0 && static_cast<std::size_t>(number) < all.size();
  return is_known ? index_of(all[static_cast<std::size_t>(number)]) : -1;
}

}  // namespace isthmus::sycl_usm
