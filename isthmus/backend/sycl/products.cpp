// products.cpp: products of matrices by oneMKL, where its library for SYCL is (decision 46).
#include "isthmus/backend/sycl/products.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/backend/sycl/objects.h"
#include "isthmus/base/error.h"
#include "isthmus/opencl_driver/commands.h"

namespace isthmus::sycl_usm {

namespace {

using Multiply = void (*)(sycl::queue& queue, const DeviceProducts& products,
                          const std::vector<sycl::event>& waits, sycl::event& end);

struct Library {
  std::string file;  ///< Of oneMKL.
  Multiply multiply = nullptr;
};

/// libraries/sycl_mkl.so beside this module, which needs oneMKL's libraries all at once: they find
/// each other's functions only so.
Library open() {
  Dl_info here;
  if (!dladdr(reinterpret_cast<const void*>(&mkl), &here) || !here.dli_fname) return {};
  const auto file =
      std::filesystem::path(here.dli_fname).replace_filename("libraries") / "sycl_mkl.so";
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return {};  // which is no error: our kernels multiply, too
  Library found;
  found.multiply = reinterpret_cast<Multiply>(dlsym(library, "isthmus_sycl_mkl"));
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0) return found;
  while (map->l_prev) map = map->l_prev;  // others may have opened oneMKL before
  for (; map; map = map->l_next)
    if (std::string_view(map->l_name).find("/libmkl_sycl_blas") != std::string_view::npos)
      found.file = std::filesystem::path(map->l_name).lexically_normal().string();
  return found;
}

/// Never closed: threads of it may be at work when the process ends.
const Library& library() {
  static const Library* const found = new Library(open());
  return *found;
}

bool takes(TypeId type) {
  const bool is_known = type == TypeId::float32 || type == TypeId::float64 ||
                        type == TypeId::complex64 || type == TypeId::complex128;
  return is_known && library().multiply;
}

/// On SYCL's queue, between what is on ours below it and what will be.
Ref<Event> multiply(BackendQueue& on, const DeviceProducts& products,
                    std::span<const Ref<Event>> given) {
  SyclQueue& queue = native(on);
  const bool is_below = queue.below && !queue.has_users;
  std::vector<Ref<Event>> all(given.begin(), given.end());
  if (is_below) {
    all.push_back(driver::barrier(*queue.below, given));
    driver::flush(*queue.below);
  }
  const std::vector<sycl::event> waits = wait_list(queue.sycl_context(), all);
  auto event = make_ref<SyclEvent>(sycl::event());  // first: nobody could wait for the work else
  sycl_call("oneapi::mkl::blas::gemm_batch", [&] {
    try {
      library().multiply(queue.object, products, waits, event->object);
    } catch (const sycl::exception&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {  // oneMKL's own
      fail(Errc::launch, "oneapi::mkl::blas::gemm_batch: {}", error.what());
    }
  });
  try {
    if (queue.of_sycl) driver::flush(*queue.of_sycl);
    if (is_below) {
      const Ref<Event> end = event;
      driver::barrier(*queue.below, std::span(&end, 1));
    }
  } catch (...) {
    event->settle();  // its memory goes back to its owners now
    throw;
  }
  return event;
}

}  // namespace

const DeviceBlas mkl{takes, [] { return library().file; }, multiply};

}  // namespace isthmus::sycl_usm
