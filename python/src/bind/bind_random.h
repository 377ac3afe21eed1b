// bind_random.h: what the methods of generators have in common.
#pragma once

#include <deque>
#include <initializer_list>
#include <optional>
#include <string>

#include "isthmus/base/format.h"
#include "isthmus/random/generator.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/beside.h"

namespace isthmus::python {

/// What the docstring of a method that draws says beside its summary.
struct DocParts {
  const char* out = "";  ///< What else it may return than new memory.
  const char* shape = "0-d without size if the parameters are numbers";
  const char* waits = "no";
  const char* raises = "";
};

/// The docstring of a method that draws: of `name`, as NumPy has it.
inline std::string doc_of_random(const char* summary, const char* name, const DocParts& parts) {
  return summary +
         detail::format(
             "\n\nReturns: new memory{}, pending; {}.\nWaits: {}.\nRaises: {}ValueError for "
             "shapes, TypeError for dtypes, DeviceMismatchError.\n"
             "Source: numpy.random.Generator.{}.",
             parts.out, parts.shape, parts.waits, parts.raises, name);
}

inline Shape size_of(const char* who, nb::handle size) {
  if (size.is_none()) return {};
  const Dims dims = dims_of(who, size);
  for (const std::int64_t extent : dims)
    check(extent >= 0, Errc::value, "{}: size {} has a negative extent", who, dims);
  return dims;
}

inline std::optional<Device> optional_device(nb::handle device) {
  if (device.is_none()) return {};
  return device_of(device);
}

/// The parameters of a distribution: numbers, arrays, and whatever else asarray() takes, as arrays
/// of the device that is asked for, or else of the first of the arrays, and of its context.
class Parameters {
 public:
  Parameters(const char* who, std::initializer_list<nb::handle> objects, nb::handle device)
      : device_(optional_device(device)) {
    const Array* near = nullptr;
    for (const nb::handle object : objects)
      if (!near && is_array(object.ptr())) near = &array_of(object.ptr());
    const bool is_beside = near && (!device_ || near->device() == *device_);
    for (const nb::handle object : objects) {
      if (is_beside && !is_array(object.ptr()))
        operands_.emplace_back(who, object, *near);
      else
        operands_.emplace_back(who, object, device_);
    }
  }

  const Value& operator[](std::size_t i) const { return operands_[i].value(); }
  /// The one that was asked for.
  const std::optional<Device>& device() const { return device_; }

 private:
  std::optional<Device> device_;
  std::deque<OperandBeside> operands_;  // which do not move
};

inline nb::object wrapped(Array x) { return nb::steal(wrap(std::move(x))); }

/// Distributions of reals and of counts.
void bind_distributions(nb::class_<random::Generator>& c);

}  // namespace isthmus::python
