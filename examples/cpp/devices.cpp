// devices.cpp: find devices, calculate there, and move arrays.
//   devices [backend ...]    fails unless each of those backends has a device and calculates on it
#include <isthmus/isthmus.h>

#include <unistd.h>

#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <span>
#include <string>

#include "checks.h"

namespace xp = isthmus;

/// What a program does on a device that is there.
void use(const xp::Device& device) {
  const xp::Array x = xp::ones<float>({1000}, device);       // or by a text: "opencl:0"
  const xp::Array y = 2 * x;                                 // on the same device
  const xp::Array host = y.to_device("cpu");                 // a copy, but of what is there already
  const xp::Array seen = xp::asarray(y, {.device = "cpu"});  // shared, but of a cl_mem
  const float sum_there = sum(y).item<float>();              // waits
  host[0] = 5;
  assign(x, host.to_device(device));

  expect(y.device() == device && host.device() == "cpu" && seen.device() == "cpu",
         xp::to_string(device) + ": " + device.info().name);
  expect(sum_there == 2000, "twice a thousand ones");
  expect(sum(y).item<float>() == (device.is_host() ? 2003 : 2000), "a copy is a copy");
  expect(sum(seen).item<float>() == sum(y).item<float>(), "and what is shared, or not written to");
  expect(sum(x).item<float>() == 2003, "what was written on the host, on the device again");
}

/// Memory without a dtype.
void use_memory(const xp::Device& device) {
  const std::array<float, 16> header{1, 2, 3};
  const xp::Memory memory(4096, device, {.alignment = 256});
  const xp::Array grid = xp::from_memory<float>(memory, {32, 32});  // a view of its bytes
  memory.memset(0);
  memory(0, 64).copy_from_host(std::as_bytes(std::span(header)));

  expect(sum(grid).item<float>() == 6, "the header, and zeros behind it");
  expect(xp::Memory(grid).nbytes() >= memory.nbytes(), "the array lies in that memory");
}

/// Files of NumPy's formats.
void use_files(const xp::Device& device) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("isthmus-devices-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const xp::Array x = xp::arange(6.f, {}, device).reshape({2, 3});
  xp::save(folder / "x.npy", x);
  const xp::Array y = xp::load(folder / "x.npy", {.device = device});
  const xp::Array pages = xp::load(folder / "x.npy", {.mmap_mode = xp::MapMode::read});  // no copy
  xp::savez(folder / "both.npz", {{"x", x}, {"y", y}});
  const std::map<std::string, xp::Array> both = xp::load_archive(folder / "both.npz");

  expect(y.device() == device && all(y == x).item<bool>(), "what was saved is loaded");
  expect(pages.is_read_only() && sum(pages).item<float>() == 15, "the pages of the file");
  expect(both.size() == 2 && sum(both.at("y")).item<float>() == 15, "an archive of two arrays");
  std::filesystem::remove_all(folder);
}

int main(int argc, char** argv) {
  std::cout << "Isthmus " << xp::version() << '\n';
  const xp::Devices found = xp::find_devices();  // opens the drivers
  for (const xp::Device& device : found.devices) std::cout << "  " << device << '\n';
  for (const auto& [backend, reason] : found.absences)
    std::cout << "  " << backend << " is missing: " << reason << '\n';
  use("cpu");  // always there
  use_memory("cpu");
  use_files("cpu");

  int missing = 0;
  for (int i = 1; i < argc; ++i) try {
      use(argv[i]);  // "opencl" is its first device
      use_memory(argv[i]);
      use_files(argv[i]);
    } catch (const xp::Error& error) {
      std::cout << argv[i] << ": " << error.what() << '\n';
      ++missing;
    }
  for (const xp::Device& device : found.devices) try {
      if (device.is_host()) continue;
      xp::ones({2}) + xp::ones({2}, device);
      expect(false, "operands of two devices are refused");
    } catch (const xp::DeviceMismatchError& error) {
      expect(true, error.what());
    }
  xp::set_default_device(found.devices.back());
  expect(xp::zeros({2}).device() == found.devices.back(), "new arrays lie on the default device");
  const xp::OnDevice here("cpu");
  expect(xp::zeros({2}).device() == "cpu", "or on the one that this thread has named");
  return missing;
}
