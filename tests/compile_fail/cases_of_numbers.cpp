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

// CASE a_fraction_in_a_slice: a slice has integers
#ifdef a_fraction_in_a_slice
  (void)x[xp::slice(fraction)];
#else
  (void)x[xp::slice(static_cast<std::int64_t>(fraction))];
#endif

// CASE a_bool_in_a_slice: a slice has integers
#ifdef a_bool_in_a_slice
  (void)x[xp::slice(0, true)];
#else
  (void)x[xp::slice(0, 1)];
#endif

// CASE a_character_in_a_slice: a character is no index
#ifdef a_character_in_a_slice
  (void)x[xp::slice('a')];
#else
  (void)x[xp::slice(97)];
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
}
