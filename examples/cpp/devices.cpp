// devices.cpp: lists the devices that a program finds by itself, and why others are missing.
//   devices [backend ...]    fails unless each of those backends has a device and calculates on it
#include <isthmus/isthmus.h>

#include <cstdio>
#include <string>

namespace xp = isthmus;

int main(int argc, char** argv) {
  std::printf("Isthmus %s\n", std::string(xp::version()).c_str());
  const xp::Devices found = xp::find_devices();
  for (const xp::Device& device : found.devices)
    std::printf("  %s\n", xp::to_string(device).c_str());
  for (const auto& [backend, reason] : found.absences)
    std::printf("  %s is missing: %s\n", backend.c_str(), reason.c_str());
  int missing = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string wanted = argv[i];
    try {
      const xp::Array ones = xp::full({1000}, 1.f, xp::TypeId::float32, xp::parse_device(wanted));
      const float sum = xp::item<float>(xp::sum(2 * ones));
      std::printf("%s: %g\n", wanted.c_str(), sum);
      if (sum != 2000) ++missing;
    } catch (const xp::Error& error) {
      std::printf("%s: %s\n", wanted.c_str(), error.what());
      ++missing;
    }
  }
  return missing;
}
