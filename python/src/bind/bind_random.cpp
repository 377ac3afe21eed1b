// bind_random.cpp: random numbers.
#include <deque>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "isthmus/base/format.h"
#include "isthmus/random/generator.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/beside.h"

namespace isthmus::python {

using detail::format;
using random::Generator;
using random::State;

namespace {

using StateWords = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

constexpr const char* pending =
    "\n\nReturns: new memory{}, pending; of no axes for no size and parameters that are numbers.\n"
    "Waits: no.\nRaises: {}ValueError for shapes, TypeError for dtypes, DeviceMismatchError.\n"
    "Source: numpy.random.Generator.{}.";

std::string doc(const char* summary, const char* name, const char* out = "",
                const char* raises = "") {
  return summary + format(pending, out, raises, name);
}

Shape size_of(const char* who, nb::handle size) {
  if (size.is_none()) return {};
  const Dims dims = dims_of(who, size);
  for (const std::int64_t extent : dims)
    check(extent >= 0, Errc::value, "{}: size {} has a negative extent", who, dims);
  return dims;
}

std::optional<Device> optional_device(nb::handle device) {
  if (device.is_none()) return {};
  return device_of(device);
}

/// The parameters of a distribution: numbers, arrays, and whatever else asarray() takes, as arrays
/// of the device that is asked for, or else of the first of the arrays.
class Parameters {
 public:
  Parameters(const char* who, std::initializer_list<nb::handle> objects, nb::handle device)
      : device_(optional_device(device)) {
    std::optional<Device> beside = device_;
    for (const nb::handle object : objects)
      if (!beside && is_array(object.ptr())) beside = array_of(object.ptr()).device();
    for (const nb::handle object : objects) operands_.emplace_back(who, object, beside);
  }

  const Value& operator[](std::size_t i) const { return operands_[i].value(); }
  /// The one that was asked for.
  const std::optional<Device>& device() const { return device_; }

 private:
  std::optional<Device> device_;
  std::deque<OperandBeside> operands_;  // which do not move
};

/// An int; nothing for arrays and what becomes one. Throws type for other numbers.
std::optional<std::int64_t> count_of(const char* who, nb::handle x) {
  if (is_array(x.ptr())) return {};
  if (PyIndex_Check(x.ptr())) {
    const nb::object index = nb::steal(PyNumber_Index(x.ptr()));
    if (index) return nb::cast<std::int64_t>(index);
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

nb::object wrapped(Array x) { return nb::steal(wrap(std::move(x))); }

using Standard = Array (Generator::*)(const Shape&, std::optional<DType>,
                                      const std::optional<Device>&);

/// A distribution without parameters, which may be written to `out`.
void define_standard(nb::class_<Generator>& c, const char* name, Standard draw,
                     const char* summary) {
  c.def(
      name,
      [=](Generator& self, nb::handle size, nb::handle dtype, nb::handle out, nb::handle device) {
        Shape shape = size_of(name, size);
        std::optional<DType> as = optional_dtype(dtype);
        std::optional<Device> where = optional_device(device);
        if (!out.is_none()) {
          const Array& target = require_array(format("{}: out", name).c_str(), out.ptr());
          check(size.is_none() || shape == target.shape(), Errc::value,
                "{}: out has the shape {}, not size {}", name, target.shape(), shape);
          check(!as || *as == target.dtype(), Errc::type, "{}: out has the dtype {}, not {}", name,
                target.dtype(), as.value_or(target.dtype()));
          shape = target.shape();
          as = target.dtype();
          if (!where) where = target.device();
        }
        return made_into(name, out, [&] { return (self.*draw)(shape, as, where); });
      },
      nb::arg("size") = nb::none(), nb::arg("dtype") = nb::none(), nb::arg("out") = nb::none(),
      nb::kw_only(), nb::arg("device") = nb::none(),
      nb::sig(format("def {}(self, size: Shape | None = None, dtype: object | None = None, out: "
                     "Array | None = None, *, device: Device | str | None = None) -> Array",
                     name)
                  .c_str()),
      doc(summary, name, ", or `out`").c_str());
}

/// A distribution of one parameter, or of two.
template <class F>
void define_of_one(nb::class_<Generator>& c, const char* name, const char* parameter,
                   std::optional<double> given, F draw, const char* summary, const char* raises) {
  const std::string standard = given ? format(" = {}", *given) : "";
  const auto call = [=](Generator& self, nb::handle x, nb::handle size, nb::handle dtype,
                        nb::handle device) {
    const Parameters given(name, {x}, device);
    return wrapped(
        draw(self, given[0], size_of(name, size), optional_dtype(dtype), given.device()));
  };
  const std::string sig = format(
      "def {}(self, {}: Elements{}, size: Shape | None = None, *, dtype: object | None "
      "= None, device: Device | str | None = None) -> Array",
      name, parameter, standard);
  const std::string text = doc(summary, name, "", raises);
  if (given)
    c.def(name, call, nb::arg(parameter) = *given, nb::arg("size") = nb::none(), nb::kw_only(),
          nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(), nb::sig(sig.c_str()),
          text.c_str());
  else
    c.def(name, call, nb::arg(parameter), nb::arg("size") = nb::none(), nb::kw_only(),
          nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(), nb::sig(sig.c_str()),
          text.c_str());
}

template <class F>
void define_of_two(nb::class_<Generator>& c, const char* name, const char* first, double first_one,
                   const char* second, double second_one, F draw, const char* summary,
                   const char* raises) {
  const std::string sig = format(
      "def {}(self, {}: Elements = {}, {}: Elements = {}, size: Shape | None = "
      "None, *, dtype: object | None = None, device: Device | str | None = None) -> Array",
      name, first, first_one, second, second_one);
  c.def(
      name,
      [=](Generator& self, nb::handle x, nb::handle y, nb::handle size, nb::handle dtype,
          nb::handle device) {
        const Parameters given(name, {x, y}, device);
        return wrapped((self.*draw)(given[0], given[1], size_of(name, size), optional_dtype(dtype),
                                    given.device()));
      },
      nb::arg(first) = first_one, nb::arg(second) = second_one, nb::arg("size") = nb::none(),
      nb::kw_only(), nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(),
      nb::sig(sig.c_str()), doc(summary, name, "", raises).c_str());
}

void bind_real(nb::class_<Generator>& c) {
  define_standard(c, "random", &Generator::random,
                  "Numbers in [0, 1): multiples of 2^-53, or of 2^-24 in float32.");
  define_standard(c, "standard_normal", &Generator::standard_normal,
                  "Normal numbers of mean 0 and deviation 1, by the method of Box and Muller; none "
                  "is farther out\nthan 9.42, or 6.67 in float32.");
  define_standard(c, "standard_exponential", &Generator::standard_exponential,
                  "Exponential numbers of mean 1; none exceeds 44.4, or 22.2 in float32.");
  define_of_two(c, "uniform", "low", 0.0, "high", 1.0, &Generator::uniform,
                "Numbers in [low, high); rounding may give `high` itself.",
                "OverflowError for a range that is not finite, ");
  define_of_two(c, "normal", "loc", 0.0, "scale", 1.0, &Generator::normal,
                "Normal numbers: loc + scale * standard_normal(). An array `scale` is not looked "
                "at.",
                "ValueError for a scale below 0, ");
  define_of_one(
      c, "exponential", "scale", 1.0,
      [](Generator& self, auto&&... arguments) { return self.exponential(arguments...); },
      "Exponential numbers of mean `scale`. An array `scale` is not looked at.",
      "ValueError for a scale below 0, ");
  define_of_one(
      c, "standard_gamma", "shape", std::nullopt,
      [](Generator& self, auto&&... arguments) { return self.standard_gamma(arguments...); },
      "Gamma numbers of a shape and scale 1. An array `shape` is not looked at.",
      "ValueError for a shape below 0, ");
  c.def(
      "gamma",
      [](Generator& self, nb::handle x, nb::handle y, nb::handle size, nb::handle dtype,
         nb::handle device) {
        const Parameters given("gamma", {x, y}, device);
        return wrapped(self.gamma(given[0], given[1], size_of("gamma", size), optional_dtype(dtype),
                                  given.device()));
      },
      nb::arg("shape"), nb::arg("scale") = 1.0, nb::arg("size") = nb::none(), nb::kw_only(),
      nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(),
      nb::sig("def gamma(self, shape: Elements, scale: Elements = 1.0, size: Shape | None "
              "= None, *, dtype: object | None = None, device: Device | str | None = None) -> "
              "Array"),
      doc("Gamma numbers of a shape and a scale. Arrays are not looked at; a shape below 0 gives "
          "NaN.",
          "gamma", "", "ValueError for parameters below 0, ")
          .c_str());
}

using OfPair = Array (Generator::*)(const Value&, const Value&, const Shape&,
                                    const std::optional<Device>&);

/// A distribution of int64 with two parameters.
void define_counts(nb::class_<Generator>& c, const char* name, OfPair draw, const char* summary,
                   const char* raises) {
  c.def(
      name,
      [=](Generator& self, nb::handle n, nb::handle p, nb::handle size, nb::handle device) {
        const Parameters given(name, {n, p}, device);
        return wrapped((self.*draw)(given[0], given[1], size_of(name, size), given.device()));
      },
      nb::arg("n"), nb::arg("p"), nb::arg("size") = nb::none(), nb::kw_only(),
      nb::arg("device") = nb::none(),
      nb::sig(format("def {}(self, n: Elements, p: Elements, size: Shape | None = None, *, "
                     "device: Device | str | None = None) -> Array",
                     name)
                  .c_str()),
      doc(summary, name, "", raises).c_str());
}

/// Distributions that are made of others.
void bind_derived(nb::class_<Generator>& c) {
  define_standard(c, "standard_cauchy", &Generator::standard_cauchy,
                  "Quotients of two normal numbers.");
  define_of_two(c, "laplace", "loc", 0.0, "scale", 1.0, &Generator::laplace,
                "loc + scale times the difference of two exponential numbers.",
                "ValueError for a scale below 0, ");
  define_of_one(
      c, "rayleigh", "scale", 1.0,
      [](Generator& self, auto&&... arguments) { return self.rayleigh(arguments...); },
      "scale times the length of a vector of two normal numbers.",
      "ValueError for a scale below 0, ");
  define_of_one(
      c, "chisquare", "df", std::nullopt,
      [](Generator& self, auto&&... arguments) { return self.chisquare(arguments...); },
      "Sums of the squares of `df` normal numbers; df may have a fraction.",
      "ValueError for a df that is not above 0, ");
  define_of_one(
      c, "standard_t", "df", std::nullopt,
      [](Generator& self, auto&&... arguments) { return self.standard_t(arguments...); },
      "Student's t of `df` degrees of freedom.", "ValueError for a df that is not above 0, ");
  c.def(
      "beta",
      [](Generator& self, nb::handle x, nb::handle y, nb::handle size, nb::handle dtype,
         nb::handle device) {
        const Parameters given("beta", {x, y}, device);
        return wrapped(self.beta(given[0], given[1], size_of("beta", size), optional_dtype(dtype),
                                 given.device()));
      },
      nb::arg("a"), nb::arg("b"), nb::arg("size") = nb::none(), nb::kw_only(),
      nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(),
      nb::sig("def beta(self, a: Elements, b: Elements, size: Shape | None = None, *, "
              "dtype: object | None = None, device: Device | str | None = None) -> Array"),
      doc("Numbers from 0 to 1: x / (x + y) of gamma numbers of the shapes a and b.", "beta", "",
          "ValueError for parameters that are not above 0, ")
          .c_str());
  c.def(
      "dirichlet",
      [](Generator& self, nb::handle alpha, nb::handle size, nb::handle dtype, nb::handle device) {
        const std::optional<Device> where = optional_device(device);
        return wrapped(self.dirichlet(array_on("dirichlet", alpha, where),
                                      size_of("dirichlet", size), optional_dtype(dtype), where));
      },
      nb::arg("alpha"), nb::arg("size") = nb::none(), nb::kw_only(), nb::arg("dtype") = nb::none(),
      nb::arg("device") = nb::none(),
      nb::sig("def dirichlet(self, alpha: Elements, size: Shape | None = None, *, dtype: object | "
              "None = None, device: Device | str | None = None) -> Array"),
      doc("Numbers along a last axis whose sum is 1: gamma numbers of the shapes `alpha`, divided "
          "by their sum.\nAn array `alpha` is not looked at.",
          "dirichlet")
          .c_str());
  define_counts(c, "binomial", &Generator::binomial,
                "How many of n trials of chance p succeed, int64. Each trial is drawn: the time "
                "grows with n. An array\nn is waited for; an array p is not looked at.",
                "ValueError for n below 0 and p outside of 0 to 1, TypeError for an n of reals, ");
  define_counts(c, "negative_binomial", &Generator::negative_binomial,
                "How many trials of chance p fail before n succeed, int64; n may have a fraction. "
                "Arrays are not looked\nat.",
                "ValueError for n or p that is not above 0, ");
}

void bind_integers(nb::class_<Generator>& c) {
  c.def(
      "integers",
      [](Generator& self, nb::handle low, nb::handle high, nb::handle size, nb::handle dtype,
         bool endpoint, nb::handle device) {
        constexpr const char* who = "integers";
        const bool is_alone = high.is_none();  // the one number is where they end
        const Parameters given(who, {low, is_alone ? low : high}, device);
        return wrapped(self.integers(is_alone ? Value(0) : given[0], given[1], size_of(who, size),
                                     optional_dtype(dtype).value_or(TypeId::int64), endpoint,
                                     given.device()));
      },
      nb::arg("low"), nb::arg("high") = nb::none(), nb::arg("size") = nb::none(),
      nb::arg("dtype") = nb::none(), nb::arg("endpoint") = false, nb::kw_only(),
      nb::arg("device") = nb::none(),
      nb::sig("def integers(self, low: Elements, high: Elements | None = None, size: Shape "
              "| None = None, dtype: object | None = None, endpoint: bool = False, *, device: "
              "Device | str | None = None) -> Array"),
      "Integers in [low, high), or with endpoint in [low, high]; of one number in [0, low).\n\n"
      "Each is low + the high half of a product of 64 random bits and the number of integers. "
      "Nothing is\nrejected, so that some integers are more frequent than others, by at most one "
      "part in\n2^64 / (high - low).\n\nReturns: new memory, pending; int64 by default.\n"
      "Waits: for bounds that are arrays.\nRaises: ValueError where there is no integer or one "
      "does not fit the dtype, TypeError for dtypes,\nDeviceMismatchError.\n"
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
      doc("Poisson numbers of the mean `lam`, int64, calculated in the default real dtype of the "
          "device.\nAn array `lam` is not looked at.",
          "poisson", "", "ValueError for a mean below 0 or past 9.2e18, ")
          .c_str());
  c.def(
      "bytes",
      [](Generator& self, std::int64_t length) {
        const std::vector<std::byte> made = self.bytes(length);
        return nb::bytes(made.data(), made.size());
      },
      nb::arg("length"), nb::sig("def bytes(self, length: typing.SupportsIndex) -> bytes"),
      "So many random bytes.\n\nWaits: until they are there.\nRaises: ValueError for a negative "
      "length.\nSource: numpy.random.Generator.bytes.");
}

void bind_order(nb::class_<Generator>& c) {
  c.def(
      "permutation",
      [](Generator& self, nb::handle x, std::int64_t axis, nb::handle device) {
        if (const auto count = count_of("permutation", x))
          return wrapped(self.permutation(*count, optional_device(device)));
        return wrapped(self.permutation(array_of_parts("permutation", x, device), axis));
      },
      nb::arg("x"), nb::arg("axis") = 0, nb::kw_only(), nb::arg("device") = nb::none(),
      nb::sig(
          "def permutation(self, x: Elements | typing.SupportsIndex, axis: typing.SupportsIndex = "
          "0, *, device: Device | str | None = None) -> Array"),
      "The parts of an array along an axis in random order; of an int the numbers below it, "
      "int64.\n\nShapes: that of x.\nReturns: new memory, pending.\nWaits: no.\nRaises: IndexError "
      "for a bad axis, TypeError.\nSource: numpy.random.Generator.permutation.");
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
      "The elements of an array in random order along an axis, another order for each place on the "
      "others;\nwithout an axis all elements.\n\nShapes: that of x.\nReturns: new memory, or "
      "`out`; pending.\nWaits: no.\nRaises: IndexError for a bad axis, TypeError.\n"
      "Source: numpy.random.Generator.permuted.");
  c.def(
      "shuffle",
      [](Generator& self, nb::handle x, std::int64_t axis) {
        self.shuffle(require_array("shuffle", x.ptr()), axis);
      },
      nb::arg("x"), nb::arg("axis") = 0,
      nb::sig("def shuffle(self, x: Array, axis: typing.SupportsIndex = 0) -> None"),
      "Puts the parts of an array along an axis in random order, in place.\n\nWaits: as x[...] = "
      "y does.\nRaises: IndexError for a bad axis, ValueError for a read-only array.\n"
      "Source: numpy.random.Generator.shuffle.");
  c.def(
      "choice",
      [](Generator& self, nb::handle a, nb::handle size, bool replace, nb::handle p,
         std::int64_t axis, nb::handle device) {
        constexpr const char* who = "choice";
        const Shape shape = size_of(who, size);
        const std::optional<std::int64_t> count = count_of(who, a);
        std::optional<Device> where = optional_device(device);
        std::optional<Array> parts, often;
        if (!count) {
          parts = array_of_parts(who, a, device);
          where = parts->device();
        }
        if (!p.is_none()) often = array_on("choice: p", p, where);
        if (parts) return wrapped(self.choice(*parts, shape, replace, often, axis));
        return wrapped(self.choice(*count, shape, replace, often, where));
      },
      nb::arg("a"), nb::arg("size") = nb::none(), nb::arg("replace") = true,
      nb::arg("p") = nb::none(), nb::arg("axis") = 0, nb::kw_only(), nb::arg("device") = nb::none(),
      nb::sig("def choice(self, a: Elements | typing.SupportsIndex, size: Shape | None = None, "
              "replace: "
              "bool = True, p: Elements | None = None, axis: typing.SupportsIndex = 0, *, device: "
              "Device | str | None = None) -> Array"),
      "Parts of an array along an axis, or numbers below an int, drawn with or without "
      "replacement.\n\nWith `p`, reals with the sum 1, each is drawn so often.\n\nShapes: `size` "
      "stands in the place of the axis.\nReturns: new memory, pending.\nWaits: to look at p.\n"
      "Raises: ValueError for more than there are and for a p that is none, IndexError for a bad "
      "axis.\nSource: numpy.random.Generator.choice.");
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
  bind_real(c);
  bind_derived(c);
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
