// test_correlate.cpp: convolutions, covariances and interpolation.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "isthmus/isthmus.h"
#include "tests/unit/errors.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

Array doubles(std::vector<double> values) { return Array(std::move(values)); }

std::vector<double> elements(const Array& x) { return x.to_vector<double>(); }

using Doubles = std::vector<double>;

TEST(Correlate, sequences_slide_along_each_other) {
  const Array x = doubles({1, 2, 3}), y = doubles({0, 1, 0.5});
  EXPECT_EQ(elements(convolve(x, y)), (Doubles{0, 1, 2.5, 4, 1.5}));
  EXPECT_EQ(elements(convolve(x, y, "same")), (Doubles{1, 2.5, 4}));
  EXPECT_EQ(elements(convolve(x, y, "valid")), (Doubles{2.5}));
  EXPECT_EQ(elements(correlate(x, y)), (Doubles{3.5}));
  EXPECT_EQ(elements(correlate(x, y, "same")), (Doubles{2, 3.5, 3}));
  EXPECT_EQ(elements(correlate(x, y, "full")), (Doubles{0.5, 2, 3.5, 3, 0}));
  EXPECT_EQ(elements(correlate(doubles({1}), x, "full")), (Doubles{3, 2, 1}));
  const std::complex<double> i(0, 1);
  const Array z(std::vector<std::complex<double>>{i, 2.0});
  EXPECT_EQ(correlate(z, z, "valid").item<std::complex<double>>(), 5.0);
  EXPECT_EQ(convolve(z, z, "valid").item<std::complex<double>>(), 4.0 * i);
  EXPECT_THROW(convolve(x, y, "middle"), ValueError);
  EXPECT_THROW(convolve(x, zeros({2, 2})), ValueError);
  EXPECT_THROW(correlate(x, zeros({0})), ValueError);
}

TEST(Correlate, variables_have_covariances_and_correlations) {
  const Array x = reshape(doubles({1, 2, 3, 4, 6, 5}), {2, 3});
  EXPECT_EQ(elements(cov(x)), (Doubles{1, 0.5, 0.5, 1}));
  EXPECT_EQ(elements(cov(x, {}, true, 0)), (Doubles{2.0 / 3, 1.0 / 3, 1.0 / 3, 2.0 / 3}));
  EXPECT_EQ(elements(cov(x[0], x[1])), (Doubles{1, 0.5, 0.5, 1}));
  EXPECT_EQ(cov(matrix_transpose(x)).shape(), (Shape{3, 3}));
  EXPECT_EQ(elements(cov(matrix_transpose(x), {}, false)), elements(cov(x)));
  EXPECT_EQ(cov(x[0]).item<double>(), 1);
  EXPECT_EQ(cov(x, {}, true, 1, TypeId::float32).dtype(), TypeId::float32);
  for (const double one : elements(diagonal(corrcoef(x)))) EXPECT_DOUBLE_EQ(one, 1);
  EXPECT_DOUBLE_EQ((corrcoef(x)[{0, 1}].item<double>()), 0.5);
  EXPECT_TRUE(std::isnan(cov(x[0], {}, true, 3).item<double>()) ||
              std::isinf(cov(x[0], {}, true, 3).item<double>()));
  EXPECT_THROW(cov(zeros({1, 1, 1})), ValueError);
  EXPECT_THROW(corrcoef(x, x[{ellipsis, slice(1)}]), ValueError);
  EXPECT_THROW(cov(x, {}, true, 1, TypeId::int32), TypeError);
}

TEST(Correlate, lines_between_points_have_values) {
  const Array xp = doubles({1, 2, 3}), fp = doubles({3, 2, 0});
  EXPECT_EQ(elements(interp(doubles({0, 1, 1.5, 2.75, 3.5}), xp, fp)),
            (Doubles{3, 3, 2.5, 0.5, 0}));
  EXPECT_EQ(interp(2.5, xp, fp).item<double>(), 1);
  EXPECT_EQ(interp(0, xp, fp, -1).item<double>(), -1);
  EXPECT_EQ(interp(9, xp, fp, {}, 7).item<double>(), 7);
  EXPECT_EQ(interp(5, xp, fp, {}, {}, 4).item<double>(), 3);
  EXPECT_TRUE(std::isnan(interp(std::nan(""), xp, fp).item<double>()));
  const std::complex<double> i(0, 1);
  EXPECT_EQ(interp(2.5, xp, fp * i).item<std::complex<double>>(), i);
  EXPECT_EQ(interp(zeros({2, 0}), xp, fp).shape(), (Shape{2, 0}));
  EXPECT_THROW(interp(0, xp, fp[slice(1)]), ValueError);
  EXPECT_THROW(interp(0, zeros({0}), zeros({0})), ValueError);
  EXPECT_THROW(interp(0, xp, fp, {}, {}, 0), ValueError);
  EXPECT_THROW(interp(i, xp, fp), TypeError);
}

}  // namespace
}  // namespace isthmus
