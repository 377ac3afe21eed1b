// module.cpp: the module _isthmus, subject by subject.
#include <string>

#include "isthmus/version.h"
#include "python/src/bind/bind.h"

NB_MODULE(_isthmus_of_main, m) {
  using namespace isthmus::python;
#ifdef NDEBUG
  // Not while users run it: an array that a module, a frozen frame or another library's cache still
  // holds when the interpreter ends is no leak, yet each would be listed on the standard error.
  // Ours are found by isthmus.counters(), which the tests compare.
  nanobind::set_leak_warnings(false);
#endif
  m.attr("_version") = std::string(isthmus::version()).c_str();
  set_python_words();
  bind_errors(m);
  bind_dtypes(m);
  bind_device(m);
  bind_queue(m);
  bind_array(m);
  bind_ops(m);
  bind_create(m);
  bind_manipulate(m);
  bind_rearrange(m);
  bind_take(m);
  bind_search(m);
  bind_comparing(m);
  bind_scan(m);
  bind_sort(m);
  bind_statistics(m);
  bind_extremes(m);
  bind_parts(m);
  bind_neighbours(m);
  bind_sets(m);
  bind_quantiles(m);
  bind_correlate(m);
  bind_counting(m);
  bind_kernels(m);
  bind_cl(m);
  bind_cl_array(m);
  bind_reduction_kernels(m);
  bind_elementwise(m);
  bind_products(m);
  bind_linalg(m);
  bind_norms(m);
  bind_random(m);
  bind_exchange(m);
  bind_memory(m);
  bind_files(m);
  bind_log(m);
  bind_settings(m);
  bind_graph(m);
  bind_testing(m);
  bind_profile(m);
  bind_call_errors(m);
  bind_plain_calls(m);
}

/// What Python calls. One set of state serves the process, and drivers' threads could not say which
/// interpreter they call back.
extern "C" NB_EXPORT PyObject* PyInit__isthmus() {
  if (PyInterpreterState_Get() == PyInterpreterState_Main()) return PyInit__isthmus_of_main();
  PyErr_SetString(PyExc_ImportError,
                  "isthmus: only the main interpreter can import it; instead of subinterpreters "
                  "use threads or processes");
  return nullptr;
}
