// test_opencl_kernels.cpp: users' kernels from C++, on every device of OpenCL that is found and on
// arrays of the host.
#include <isthmus/isthmus.h>

#include <algorithm>
#include <vector>

#include "isthmus/runtime/evaluate/evaluate.h"
#include "isthmus/runtime/settings.h"
#include "opencl_devices.h"

namespace isthmus {
namespace {

constexpr const char* text = R"(
typedef struct { int count; float by; } Rule;
__kernel void scale(__global const float* x, __global float* y, const float a, const int n) {
  const int i = get_global_id(0);
  if (i < n) y[i] = a * x[i];
}
__kernel void by_rule(__global float* x, const Rule rule, __local float* spare) {
  spare[get_local_id(0)] = rule.by;
  if (get_global_id(0) < rule.count) x[get_global_id(0)] *= spare[get_local_id(0)];
}
)";

struct Rule {
  int count;
  float by;
};

std::vector<Device> devices_for_kernels() {
  std::vector<Device> all = DevicesOf("opencl").devices;
  for (const Device& device : all)
    if (device.info().has_system_memory) {
      all.emplace_back();  // the host's arrays have somewhere to go
      break;
    }
  return all;
}

Errc code_of(const auto& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::interrupted;
}

TEST(RawKernel, WorksInPlaceAndInOrder) {
  const RawModule module(text);
  for (const Device& device : devices_for_kernels()) {
    const Array x = arange<float>(0, 100, 1, device), y = ones<float>({100}, device);
    const Array before = y + 1;
    module.get_function("scale")({2}, {64}, x + 1, y, 2, 100);
    module.get_function("by_rule")({100}, {1}, y, Rule{50, 10}, LocalMemory{4});
    EXPECT_EQ(before.to_vector<float>(), std::vector<float>(100, 2));
    const std::vector<float> found = y.to_vector<float>();
    for (int i = 0; i < 100; ++i) EXPECT_EQ(found[i], 2.f * (i + 1) * (i < 50 ? 10 : 1));
  }
}

TEST(RawKernel, HasNoLocalMemoryBelowZero) {
  EXPECT_EQ(code_of([] { return LocalMemory(-4).bytes; }), Errc::value);
}

TEST(RawKernel, KnowsTheNamesThatItsTextGivesToTypes) {
  const RawKernel add(
      "typedef unsigned int word;\ntypedef float real;\ntypedef real number;\n"
      "__kernel void add(__global real* x, number a, word b) { x[get_global_id(0)] += a + b; }",
      "add");
  for (const Device& device : devices_for_kernels()) {
    const Array x = zeros({3}, TypeId::float32, device);
    add({3}, {1}, x, 0.5, 2);
    EXPECT_EQ(x.to_vector<float>(), std::vector<float>(3, 2.5f));
    EXPECT_THROW(add({3}, {1}, x, 0.5, -2), OverflowError);
    EXPECT_THROW(add({3}, {1}, zeros({3}, TypeId::int32, device), 0.5, 2), TypeError);
  }
}

TEST(Lease, SaysOfWhatKindItsMemoryIs) {
  for (const Device& device : DevicesOf("opencl").devices)
    for (const MemoryKind kind : device.info().kinds) {
      const Memory memory(64, device, {.kind = kind});
      const Lease lease(from_memory<float>(memory, {16}), Queue(device));
      EXPECT_EQ(lease.kind(), kind);
      EXPECT_EQ(lease.is_buffer(), kind == MemoryKind::buffer);
    }
}

TEST(ElementwiseKernel, GivesAllOutputsOfAList) {
  const ElementwiseKernel both("T x, T y", "T sum, T difference",
                               "sum = x + y; difference = x - y");
  const ReductionKernel largest("T x", "T y", "x", "a > b ? a : b", "y = a");
  for (const Device& device : devices_for_kernels()) {
    const Array x = arange<float>(0, 6, 1, device);
    const std::vector<Array> made = both.run({x + 1, 1});
    EXPECT_EQ(made.at(0)[5].item<float>(), 7);
    EXPECT_EQ(made.at(1)[5].item<float>(), 5);
    const Array rows = largest.run({x.reshape({2, 3})}, 1);
    EXPECT_EQ(rows.to_vector<float>(), (std::vector<float>{2, 5}));
  }
}

TEST(KernelOptions, ReachTheTextAndNothingBesideIt) {
  const Inline before = inline_policy();
  set_inline_policy(Inline::never);
  for (const std::vector<std::string>& others :
       {std::vector<std::string>{}, {"-cl-finite-math-only"}}) {
    const auto with = [&](const char* macro) {
      std::vector<std::string> options = others;
      options.insert(options.begin(), macro);
      return options;
    };
    const ElementwiseKernel two("T x", "T y", "y = x * N", "f", {}, {}, with("-DN=2")),
        five("T x", "T y", "y = x * N", "f", {}, {}, with("-DN=5"));
    const ReductionKernel total("T x", "T y", "x + k", "a + b", "y = a", "k", "f", {}, {}, {},
                                with("-Dk=0"));
    const ScanKernel running("T x", "T y", "x + k", "a + b", "y = a", "f", {}, {}, {}, true, "k",
                             {}, with("-Dk=1"));
    for (const Device& device : devices_for_kernels()) {
      const Array x = arange<float>(0, 5, 1, device);
      EXPECT_EQ((two(x) + five(x)).to_vector<float>(), (std::vector<float>{0, 7, 14, 21, 28}));
      EXPECT_EQ(total(five(x + 1)).item<float>(), 75);
      EXPECT_EQ(running(x).to_vector<float>(), (std::vector<float>{1, 1, 3, 6, 10}));
      const Array nan = log(two(x) - 1);
      EXPECT_EQ(isnan(two(nan)).to_vector<bool>(), (std::vector<bool>{true, 0, 0, 0, 0}));
      two(x, x);
      EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{0, 2, 4, 6, 8}));
    }
  }
  set_inline_policy(before);
}

TEST(KernelOptions, AreNamedWhereACompilerRefusesThem) {
  const ElementwiseKernel wrong("T x", "T y", "y = x", "f", {}, {}, {"-no-such-option"});
  for (const Device& device : devices_for_kernels()) try {
      wrong(ones<float>({3}, device)).eval();
      FAIL() << "it compiles on " << to_string(device);
    } catch (const CompileError& error) {
      EXPECT_NE(std::string_view(error.what()).find("with the options -no-such-option"),
                std::string_view::npos)
          << error.what();
    }
}

TEST(Products, GoThroughTilesOfLocalMemory) {
  const Inline before = inline_policy();
  set_inline_policy(Inline::never);
  for (const Device& device : DevicesOf("opencl").devices) {
    const Array x = reshape(arange<int>(0, 2 * 70 * 50, 1, device), {2, 70, 50}).eval();
    const Array y = x[{0, slice(0, 66)}].mT();
    const Array product = matmul(x, y).eval();
    for (const int row : {0, 15, 16, 69})
      for (const int column : {0, 63, 64, 65})
        EXPECT_EQ((product[{1, row, column}].item<int>()),
                  sum(x[{1, row}] * x[{0, column}], all_axes, false, TypeId::int32).item<int>());
  }
  set_inline_policy(before);
}

TEST(Stores, WriteTheLastOfEqualPositionsAndAddUpIntegers) {
  const Inline before = inline_policy();
  set_inline_policy(Inline::never);
  for (const Device& device : DevicesOf("opencl").devices) {
    const Array i = arange<std::int64_t>(0, 50'000, 1, device).eval();
    const Array last = zeros({100, 2}, TypeId::float32, device).eval();
    for (const bool is_long : {false, true}) {  // in how many kernels
      const Array values = astype(i, TypeId::float32);
      last[{i % 100, 1}] = is_long ? pow(values, 1) + 1 : values;
      const std::vector<float> found = last[{slice(), 1}].to_vector<float>();
      for (int k = 0; k < 100; ++k) EXPECT_EQ(found[k], 49'900.f + k + is_long) << is_long;
    }
    EXPECT_FALSE(any(last[{slice(), 0}] != 0).item<bool>());
    const Array sums = ones<int>({100}, device).eval();
    add_at(sums, i % 100 - 100, 3);
    EXPECT_EQ(sums.to_vector<int>(), std::vector<int>(100, 1501));
    const std::vector<std::int64_t> counts = bincount(i % 7).to_vector<std::int64_t>();
    EXPECT_EQ(counts, (std::vector<std::int64_t>{7143, 7143, 7143, 7143, 7143, 7143, 7142}));
  }
  set_inline_policy(before);
}

TEST(Inline, LargerWorkOfCpusIsTheHostsUntilItIsTooLarge) {
  for (const Device& device : DevicesOf("opencl").devices) {
    if (!device.info().has_unified_memory) continue;
    for (const auto& [count, is_inlined] : {std::pair{100'000, true}, {3'000'000, false}}) {
      const Array x = ones<float>({count}, device).eval();
      x.to_vector<float>();  // so that it is there
      const Statistics before = statistics();
      EXPECT_EQ((x + 1)[count - 1].item<float>(), 2);
      EXPECT_EQ(sum(x).item<float>(), count);
      const Statistics after = statistics();
      EXPECT_GE(after.kernels - before.kernels, 2);
      EXPECT_EQ(after.inlined - before.inlined, is_inlined ? after.kernels - before.kernels : 0);
    }
  }
}

TEST(RawKernel, SaysWhatIsWrong) {
  const RawKernel scale(text, "scale");
  for (const Device& device : devices_for_kernels()) {
    const Array x = ones<float>({4}, device), whole = ones<std::int32_t>({4}, device);
    EXPECT_EQ(code_of([&] { scale({1}, {4}, x, x, 1); }), Errc::type);
    EXPECT_EQ(code_of([&] { scale({1}, {4}, x, whole, 1, 4); }), Errc::type);
    EXPECT_EQ(code_of([&] { scale({1}, {4}, x, x, 1, 1.5); }), Errc::type);
    EXPECT_EQ(code_of([&] { scale({1}, {4}, x, x, 1, std::int64_t{1} << 40); }), Errc::overflow);
    const KernelArgument large = KernelArgument::past_64_bits(0x1p70);
    EXPECT_EQ(code_of([&] { scale({1}, {4}, x, x, 1, large); }), Errc::overflow);
    scale({1}, {4}, x, x, large, 4);
    EXPECT_EQ(x.to_vector<float>(), std::vector<float>(4, 0x1p70f));
    x[ellipsis] = 1;
    EXPECT_EQ(code_of([&] { scale({1}, {1 << 20}, x, x, 1, 1); }), Errc::value);
    EXPECT_EQ(code_of([&] { scale({1, 1, 1, 1}, {1}, x, x, 1, 1); }), Errc::value);
    EXPECT_EQ(code_of([&] { scale({-1}, {1}, x, x, 1, 1); }), Errc::value);
    EXPECT_EQ(code_of([&] { scale({1}, {1, 0}, x, x, 1, 1); }), Errc::value);
    EXPECT_EQ(code_of([&] { scale({std::int64_t{1} << 62}, {8}, x, x, 1, 1); }), Errc::value);
    EXPECT_EQ(code_of([&] { RawKernel("__kernel void f( {", "f")({1}, {1}, x); }), Errc::compile);
    EXPECT_GE(scale.attributes(device).largest_group, 1u);
    scale({1}, {4}, x, x, 5, 4);
    EXPECT_EQ(x.to_vector<float>(), std::vector<float>(4, 5));
  }
  EXPECT_EQ(code_of([&] { RawKernel(text, ""); }), Errc::value);
}

TEST(ElementwiseKernel, RefusesAnOutputThatIsNeverAssigned) {
  EXPECT_EQ(code_of([] { ElementwiseKernel("T x", "T z", ""); }), Errc::value);
  EXPECT_EQ(code_of([] { ElementwiseKernel("T x", "T y, T z", "y = x; zz = 1"); }), Errc::value);
  EXPECT_EQ(code_of([] { ReductionKernel("T x", "T y", "x", "a + b", "z = a"); }), Errc::value);
  EXPECT_EQ(code_of([] { ScanKernel("T x", "T y", "x", "a + b", ""); }), Errc::value);
  const ElementwiseKernel macro("T x", "T z", "SET(x)", "macro", "#define SET(a) z = 2 * (a)");
  for (const Device& device : devices_for_kernels())
    EXPECT_EQ(macro(ones<float>({2}, device)).to_vector<float>(), std::vector<float>(2, 2));
}

TEST(ElementwiseKernel, ThatDoesNotBuildLeavesAloneWhatItReads) {
  const ElementwiseKernel wrong("T x", "T z", "z = no_such_function(x)");
  const DevicesOf found("opencl");  // on the host's arrays the call throws
  for (const Device& device : found.devices)
    for (int first = 0; first < 4; ++first) {
      const Array x = arange<float>(4, device) * 1;
      const Array bad = wrong(x), total = sum(x), joined = concat({x + 1, x}), back = flip(x) * 2;
      // all at once, in each order: whichever kernel x is in, it is read by others
      std::vector<Ref<detail::Storage>> asked;
      for (const Array& one : {bad, total, joined, back}) asked.push_back(one.storage());
      std::ranges::rotate(asked, asked.begin() + first);
      EXPECT_EQ(code_of([&] { evaluate(asked); }), Errc::compile);
      for (const Array& one : {total, joined, back}) EXPECT_TRUE(one.storage()->is_ready());
      EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{0, 1, 2, 3}));
      EXPECT_EQ(total.item<double>(), 6);
      EXPECT_EQ(joined[{-1}].item<double>(), 3);
      EXPECT_EQ(back.to_vector<float>(), (std::vector<float>{6, 4, 2, 0}));
      EXPECT_EQ(code_of([&] { bad.eval(); }), Errc::compile);
    }
}

TEST(ElementwiseKernel, ThatDoesNotBuildPutsOffWhatStandsBesideIt) {
  const ElementwiseKernel wrong("T x", "T z", "z = no_such_function(x)");
  const DevicesOf found("opencl");
  for (const Device& device : found.devices)
    for (const bool is_first : {false, true}) {
      const Array x = arange<float>(1000, device).eval(), y = arange<float>(7, device).eval();
      // one kernel has both reductions and the text, another one reads the largest
      const Array bad = wrong(sum(x)), largest = max(x), rest = y - largest;
      Ref<detail::Storage> asked[] = {bad.storage(), rest.storage()};
      if (is_first) std::swap(asked[0], asked[1]);
      EXPECT_EQ(code_of([&] { evaluate(asked); }), Errc::compile);
      EXPECT_TRUE(rest.storage()->is_ready());
      EXPECT_EQ(rest[{1}].item<double>(), -998);
      EXPECT_EQ(largest.item<double>(), 999);
      EXPECT_EQ(code_of([&] { bad.eval(); }), Errc::compile);
    }
}

TEST(RawKernel, WritesThroughNoViewThatIsReadOnly) {
  const RawKernel scale(text, "scale");
  for (const Device& device : devices_for_kernels()) {
    const Array x = ones<float>({4}, device), y = zeros<float>({1}, device);
    const Array seen = broadcast_to(y, {4});
    try {
      scale({1}, {4}, x, seen, 1, 4);
      FAIL() << "a broadcast was written to";
    } catch (const ValueError& error) {
      EXPECT_NE(std::string_view(error.what()).find("(y)"), std::string_view::npos) << error.what();
      EXPECT_NE(std::string_view(error.what()).find("the array is read-only"),
                std::string_view::npos)
          << error.what();
    }
    EXPECT_EQ(y.item<float>(), 0);
    scale({1}, {1}, seen, x, 1, 1);  // it may be read
    EXPECT_EQ(x[0].item<float>(), 0);
  }
}

TEST(ElementwiseKernel, CalculatesWithComplexNumbers) {
  const ElementwiseKernel times("T x, T y", "T z", "z = complex_mul(x, y)", "times");
  const RawKernel conjugate(
      "#include <pyopencl-complex.h>\n"
      "__kernel void f(__global cfloat_t* x, const cfloat_t by) {\n"
      "  x[get_global_id(0)] = cfloat_mul(cfloat_conj(x[get_global_id(0)]), by);\n}",
      "f");
  using C = std::complex<float>;
  for (const Device& device : devices_for_kernels()) {
    const Array x = full({3}, C(1, 2), {}, device);
    EXPECT_EQ(times(x, C(0, 1)).to_vector<C>(), std::vector<C>(3, C(-2, 1)));
    conjugate({3}, {1}, x, C(0, 1));
    EXPECT_EQ(x.to_vector<C>(), std::vector<C>(3, C(2, 1)));
    EXPECT_EQ(code_of([&] { times(x, ones<float>({3}, device)); }), Errc::type);
  }
}

TEST(Identity, IsANumberOrAText) {
  static_assert(!std::is_convertible_v<std::nullptr_t, Identity>);
  static_assert(!std::is_convertible_v<char, Identity>);
  EXPECT_EQ(Identity().text(), "");
  EXPECT_EQ(Identity(0).text(), "0L");
  EXPECT_EQ(Identity(-3L).text(), "-3L");
  EXPECT_EQ(Identity(true).text(), "1");
  EXPECT_EQ(Identity(0.1).text(), "0.1");
  EXPECT_EQ(Identity(1e300).text(), "1e+300");
  EXPECT_EQ(Identity(-std::numeric_limits<float>::infinity()).text(), "-INFINITY");
  EXPECT_EQ(Identity(std::numeric_limits<double>::quiet_NaN()).text(), "NAN");
  EXPECT_EQ(Identity("FLT_MAX").text(), "FLT_MAX");
  EXPECT_FALSE(Identity("0").number());
  const auto of = [](TypeId type, Identity identity) {
    return ReductionKernel("T x", "T y", "x", "a", "y = a", std::move(identity), "first", type);
  };
  EXPECT_NO_THROW(of(TypeId::uint64, std::numeric_limits<std::uint64_t>::max()));
  EXPECT_NO_THROW(of(TypeId::int64, std::numeric_limits<std::int64_t>::min()));
  EXPECT_NO_THROW(of(TypeId::float32, -std::numeric_limits<double>::infinity()));
  EXPECT_THROW(of(TypeId::uint8, 300), OverflowError);
  EXPECT_THROW(of(TypeId::int32, 0.5), TypeError);
  EXPECT_THROW(of(TypeId::uint64, Identity(Scalar::of(0x1p64), true)), OverflowError);
  const ReductionKernel total("T x", "T y", "x", "a + b", "y = a", 0);
  const ReductionKernel least("T x", "T y", "x", "a < b ? a : b", "y = a",
                              std::numeric_limits<float>::infinity());
  const ScanKernel before("T x", "T y", "x", "a + b", "y = a", "before", {}, {}, {}, true, 0);
  for (const Device& device : devices_for_kernels()) {
    const Array none = zeros<float>({0}, device);
    EXPECT_EQ(total(none).item<float>(), 0);
    EXPECT_EQ(least(none).item<float>(), std::numeric_limits<float>::infinity());
    EXPECT_EQ(before(ones<float>({3}, device)).to_vector<float>(), (std::vector<float>{0, 1, 2}));
  }
}

TEST(ScanKernel, BeginsAnewAtSegments) {
  const auto sums = [](std::string start, bool is_exclusive) {
    return ScanKernel("T x, bool s", "T y", "x", "a + b", "y = a", "sums", {}, {}, start,
                      is_exclusive, is_exclusive ? "0" : "");
  };
  for (const Device& device : devices_for_kernels()) {
    const Array x = arange<std::int32_t>(1, 7, 1, device);
    const Array s = x == 4;
    using Ints = std::vector<std::int32_t>;
    EXPECT_EQ(sums("s", false)(x, s).to_vector<std::int32_t>(), (Ints{1, 3, 6, 4, 9, 15}));
    EXPECT_EQ(sums("s", true)(x, s).to_vector<std::int32_t>(), (Ints{0, 1, 3, 0, 4, 9}));
    EXPECT_EQ(sums("", true)(x, s).to_vector<std::int32_t>(), (Ints{0, 1, 3, 6, 10, 15}));
  }
  EXPECT_EQ(code_of([] { ScanKernel("T x", "T y", "x", "a", "y = a", "f", {}, {}, {}, true); }),
            Errc::value);
}

TEST(KernelStruct, IsMappedToCombinedAndGiven) {
  const DType extremes =
      struct_dtype({{"at", TypeId::int64}, {"low", TypeId::float32}, {"high", TypeId::float32}});
  EXPECT_EQ(extremes.bytes(), 16);
  EXPECT_EQ(struct_dtype({{"c", TypeId::int8}, {"e", extremes}, {"b", TypeId::int16}}).bytes(), 32);
  const KernelStructs structs{{"extremes", extremes}};
  const std::string preamble =
      "extremes both(extremes a, extremes b) {\n"
      "  const extremes made = {a.low < b.low ? a.at : b.at, min(a.low, b.low), max(a.high, "
      "b.high)};"
      "\n  return made;\n}\n";
  const ReductionKernel find("float32 x", "extremes y", "(extremes){i, x, x}", "both(a, b)",
                             "y = a", "{-1, INFINITY, -INFINITY}", "find", {}, preamble, structs);
  const ScanKernel widths("T x", "T y", "(extremes){i, x, x}", "both(a, b)", "y = a.high - a.low",
                          "widths", extremes, preamble, "i == 3", false, {}, structs);
  const ElementwiseKernel low("T x", "float32 y", "y = x.low", "low", {}, structs);
  for (const Device& device : devices_for_kernels()) {
    const std::vector<float> heights{5, 1, 3, 8, 2, 9};
    const Array x = asarray(heights).to_device(device).reshape({2, 3});
    const Array found = find.run({x}, 1);
    EXPECT_EQ(found.dtype(), extremes);
    EXPECT_EQ(low(found).to_vector<float>(), (std::vector<float>{1, 2}));
    EXPECT_EQ(field(found, "at").to_vector<std::int64_t>(), (std::vector<std::int64_t>{1, 4}));
    const Array none = find(zeros<float>({0}, device));
    EXPECT_EQ(field(none, "at").item<std::int64_t>(), -1);
    EXPECT_EQ(widths(x.reshape({6})).to_vector<float>(), (std::vector<float>{0, 4, 4, 0, 6, 7}));
    EXPECT_EQ(code_of([&] { find(found); }), Errc::type);
    EXPECT_EQ(code_of([&] { ElementwiseKernel("T x", "T y", "y = x")(found); }), Errc::type);
  }
  EXPECT_EQ(code_of([] { struct_dtype({}); }), Errc::type);
  EXPECT_EQ(code_of([] { struct_dtype({{"a", TypeId::int8}, {"a", TypeId::int16}}); }),
            Errc::value);
  EXPECT_EQ(code_of([&] { ElementwiseKernel("", "T y", "", "f", {}, {{"2x", extremes}}); }),
            Errc::value);
}

}  // namespace
}  // namespace isthmus
