// beside.cpp: asarray() of what stands beside an array, whose errors name the function that asks.
#include "python/src/object/beside.h"

#include <nanobind/stl/string.h>

#include "isthmus/array/place.h"
#include "python/src/object/arguments.h"

namespace isthmus::python {

namespace {

/// What asarray() says is wrong, as if `who` said it.
[[noreturn]] void fail_as(const char* who, const nb::python_error& error) {
  const std::string text = utf8_of(nb::str(error.value()));
  constexpr std::string_view asarray = "asarray: ";
  const bool is_named = std::string_view(text).starts_with(asarray);
  fail(Errc::type, "{}: {}", who, is_named ? text.substr(asarray.size()) : text);
}

}  // namespace

Array array_on(const char* who, nb::handle object, const std::optional<Device>& device) {
  if (is_array(object.ptr())) return array_of(object.ptr());
  check(!PyUnicode_Check(object.ptr()), Errc::type, "{}: expected numbers, not a text", who);
  const nb::object make = nb::module_::import_("isthmus").attr("asarray");
  try {
    const nb::object where = device ? nb::cast(*device) : nb::none();
    const nb::object made = make(object, nb::arg("device") = where);
    return array_of(made.ptr());
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    fail_as(who, error);
  }
}

Array array_from(const char* who, nb::handle object, const Array* near) {
  if (!near || is_array(object.ptr())) return array_on(who, object, std::nullopt);
  const InContextOf meanwhile(*near);
  return in_context_of(*near, array_on(who, object, near->device()));
}

OperandBeside::OperandBeside(const char* who, nb::handle object, const Array& x)
    : value_(value_of(object.ptr())) {
  if (value_) return;
  made_ = array_beside(who, object, x);
  value_.emplace(*made_);
}

OperandBeside::OperandBeside(const char* who, nb::handle object,
                             const std::optional<Device>& device)
    : value_(value_of(object.ptr())) {
  if (value_) return;
  made_ = array_on(who, object, device);
  value_.emplace(*made_);
}

const Array& first_array(const char* who, nb::handle one, nb::handle other) {
  check(is_array(one.ptr()) || is_array(other.ptr()), Errc::type,
        "{}: {} and {}; one must be an isthmus.Array", who, found_as(one), found_as(other));
  return array_of(is_array(one.ptr()) ? one.ptr() : other.ptr());
}

}  // namespace isthmus::python
