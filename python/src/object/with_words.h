// with_words.h: users' kernels that know what they were made of, for pickles and copies.
#pragma once

#include <utility>

#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
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
