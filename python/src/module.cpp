// module.cpp: the module _isthmus, subject by subject.
#include "python/src/bind.h"

NB_MODULE(_isthmus, m) {
  using namespace isthmus::python;
  bind_errors(m);
  bind_dtypes(m);
  bind_device(m);
  bind_queue(m);
  bind_array(m);
  bind_ops(m);
  bind_create(m);
  bind_manipulate(m);
  bind_exchange(m);
  bind_memory(m);
  bind_log(m);
  bind_testing(m);
  bind_profile(m);
}
