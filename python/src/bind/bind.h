// bind.h: what module.cpp calls, one function per subject.
#pragma once

#include <nanobind/nanobind.h>

namespace isthmus::python {

void bind_errors(nanobind::module_& m);
void bind_dtypes(nanobind::module_& m);
void bind_device(nanobind::module_& m);
void bind_queue(nanobind::module_& m);
void bind_array(nanobind::module_& m);
void bind_ops(nanobind::module_& m);
void bind_create(nanobind::module_& m);
void bind_manipulate(nanobind::module_& m);
void bind_rearrange(nanobind::module_& m);
void bind_take(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_comparing(nanobind::module_& m);
void bind_scan(nanobind::module_& m);
void bind_sort(nanobind::module_& m);
void bind_statistics(nanobind::module_& m);
void bind_extremes(nanobind::module_& m);
void bind_parts(nanobind::module_& m);
void bind_neighbours(nanobind::module_& m);
void bind_sets(nanobind::module_& m);
void bind_quantiles(nanobind::module_& m);
void bind_correlate(nanobind::module_& m);
void bind_counting(nanobind::module_& m);
void bind_elementwise(nanobind::module_& m);
void bind_reduction_kernels(nanobind::module_& m);
void bind_kernels(nanobind::module_& m);
void bind_cl(nanobind::module_& m);
void bind_cl_array(nanobind::module_& m);
void bind_products(nanobind::module_& m);
void bind_linalg(nanobind::module_& m);  // after bind_products
void bind_norms(nanobind::module_& m);   // after bind_linalg
void bind_random(nanobind::module_& m);
void bind_exchange(nanobind::module_& m);
void bind_memory(nanobind::module_& m);
void bind_files(nanobind::module_& m);
void bind_log(nanobind::module_& m);
void bind_testing(nanobind::module_& m);
void bind_profile(nanobind::module_& m);
void bind_settings(nanobind::module_& m);
void bind_graph(nanobind::module_& m);
void bind_call_errors(nanobind::module_& m);  // after what it is to watch
void bind_plain_calls(nanobind::module_& m);  // after bind_call_errors

/// Has the core's texts speak Python.
void set_python_words();

/// Hands what the core has said meanwhile to Python's logging. Needs the GIL, and no lock of ours.
void drain_log();

}  // namespace isthmus::python
