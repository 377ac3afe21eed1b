// apply.h: how operations make and write arrays.
#pragma once

#include "isthmus/array/array.h"
#include "isthmus/runtime/evaluate/evaluate.h"

namespace isthmus::inline ISTHMUS_ABI {

/// target = op(target, value), in place as assign() does it, in one kernel; what overlaps gives
/// what NumPy gives. Throws TypeError if the result is of a greater family than the target (a real
/// for integers), ValueError if it has another shape or the target is read-only. Returns the
/// target.
ISTHMUS_EXPORT const Array& apply_in_place(Op op, const Array& target, const Value& value);

/// target = result, as an operation's own output: not cast to a lesser family, and not broadcast.
/// Throws type and value as apply_in_place() does, device_mismatch. Returns the target.
ISTHMUS_EXPORT const Array& write_result(std::string_view who, const Array& target, Array result);

/// An array over memory that is there: a leaf like any other, no copy.
ISTHMUS_EXPORT Array from_view(View view);
/// What the array shows; evaluates it.
ISTHMUS_EXPORT View to_view(const Array& x);

namespace detail {
/// assign(), with the name of the call that the user made in its errors.
ISTHMUS_EXPORT void assign_for(std::string_view who, const Array& target, const Value& value);
/// Runs what must not stay pending; see apply().
Array settle(Ref<Storage> storage, const PendingFacts& facts);
/// Makes an operand show an array, which is released.
void show_all(Operand& operand, Array&& array);
/// The same through `shape`; releases an array that has no name.
void show(Operand& operand, std::string_view who, const Value& array, const Dims& shape);
}  // namespace detail

}  // namespace isthmus::inline ISTHMUS_ABI
