// scan.cpp: the calls of a scan's kernels, which are printed beside those of a reduction.
#include "isthmus/codegen/emit/chunks.h"

namespace isthmus::emitting {

/// The total of each chunk, then of all chunks up to it, then the elements.
static void plan_scan(Planner& planner) {
  using Of = Pointer::Of;
  if (planner.reduced == 0) return;
  if (planner.form.is_chunked) {
    plan_chunks(planner);
    Planner::set(planner.add_pass("isthmus_prefix", {Of::scratch}), 0, planner.kept,
                 Planner::group_side(planner.kept, 64));
  }
  Pass& pass = planner.form.is_chunked
                   ? planner.add_pass("isthmus_scan", {Of::input, Of::output, Of::scratch})
                   : planner.add_pass("isthmus_scan", {Of::input, Of::output});
  const std::int64_t units = planner.kept * chunks(planner);
  const bool is_lone = planner.form.loop == Loop::inner && !planner.traits.has_teams();
  Planner::set(pass, 0, units, Planner::group_side(units, is_lone ? 1 : 64));
}

extern const Shape scan_shape = {chunked_form, print_reduction, plan_scan};

}  // namespace isthmus::emitting
