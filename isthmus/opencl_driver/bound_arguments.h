// bound_arguments.h: the arguments of a kernel's last launch, so that a like one sets few.
#pragma once

#include "isthmus/codegen/emit.h"

namespace isthmus::driver {

/// Programs repeat themselves: the same expression on arrays of the same shapes, often in the same
/// blocks of the pool. Of a small launch, a third of the time would go into planning its enqueues
/// and setting arguments. Used under ClKernel::lock.
class BoundArguments {
 public:
  /// The enqueues of a launch, planned anew unless it has the numbers of the last one. They stay
  /// where they are until the next call.
  const Passes& plan(const Program& program, const Launch& launch, const Traits& traits);

  /// Whether a pass's kernel has its words, and this address or handle for a pointer.
  bool has_words(std::size_t pass) const { return bound_[pass].has_words; }
  bool has_pointer(std::size_t pass, std::size_t index, const void* pointer) const {
    const auto& pointers = bound_[pass].pointers;
    return pointer && index < pointers.size() && pointers[index] == pointer;
  }
  /// Null before the call that binds it: what a call that fails leaves behind is not known.
  void note_words(std::size_t pass) { bound_[pass].has_words = true; }
  void note_pointer(std::size_t pass, std::size_t index, const void* pointer);
  /// No argument of any kernel is bound.
  void forget();

 private:
  struct Numbers {
    std::int64_t offset;
    Dims strides;
    Scalar scalar;
  };
  /// The arguments of the kernel of one pass.
  struct Bound {
    bool has_words = false;
    SmallVector<const void*, 8> pointers;
  };
  bool is_like(const Launch& launch) const;
  void remember(const Launch& launch);

  Dims shape_;
  int kept_ = 0;
  std::vector<Numbers> arguments_;  ///< Inputs, the epilogue's inputs, outputs.
  Passes passes_;
  std::vector<Bound> bound_;
  std::uint64_t releases_ = 0;  ///< An address means what it did until memory is given back.
};

}  // namespace isthmus::driver
