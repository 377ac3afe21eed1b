// cases_of_numbers.cpp: numbers that must not compile where another kind is meant; see cases.cpp.
#include <isthmus/isthmus.h>

#include <cstdint>
#include <optional>

namespace xp = isthmus;

void slices(const xp::Array& x, double fraction) {
  const std::optional<std::int64_t> maybe = 1;
  const std::optional<int> maybe_int;
  (void)x[xp::slice(maybe, maybe_int, std::nullopt)];
  (void)x[xp::slice({}, std::size_t{1}, -1)];

// CASE a_fraction_in_a_slice: an axis, a count and a number of a slice must be integers
#ifdef a_fraction_in_a_slice
  (void)x[xp::slice(fraction)];
#else
  (void)x[xp::slice(static_cast<std::int64_t>(fraction))];
#endif

// CASE a_bool_in_a_slice: an axis, a count and a number of a slice must be integers
#ifdef a_bool_in_a_slice
  (void)x[xp::slice(0, true)];
#else
  (void)x[xp::slice(0, 1)];
#endif

// CASE a_character_in_a_slice: a character is not an index
#ifdef a_character_in_a_slice
  (void)x[xp::slice('a')];
#else
  (void)x[xp::slice(97)];
#endif
}

void axes_and_counts(const xp::Array& x, double fraction) {
  const std::optional<std::int64_t> maybe;
  (void)xp::argmax(x, maybe), (void)xp::argmax(x, {}, true), (void)xp::argmax(x, std::size_t{1});
  (void)xp::repeat(x, 2), (void)xp::repeat(x, {2}), (void)xp::repeat(x, {2, 3}, 0);
  (void)xp::split(x, 2), (void)xp::split(x, {1, 2}), (void)xp::split(x, std::size_t{2}, 1);
  (void)xp::topk(x, {3}, 1, false), (void)xp::cumulative_sum(x, {}, xp::int64, true);

// CASE a_bool_as_one_axis: an axis, a count and a number of a slice must be integers
#ifdef a_bool_as_one_axis
  (void)xp::argmax(x, true);
#else
  (void)xp::argmax(x, 1);
#endif

// CASE a_bool_as_the_axis_of_a_list: an axis, a count and a number of a slice must be integers
#ifdef a_bool_as_the_axis_of_a_list
  (void)xp::concat({x, x}, true);
#else
  (void)xp::concat({x, x}, 1);
#endif

// CASE a_fraction_as_an_axis: an axis, a count and a number of a slice must be integers
#ifdef a_fraction_as_an_axis
  (void)xp::sort(x, fraction);
#else
  (void)xp::sort(x, static_cast<int>(fraction));
#endif

// CASE a_fraction_as_a_count: an axis, a count and a number of a slice must be integers
#ifdef a_fraction_as_a_count
  (void)xp::topk(x, 1.9);
#else
  (void)xp::topk(x, 1);
#endif

// CASE a_fraction_of_repeats: an axis, a count and a number of a slice must be integers
#ifdef a_fraction_of_repeats
  (void)xp::repeat(x, 2.5);
#else
  (void)xp::repeat(x, 2);
#endif

// CASE a_fraction_of_rows: an axis, a count and a number of a slice must be integers
#ifdef a_fraction_of_rows
  (void)xp::eye(2.9);
#else
  (void)xp::eye(2, "cpu"), (void)xp::eye<float>(2, "cpu"), (void)xp::eye(2, 3, 1);
#endif

// CASE a_fraction_of_decimals: an axis, a count and a number of a slice must be integers
#ifdef a_fraction_of_decimals
  (void)xp::round(x, 1.5);
#else
  (void)xp::round(x, 1), (void)x.round(2), (void)x.round();
#endif

// CASE a_fraction_of_bins: an axis, a count and a number of a slice must be integers
#ifdef a_fraction_of_bins
  (void)xp::histogram(x, 3.9);
#else
  (void)xp::histogram(x, 3), (void)xp::histogram(x, "auto");
#endif
}

void bytes(const xp::Device& device) {
// CASE a_fraction_that_a_pool_keeps: a number of bytes must be an integer
#ifdef a_fraction_that_a_pool_keeps
  (void)xp::trim_pool(device, 2.7);
#else
  (void)xp::trim_pool(device), (void)xp::trim_pool(device, 2);
#endif

// CASE a_fraction_as_a_cap: a number of bytes must be an integer
#ifdef a_fraction_as_a_cap
  xp::set_pool_cap("cpu", 2.7F);
#else
  xp::set_pool_cap("cpu", 2), xp::set_pool_cap(device, std::size_t{2});
#endif
}

void random_numbers(xp::random::Generator& g) {
// CASE a_device_in_the_place_of_endpoint: this is true or false
#ifdef a_device_in_the_place_of_endpoint
  (void)g.integers(0, 3, {8}, xp::int32, "cpu");
#else
  (void)g.integers(0, 3, {8}, xp::int32, false, "cpu");
#endif

// CASE a_device_in_the_place_of_replace: this is true or false
#ifdef a_device_in_the_place_of_replace
  (void)g.choice(10, 3, "cpu");
#else
  (void)g.choice(10, 3, true, {}, "cpu");
#endif

// CASE a_fraction_as_a_seed: a seed is an integer
#ifdef a_fraction_as_a_seed
  (void)xp::random::default_rng(3.7);
#else
  (void)xp::random::default_rng(3);
#endif

// CASE a_size_in_the_place_of_a_mean: the size comes after the parameters
#ifdef a_size_in_the_place_of_a_mean
  (void)g.normal({3});
#else
  (void)g.normal(0, 1, {3}), (void)g.normal(3), (void)g.exponential(2., {3}), (void)g.poisson();
#endif

// CASE a_matrix_in_the_place_of_a_mean: the size comes after the parameters
#ifdef a_matrix_in_the_place_of_a_mean
  (void)g.uniform({2, 3});
#else
  (void)g.uniform(0, 1, {2, 3}), (void)g.integers(3), (void)g.integers(0, 3, 5);
#endif
}

void used_as_of_other_libraries(const xp::Array& x) {
// CASE parentheses_for_an_index: an array is indexed by brackets
#ifdef parentheses_for_an_index
  (void)x(0, 1);
#else
  (void)x[{0, 1}];
#endif

// CASE a_bool_as_an_index: an index is an integer, and a mask is an array of bools
#ifdef a_bool_as_an_index
  (void)x[true];
#else
  (void)x[1];
#endif

// CASE a_fraction_as_an_index: an index is an integer, and a mask is an array of bools
#ifdef a_fraction_as_an_index
  (void)x[{0, 1.5}];
#else
  (void)x[{0, 1}];
#endif

// CASE a_text_as_an_index: a string is not an index: write field(x,
#ifdef a_text_as_an_index
  (void)x["mass"];
#else
  (void)xp::field(x, "mass");
#endif

// CASE data_of_an_array: elements have a type: write to_span<T>(x).data()
#ifdef data_of_an_array
  (void)x.data();
#else
  const auto elements = xp::to_span<float>(x);
  (void)elements.data();
#endif

// CASE a_vector_without_a_type: elements have a type: write x.to_vector<float>()
#ifdef a_vector_without_a_type
  x.to_vector();
#else
  (void)x.to_vector<float>();
#endif

// CASE a_shape_without_braces_beside_a_type: a shape needs braces: zeros({2, 3})
#ifdef a_shape_without_braces_beside_a_type
  (void)xp::zeros<double>(2, 3);
#else
  (void)xp::zeros<double>({2, 3}), (void)xp::zeros<int>(2), (void)xp::zeros<float>({2}, "cpu");
#endif

// CASE a_fraction_as_a_minlength: an axis, a count and a number of a slice must be integers
#ifdef a_fraction_as_a_minlength
  (void)xp::bincount(x, {}, 2.5);
#else
  (void)xp::bincount(xp::Array({1, 2}), {}, std::size_t{4});
#endif

// CASE characters_as_elements: no dtype has elements of this type
#ifdef characters_as_elements
  (void)xp::zeros<char>({2, 3});
#else
  (void)xp::zeros<std::int8_t>({2, 3}), (void)xp::zeros({2, 3}, "cpu");
#endif

// CASE a_dtype_of_a_view_as_a_text: write x.view<float>() or x.view(TypeId::float32)
#ifdef a_dtype_of_a_view_as_a_text
  (void)x.view("float32");
#else
  (void)x.view(xp::float32), (void)x.view<float>();
#endif
}
