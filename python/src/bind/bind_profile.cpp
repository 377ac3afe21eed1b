// bind_profile.cpp: profiles as tuples, of which isthmus/_profile.py makes dataclasses.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "isthmus/runtime/observe/profile.h"
#include "isthmus/runtime/observe/records.h"
#include "python/src/bind/bind.h"
#include "python/src/object/arguments.h"
#include "python/src/object/array_object.h"
#include "python/src/object/collections.h"

namespace isthmus::python {

namespace {

nb::object number_or_none(std::optional<double> number) {
  return number ? nb::object(nb::float_(*number)) : nb::none();
}

/// The fields of Kernel in their order.
nb::tuple tuple_of(const Profile::Kernel& kernel) {
  nb::list operations = new_list();
  for (const std::string_view name : kernel.operations) operations.append(name);
  return nb::make_tuple(nb::tuple(operations),
                        python::tuple_of({kernel.shape.begin(), kernel.shape.end()}),
                        to_string(kernel.device), kernel.where, number_or_none(kernel.seconds),
                        kernel.call_seconds, number_or_none(kernel.begin), kernel.call_begin);
}

/// The fields of Evaluation in their order.
nb::tuple tuple_of(const Profile::Evaluation& evaluation) {
  nb::list kernels = new_list();
  for (const Profile::Kernel& kernel : evaluation.kernels) kernels.append(tuple_of(kernel));
  nb::dict stops = new_dict();
  for (const auto& [reason, times] : evaluation.stops)
    stops[nb::str(reason.data(), reason.size())] = times;
  return nb::make_tuple(nb::tuple(kernels), stops, evaluation.seconds, evaluation.begin,
                        evaluation.thread);
}

/// What isthmus.profile() derives from: what was recorded while it was open.
struct Recording {
  std::optional<Profile> open;
  std::vector<Profile::Evaluation> recorded;  ///< Of the last time.
};

void begin(Recording& recording) {
  check(!recording.open, Errc::value, "profile: it has already started; create another one");
  recording.open.emplace();
}

void end(Recording& recording) {
  check(recording.open.has_value(), Errc::value, "profile: it has not started");
  recording.open->end();
  recording.recorded = recording.open->evaluations();
  recording.open.reset();
}

nb::tuple tuples_of(const Recording& recording) {
  nb::list all = new_list();
  for (const Profile::Evaluation& evaluation : recording.recorded) all.append(tuple_of(evaluation));
  return nb::tuple(all);
}

}  // namespace

void bind_profile(nb::module_& m) {
  nb::class_<Recording> c(m, "_Recording", "Base class of the profiles of isthmus.profile().");
  c.def(nb::init<>(), nb::sig("def __init__(self) -> None"));
  // one call each, so that no signal's handler can come between what begins and what must end
  c.def(
      "__enter__",
      [](nb::handle self) {
        begin(instance_of<Recording>(self));
        return nb::borrow(self);
      },
      nb::sig("def __enter__(self) -> typing.Self"), "Starts recording.");
  c.def(
      "__exit__",
      [](nb::handle self, nb::args) {
        end(instance_of<Recording>(self));
        self.attr("_finish")();
      },
      nb::sig("def __exit__(self, *args: object) -> None"), "Stops recording; see Profile.");
  c.def("_evaluations", &tuples_of,
        nb::sig("def _evaluations(self) -> tuple[tuple[typing.Any, ...], ...]"));
  c.def(
      "_trace", [](const Recording& recording) { return detail::trace_of(recording.recorded); },
      nb::sig("def _trace(self) -> str"));
  m.def("_is_profiled", &is_profiled, nb::sig("def _is_profiled() -> bool"));
  m.def("_read_profile_setting", &read_profile_setting,
        nb::sig("def _read_profile_setting() -> None"));
  m.def("_profile_file", &profile_file, nb::sig("def _profile_file() -> str"));
  m.def("_set_profile_file", &set_profile_file, nb::arg("file"),
        nb::sig("def _set_profile_file(file: str, /) -> None"));
}

}  // namespace isthmus::python
