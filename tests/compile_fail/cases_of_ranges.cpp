// cases_of_ranges.cpp: lists and ranges that must not compile where they mean nothing, or too much;
// see cases.cpp.
#include <isthmus/isthmus.h>

#include <span>
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

// CASE a_vector_as_an_index: a range is no index
#ifdef a_vector_as_an_index
  (void)x[numbers];
#else
  (void)x[xp::Array(numbers)];
#endif

// CASE characters_in_a_list: a character is no number
#ifdef characters_in_a_list
  (void)xp::Array({'a', 'b'});
#else
  (void)xp::Array({97, 98});
#endif
}

void ranges(std::vector<float>& numbers, const std::vector<Particle>& particles) {
// CASE a_range_and_a_dtype: the elements of a range have a dtype
#ifdef a_range_and_a_dtype
  (void)xp::Array(numbers, xp::float64);
#else
  (void)xp::Array(numbers).astype(xp::float64);
#endif

// CASE a_range_and_a_device: the elements of a range have a dtype
#ifdef a_range_and_a_device
  (void)xp::Array(numbers, "cpu");
#else
  (void)xp::Array(numbers).to_device("cpu");
#endif

// CASE a_range_of_structs: structs are described by a struct_dtype
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
