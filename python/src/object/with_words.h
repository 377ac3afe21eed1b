// with_words.h: users' kernels that know what they were made of, for pickles and copies.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "isthmus/kernels/kernel_struct.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/collections.h"

namespace isthmus::python {

/// A kernel and what its constructor was called with: texts and numbers, so that no cycle of
/// garbage goes through it.
template <class Kernel>
struct WithWords : Kernel {
  template <class... Args>
  WithWords(nb::tuple words, nb::dict named, Args&&... args)
      : Kernel(std::forward<Args>(args)...), words(std::move(words)), named(std::move(named)) {}

  nb::tuple words;
  nb::dict named;
};

/// `structs` of a kernel: a mapping of names to dtypes, or None.
inline KernelStructs structs_of(std::string_view who, nb::handle structs) {
  KernelStructs named;
  if (structs.is_none()) return named;
  check(PyMapping_Check(structs.ptr()) && nb::hasattr(structs, "items"), Errc::type,
        "{}: structs: expected a dict of names and dtypes, not {}", who, found_as(structs));
  for (const nb::handle item : structs.attr("items")()) {
    check(PyUnicode_Check(nb::object(item[0]).ptr()), Errc::type,
          "{}: structs: expected names, not {}", who, found_as(nb::object(item[0])));
    named.push_back({nb::cast<std::string>(item[0]), dtype_of(nb::object(item[1]))});
  }
  return named;
}

/// `options` of the compiler: a text, or a tuple or list of them.
inline std::vector<std::string> options_of(const char* who, nb::handle options) {
  std::vector<std::string> list;
  if (PyUnicode_Check(options.ptr())) return {utf8_of(options)};
  check(PyTuple_Check(options.ptr()) || PyList_Check(options.ptr()), Errc::type,
        "{}: options: expected a tuple of texts, not {}", who, found_as(options));
  for (const nb::handle option : options) {
    check(PyUnicode_Check(option.ptr()), Errc::type, "{}: options: expected texts, not {}", who,
          found_as(option));
    list.push_back(utf8_of(option));
  }
  return list;
}

/// Options as a constructor takes them again.
inline nb::tuple word_of(const std::vector<std::string>& options) {
  nb::list list = new_list();
  for (const std::string& option : options) list.append(option);
  return nb::tuple(list);
}

/// Structs as a constructor takes them again.
inline nb::object word_of(const KernelStructs& structs) {
  if (structs.empty()) return nb::none();
  nb::dict named = new_dict();
  for (const KernelStruct& one : structs)
    named[one.name.c_str()] = nb::borrow(dtype_object(one.dtype));
  return named;
}

template <class Kernel>
void define_options(nb::class_<WithWords<Kernel>>& c) {
  c.def_prop_ro(
      "options", [](const WithWords<Kernel>& k) { return word_of(k.options()); },
      nb::sig("def options(self) -> tuple[str, ...]"), "Options of the compiler.");
}

/// CuPy's names of what a kernel of elements was made with. `output_count` is a function of it.
template <class Kernel, class OutputCount>
void define_counts(nb::class_<WithWords<Kernel>>& c, OutputCount output_count) {
  using Words = WithWords<Kernel>;
  c.def_prop_ro(
      "nin", [](const Words& k) { return k.input_count(); }, "Number of input parameters.");
  c.def_prop_ro(
      "nout", [=](const Words& k) { return output_count(k); }, "Number of output parameters.");
  c.def_prop_ro(
      "nargs", [=](const Words& k) { return k.input_count() + output_count(k); },
      "Number of all parameters.");
  c.def_prop_ro(
      "preamble", [](const Words& k) { return k.preamble(); },
      "Code that is placed before the kernel.");
  define_options(c);
}

/// Pickles call the class again with the same words.
template <class Kernel>
void define_reduce(nb::class_<WithWords<Kernel>>& c) {
  c.def(
      "__reduce__",
      [](nb::handle self) {
        const auto& kernel = instance_of<WithWords<Kernel>>(self);
        nb::object make = nb::borrow(self.type());
        if (kernel.named.size())
          make = nb::module_::import_("functools").attr("partial")(make, **kernel.named);
        return nb::make_tuple(make, kernel.words);
      },
      nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
}

}  // namespace isthmus::python
