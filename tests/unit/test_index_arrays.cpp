// test_index_arrays.cpp: indexing by arrays, take and put in C++; tests/device compares with NumPy.
#include <gtest/gtest.h>

#include "isthmus/isthmus.h"
#include "tests/unit/errors.h"
#include "tests/unit/support.h"

namespace isthmus {
namespace {

using Ints = std::vector<int>;

class IndexArrays : public EachDevice {
 protected:
  Array x() const { return reshape(arange(12, TypeId::int32, device), {3, 4}).eval(); }
  Array row(const std::vector<int>& numbers) const { return Array(numbers).to_device(device); }
  static Ints of(const Array& x) { return x.to_vector<int>(); }
};
INSTANTIATE_TEST_SUITE_P(Devices, IndexArrays, ::testing::Values(-1, 1, 2), device_name);

TEST_P(IndexArrays, read_as_in_python) {
  const Array a = x(), rows = row({2, 0}), columns = row({1, -1});
  EXPECT_EQ(of(a[rows]), (Ints{8, 9, 10, 11, 0, 1, 2, 3}));
  EXPECT_EQ(of(a[{slice(1), columns}]), (Ints{5, 7, 9, 11}));
  EXPECT_EQ(of(a[{rows, columns}]), (Ints{9, 3}));
  EXPECT_EQ(of(a[{ellipsis, rows}]), (Ints{2, 0, 6, 4, 10, 8}));
  EXPECT_EQ((a[{rows, newaxis, columns}].shape()), (Dims{2, 1}));
  EXPECT_EQ(of(a[a > 8]), (Ints{9, 10, 11}));
  EXPECT_EQ(of(a[{a[{slice(), 0}] > 0, slice({}, 1)}]), (Ints{4, 8}));
  EXPECT_EQ(of(a[{row({2})[0], slice({}, 1)}]), (Ints{8}));  // a number
  const std::vector<IndexEntry> entries{1, columns};
  EXPECT_EQ(of(index(a, std::span<const IndexEntry>(entries))), (Ints{5, 7}));
  EXPECT_EQ(sum(a[a > 8]).item<int>(), 30);
  EXPECT_EQ(of(a[rows] + a[rows]), of(a[rows] * 2));
  EXPECT_EQ(a[a > 8].max().item<int>(), 11);
}

TEST_P(IndexArrays, results_are_arrays_of_their_own) {
  const Array a = x();
  auto part = a[row({0})];
  Array named = a[row({0})];
  a[ellipsis] = 7;
  EXPECT_EQ(of(part), (Ints{0, 1, 2, 3}));
  named += 1;
  EXPECT_EQ(of(named), (Ints{1, 2, 3, 4}));
  part += 1;  // it has a name: nothing is written to a
  EXPECT_EQ(of(part), (Ints{1, 2, 3, 4}));
  EXPECT_EQ(of(a), Ints(12, 7));
  part = part * 2;  // another array
  part = a[row({1})];
  named = a[a > 0];
  EXPECT_EQ(of(part), Ints(4, 7));
  EXPECT_EQ(of(named), Ints(12, 7));
  a[0] = a[row({1})] + 1;
  a[1] = a[row({0})];
  EXPECT_EQ(of(a[1]), Ints(4, 8));
}

TEST_P(IndexArrays, write_as_in_python) {
  Array a = x();
  a[row({0, 0})] = row({9});
  EXPECT_EQ(of(a), (Ints{9, 9, 9, 9, 4, 5, 6, 7, 8, 9, 10, 11}));
  a[a == 9] = 0;
  a[a > 9] += 5;
  a[{1, row({0, 0, 3})}] += 1;  // read, added, written: once
  EXPECT_EQ(of(a), (Ints{0, 0, 0, 0, 5, 5, 6, 8, 8, 0, 15, 16}));
  a[{row({2, 1}), row({0, 1})}] = {-1, -2};
  a[{slice(), row({3})}] = a[{slice(), row({2})}];
  EXPECT_EQ(of(a), (Ints{0, 0, 0, 0, 5, -2, 6, 6, -1, 0, 15, 15}));
  assign(a, std::vector<IndexEntry>{a < 0}, 1.7);
  EXPECT_EQ(of(a), (Ints{0, 0, 0, 0, 5, 1, 6, 6, 1, 0, 15, 15}));
  a[row({1})[0]] = 2;  // a view
  EXPECT_EQ(of(a[1]), Ints(4, 2));
  const Array none = zeros({3}, TypeId::bool_, device);
  a[none] = zeros({7, 0, 4}, TypeId::int32, device);  // nothing, as in NumPy
  EXPECT_THROW((a[none] = zeros({0, 2, 4}, TypeId::int32, device)), ValueError);
  EXPECT_THROW((a[none] = zeros({7, 0, 3}, TypeId::int32, device)), ValueError);
  EXPECT_EQ(of(a[1]), Ints(4, 2));
}

TEST_P(IndexArrays, take_and_put) {
  const Array a = x();
  EXPECT_EQ(of(take(a, row({5, -1}))), (Ints{5, 11}));
  EXPECT_EQ(of(a.take(row({1, 4}), 1, Outside::wrap)), (Ints{1, 0, 5, 4, 9, 8}));
  EXPECT_EQ(of(take(a, row({-3, 9}), 0, Outside::clip)), (Ints{0, 1, 2, 3, 8, 9, 10, 11}));
  EXPECT_EQ(of(take_along_axis(a, reshape(row({3, 0, 1}), {3, 1}))), (Ints{3, 4, 9}));
  put(a, row({0, 2, 4}), row({-1, -2}));
  a.put(row({12}), 20, Outside::wrap);
  put_along_axis(a, reshape(row({3, 3, 3}), {3, 1}), 1, 1);
  EXPECT_EQ(of(a), (Ints{20, 1, -2, 1, -1, 5, 6, 1, 8, 9, 10, 1}));
  EXPECT_EQ(of(nonzero(a > 8)[1]), (Ints{0, 1, 2}));
  EXPECT_EQ(of(where(a > 8)[1]), (Ints{0, 1, 2}));
  EXPECT_EQ(of(argwhere(a == 10)), (Ints{2, 2}));
  EXPECT_EQ(of(flatnonzero(a < 0)), (Ints{2, 4}));
  EXPECT_EQ(of(a[row({0})].nonzero()[0]), Ints(4, 0));
}

TEST_P(IndexArrays, searches) {
  const Array sorted = row({1, 3, 3, 7});
  EXPECT_EQ(of(searchsorted(sorted, row({0, 3, 8}))), (Ints{0, 1, 4}));
  EXPECT_EQ(of(searchsorted(sorted, row({0, 3, 8}), Side::right)), (Ints{0, 3, 4}));
  EXPECT_EQ(searchsorted(sorted, 3, Side::right).item<int>(), 3);
  EXPECT_EQ(searchsorted(astype(sorted, TypeId::int8), 300).item<int>(), 4);
  EXPECT_EQ(searchsorted(astype(sorted, TypeId::uint8), -1, Side::right).item<int>(), 0);
  EXPECT_THROW(searchsorted(sorted, 3, Side::left, row({0, 1, 2, 4})).item<int>(), IndexError);
  EXPECT_EQ(of(digitize(row({0, 3, 8}), sorted)), (Ints{0, 3, 4}));
  EXPECT_EQ(digitize(2, sorted).item<int>(), 1);
}

TEST_P(IndexArrays, errors_have_pythons_words) {
  const Array a = x();
  const Array rows = row({3}), columns = row({-5}), first = row({0});
  for (const Array& one : {rows, columns, first}) wait(one.storage());
  if (device != discrete_null) {  // where the host has the indices
    EXPECT_EQ(error_of(Errc::index, [&] { a[rows]; }),
              "index: 3 is out of bounds for axis 0 of length 3, at (0,) of the indices");
    EXPECT_EQ(error_of(Errc::index, [&] { a[{first, columns}] = 1; }),
              "index: -5 is out of bounds for axis 1 of length 4, at (0,) of the indices");
  }
  EXPECT_EQ(error_of(Errc::index, [&] { a[astype(row({0}), TypeId::float32)]; }),
            "index: an array of float32 is not an index; integers and bools are");
  EXPECT_EQ(error_of(Errc::index, [&] { a[{row({0}), 0, 0}]; }),
            "index: 3 indices for an array of 2 axes");
  EXPECT_EQ(error_of(Errc::index, [&] { a[a[0] > 0]; }),
            "index: a mask of shape (4,) does not fit axis 0 of shape (3, 4)");
  EXPECT_EQ(error_of(Errc::index, [&] { a[{row({0, 1}), row({0, 1, 2})}]; }),
            "index: indices of shapes (2,) and (3,) cannot be broadcast together");
  EXPECT_EQ(of(a), of(x()));
}

}  // namespace
}  // namespace isthmus
