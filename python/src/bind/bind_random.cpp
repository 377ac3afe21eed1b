// bind_random.cpp: generators of random numbers.
#include "python/src/bind/bind_random.h"
#include "python/src/object/flag.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

namespace isthmus::python {

using detail::format;
using random::Generator;
using random::State;

namespace {

using StateWords = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

/// An int; nothing for arrays and what becomes one. Throws type for other numbers.
std::optional<std::int64_t> count_of(const char* who, nb::handle x) {
  if (is_array(x.ptr())) return {};
  if (PyIndex_Check(x.ptr())) {
    const nb::object index = nb::steal(PyNumber_Index(x.ptr()));
    if (index) {
      int overflow = 0;
      const std::int64_t count = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
      check(overflow == 0, Errc::value, "{}: of a number beyond 2^63-1", who);
      return count;
    }
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
    PyErr_Clear();  // an array of NumPy
  }
  check(!value_of(x.ptr()) && !PyUnicode_Check(x.ptr()), Errc::type,
        "{}: expected an array or an int, not {}", who, found_as(x));
  return {};
}

/// An array as it is, which must be on the device if there is one; another object as of Parameters.
Array array_of_parts(const char* who, nb::handle x, nb::handle device) {
  const std::optional<Device> wanted = optional_device(device);
  Array found = array_on(who, x, wanted);
  check(!wanted || *wanted == found.device(), Errc::device_mismatch,
        "{}: the array is on {}, the result on {}; move it with to_device", who, found.device(),
        wanted.value_or(found.device()));
  return found;
}

/// Throws value for an int past 64 bits, which a Value has rounded: 2^64 alone bounds something.
void check_bound(const char* name, nb::handle bound, DType dtype) {
  if (!PyLong_Check(bound.ptr())) return;
  int overflow = 0;
  PyLong_AsLongLongAndOverflow(bound.ptr(), &overflow);
  if (overflow == 0) return;
  const nb::object below = bound - nb::int_(1);
  if (overflow > 0) PyLong_AsUnsignedLongLong(below.ptr());
  const bool is_kept = overflow > 0 && !PyErr_Occurred();
  PyErr_Clear();
  if (is_kept) return;
  const nb::object text = nb::steal(PyObject_Str(bound.ptr()));
  if (!text) PyErr_Clear();  // Python writes no number of so many digits
  const auto bits = [&] { return nb::cast<std::int64_t>(bound.attr("bit_length")()); };
  fail(Errc::value, "integers: {} {} is {} what {} holds", name,
       text ? utf8_of(text) : format("of {} bits", bits()), overflow < 0 ? "below" : "past", dtype);
}

void bind_integers(nb::class_<Generator>& c) {
  c.def(
      "integers",
      [](Generator& self, nb::handle low, nb::handle high, nb::handle size, nb::handle dtype,
         Flag endpoint, nb::handle device) {
        constexpr const char* who = "integers";
        const bool is_alone = high.is_none();  // the one number is where they end
        const DType made = optional_dtype(dtype).value_or(TypeId::int64);
        check_bound(is_alone ? "high" : "low", low, made);
        check_bound("high", high, made);
        const Parameters given(who, {low, is_alone ? low : high}, device);
        return wrapped(self.integers(is_alone ? Value(0) : given[0], given[1], size_of(who, size),
                                     made, endpoint, given.device()));
      },
      nb::arg("low"), nb::arg("high") = nb::none(), nb::arg("size") = nb::none(),
      nb::arg("dtype") = nb::none(), nb::arg("endpoint") = false, nb::kw_only(),
      nb::arg("device") = nb::none(),
      nb::sig("def integers(self, low: Elements, high: Elements | None = None, size: Shape "
              "| None = None, dtype: object | None = None, endpoint: bool = False, *, device: "
              "Device | str | None = None) -> Array"),
      "Integers in [low, high), or in [low, high] with endpoint; with one number, in [0, low).\n\n"
      "Each is low + the high half of the product of 64 random bits and the number of\n"
      "integers. Nothing is rejected, so some integers are more frequent than others, by at\n"
      "most one part in 2^64 / (high - low).\n\n"
      "Returns: new memory, pending; int64 by default.\n"
      "Waits: for bounds that are arrays.\n"
      "Raises: ValueError if a range is empty or an integer does not fit the dtype, TypeError\n"
      "for dtypes, DeviceMismatchError.\n"
      "Source: numpy.random.Generator.integers.");
  c.def(
      "poisson",
      [](Generator& self, nb::handle lam, nb::handle size, nb::handle device) {
        const Parameters given("poisson", {lam}, device);
        return wrapped(self.poisson(given[0], size_of("poisson", size), given.device()));
      },
      nb::arg("lam") = 1.0, nb::arg("size") = nb::none(), nb::kw_only(),
      nb::arg("device") = nb::none(),
      nb::sig("def poisson(self, lam: Elements = 1.0, size: Shape | None = None, *, device: "
              "Device | str | None = None) -> Array"),
      doc_of_random(
          "Poisson numbers with the mean `lam`, int64, calculated in the default real dtype of\n"
          "the device. An array `lam` is not checked: where it is NaN or below 0, the result\n"
          "is -2^63.",
          "poisson", {.raises = "ValueError for a mean below 0 or above 9.2e18, "})
          .c_str());
  c.def(
      "bytes",
      [](Generator& self, std::int64_t length) {
        const std::vector<std::byte> made = self.bytes(length);
        return nb::bytes(made.data(), made.size());
      },
      nb::arg("length"), nb::sig("def bytes(self, length: typing.SupportsIndex) -> bytes"),
      "Random bytes of the given length.\n\n"
      "Waits: for the bytes.\n"
      "Raises: ValueError for a negative length.\n"
      "Source: numpy.random.Generator.bytes.");
}

void bind_order(nb::class_<Generator>& c) {
  c.def(
      "permutation",
      [](Generator& self, nb::handle x, std::int64_t axis, nb::handle device) {
        // an array of NumPy without axes has no order, as ours has none; it may be an int, too
        const bool is_array_of_others = nb::hasattr(x, "shape") && nb::hasattr(x, "__setitem__");
        if (const auto count = is_array_of_others ? std::nullopt : count_of("permutation", x))
          return wrapped(self.permutation(*count, optional_device(device)));
        return wrapped(self.permutation(array_of_parts("permutation", x, device), axis));
      },
      nb::arg("x"), nb::arg("axis") = 0, nb::kw_only(), nb::arg("device") = nb::none(),
      nb::sig(
          "def permutation(self, x: Elements | typing.SupportsIndex, axis: typing.SupportsIndex = "
          "0, *, device: Device | str | None = None) -> Array"),
      "The slices of an array along an axis in random order; for an int, the numbers below it, "
      "int64.\n\n"
      "Shapes: that of x.\n"
      "Returns: new memory, pending.\n"
      "Waits: no.\n"
      "Raises: IndexError for a bad axis, TypeError.\n"
      "Source: numpy.random.Generator.permutation.");
  c.def(
      "permuted",
      [](Generator& self, nb::handle x, std::optional<std::int64_t> axis, nb::handle out,
         nb::handle device) {
        const Array from = array_of_parts("permuted", x, device);
        return made_into("permuted", out, [&] { return self.permuted(from, axis); });
      },
      nb::arg("x"), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("out") = nb::none(),
      nb::arg("device") = nb::none(),
      nb::sig("def permuted(self, x: Elements, *, axis: typing.SupportsIndex | None = None, out: "
              "Array | None = None, device: Device | str | None = None) -> Array"),
      "The elements of an array in random order along an axis, in an independent order for\n"
      "each index of the other axes; without an axis, all elements.\n\n"
      "Shapes: that of x.\n"
      "Returns: new memory, or `out`; pending.\n"
      "Waits: no.\n"
      "Raises: IndexError for a bad axis, TypeError.\n"
      "Source: numpy.random.Generator.permuted.");
  c.def(
      "shuffle",
      [](Generator& self, nb::handle x, std::int64_t axis) {
        self.shuffle(require_array("shuffle", x.ptr()), axis);
      },
      nb::arg("x"), nb::arg("axis") = 0,
      nb::sig("def shuffle(self, x: Array, axis: typing.SupportsIndex = 0) -> None"),
      "Shuffles the slices of an array along an axis, in place.\n\n"
      "Waits: as x[...] = y does.\n"
      "Raises: IndexError for a bad axis, ValueError for a read-only array.\n"
      "Source: numpy.random.Generator.shuffle.");
  c.def(
      "choice",
      [](Generator& self, nb::handle a, nb::handle size, Flag replace, nb::handle p,
         std::int64_t axis, Flag, nb::handle device) {
        constexpr const char* who = "choice";
        const Shape shape = size_of(who, size);
        const std::optional<std::int64_t> count = count_of(who, a);
        std::optional<Device> where = optional_device(device);
        std::optional<Array> parts, often;
        if (!count) {
          parts = array_of_parts(who, a, device);
          where = parts->device();
        }
        if (!p.is_none() && parts && !is_array(p.ptr()))
          often = array_beside("choice: p", p, *parts);
        else if (!p.is_none())
          often = array_on("choice: p", p, where);
        if (parts) return wrapped(self.choice(*parts, shape, replace, often, axis));
        return wrapped(self.choice(*count, shape, replace, often, where));
      },
      nb::arg("a"), nb::arg("size") = nb::none(), nb::arg("replace") = true,
      nb::arg("p") = nb::none(), nb::arg("axis") = 0, nb::arg("shuffle") = true, nb::kw_only(),
      nb::arg("device") = nb::none(),
      nb::sig("def choice(self, a: Elements | typing.SupportsIndex, size: Shape | None = None, "
              "replace: bool = True, p: Elements | None = None, axis: typing.SupportsIndex = 0, "
              "shuffle: bool = True, *, device: Device | str | None = None) -> Array"),
      "Slices of an array along an axis, or numbers below an int, drawn with or without "
      "replacement.\n\n"
      "`p` holds the probability of each, reals with the sum 1. The order is random with\n"
      "`shuffle` or without it.\n\n"
      "Shapes: `size` replaces the axis.\n"
      "Returns: new memory, pending.\n"
      "Waits: to check p, and if fewer than one in 32 are drawn without replacement.\n"
      "Raises: ValueError if more are drawn than there are and for an invalid p, IndexError for a "
      "bad axis.\n"
      "Source: numpy.random.Generator.choice.");
}

StateWords words_of(const State& state) {
  return {state.key, state.stream, state.counter, state.children};
}

}  // namespace

void bind_random(nb::module_& m) {
  nb::class_<Generator> c(m, "_Generator", "Draws random numbers; see isthmus.random.Generator.");
  c.def(
      "__init__",
      [](Generator* self, std::uint64_t key, std::uint64_t stream, std::uint64_t counter,
         std::uint64_t children) { new (self) Generator(State{key, stream, counter, children}); },
      nb::arg("key"), nb::arg("stream"), nb::arg("counter"), nb::arg("children"));
  c.def(
      "_state",
      [](const Generator& self) {
        const auto [key, stream, counter, children] = words_of(self.state());
        return nb::make_tuple(key, stream, counter, children);
      },
      nb::sig("def _state(self) -> tuple[int, int, int, int]"));
  c.def(
      "_set_state",
      [](Generator& self, std::uint64_t key, std::uint64_t stream, std::uint64_t counter,
         std::uint64_t children) { self.set_state({key, stream, counter, children}); },
      nb::arg("key"), nb::arg("stream"), nb::arg("counter"), nb::arg("children"));
  const auto list_of = [](const std::vector<Generator>& generators) {
    nb::list list;
    for (const Generator& one : generators) {
      const auto [key, stream, counter, children] = words_of(one.state());
      list.append(nb::make_tuple(key, stream, counter, children));
    }
    return list;
  };
  c.def(
      "_spawn",
      [list_of](Generator& self, std::int64_t count) { return list_of(self.spawn(count)); },
      nb::arg("count"), nb::sig("def _spawn(self, count: int) -> list[tuple[int, int, int, int]]"));
  c.def(
      "_jumped",
      [list_of](const Generator& self, std::int64_t jumps) {
        return list_of({self.jumped(jumps)});
      },
      nb::arg("jumps"),
      nb::sig("def _jumped(self, jumps: int) -> list[tuple[int, int, int, int]]"));
  bind_distributions(c);
  bind_integers(c);
  bind_order(c);
  m.def(
      "_seeded",
      [](const std::vector<std::vector<std::uint64_t>>& seeds) {
        const auto [key, stream, counter, children] = words_of(detail::seeded(seeds).state());
        return nb::make_tuple(key, stream, counter, children);
      },
      nb::arg("seeds"),
      nb::sig("def _seeded(seeds: list[list[int]]) -> tuple[int, int, int, int]"));
  m.def(
      "_seeded_by_entropy",
      [] {
        const auto [key, stream, counter, children] = words_of(random::default_rng().state());
        return nb::make_tuple(key, stream, counter, children);
      },
      nb::sig("def _seeded_by_entropy() -> tuple[int, int, int, int]"));
  m.def(
      "_philox4x32",
      [](nb::handle counter, nb::handle key) {
        return wrapped(random::philox4x32(require_array("philox4x32: counter", counter.ptr()),
                                          require_array("philox4x32: key", key.ptr())));
      },
      nb::arg("counter"), nb::arg("key"),
      nb::sig("def _philox4x32(counter: Array, key: Array) -> Array"));
}

}  // namespace isthmus::python
