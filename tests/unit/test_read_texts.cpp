// test_read_texts.cpp: users' kernels that the library reads, on devices that compile nothing.
#include <isthmus/isthmus.h>

#include "errors.h"
#include "isthmus/kernels/c_tokens.h"
#include "isthmus/kernels/compiler_options.h"
#include "isthmus/runtime/kernels/user_lines.h"
#include "support.h"

namespace isthmus {
namespace {

using detail::c_number;
using detail::c_tokens;
using detail::format;

TEST(ReadText, IsCalculatedWithoutACompiler) {
  const ElementwiseKernel both("T x, T y", "T s, T d", "s = x + y; d = (x - y) * 2.0");
  const ElementwiseKernel squared("T x", "T z", "z = x * x", "squared");
  for (const Device& device : {cpu, shared_null}) {
    const Array x = arange<float>(0, 6, 1, device);
    const std::vector<Array> made = both.run({x + 1, 1});
    EXPECT_EQ(made.at(0).to_vector<float>(), (std::vector<float>{2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(made.at(1).to_vector<float>(), (std::vector<float>{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(sum(squared(x) + 1).item<float>(), 61);
    const Array out = zeros<float>({6}, device);
    squared(x, out);
    EXPECT_EQ(out[5].item<float>(), 25);
  }
}

TEST(ReadText, SaysHowManyElementsThereAre) {
  const ElementwiseKernel sum("T x, T y", "T z", "z = x + y", "sum");
  EXPECT_EQ(error_of(Errc::value, [&] { sum(1, 2); }),
            "kernel 'sum': no argument determines the number of elements; pass size, the shape of "
            "the outputs, after the arguments");
  EXPECT_EQ(sum.run({1, 2}, Shape{2}).at(0).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{3, 3}));
}

TEST(ReadText, IsPendingOnTheHost) {
  const ElementwiseKernel squared("T x", "T z", "z = x * x", "squared");
  const Array x = ones<float>({3});
  const Array made = squared(x) + 1;
  EXPECT_TRUE(made.is_pending());
  EXPECT_EQ(made.to_vector<float>(), std::vector<float>(3, 2));
}

TEST(ReadText, KeepsWhatItDoesNotAssign) {
  const ElementwiseKernel raised("T x", "T z", "if (x > 1) z += x");
  const ElementwiseKernel turned("T x", "T a, T b", "T t = a; a = b; b = t + x");
  for (const Device& device : {cpu, shared_null}) {
    const Array x = arange<float>(0, 4, 1, device), z = full({4}, 10, TypeId::float32, device);
    raised(x, z);
    EXPECT_EQ(z.to_vector<float>(), (std::vector<float>{10, 10, 12, 13}));
    EXPECT_EQ(raised(x).to_vector<float>(), (std::vector<float>{0, 0, 2, 3}));
    const Array other = copy(x);
    turned.run({x, z, other});
    EXPECT_EQ(z.to_vector<float>(), x.to_vector<float>());
    EXPECT_EQ(other.to_vector<float>(), (std::vector<float>{10, 11, 14, 16}));
  }
}

TEST(ReadText, ChoosesAndDividesAsC) {
  const ElementwiseKernel chosen("T x", "T z",
                                 "if (x < 0) z = -x; else if (x > 3) { z = 3; } else z = x");
  const ElementwiseKernel parts("int32 x, int32 y", "int32 q, int32 r",
                                "q = 0; r = x; if (y) { q = x / y; r %= y; } // y may be 0\n");
  for (const Device& device : {cpu, shared_null}) {
    const Array x = arange<float>(-2, 6, 2, device);
    EXPECT_EQ(chosen(x).to_vector<float>(), (std::vector<float>{2, 0, 2, 3}));
    const Array dividend = to_device(Array({7, -7, 7, -7, 5}, TypeId::int32), device);
    const Array divisor = to_device(Array({2, 2, -2, -2, 0}, TypeId::int32), device);
    const std::vector<Array> both = parts.run({dividend, divisor});
    EXPECT_EQ(both.at(0).to_vector<std::int32_t>(), (std::vector<std::int32_t>{3, -3, -3, 3, 0}));
    EXPECT_EQ(both.at(1).to_vector<std::int32_t>(), (std::vector<std::int32_t>{1, -1, 1, -1, 5}));
  }
}

TEST(ReadText, MakesBoolsThatAre0Or1) {
  const ElementwiseKernel flags("T x", "bool z", "z = x"), twice("bool x", "bool z", "z = x + x");
  for (const Device& device : {cpu, shared_null}) {
    const Array whole = to_device(Array({0, 256, 2, -1}, TypeId::int32), device);
    const Array real = to_device(Array({0., 0.5, 2., -0.}), device);
    EXPECT_EQ(flags(whole).to_vector<bool>(), (std::vector<bool>{false, true, true, true}));
    EXPECT_EQ(flags(real).to_vector<bool>(), (std::vector<bool>{false, true, true, false}));
    EXPECT_EQ(sum(flags(whole)).item<int>(), 3);
    EXPECT_EQ(sum(twice(flags(whole))).item<int>(), 3);
  }
}

TEST(ReadText, NeitherAsksWhatCLeavesOpenNorTraps) {
  const ElementwiseKernel divided("T x, T y", "T q, T r", "q = x / y; r = x % y");
  const auto least = std::numeric_limits<std::int32_t>::min();
  const Array x({least, least, 1}, TypeId::int32), y({-1, 0, 0}, TypeId::int32);
  for (const Array& made : divided.run({x, y})) made.eval();
}

TEST(KernelText, NamesItsOutputOutsideOfComments) {
  EXPECT_THROW(ElementwiseKernel("T x", "T z", "// z = x"), ValueError);
  EXPECT_THROW(ElementwiseKernel("T x", "T z", "/* z = x; */ x"), ValueError);
  EXPECT_EQ(detail::only_code("a/*z*/b'\\'z'\"z\\\"z\"c//z\\\nz\nd/*z"), "a b  c \nd ");
}

TEST(KernelText, NamesTheMacrosThatItChanges) {
  using Names = std::vector<std::string>;
  const auto of = [](std::string_view text) { return detail::macros_of(text); };
  EXPECT_EQ(of("z = x;"), Names());
  EXPECT_EQ(of("#define k 3\n z = \"\n\t# define f(x) x\r\n#undef k\r#undef g"),
            (Names{"k", "f", "g"}));
  EXPECT_EQ(of("/* a\nb */ # /* c */ define k\n// \\\n#define no\n#def\\ \nine m 'a\n#define o"),
            (Names{"k", "m", "o"}));
  EXPECT_EQ(
      of("#if 0 // don't\n#define k \\\n#define l\n#else\n#endif\n#pragma unroll\nx # define m"),
      Names{"k"});
  for (const char* const text :
       {"#include <a.h>", "%:define k",
        "?"
        "?=define k",
        "#define k$ 3", "#define", "_Pragma(\"a\")", "#pragma push_macro(\"k\")", "#embed k"})
    EXPECT_EQ(of(text), std::nullopt) << text;
}

TEST(KernelText, IsWhatCompilersCanTake) {
  using namespace std::string_literals;
  EXPECT_THROW(RawKernel("f\0 #error"s, "f"), ValueError);
  EXPECT_THROW(RawKernel("f", "f", {"-DN=7\0"s}), ValueError);
  EXPECT_THROW(ElementwiseKernel("T x", "T z", "z = x", "k", "\0"s), ValueError);
  EXPECT_NO_THROW(RawKernel(std::string(1000, '('), "f"));
  EXPECT_THROW(RawKernel(std::string(1001, '('), "f"), ValueError);
  EXPECT_NO_THROW(RawKernel("// " + std::string(1001, '('), "f"));
  EXPECT_THROW(ReductionKernel("T x", "T y", "x", "a + b", "y = a / n"), ValueError);
  EXPECT_NO_THROW(ReductionKernel("T x", "T y", "x", "a + b", "int n = 3; y = a / n"));
}

TEST(CTokens, AreAsLongAsTheyCanBe) {
  std::vector<std::string> texts;
  for (const detail::CToken& token : c_tokens("a--b<<=0x1e+5 .5f x.y /*"))
    texts.emplace_back(token.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"a", "--", "b", "<<=", "0x1e+5", ".5f", "x", ".", "y",
                                             "/*", ""}));
}

TEST(CNumber, HasTheTypeThatCGivesIt) {
  const auto type_of = [](std::string_view text) { return c_number(text).value().dtype.id; };
  EXPECT_EQ(type_of("2147483647"), TypeId::int32);
  EXPECT_EQ(type_of("2147483648"), TypeId::int64);
  EXPECT_EQ(type_of("0x80000000"), TypeId::uint32);
  EXPECT_EQ(type_of("4294967296u"), TypeId::uint64);
  EXPECT_EQ(type_of("1l"), TypeId::int64);
  EXPECT_EQ(type_of("0xffffffffffffffff"), TypeId::uint64);
  EXPECT_EQ(type_of("1."), TypeId::float64);
  EXPECT_EQ(type_of("1e-3F"), TypeId::float32);
  EXPECT_EQ(c_number("0.1f")->number.re, static_cast<double>(0.1f));
  for (const char* text : {"010", "2x", "1e", "0x", "1uu", "9223372036854775808", "1e400", "1e39f",
                           "1e-60f", "1.0l", "1.0h", "0x1p3", "1.2.3", "1e+5+3"})
    EXPECT_FALSE(c_number(text)) << text;
}

TEST(KernelNames, AreWhatTheyWereMadeWith) {
  const ElementwiseKernel two("T x", "T y, T z", "y = x; z = -x", "two", "#define N 1");
  EXPECT_EQ(two.input_count(), 1u);
  EXPECT_EQ(two.output_count(), 2u);
  EXPECT_EQ(two.preamble(), "#define N 1");
  const ReductionKernel sum("T x, T y", "T z", "x * y", "a + b", "z = a", 0, "sum", {}, "int f();");
  const ScanKernel sums("T x, T y", "T z", "x * y", "a + b", "z = a", "sums", {}, "int f();");
  EXPECT_EQ(sum.input_count(), 2u);
  EXPECT_EQ(sums.input_count(), 2u);
  EXPECT_EQ(sum.preamble() + sums.preamble(), "int f();int f();");
  const std::vector<std::string> given{"-DN=7", "-cl-mad-enable"};
  const ElementwiseKernel added("T x", "T y", "y = x + N", "added", {}, {}, given);
  const ReductionKernel total("T x", "T y", "x", "a + N", "y = a", 0, "f", {}, {}, {}, given);
  const ScanKernel running("T x", "T y", "x", "a + N", "y = a", "f", {}, {}, {}, false, {}, {},
                           given);
  EXPECT_EQ(added.options(), given);
  EXPECT_EQ(total.options(), given);
  EXPECT_EQ(ScanKernel(running).options(), given);
  EXPECT_TRUE(two.options().empty());
  EXPECT_THROW(ElementwiseKernel("T x", "T y", "y = x", "f", {}, {}, {std::string(1, 0)}),
               ValueError);
  const RawModule module("", {"-DN=7", "-DM"});
  EXPECT_EQ(module.options(), (std::vector<std::string>{"-DN=7", "-DM"}));
  EXPECT_EQ(module.get_function("f").options(), module.options());
  EXPECT_THROW(module.compile(shared_null), UnsupportedError);
  EXPECT_THROW(module.get_function("f").compile(shared_null), UnsupportedError);
}

TEST(FunctionOptions, DefineMacrosWhereThatMeansTheSame) {
  const auto read = [](std::initializer_list<std::string> options) {
    const detail::FunctionOptions made = detail::function_options("f", options);
    EXPECT_EQ(made.given, std::vector<std::string>(options));
    return made.macros + "|" + made.others;
  };
  EXPECT_EQ(read({}), "|");
  EXPECT_EQ(read({"-DN=4", "-DM"}), "#define N 4\n#define M 1\n|");
  EXPECT_EQ(read({"-D N=4  -DM= "}), "#define N 4\n#define M \n|");
  EXPECT_EQ(read({"-DF(x,y)=x==y"}), "#define F(x,y) x==y\n|");
  EXPECT_EQ(read({"-cl-mad-enable -DN=4", "-cl-std=CL3.0"}),
            "#define N 4\n|-cl-mad-enable -cl-std=CL3.0");
  EXPECT_EQ(read({"-w -DN=4", "-g", "-I/tmp"}), "#define N 4\n|-w -g -I/tmp");
  EXPECT_EQ(read({"-I", "-D", "-D", "N=4"}), "#define N 4\n|-I -D");
  EXPECT_EQ(read({"-DN=(1 + 2)", "-DM=1 - 2"}), "#define N (1 + 2)\n#define M 1 - 2\n|");
  // what a compiler divides in its own way, is wrong, or may need the macros
  for (const std::string all :
       {"-DN=\"a b\"", "-DN='4'", "-DN=\\", "-DN=4\n-DM", "-D4=N", "-D=4", "-D", "-DN-M=4", "-DF(x",
        "-DN=4 -UN", "-DN=4 -include by.h", "4 -DN"})
    EXPECT_EQ(read({all}), "|" + all);
}

TEST(WordOfC, IsNoNameOfAParameter) {
  for (const char* name : {"if", "float", "uint", "__kernel", "global", "return", "true"})
    EXPECT_TRUE(detail::is_word_of_c(name)) << name;
  for (const char* name : {"x", "float4", "unix", "complex", "kernels", "T"})
    EXPECT_FALSE(detail::is_word_of_c(name)) << name;
  EXPECT_THROW(ElementwiseKernel("float32 float", "T z", "z = 1"), ValueError);
}

TEST(FirstError, IsAtTheUsersLine) {
  const std::string text = "header\nfloat f() {\n" + as_users("operation", "a\n\nb\n") +
                           "return z;\n" + "g(" + as_users("map_expr", "c") + ")\n";
  const auto of = [&](int line) {
    return first_error(format("1 error.\nsource:{}:3: error: wrong\n", line), text);
  };
  EXPECT_EQ(of(5), ": wrong, in line 1 of operation: a");
  EXPECT_EQ(of(6), ": wrong, in line 1 of operation: a") << "an empty line";
  EXPECT_EQ(of(7), ": wrong, in line 3 of operation: b");
  EXPECT_EQ(of(10), ": wrong, in line 3 of operation: b") << "return z";
  EXPECT_EQ(of(11), ": wrong, in line 1 of map_expr: c") << "g(";
  EXPECT_EQ(of(1000), ": wrong, in line 1 of map_expr: c");
  EXPECT_EQ(of(1), ": wrong, in line 1 of operation: a");
  EXPECT_EQ(first_error("error: /t.cl:2:1 <Spelling=/t.cl:1:9>: no", "a\nb"), ": no, in line 2: b");
  EXPECT_EQ(first_error("error: what nobody knows", text), "");
  EXPECT_EQ(first_error("1:2:3: error: no", ""), "");
  // of a name that a linker does not find
  const std::string_view linker = "ptxas fatal   : Unresolved extern function 'f'\n";
  EXPECT_EQ(first_error(linker, "float of_f;\ny = f(x);"),
            ": ptxas fatal   : Unresolved extern function 'f', in line 2: y = f(x);");
  EXPECT_EQ(first_error(linker, "y = g(x);"), "");
  EXPECT_EQ(as_users("preamble", ""), "");
}

TEST(FreeName, IsNoWordOfC) {
  for (const char* name : {"x", "A", "B2", "dx", "a_b", "Z"})
    EXPECT_TRUE(detail::is_free_in_c(name));
  for (const char* name : {"if", "float", "float4", "M_PI", "INFINITY", "_x", "size_t", "complex",
                           "as_int", "kernel", "cfloat_mul", "unix"})
    EXPECT_FALSE(detail::is_free_in_c(name)) << name;
}

}  // namespace
}  // namespace isthmus
