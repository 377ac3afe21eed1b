// asarray.cpp: the copies that a wanted dtype, device or copy take.
#include "isthmus/exchange/asarray.h"

#include "isthmus/array/apply.h"
#include "isthmus/array/create/create.h"
#include "isthmus/base/words.h"
#include "isthmus/exchange/share.h"

namespace isthmus::inline ISTHMUS_ABI {

Array detail::as_wanted(std::string_view who, Array&& x, bool is_new, const Wanted& wanted) {
  const auto& [dtype, device, copy] = wanted;
  if (dtype && x.dtype() != *dtype) {
    check(copy != false, Errc::copy_refused, "{}: {}, but converting {} to {} needs a copy", who,
          words().no_copy, x.dtype(), *dtype);
    x = astype(x, *dtype);
    is_new = true;
  }
  if (device && x.device() != *device && copy != true)
    if (auto shared = share_on(x, *device)) x = std::move(*shared);
  if (device && x.device() != *device) {
    check(copy != false, Errc::copy_refused,
          "{}: {}, but it is on {}, and moving it to {} needs a copy", who, words().no_copy,
          x.device(), *device);
    x = to_device(x, *device);
    is_new = true;
  }
  if (copy == true && !is_new) return isthmus::copy(x);
  return std::move(x);
}

Array asarray(const Array& x, const Wanted& wanted) {
  static_cast<void>(x.storage());  // an empty one has none: that is an error here, too
  return detail::as_wanted("asarray", Array(x), false, wanted);
}

Array asarray(const Scalar& number, const Wanted& wanted) {
  check(wanted.copy != false, Errc::copy_refused,
        "asarray: {}, but a number has no memory to share", words().no_copy);
  return full({}, Value(number, true), wanted.dtype, wanted.device.value_or(default_device()),
              "asarray");
}

}  // namespace isthmus::inline ISTHMUS_ABI
