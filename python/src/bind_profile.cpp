// bind_profile.cpp: records of the evaluator as tuples, which isthmus/_profile.py makes readable.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "isthmus/runtime/profile.h"
#include "isthmus/runtime/unblocked.h"
#include "python/src/arguments.h"
#include "python/src/array_object.h"
#include "python/src/bind.h"
#include "python/src/collections.h"

namespace isthmus::python {

namespace {

nb::tuple pair_of(const Interval& interval) { return nb::make_tuple(interval.begin, interval.end); }

nb::tuple tuple_of(const KernelRecord& kernel, const std::optional<Interval>& interval) {
  constexpr const char* places[] = {"host", "inlined", "launched"};
  nb::list operations = new_list();
  for (const std::string_view name : kernel.operations) operations.append(name);
  nb::object ran = pair_of(kernel.host);
  if (kernel.event) ran = interval ? nb::object(pair_of(*interval)) : nb::none();
  return nb::make_tuple(kernel.evaluation, nb::tuple(operations),
                        python::tuple_of({kernel.shape.begin(), kernel.shape.end()}),
                        to_string(kernel.device), places[static_cast<int>(kernel.where)],
                        pair_of(kernel.host), ran);
}

nb::tuple tuple_of(const EvaluationRecord& evaluation) {
  nb::dict stops = new_dict();
  for (std::size_t i = 0; i < evaluation.stops.size(); ++i)
    if (evaluation.stops[i])
      stops[nb::str(reason(static_cast<Stop>(i)).data())] = evaluation.stops[i];
  return nb::make_tuple(evaluation.number, evaluation.thread, pair_of(evaluation.host), stops);
}

/// What isthmus.profile() derives from: what was recorded while it was open.
struct Recording {
  std::optional<ProfileMark> mark;  ///< While it is open.
  Profile recorded;                 ///< Of the last time.
};

void begin(Recording& recording) {
  check(!recording.mark, Errc::value, "profile: it has begun already; make another one");
  recording.mark = begin_profile();
}

void end(Recording& recording) {
  check(recording.mark.has_value(), Errc::value, "profile: it has not begun");
  recording.recorded = end_profile(*recording.mark);
  recording.mark.reset();
}

/// Evaluations and kernels as tuples; waits for the kernels.
nb::tuple tuples_of(Recording& recording) {
  std::vector<std::optional<Interval>> times;
  const Profile profile = std::exchange(recording.recorded, {});
  {
    const Unblocked unblocked;
    for (const KernelRecord& kernel : profile.kernels) {
      if (kernel.event) kernel.event->settle();  // only then its time is known
      times.push_back(kernel.event ? kernel.event->ran() : std::nullopt);
    }
  }
  nb::list all_evaluations = new_list(), all_kernels = new_list();
  for (const EvaluationRecord& evaluation : profile.evaluations)
    all_evaluations.append(tuple_of(evaluation));
  for (std::size_t i = 0; i < times.size(); ++i)
    all_kernels.append(tuple_of(profile.kernels[i], times[i]));
  return nb::make_tuple(nb::tuple(all_evaluations), nb::tuple(all_kernels));
}

}  // namespace

void bind_profile(nb::module_& m) {
  nb::class_<Recording> c(m, "_Recording", "What isthmus.profile() derives from.");
  c.def(nb::init<>(), nb::sig("def __init__(self) -> None"));
  // one call each, so that no signal's handler can come between what begins and what must end
  c.def(
      "__enter__",
      [](nb::handle self) {
        begin(instance_of<Recording>(self));
        return nb::borrow(self);
      },
      nb::sig("def __enter__(self) -> typing.Self"), "Begins to record.");
  c.def(
      "__exit__",
      [](nb::handle self, nb::args) {
        end(instance_of<Recording>(self));
        self.attr("_finish")();
      },
      nb::sig("def __exit__(self, *args: object) -> None"), "Ends that; see Profile.");
  m.def("_is_profiled", &is_profiled, nb::sig("def _is_profiled() -> bool"));
  c.def("_take", &tuples_of,
        nb::sig("def _take(self) -> tuple[tuple[typing.Any, ...], tuple[typing.Any, ...]]"));
}

}  // namespace isthmus::python
