// bind_distributions.cpp: random numbers of distributions.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "python/src/bind/bind_random.h"

namespace isthmus::python {

using detail::format;
using random::Generator;

namespace {

using Standard = Array (Generator::*)(const Shape&, std::optional<DType>,
                                      const std::optional<Device>&);

/// What is said of a result that may be written to `out`: its size and dtype are that one's.
struct Wanted {
  Shape shape;
  std::optional<DType> dtype;
  std::optional<Device> device;
};

Wanted wanted_into(const char* name, nb::handle size, nb::handle dtype, nb::handle out,
                   nb::handle device) {
  Wanted wanted{size_of(name, size), optional_dtype(dtype), optional_device(device)};
  if (out.is_none()) return wanted;
  const Array& target = require_array(format("{}: out", name).c_str(), out.ptr());
  check(size.is_none() || wanted.shape == target.shape(), Errc::value,
        "{}: out has the shape {}, but size is {}", name, target.shape(), wanted.shape);
  check(!wanted.dtype || *wanted.dtype == target.dtype(), Errc::type,
        "{}: out has the dtype {}, not {}", name, target.dtype(),
        wanted.dtype.value_or(target.dtype()));
  wanted.shape = target.shape();
  wanted.dtype = target.dtype();
  if (!wanted.device) wanted.device = target.device();
  return wanted;
}

/// A distribution without parameters, which may be written to `out`.
void define_standard(nb::class_<Generator>& c, const char* name, Standard draw,
                     const char* summary) {
  c.def(
      name,
      [=](Generator& self, nb::handle size, nb::handle dtype, nb::handle out, nb::handle device) {
        const Wanted wanted = wanted_into(name, size, dtype, out, device);
        return made_into(name, out,
                         [&] { return (self.*draw)(wanted.shape, wanted.dtype, wanted.device); });
      },
      nb::arg("size") = nb::none(), nb::arg("dtype") = nb::none(), nb::arg("out") = nb::none(),
      nb::kw_only(), nb::arg("device") = nb::none(),
      nb::sig(format("def {}(self, size: Shape | None = None, dtype: object | None = None, out: "
                     "Array | None = None, *, device: Device | str | None = None) -> Array",
                     name)
                  .c_str()),
      doc_of_random(summary, name, {.out = ", or `out`"}).c_str());
}

/// The same beside the name of a method of NumPy's, of which there is one here.
void define_standard_exponential(nb::class_<Generator>& c) {
  constexpr const char* name = "standard_exponential";
  c.def(
      name,
      [](Generator& self, nb::handle size, nb::handle dtype, const std::string& method,
         nb::handle out, nb::handle device) {
        check(method == "zig" || method == "inv", Errc::value,
              "standard_exponential: method: '{}' is none of 'zig', 'inv'", method);
        const Wanted wanted = wanted_into(name, size, dtype, out, device);
        return made_into(name, out, [&] {
          return self.standard_exponential(wanted.shape, wanted.dtype, wanted.device);
        });
      },
      nb::arg("size") = nb::none(), nb::arg("dtype") = nb::none(), nb::arg("method") = "zig",
      nb::arg("out") = nb::none(), nb::kw_only(), nb::arg("device") = nb::none(),
      nb::sig("def standard_exponential(self, size: Shape | None = None, dtype: object | None = "
              "None, method: str = 'zig', out: Array | None = None, *, device: Device | str | None "
              "= None) -> Array"),
      doc_of_random("Exponential numbers of mean 1, at most 44.4, or 22.2 in float32.\n\n"
                    "method: \"zig\" or \"inv\", as in NumPy; both calculate -log of a number in "
                    "(0, 1] here.",
                    name, {.out = ", or `out`"})
          .c_str());
}

void define_standard_gamma(nb::class_<Generator>& c) {
  constexpr const char* name = "standard_gamma";
  c.def(
      name,
      [](Generator& self, nb::handle x, nb::handle size, nb::handle dtype, nb::handle out,
         nb::handle device) {
        Wanted wanted = wanted_into(name, size, dtype, out, device);
        const nb::object beside = wanted.device ? nb::cast(*wanted.device) : nb::none();
        const Parameters given(name, {x}, beside);
        return made_into(name, out, [&] {
          return self.standard_gamma(given[0], wanted.shape, wanted.dtype, wanted.device);
        });
      },
      nb::arg("shape"), nb::arg("size") = nb::none(), nb::arg("dtype") = nb::none(),
      nb::arg("out") = nb::none(), nb::kw_only(), nb::arg("device") = nb::none(),
      nb::sig("def standard_gamma(self, shape: Elements, size: Shape | None = None, dtype: object "
              "| None = None, out: Array | None = None, *, device: Device | str | None = None) -> "
              "Array"),
      doc_of_random("Gamma numbers of a shape and scale 1. An array `shape` is not checked.", name,
                    {.out = ", or `out`", .raises = "ValueError for a shape below 0, "})
          .c_str());
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
  const std::string text = doc_of_random(summary, name, {.raises = raises});
  if (given)
    c.def(name, call, nb::arg(parameter) = *given, nb::arg("size") = nb::none(), nb::kw_only(),
          nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(), nb::sig(sig.c_str()),
          text.c_str());
  else
    c.def(name, call, nb::arg(parameter), nb::arg("size") = nb::none(), nb::kw_only(),
          nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(), nb::sig(sig.c_str()),
          text.c_str());
}

using OfTwo = Array (Generator::*)(const Value&, const Value&, const Shape&, std::optional<DType>,
                                   const std::optional<Device>&);

/// A parameter, and what it is if it is not given; without that it always is.
struct Given {
  const char* name;
  std::optional<double> otherwise = {};
};

void define_of_two(nb::class_<Generator>& c, const char* name, const Given& first,
                   const Given& second, OfTwo draw, const char* summary, const char* raises) {
  const auto written = [](const Given& one) {
    return format("{}: Elements{}", one.name,
                  one.otherwise ? format(" = {}", *one.otherwise) : std::string());
  };
  const std::string sig = format(
      "def {}(self, {}, {}, size: Shape | None = None, *, dtype: object | None = None, device: "
      "Device | str | None = None) -> Array",
      name, written(first), written(second));
  const std::string text = doc_of_random(summary, name, {.raises = raises});
  const auto call = [=](Generator& self, nb::handle x, nb::handle y, nb::handle size,
                        nb::handle dtype, nb::handle device) {
    const Parameters given(name, {x, y}, device);
    return wrapped((self.*draw)(given[0], given[1], size_of(name, size), optional_dtype(dtype),
                                given.device()));
  };
  const auto define = [&](const auto& x, const auto& y) {
    c.def(name, call, x, y, nb::arg("size") = nb::none(), nb::kw_only(),
          nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(), nb::sig(sig.c_str()),
          text.c_str());
  };
  const nb::arg one(first.name), other(second.name);
  if (first.otherwise)
    define(nb::arg(one) = *first.otherwise, nb::arg(other) = *second.otherwise);
  else if (second.otherwise)
    define(one, nb::arg(other) = *second.otherwise);
  else
    define(one, other);
}

void bind_real(nb::class_<Generator>& c) {
  define_standard(c, "random", &Generator::random,
                  "Numbers in [0, 1): multiples of 2^-53, or of 2^-24 in float32.");
  define_standard(c, "standard_normal", &Generator::standard_normal,
                  "Normal numbers of mean 0 and deviation 1, by the Box-Muller method;\n"
                  "magnitudes are at most 9.42, or 6.67 in float32.");
  define_standard_exponential(c);
  define_of_two(c, "uniform", {"low", 0.0}, {"high", 1.0}, &Generator::uniform,
                "Numbers in [low, high); rounding may yield `high` itself.",
                "OverflowError for a range that is not finite, ");
  define_of_two(c, "normal", {"loc", 0.0}, {"scale", 1.0}, &Generator::normal,
                "Normal numbers: loc + scale * standard_normal(). An array `scale` is not checked.",
                "ValueError for a scale below 0, ");
  define_of_one(
      c, "exponential", "scale", 1.0,
      [](Generator& self, auto&&... arguments) { return self.exponential(arguments...); },
      "Exponential numbers of mean `scale`. An array `scale` is not checked.",
      "ValueError for a scale below 0, ");
  define_standard_gamma(c);
  define_of_two(
      c, "gamma", {"shape"}, {"scale", 1.0}, &Generator::gamma,
      "Gamma numbers of a shape and a scale. Arrays are not checked; a shape below 0 gives NaN.",
      "ValueError for parameters below 0, ");
}

void define_triangular(nb::class_<Generator>& c) {
  constexpr const char* name = "triangular";
  c.def(
      name,
      [](Generator& self, nb::handle left, nb::handle mode, nb::handle right, nb::handle size,
         nb::handle dtype, nb::handle device) {
        const Parameters given(name, {left, mode, right}, device);
        return wrapped(self.triangular(given[0], given[1], given[2], size_of(name, size),
                                       optional_dtype(dtype), given.device()));
      },
      nb::arg("left"), nb::arg("mode"), nb::arg("right"), nb::arg("size") = nb::none(),
      nb::kw_only(), nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(),
      nb::sig("def triangular(self, left: Elements, mode: Elements, right: Elements, size: Shape | "
              "None = None, *, dtype: object | None = None, device: Device | str | None = None) -> "
              "Array"),
      doc_of_random("Triangular numbers from `left` to `right`, with the peak of the density\n"
                    "at `mode`. Arrays are not checked.",
                    name,
                    {.raises = "ValueError if the three are not in this order or are all\n"
                               "equal, OverflowError for a range that is not finite, "})
          .c_str());
}

using OfPair = Array (Generator::*)(const Value&, const Value&, const Shape&,
                                    const std::optional<Device>&);

/// A distribution of int64 with two parameters.
void define_counts(nb::class_<Generator>& c, const char* name, OfPair draw, const char* summary,
                   const DocParts& parts) {
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
      doc_of_random(summary, name, parts).c_str());
}

/// Distributions that are made of others.
void bind_derived(nb::class_<Generator>& c) {
  define_standard(c, "standard_cauchy", &Generator::standard_cauchy,
                  "Quotients of two normal numbers.");
  define_of_two(c, "laplace", {"loc", 0.0}, {"scale", 1.0}, &Generator::laplace,
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
      "Sums of the squares of `df` normal numbers; df need not be an integer.",
      "ValueError unless df is above 0, ");
  define_of_one(
      c, "standard_t", "df", std::nullopt,
      [](Generator& self, auto&&... arguments) { return self.standard_t(arguments...); },
      "Student's t of `df` degrees of freedom.", "ValueError unless df is above 0, ");
  define_of_two(c, "beta", {"a"}, {"b"}, &Generator::beta,
                "Numbers from 0 to 1: x / (x + y) of gamma numbers of the shapes a and b.",
                "ValueError unless the parameters are above 0, ");
  define_of_two(c, "f", {"dfnum"}, {"dfden"}, &Generator::f,
                "Quotients of chisquare(dfnum) / dfnum and chisquare(dfden) / dfden.",
                "ValueError unless the parameters are above 0, ");
  define_triangular(c);
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
      doc_of_random(
          "Numbers with the sum 1 along a last axis: gamma numbers of the shapes `alpha`,\n"
          "divided by their sum. An array `alpha` is not checked.",
          "dirichlet", {.shape = "its shape is (*size, len(alpha))"})
          .c_str());
  define_counts(
      c, "binomial", &Generator::binomial,
      "How many of n trials succeed with probability p, int64. Up to 2^10 trials are\n"
      "drawn one by one; more are halved by beta numbers until 2^10 or fewer are\n"
      "left. An array p is not checked: where it is NaN or outside 0 to 1, the\n"
      "result is -2^63.",
      {.waits = "for an array n, and for n above 2^10",
       .raises =
           "ValueError for n below 0 and p outside 0 to 1, TypeError if n is not of integers, "});
  define_counts(
      c, "negative_binomial", &Generator::negative_binomial,
      "How many trials of success probability p fail before n succeed, int64; n need not be an "
      "integer.\nArrays are not checked: where n or p is invalid, the result is -2^63.",
      {.raises = "ValueError unless n and p are above 0, "});
}

}  // namespace

void bind_distributions(nb::class_<Generator>& c) {
  bind_real(c);
  bind_derived(c);
}

}  // namespace isthmus::python
