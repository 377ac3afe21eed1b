// test_products.cpp: products of matrices in C++; tests/device compares them with NumPy.
#include "isthmus/array/products/products.h"

#include <gtest/gtest.h>

#include <complex>

#include "isthmus/array/arrange/manipulate.h"
#include "isthmus/array/create/create.h"
#include "isthmus/array/functions.h"
#include "isthmus/array/index/index.h"
#include "isthmus/array/products/einsum.h"
#include "isthmus/runtime/observe/profile.h"
#include "isthmus/runtime/observe/show_config.h"
#include "isthmus/runtime/settings.h"
#include "isthmus/threads/executor.h"
#include "tests/unit/errors.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

using Ints = std::vector<int>;
using Floats = std::vector<float>;

/// That f() throws an error of this code with these words.
template <class F>
void expect_error(Errc code, std::string_view words, F f) {
  EXPECT_NE(error_of(code, f).find(words), std::string::npos) << error_of(code, f);
}

class Products : public EachDevice {
 protected:
  /// [[0, 1, 2], [3, 4, 5]]
  template <class T>
  Array x() const {
    return astype<T>(reshape(arange(6, TypeId::int32, device), {2, 3}));
  }
  static Ints of(const Array& x) { return astype<int>(x).to_vector<int>(); }
};
INSTANTIATE_TEST_SUITE_P(Devices, Products, ::testing::Values(-1, 1, 2), device_name);

TEST_P(Products, multiplies_matrices) {
  const Ints wanted{5, 14, 14, 50};
  EXPECT_EQ(of(matmul(x<float>(), x<float>().T())), wanted);
  EXPECT_EQ(of(matmul(x<int>(), x<int>().T())), wanted);
  EXPECT_EQ(matmul(x<int>(), x<int>().T()).dtype(), DType(TypeId::int32));
  EXPECT_EQ(of(matmul(x<std::complex<float>>(), x<float>().mT()).real()), wanted);
  EXPECT_EQ(of(matmul(astype(x<float>(), TypeId::float16), x<float>().T())), wanted);
  EXPECT_EQ(of(matmul(x<bool>(), x<bool>().T())), (Ints{1, 1, 1, 1}));
  const Array stack = broadcast_to(x<float>(), {4, 2, 3});
  EXPECT_EQ(matmul(stack, x<float>().T()).shape(), (Dims{4, 2, 2}));
  EXPECT_EQ(of(matmul(stack, x<float>().T())[{3}]), wanted);
  EXPECT_EQ(of(matmul(x<float>(), x<float>()[{1}])), (Ints{14, 50}));
  EXPECT_EQ(of(matmul(x<float>()[{1}], x<float>()[{1}])), (Ints{50}));
  const Array none = zeros<float>({2, 0}, device);
  EXPECT_EQ(of(matmul(none, none.T())), (Ints{0, 0, 0, 0}));
}

TEST_P(Products, takes_numbers) {
  const Array row = x<int>()[{1}];
  EXPECT_EQ(of(dot(row, 2)), (Ints{6, 8, 10}));
  EXPECT_EQ(of(dot(2, row)), (Ints{6, 8, 10}));
  EXPECT_EQ(outer(row, 2).shape(), (Dims{3, 1}));
  EXPECT_EQ(outer(2, row).shape(), (Dims{1, 3}));
  EXPECT_EQ(outer(x<float>(), 2.5).dtype(), DType(TypeId::float32));
  EXPECT_EQ(of(dot(x<bool>(), true)), (Ints{0, 1, 1, 1, 1, 1}));
}

TEST_P(Products, writes_in_place) {
  const Array square = astype<float>(eye(2, 2, 0, TypeId::float32, device) * 2);
  const Array shown = square[{0}];
  matmul_in_place(square, Array({{1.f, 2.f}, {3.f, 4.f}}, TypeId::float32, device));
  EXPECT_EQ(of(shown), (Ints{2, 4}));
  expect_error(Errc::value, "matmul", [&] { matmul_in_place(square, x<float>()); });
}

TEST_P(Products, has_the_other_products) {
  const Array a = x<float>(), row = a[{1}];
  EXPECT_EQ(of(vecdot(a, a)), (Ints{5, 50}));
  EXPECT_EQ(of(vecdot(a, a, 0)), (Ints{9, 17, 29}));
  EXPECT_EQ(vdot(a, a).item<float>(), 55);
  EXPECT_EQ(a.vdot(a).item<float>(), 55);
  EXPECT_EQ(of(outer(row, Array({1.f, 2.f}, TypeId::float32, device))), (Ints{3, 6, 4, 8, 5, 10}));
  EXPECT_EQ(of(dot(a, row)), (Ints{14, 50}));
  EXPECT_EQ(of(a.dot(a.T())), (Ints{5, 14, 14, 50}));
  EXPECT_EQ(of(a.dot(2)), of(dot(a, 2)));
  EXPECT_EQ(of(dot(a, full<float>({}, 2, device))), (Ints{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(of(tensordot(a, a, 2)), (Ints{55}));
  EXPECT_EQ(of(tensordot(a, a, {1}, {1})), (Ints{5, 14, 14, 50}));
  EXPECT_EQ(tensordot(a, a, 0).shape(), (Dims{2, 3, 2, 3}));
}

TEST_P(Products, sums_by_the_names_of_axes) {
  const Array a = x<float>();
  EXPECT_EQ(of(einsum("ij,kj->ik", {a, a})), (Ints{5, 14, 14, 50}));
  EXPECT_EQ(of(einsum("ij->j", {a})), (Ints{3, 5, 7}));
  EXPECT_EQ(of(einsum("ij,jk,kl->il", {a, a.T(), a})), (Ints{42, 61, 80, 150, 214, 278}));
  EXPECT_EQ(of(einsum("ij,jk,kl->il", {a, a.T(), a}, {{1, 2}, {0, 1}})),
            (Ints{42, 61, 80, 150, 214, 278}));
  expect_error(Errc::value, "einsum: 'ij': operand 0", [&] { einsum("ij", {a[{0}]}); });
  EXPECT_EQ(of(einsum({a, a}, {{0, 1}, {2, 1}}, {0, 2})), (Ints{5, 14, 14, 50}));
  EXPECT_EQ(of(einsum({a}, {{7, 2}})), (Ints{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(of(einsum({a}, {{other_axes, 2}}, {other_axes})), (Ints{3, 12}));
  expect_error(Errc::value, "einsum: '[0, 1] -> [3]': axis 3 is in the result but in no operand",
               [&] { einsum({a}, {{0, 1}}, {3}); });
  expect_error(Errc::value, "einsum: '[0, -2]': -2 does not name an axis",
               [&] { einsum({a}, {{0, -2}}); });
}

TEST_P(Products, multiplies_large_integers_in_blocks) {
  const Array a = reshape(arange(150 * 200, TypeId::int64, device), {150, 200});
  const Array b = a.mT()[{slice(), slice(0, 70)}];
  const Array product = matmul(a, b);
  for (const std::int64_t row : {0, 63, 64, 149})
    for (const std::int64_t column : {0, 15, 16, 69})
      EXPECT_EQ((product[{row, column}].item<std::int64_t>()),
                sum(a[{row}] * a[{column}]).item<std::int64_t>());
  const Array bytes = astype(a, TypeId::uint8);
  EXPECT_EQ((matmul(bytes, bytes.mT())[{149, 70}].item<std::uint8_t>()),
            sum(bytes[{149}] * bytes[{70}], all_axes, false, TypeId::uint8).item<std::uint8_t>());
}

TEST_P(Products, multiplies_many_rows_by_a_small_matrix) {
  const std::int64_t rows = 40'003;  // shared by threads
  const Array x = astype<float>(reshape(arange(rows * 8, TypeId::int32, device) % 17, {rows, 8}));
  const Array y = astype<float>(reshape(arange(96, TypeId::int32, device) % 5, {8, 12}));
  const Floats got = matmul(x, y).to_vector<float>(), left = x.to_vector<float>(),
               right = y.to_vector<float>();
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < 12; ++j) {
      float sum = 0;
      for (std::int64_t k = 0; k < 8; ++k)
        sum +=
            left[static_cast<std::size_t>(i * 8 + k)] * right[static_cast<std::size_t>(k * 12 + j)];
      ASSERT_EQ(got[static_cast<std::size_t>(i * 12 + j)], sum) << i << " " << j;
    }
  }
}

TEST_P(Products, refuses_what_does_not_fit) {
  const Array a = x<float>();
  expect_error(Errc::value, "matrix_transpose of one of them fits", [&] { matmul(a, a); });
  expect_error(Errc::value, "matmul: an operand has no axes", [&] { matmul(a, a[{0, 0}]); });
  expect_error(Errc::value, "vecdot: shapes", [&] { vecdot(a, a.T()); });
  expect_error(Errc::value, "vdot: shapes", [&] { vdot(a, a[{0}]); });
  expect_error(Errc::index, "tensordot: axis 2", [&] { tensordot(a, a, {2}, {0}); });
}

/// Puts the setting back.
class Library : public ::testing::Test {
 protected:
  ~Library() override { set_blas(before); }
  const std::string before = blas_setting();
};

TEST_F(Library, is_a_setting) {
  set_blas("builtin");
  EXPECT_EQ(blas_library(), "builtin");
  EXPECT_EQ(blas_setting(), "builtin");
  EXPECT_NE(show_config().find("BLAS: builtin"), std::string::npos);
  const Array a = ones<float>({20, 30});
  EXPECT_EQ((matmul(a, a.T())[{19, 19}].item<float>()), 30);
  set_blas("auto");
  EXPECT_EQ(blas_setting(), "auto");
  EXPECT_EQ((matmul(a, a.T())[{19, 19}].item<float>()), 30);
  expect_error(Errc::value, "set_blas: '/nowhere' cannot be used", [] { set_blas("/nowhere"); });
  expect_error(Errc::value, "set_blas: the path has a null byte behind '/nowhere'",
               [] { set_blas(std::string_view("/nowhere\0x", 10)); });
  expect_error(Errc::value, "set_blas: '/lib/x86_64-linux-gnu/libc.so.6' cannot be used: it lacks",
               [] { set_blas("/lib/x86_64-linux-gnu/libc.so.6"); });
  expect_error(Errc::value, "is none of auto, openblas, builtin", [] { set_blas("fast"); });
  EXPECT_EQ(blas_setting(), "auto");
}

TEST_F(Library, is_named_in_profiles) {
  if (blas_library() == "builtin") GTEST_SKIP() << "there is no BLAS";
  const Array a = ones<double>({3, 4}).eval(), b = ones<double>({4, 5}).eval();
  Profile profile;
  matmul(a, b);
  profile.end();
  ASSERT_EQ(profile.evaluations().size(), 1u);
  const Profile::Kernel& kernel = profile.evaluations()[0].kernels.at(0);
  EXPECT_EQ(kernel.operations.at(0), "matmul");
  EXPECT_EQ(kernel.shape, (Dims{3, 5, 4}));
  EXPECT_EQ(kernel.where, "host");
}

TEST_F(Library, multiplies_large_matrices_on_any_number_of_threads) {
  const int threads = thread_count();
  const Array a = reshape(arange(400 * 300, TypeId::float64), {400, 300}) / 1000;
  const double wanted = sum(a[{7}] * a[{9}]).item<double>();
  for (const int count : {1, 2, 3}) {
    set_thread_count(count);
    const Array symmetric = matmul(a, a.T());
    EXPECT_NEAR((symmetric[{7, 9}].item<double>()), wanted, 1e-9 * wanted);
    EXPECT_TRUE(array_equal(symmetric, symmetric.T()).item<bool>());
    EXPECT_TRUE(allclose(symmetric, matmul(a, copy(a.T()))).item<bool>());
    const Array stack = broadcast_to(a[{slice(0, 20), slice(0, 20)}], {60, 20, 20});
    EXPECT_EQ(matmul(stack, stack.mT()).shape(), (Dims{60, 20, 20}));
  }
  set_thread_count(threads);
}

}  // namespace
}  // namespace isthmus
