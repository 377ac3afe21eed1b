// share.h: memory that two libraries reach: adopted from others, or lent to them.
#pragma once

#include <memory>
#include <optional>

#include "isthmus/array/apply.h"
#include "isthmus/array/create/create.h"
#include "isthmus/exchange/explain.h"
#include "isthmus/exchange/span.h"
#include "isthmus/hazards/hazards.h"

namespace isthmus::inline ISTHMUS_ABI {

/// Memory that somebody else owns, and how an array lies in it.
struct Foreign {
  std::string_view who = "adopt";  ///< Begins the text of errors.
  Ref<BackendContext> context;     ///< Where the address means something; null: on the host.
  Ref<BackendQueue> queue;         ///< Where its owner puts work on it, if that is known.
  Ref<SharedEvents> events;        ///< Where it enters work on it, and looks for ours.
  bool is_buffer = false;          ///< `address` is a handle, and the offset counts from 0.
  /// Of USM whose owner vouches for its bytes and its context; unknown: the driver is asked.
  MemoryKind kind = MemoryKind::unknown;
  bool is_svm = false;      ///< Of a driver that cannot be asked about its addresses.
  void* address = nullptr;  ///< What `layout.offset` counts from; not read if there is no element.
  std::string_view field = "data";  ///< What errors call the address.
  DType dtype;
  Layout layout;
  bool is_read_only = false;
  bool is_private = false;  ///< Nobody else can reach it while we hold `owner`.
  BackendMemory::Release release =
      nullptr;  ///< Gives `owner` back, on any thread; null: nothing to do.
  void* owner = nullptr;
};

/// An array over it, no copy. Overlapping imports and our own memory coming back are one memory
/// from now on; what is pending and reads it is evaluated, since others may write to it. If it
/// throws, the owner is still the caller's. Throws exchange for a layout that cannot be.
ISTHMUS_EXPORT Array adopt(const Foreign& foreign);
/// The same, with an owner that is kept until the memory is dropped; null: the memory is the
/// caller's to keep.
ISTHMUS_EXPORT Array adopt(Foreign foreign, std::shared_ptr<void> owner);
/// The owner of adopted memory which was adopted with this release; null for other memory.
ISTHMUS_EXPORT void* owner_of(const BackendMemory& memory, BackendMemory::Release release) noexcept;

/// Throws exchange, naming the field (`who` begins the text), for a negative extent, for more
/// elements or bytes than 2^63-1, for a layout past the ends of the address space, and for an
/// address that is null or misaligned although there are elements.
ISTHMUS_EXPORT void check_foreign(std::string_view who, const void* address, DType dtype,
                                  const Layout& layout);
/// Of that only what concerns the shape. Returns whether there is an element.
ISTHMUS_EXPORT bool check_extents(std::string_view who, DType dtype, const Layout& layout);

/// Bytes as a number of whole elements. Throws exchange, naming the field, if they are not.
ISTHMUS_EXPORT std::int64_t elements_in(std::string_view who, std::string_view field,
                                        std::int64_t bytes, DType dtype);

/// The array's memory as an array on another device that can reach it where it lies; nothing if it
/// cannot. Both see what is written through either, in the order in which it was asked for.
ISTHMUS_EXPORT std::optional<Array> share_on(const Array& array, const Device& device);

/// Whether share_on would give an array. Evaluates nothing: of a pending one it is a promise.
ISTHMUS_EXPORT bool can_share_on(const Array& array, const Device& device);

/// Whether the device could have the array's memory without a copy; nothing: where it is.
ISTHMUS_EXPORT Explanation::Verdict verdict_on(const Array& x, const std::optional<Device>& device);
/// How it comes there, as the end of a sentence; nothing if it is there.
ISTHMUS_EXPORT std::string crossing_to(const Array& x, const std::optional<Device>& device);

/// Who borrows memory of ours.
struct Borrower {
  Ref<BackendQueue> queue;  ///< Where it puts its work; null: not known, so that we wait.
  bool is_ordered = false;  ///< It sees to the order itself, and nobody waits.
};

/// Before others may look at or write to an array: evaluates it and what is pending on its memory,
/// counts the export, and waits for all work on it, or puts the borrower's queue behind it; from
/// then on our work on it and what is put on that queue take turns. end_export undoes that, on any
/// thread.
ISTHMUS_EXPORT void begin_export(const Array& array, const Borrower& borrower = {});
ISTHMUS_EXPORT void end_export(BackendMemory& memory, const Borrower& borrower = {}) noexcept;

/// As begin_export, for a loan that ends before our caller goes on: nothing is counted. What the
/// borrower has enqueued by then is in order with our work.
ISTHMUS_EXPORT void lend_briefly(const Array& array, const Borrower& borrower = {});

/// New memory of ours as the memory of somebody who puts his work on it on `queue`: as if he had
/// lent it to us. Throws what the driver throws.
ISTHMUS_EXPORT Array owned_through(const Array& array, const Ref<BackendQueue>& queue);
/// Memory that is used through a new array alone from now on: `release` gives `owner` back, on any
/// thread, when nobody holds that array's memory and all work on it has ended. If it throws, the
/// owner is still the caller's.
ISTHMUS_EXPORT Array owned_by(const Array& array, BackendMemory::Release release, void* owner);

/// The layout with the strides of axes of length 0 or 1, which mean nothing, as if it were dense.
ISTHMUS_EXPORT Layout with_plain_strides(const Layout& layout);
/// Whether it has no such axes, and with_plain_strides() gives it as it is.
ISTHMUS_EXPORT bool has_plain_strides(const Layout& layout);
/// The strides of with_plain_strides() in bytes. Where there are no elements one that does not fit
/// is that of a single element.
ISTHMUS_EXPORT Dims byte_strides_of(const Array& array);

}  // namespace isthmus::inline ISTHMUS_ABI
