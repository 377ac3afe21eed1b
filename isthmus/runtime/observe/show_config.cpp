// show_config.cpp: what this installation is.
#include "isthmus/runtime/observe/show_config.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "isthmus/base/format.h"
#include "isthmus/runtime/devices/devices.h"
#include "isthmus/runtime/kernels/cache.h"
#include "isthmus/runtime/settings.h"
#include "isthmus/threads/executor.h"
#include "isthmus/version.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

static std::vector<std::string> variables() {
  std::vector<std::string> found;
  for (char** entry = environ; entry && *entry; ++entry)
    if (std::string_view(*entry).starts_with("ISTHMUS_")) found.emplace_back(*entry);
  std::ranges::sort(found);
  return found;
}

std::string show_config() {
  const Devices known = find_devices();
  std::string text = format("Isthmus {}\n", version());
  for (const Device& device : known.devices) {
    const DeviceInfo& info = device.info();
    text += format("{}: {}, {} MiB\n", device, info.name, info.memory_bytes >> 20);
  }
  for (const Absence& absence : known.absences)
    text += format("{}: missing: {}\n", absence.backend, absence.reason);
  text += format("threads: {}\n", thread_count());
  text += format("BLAS: {}\n", blas_library());
  for (const Device& device : known.devices)
    if (const std::string own = blas_library(device); !own.empty())
      text += format("BLAS of {}: {}\n", device, own);
  const cache::Info kept = cache::info();
  text +=
      format("kernels: {}, {} files\n", kept.folder.empty() ? "not kept" : kept.folder, kept.files);
  for (const std::string& variable : variables()) text += variable + "\n";
  return text;
}

}  // namespace isthmus::inline ISTHMUS_ABI
