// bind_profile.cpp: records of the evaluator as tuples, which isthmus/_profile.py makes readable.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "isthmus/runtime/profile.h"
#include "isthmus/runtime/unblocked.h"
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

nb::tuple end(std::size_t evaluations, std::size_t kernels) {
  std::vector<std::optional<Interval>> times;
  const Profile profile = [&] {
    const Unblocked unblocked;
    Profile mine = end_profile({evaluations, kernels});
    for (const KernelRecord& kernel : mine.kernels) {
      if (kernel.event) kernel.event->settle();  // only then its time is known
      times.push_back(kernel.event ? kernel.event->ran() : std::nullopt);
    }
    return mine;
  }();
  nb::list all_evaluations = new_list(), all_kernels = new_list();
  for (const EvaluationRecord& evaluation : profile.evaluations)
    all_evaluations.append(tuple_of(evaluation));
  for (std::size_t i = 0; i < times.size(); ++i)
    all_kernels.append(tuple_of(profile.kernels[i], times[i]));
  return nb::make_tuple(nb::tuple(all_evaluations), nb::tuple(all_kernels));
}

}  // namespace

void bind_profile(nb::module_& m) {
  m.def(
      "_begin_profile",
      [] {
        const ProfileMark mark = begin_profile();
        return nb::make_tuple(mark.evaluations, mark.kernels);
      },
      nb::sig("def _begin_profile() -> tuple[int, int]"));
  m.def("_end_profile", &end,
        nb::sig("def _end_profile(evaluations: int, kernels: int, /) -> "
                "tuple[tuple[typing.Any, ...], tuple[typing.Any, ...]]"));
}

}  // namespace isthmus::python
