// cases_of_ranges.cpp: lists and ranges that must not compile where they mean nothing, or too much;
// see cases.cpp.
#include <isthmus/isthmus.h>

#include <complex>
#include <list>
#include <span>
#include <type_traits>
#include <vector>

namespace xp = isthmus;

struct Particle {
  float x, y;
};

void lists(const xp::Array& x, xp::Array row, const std::vector<int>& numbers) {
  row = {};  // no array
  row = x;

// CASE a_list_for_a_name: x = value would write nothing
#ifdef a_list_for_a_name
  row = {9, 9};
#else
  row = xp::Array({9, 9});
#endif

// CASE rows_for_a_name: x = value would write nothing
#ifdef rows_for_a_name
  row = {{9, 9}, {8, 8}};
#else
  row[xp::ellipsis] = {{9, 9}, {8, 8}};
#endif

// CASE a_list_of_two_types_for_a_name: x = value would write nothing
#ifdef a_list_of_two_types_for_a_name
  row = {9, 2.5};
#else
  row = xp::Array({9, 2.5});
#endif

// CASE rows_of_two_types_for_a_name: x = value would write nothing
#ifdef rows_of_two_types_for_a_name
  row = {{9, 2.5}, {8, 8}};
#else
  row[xp::ellipsis] = {{9, 2.5}, {8, 8}};
#endif

// CASE a_vector_as_an_index: a range is not an index
#ifdef a_vector_as_an_index
  (void)x[numbers];
#else
  (void)x[xp::Array(numbers)];
#endif

// CASE characters_in_a_list: a character is not a number
#ifdef characters_in_a_list
  (void)xp::Array({'a', 'b'});
#else
  (void)xp::Array({97, 98});
#endif
}

void ranges(std::vector<float>& numbers, const std::vector<Particle>& particles) {
// CASE a_range_and_a_dtype: the range determines the dtype
#ifdef a_range_and_a_dtype
  (void)xp::Array(numbers, xp::float64);
#else
  (void)xp::Array(numbers).astype(xp::float64);
#endif

// CASE a_range_and_a_device: the range determines the dtype
#ifdef a_range_and_a_device
  (void)xp::Array(numbers, "cpu");
#else
  (void)xp::Array(numbers).to_device("cpu");
#endif

// CASE a_range_of_structs: describe structs by a struct_dtype
#ifdef a_range_of_structs
  (void)xp::Array(particles);
#else
  (void)particles;
#endif

// CASE an_address_without_a_length: does not say how many elements
#ifdef an_address_without_a_length
  (void)xp::from_span(numbers.data(), {2, 3});
#else
  (void)xp::from_span(std::span(numbers.data(), 6), {2, 3});
#endif

// CASE an_address_alone: does not say how many elements
#ifdef an_address_alone
  (void)xp::from_span(numbers.data());
#else
  (void)xp::from_span(numbers);
#endif
}

/// Elements that lie here and there, and make an array by themselves.
struct Series {
  std::list<double> elements;
  auto begin() const { return elements.begin(); }
  auto end() const { return elements.end(); }
  operator xp::Array() const { return xp::ones({2}); }
};

void operands(const xp::Array& x, const std::vector<double>& v, const std::list<double>& list) {
// CASE a_vector_on_the_right: write Array(range), a copy, or Array(std::move(vector))
#ifdef a_vector_on_the_right
  (void)(x + v);
#else
  (void)(x + xp::Array(v));
#endif

// CASE a_vector_on_the_left: write Array(range), a copy, or Array(std::move(vector))
#ifdef a_vector_on_the_left
  (void)(v < x);
#endif

// CASE a_vector_without_a_name: write Array(range), a copy, or Array(std::move(vector))
#ifdef a_vector_without_a_name
  (void)(x * std::vector<float>{1, 2});
#else
  (void)(x * xp::Array(std::vector<float>{1, 2}));
#endif

// CASE a_vector_of_bools: write Array(range), a copy, or Array(std::move(vector))
#ifdef a_vector_of_bools
  (void)(x && std::vector<bool>(2));
#else
  (void)(x && xp::Array(std::vector<bool>(2)));
#endif

// CASE a_list_as_an_operand: write Array(range), a copy, or Array(std::move(vector))
#ifdef a_list_as_an_operand
  (void)(list - x);
#else
  (void)(xp::Array(std::vector<double>(list.begin(), list.end())) - x);
#endif

// CASE a_vector_in_a_function: write Array(range), a copy, or Array(std::move(vector))
#ifdef a_vector_in_a_function
  (void)xp::maximum(x, v);
#else
  (void)xp::maximum(x, xp::Array(v));
#endif

// CASE a_vector_added_in_place: make an array first, x += Array(range)
#ifdef a_vector_added_in_place
  x += v;
#else
  x += xp::Array(v);
  x += 2.5;
#endif

// CASE a_list_shifted_by: make an array first, x <<= Array(range)
#ifdef a_list_shifted_by
  x[0] <<= std::list<int>{1, 2};
#else
  x[0] <<= xp::Array({1, 2});
#endif
  static_assert(!std::is_convertible_v<std::list<double>, xp::Array>);
  const xp::Array of_series = Series();
  (void)(of_series + Series() < Series());
  static_assert(!std::is_convertible_v<std::vector<double>, xp::Value>);
}

void numbers(const xp::Array& x, std::vector<double> v, double d) {
// CASE an_array_as_a_vector: write x.to_vector<T>()
#ifdef an_array_as_a_vector
  const std::vector<double> made = x;
#else
  const std::vector<double> made = x.to_vector<double>();
#endif

// CASE a_vector_of_an_array: write x.to_vector<T>()
#ifdef a_vector_of_an_array
  v = std::vector<double>(x);
#else
  v = std::vector<double>(made);
#endif

// CASE an_array_assigned_to_a_vector: write x.to_vector<T>()
#ifdef an_array_assigned_to_a_vector
  v = x[0];
#else
  v = x[0].to_vector<double>();
#endif

// CASE an_array_as_a_number: write x.item<T>() for the one element
#ifdef an_array_as_a_number
  d = static_cast<double>(x[0]);
#else
  d = x[0].item<double>();
#endif

// CASE a_number_made_of_an_array: write x.item<T>() for the one element
#ifdef a_number_made_of_an_array
  const int count(x[0]);
#else
  const int count(x[0].item<int>());
#endif

// CASE a_complex_number_made_of_an_array: write x.item<T>() for the one element
#ifdef a_complex_number_made_of_an_array
  const std::complex<double> c(x[0]);
#else
  const std::complex<double> c(x[0].item<std::complex<double>>());
#endif
  (void)(d + count + c.real());

  // nothing converts, so that calls of functions stay what they are
  static_assert(!std::is_convertible_v<xp::Array, std::vector<double>>);
  static_assert(!std::is_constructible_v<double, xp::Array>);
  using std::pow, std::sqrt;
  (void)(pow(x, 2.0) + atan2(1, x) + sqrt(x) + pow(x[0], x));
}
