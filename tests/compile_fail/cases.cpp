// cases.cpp: what must not compile, and what the compiler must say then. Each case is compiled with
// its own name defined; without any, every line beside them must compile. See check.py.
#include <isthmus/isthmus.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <list>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

namespace xp = isthmus;

void arrays(xp::Array x, const xp::Array& y) {
// CASE a_number_assigned_to_a_name: write x[ellipsis] = value or assign(x, value)
#ifdef a_number_assigned_to_a_name
  x = 5;
#else
  x[xp::ellipsis] = 5;
  x = xp::Array(5);
  x = {};
#endif

// CASE a_vector_assigned_to_a_name: x = Array(value)
#ifdef a_vector_assigned_to_a_name
  x = std::vector<float>(3);
#else
  x = xp::Array(std::vector<float>(3));
#endif

// CASE a_text_assigned_to_elements: make an array first, x[0] = Array(range)
#ifdef a_text_assigned_to_elements
  x[0] = "a";
#else
  x[0] = {1, 2};
#endif

// CASE a_vector_assigned_to_elements: make an array first, x[0] = Array(range)
#ifdef a_vector_assigned_to_elements
  x[0] = std::vector<float>(3);
#else
  x[0] = xp::Array(std::vector<float>(3));
#endif

// CASE a_vector_assigned_by_a_mask: make an array first, x[0] = Array(range)
#ifdef a_vector_assigned_by_a_mask
  x[x > 0] = std::vector<float>(3);
#else
  x[x > 0] = xp::Array(std::vector<float>(3));
#endif

// CASE a_range_as_an_array: write Array(range), a copy, or Array(std::move(vector))
#ifdef a_range_as_an_array
  const xp::Array of_range = std::vector<float>(3);
#else
  const xp::Array of_range(std::vector<float>(3));
#endif
  static_assert(!std::is_convertible_v<std::vector<float>, xp::Array>);

// CASE rows_as_an_array: copy the rows to one vector first
#ifdef rows_as_an_array
  x = xp::Array(std::vector<std::vector<double>>{{1, 2}, {3, 4}});
#else
  x = xp::Array(std::vector<double>{1, 2, 3, 4}).reshape({2, 2});
#endif

// CASE a_vector_of_arrays_as_an_array: stack(arrays), along a new axis, or concat(arrays)
#ifdef a_vector_of_arrays_as_an_array
  x = xp::Array(std::vector<xp::Array>{x, y});
#else
  x = xp::stack(std::vector<xp::Array>{x, y});
#endif

// CASE a_loop_over_an_array: loop over x.to_vector<T>()
#ifdef a_loop_over_an_array
  for (auto each : x) (void)each;
#else
  for (const double each : x.to_vector<double>()) (void)each;
  for (const xp::Array& each : xp::unstack(x)) (void)each;
#endif
  static_assert(!std::ranges::range<xp::Array>);

// CASE an_index_without_braces: an index of several axes needs braces
#ifdef an_index_without_braces
  x = x[xp::slice(1), 0];
#else
  x = x[{xp::slice(1), 0}];
#endif

// CASE an_index_without_braces_that_ends_in_a_slice: an index of several axes needs braces
#ifdef an_index_without_braces_that_ends_in_a_slice
  x = x[0, xp::slice(1)];
#endif

// CASE a_mask_without_braces: an index of several axes needs braces
#ifdef a_mask_without_braces
  x = x[x > 0, xp::slice(1)];
#endif

// CASE a_character_as_an_index: write static_cast<int>(c)
#ifdef a_character_as_an_index
  x = x['a'];
#else
  x = x[static_cast<int>('a')];
#endif

// CASE a_character_as_a_length: write static_cast<int>(c)
#ifdef a_character_as_a_length
  x = xp::zeros({2, 'a'});
#endif

// CASE a_list_as_an_array: copy the range to a vector first
#ifdef a_list_as_an_array
  x = xp::Array(std::list<double>{1, 2});
#endif

// CASE the_truth_of_an_array: write any(x).item<bool>() or all(x).item<bool>()
#ifdef the_truth_of_an_array
  if (x == y) return;
#else
  if (all(x == y).item<bool>() && x.has_value()) return;
#endif

// CASE the_truth_of_two: write any(x).item<bool>() or all(x).item<bool>()
#ifdef the_truth_of_two
  while (x > 0 && y.size() > 0) return;
#else
  x = x > 0 && y > 0 || !x;
#endif

// CASE the_larger_of_two_by_max: write maximum(x, y) for two arrays
#ifdef the_larger_of_two_by_max
  x = xp::max(x, y);
#else
  x = xp::maximum(x, y);
#endif

// CASE a_bool_as_an_axis: write sum(x, all_axes, true)
#ifdef a_bool_as_an_axis
  x = xp::sum(x, true);
#else
  x = xp::sum(x, xp::all_axes, true);
#endif

// CASE an_axis_in_the_place_of_keepdims: several axes are a list, sum(x, {0, 1})
#ifdef an_axis_in_the_place_of_keepdims
  x = xp::sum(x, 0, 1);
#else
  x = xp::sum(x, {0, 1});
  x = xp::sum(x, 0, std::vector<bool>{true}[0]);
#endif

// CASE an_axis_in_the_place_of_a_members_keepdims: several axes are a list, sum(x, {0, 1})
#ifdef an_axis_in_the_place_of_a_members_keepdims
  x = x.max(0, 1);
#endif

// CASE a_length_in_the_place_of_a_switch: a shape needs braces: x.reshape({2, 3})
#ifdef a_length_in_the_place_of_a_switch
  x = x.reshape(2, 3);
#else
  x = x.reshape({2, 3}, false);
#endif

// CASE a_shape_without_braces: a shape needs braces: zeros({2, 3})
#ifdef a_shape_without_braces
  x = xp::zeros(2, 3);
#else
  x = xp::zeros({2, 3});
  x = xp::zeros(2, xp::int32);
#endif

// CASE a_shape_of_three_without_braces: a shape needs braces
#ifdef a_shape_of_three_without_braces
  x = xp::reshape(x, 2, -1, std::size_t{3});
#endif

// CASE axes_without_braces: axes need braces: permute_dims(x, {1, 0})
#ifdef axes_without_braces
  x = xp::permute_dims(x, 1, 0);
#endif

// CASE arrays_without_braces: the arrays need braces: concat({x, y})
#ifdef arrays_without_braces
  x = xp::concat(x, y);
#else
  x = xp::concat({x, y});
  x = xp::concat(std::vector<xp::Array>{x, y}, 0);
#endif

// CASE arrays_to_stack_without_braces: the arrays need braces: stack({x, y})
#ifdef arrays_to_stack_without_braces
  x = xp::stack(x, y[0], y);
#endif

// CASE a_dtype_as_a_text: write x.astype<float>() or x.astype(TypeId::float32)
#ifdef a_dtype_as_a_text
  x = x.astype("float32");
#else
  x = x.astype(xp::float32);
#endif

// CASE characters_as_elements: characters are not numbers
#ifdef characters_as_elements
  x = xp::Array(std::vector<char>{'a', 'b'});
#else
  x = xp::Array(std::vector<std::int8_t>{'a', 'b'});
#endif

// CASE no_index: write slice() for the whole axis, 0 for its first element
#ifdef no_index
  x = x[{xp::slice(), {}}];
#else
  x = x[{xp::slice(), 0}];
#endif

// CASE an_order_in_the_place_of_a_switch: this is true or false
#ifdef an_order_in_the_place_of_a_switch
  x = x.reshape({2, 3}, "F");
#endif

// CASE a_device_in_the_place_of_a_switch: a device or a dtype is a separate argument
#ifdef a_device_in_the_place_of_a_switch
  x = x.astype(xp::float32, "cpu");
#else
  x = xp::linspace(0, 1, 5, xp::float32, "cpu");
#endif

// CASE no_axes_in_a_sum: could be all axes or none
#ifdef no_axes_in_a_sum
  x = xp::sum(x, {});
#else
  x = xp::sum(x, xp::Axes());
  x = xp::sum(x, xp::all_axes);
#endif

// CASE no_axes_in_a_mean: could be all axes or none
#ifdef no_axes_in_a_mean
  x = xp::mean(x, {});
#endif

// CASE no_axes_in_a_flip: could be all axes or none
#ifdef no_axes_in_a_flip
  x = xp::flip(x, {});
#endif

// CASE no_axes_in_a_member: could be all axes or none
#ifdef no_axes_in_a_member
  x = x.prod({});
#endif

// CASE a_correction_in_the_place_of_keepdims: write var(x, axes, false, correction)
#ifdef a_correction_in_the_place_of_keepdims
  x = xp::var(x, 0, 1);
#else
  x = xp::var(x, 0, false, 1);
#endif

// CASE a_correction_of_std_in_the_place_of_keepdims: write isthmus::std(x, axes, false, correction)
#ifdef a_correction_of_std_in_the_place_of_keepdims
  x = xp::std(x, xp::all_axes, 1.0);
#else
  x = xp::std(x, xp::all_axes, false, 1.0);
#endif
}

void shapes(const xp::Array& x) {
// CASE a_text_as_a_shape: a string is not a shape or an axis
#ifdef a_text_as_a_shape
  xp::zeros("opencl:0");
#else
  xp::zeros({2}, "cpu");
#endif

  const auto product = [](std::span<const std::int64_t> lengths) { return lengths.size(); };
// CASE a_span_of_a_temporarys_shape: give it a name first, const Shape shape = array.shape()
#ifdef a_span_of_a_temporarys_shape
  std::span<const std::int64_t> span = (x + 1).shape();
#else
  const auto shape = (x + 1).shape();
  std::span<const std::int64_t> span = shape;
  span = x.shape();
#endif

// CASE a_span_made_of_a_temporarys_shape: give it a name first, const Shape shape = array.shape()
#ifdef a_span_made_of_a_temporarys_shape
  std::span<const std::int64_t> made((x + 1).shape());
#endif

// CASE a_temporarys_shape_as_a_span: give it a name first, const Shape shape = array.shape()
#ifdef a_temporarys_shape_as_a_span
  (void)product((x + 1).shape());
#else
  (void)(product(shape) + product(x.shape()));
#endif

// CASE a_pointer_to_a_temporarys_shape: give it a name first, const Shape shape = array.shape()
#ifdef a_pointer_to_a_temporarys_shape
  const std::int64_t* lengths = (x + 1).shape().data();
#else
  const std::int64_t* lengths = x.shape().data();
#endif

// CASE an_iterator_of_a_temporarys_shape: give it a name first, const Shape shape = array.shape()
#ifdef an_iterator_of_a_temporarys_shape
  auto begin = (x + 1).shape().begin();
#else
  std::int64_t count = *lengths + (x + 1).shape()[0] + (x + 1).shape().back();
  for (const std::int64_t length : (x + 1).shape()) count *= length;
  count += std::ranges::max((x + 1).shape());
  const xp::Shape kept = (x + 1).shape();
  const xp::Dims& held = (x + 1).shape();
  (void)(xp::zeros((x + 1).shape()).shape() == kept && held == (x + 1).shape());
  (void)xp::row_major((x + 1).shape());
#endif
}

void layouts(const xp::Array& x) {
// CASE a_span_of_a_temporarys_layout: give it a name first, const Shape shape = array.shape()
#ifdef a_span_of_a_temporarys_layout
  std::span<const std::int64_t> span = (x + 1).layout().shape;
#else
  const auto layout = (x + 1).layout();
  std::span<const std::int64_t> span = layout.shape;
  span = x.layout().strides;
#endif

// CASE a_span_made_of_a_temporarys_strides: give it a name first, const Shape shape = array.shape()
#ifdef a_span_made_of_a_temporarys_strides
  std::span<const std::int64_t> made((x + 1).layout().strides);
#endif

// CASE a_pointer_to_a_temporarys_strides: give it a name first, const Shape shape = array.shape()
#ifdef a_pointer_to_a_temporarys_strides
  const std::int64_t* strides = (x + 1).layout().strides.data();
#else
  const std::int64_t* strides = x.layout().strides.data();
  std::int64_t step = *strides + (x + 1).layout().strides[0] + (x + 1).layout().offset;
  const xp::Layout kept = (x + 1).layout();
  (void)((x + 1).layout() == kept && (x + 1).layout() == (x + 2).layout() && step > 0);
  (void)(is_row_major((x + 1).layout()) && kept.count() == (x + 1).layout().count());
#endif
}

void kernels(const xp::Array& x, const std::vector<float>& v) {
  const xp::RawKernel kernel("__kernel void f(__global float* x) {}", "f");
// CASE a_span_as_an_argument_of_a_kernel: pass an Array
#ifdef a_span_as_an_argument_of_a_kernel
  kernel({1}, {1}, std::span(v));
#else
  kernel({1}, {1}, x, v.size());
#endif
}

void memory(const xp::Array& x, std::vector<float>& v) {
// CASE the_span_of_a_temporary_vector: Array(std::move(vector))
#ifdef the_span_of_a_temporary_vector
  xp::Array a = xp::from_span(std::vector<float>(3));
#else
  xp::Array a = xp::from_span(v);
#endif

// CASE the_shaped_span_of_a_temporary_vector: Array(std::move(vector))
#ifdef the_shaped_span_of_a_temporary_vector
  a = xp::from_span(std::vector<float>(4), {2, 2});
#endif

// CASE a_span_taken_from_a_temporary: give it a name first
#ifdef a_span_taken_from_a_temporary
  std::span<float> span = xp::to_span<float>(x);
#else
  const auto lent = xp::to_span<float>(x);
  std::span<float> span = lent;
#endif
  std::ranges::sort(span);

// CASE a_span_made_from_a_temporary: give it a name first
#ifdef a_span_made_from_a_temporary
  std::span<const float> seen(xp::to_span<float>(x));
#endif

// CASE get_of_a_temporary: give it a name first
#ifdef get_of_a_temporary
  span = xp::to_span<float>(x).get();
#endif

// CASE data_of_a_temporary: give it a name first
#ifdef data_of_a_temporary
  float* first = xp::to_span<float>(x).data();
#else
  float one = xp::to_span<float>(x)[0];
  for (float& each : xp::to_span<float>(x)) each += one;
#endif

// CASE an_iterator_of_a_temporary: give it a name first
#ifdef an_iterator_of_a_temporary
  auto begin = xp::to_span<float>(x).begin();
#endif

// CASE the_address_in_a_temporary: give the array a name
#ifdef the_address_in_a_temporary
  void* address = xp::host_address(x + 1);
#else
  void* address = xp::host_address(x);
#endif
  (void)address;

  xp::dlpack::DLTensor borrowed;
// CASE a_tensor_borrowed_from_a_temporary: give the array a name
#ifdef a_tensor_borrowed_from_a_temporary
  xp::borrow_dlpack(x + 1, borrowed);
#else
  xp::borrow_dlpack(x, borrowed);
#endif

// CASE the_handle_of_a_temporary_lease: the lease ends with the object
#ifdef the_handle_of_a_temporary_lease
  void* handle = xp::Lease(x, xp::Queue("cpu")).handle();
#else
  const xp::Lease lease(x, xp::Queue("cpu"));
  void* handle = lease.handle();
#endif
  (void)handle;

// CASE the_handle_of_a_temporary_memory: the memory may end with the object
#ifdef the_handle_of_a_temporary_memory
  handle = xp::Memory(64, "cpu").handle();
#else
  const xp::Memory bytes(64, "cpu");
  handle = bytes.handle();
  const xp::Array& seen_bytes = xp::Memory(64, "cpu").bytes();
  (void)seen_bytes;
#endif

// CASE the_handle_of_a_temporary_queue: the queue may end with the object
#ifdef the_handle_of_a_temporary_queue
  handle = xp::Queue("cpu").handle();
#else
  const xp::Queue queue("cpu");
  handle = queue.handle();
#endif

// CASE a_native_handle_of_a_temporary: the handle ends with the object
#ifdef a_native_handle_of_a_temporary
  handle = queue.native().get();
#else
  const xp::NativeHandle native = queue.native();
  handle = native.get();
#endif

// CASE a_tensor_without_an_owner: unique_ptr
#ifdef a_tensor_without_an_owner
  xp::dlpack::DLManagedTensorVersioned* tensor = xp::to_dlpack(x);
#else
  const xp::DlpackTensor tensor = xp::to_dlpack(x);
#endif
}

void scopes(const xp::Array& x, const xp::Queue& queue) {
// CASE a_queues_scope_without_a_name: it ends with the statement: give it a name
#ifdef a_queues_scope_without_a_name
  xp::OnQueue{queue};
#else
  const xp::OnQueue there(queue);
#endif

// CASE a_devices_scope_without_a_name: it ends with the statement: give it a name
#ifdef a_devices_scope_without_a_name
  xp::OnDevice(xp::Device("cpu"));
#else
  const xp::OnDevice here("cpu");
#endif

// CASE a_promise_without_a_name: it ends with the statement: give it a name
#ifdef a_promise_without_a_name
  xp::Fusing();
#else
  const xp::Fusing promise;
#endif

// CASE a_profile_without_a_name: it ends with the statement: give it a name
#ifdef a_profile_without_a_name
  xp::Profile();
#else
  const xp::Profile profile;
#endif

// CASE a_lease_without_a_name: it ends with the statement: give it a name
#ifdef a_lease_without_a_name
  xp::Lease(x, queue);
#else
  const xp::Lease lease(x, queue);
#endif
}
