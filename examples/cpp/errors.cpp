// errors.cpp: catch what one can handle, and keep an error for later.
#include <isthmus/isthmus.h>

#include <iostream>
#include <memory>

#include "checks.h"

namespace xp = isthmus;

/// The error that `work` throws.
template <class Work>
std::shared_ptr<const xp::Error> error_of(Work work) {
  try {
    work();
  } catch (const xp::Error& error) {
    return error.share();  // a copy to keep, of the same class
  }
  return nullptr;
}

int main() {
  const xp::Array x = xp::ones({2, 3});
  double total = 0;
  try {
    total = sum(x.to_device("opencl:99")).item<double>();
  } catch (const xp::DeviceError& error) {  // no such device, no backend, no driver
    std::cout << error.what() << "; the host will do\n";
    total = sum(x).item<double>();
  } catch (const xp::Error& error) {  // all else that the library throws
    std::cerr << to_string(error.code()) << ": " << error.what() << '\n';
    return 1;
  }
  expect(total == 6, "calculated on the host then");

  const auto shapes = error_of([&] { x + xp::ones({4}); });
  expect(shapes && shapes->code() == xp::Errc::value, "a sum of shapes that do not fit is refused");
  std::cout << "  " << to_string(shapes->code()) << ": " << shapes->what() << '\n';
  bool is_caught = false;
  try {
    shapes->raise();
  } catch (const xp::ValueError&) {
    is_caught = true;
  }
  expect(is_caught, "an error that was kept is thrown with its class");

  const auto is = [](auto error, xp::Errc code) { return error && error->code() == code; };
  expect(is(error_of([&] { x[5]; }), xp::Errc::index), "an index outside its axis");
  expect(is(error_of([&] { x[{0, 0}].item<int>(); }), xp::Errc::type), "a double is no int");
  expect(is(error_of([&] { xp::Array({300}).item<std::int8_t>(); }), xp::Errc::overflow),
         "nor 300");
  expect(is(error_of([&] { xp::Array().shape(); }), xp::Errc::value), "an empty Array");
  expect(is(error_of([] { xp::Device("nowhere"); }), xp::Errc::device_not_found),
         "no such backend");

  const xp::Array huge = xp::zeros({std::int64_t{1} << 50});  // pending: it takes no memory yet
  for (int i = 0; i < 2; ++i)
    expect(is(error_of([&] { huge.eval(); }), xp::Errc::out_of_memory), "no memory, at each wait");
  expect(sum(x).item<double>() == 6, "other arrays are not affected");
}
