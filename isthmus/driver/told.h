// told.h: what a kernel was told by its last launch, so that the next one like it need not.
#pragma once

#include "isthmus/codegen/emit.h"

namespace isthmus::driver {

/// Programs repeat themselves: the same expression on arrays of the same shapes, often in the same
/// blocks of the pool. Of a small launch, a third of the time would go into planning its enqueues
/// and setting arguments. Used under ClKernel::lock.
class Told {
 public:
  /// The enqueues of a launch, planned anew unless it has the numbers of the last one. They stay
  /// where they are until the next call.
  const Passes& plan(const Program& program, const Launch& launch, const Traits& traits);

  /// Whether a pass's kernel has its words, and this address or handle for a pointer.
  bool has_words(std::size_t pass) const { return said_[pass].has_words; }
  bool has_pointer(std::size_t pass, std::size_t index, const void* pointer) const {
    const auto& pointers = said_[pass].pointers;
    return pointer && index < pointers.size() && pointers[index] == pointer;
  }
  /// After it was told, or null before: what a call that fails leaves behind is not known.
  void note_words(std::size_t pass) { said_[pass].has_words = true; }
  void note_pointer(std::size_t pass, std::size_t index, const void* pointer);
  /// Nothing was told to any kernel yet.
  void forget();

 private:
  struct Numbers {
    std::int64_t offset;
    Dims strides;
    Scalar scalar;
  };
  /// What the kernel of one pass was told.
  struct Said {
    bool has_words = false;
    SmallVector<const void*, 8> pointers;
  };
  bool is_like(const Launch& launch) const;
  void remember(const Launch& launch);

  Dims shape_;
  int kept_ = 0;
  std::vector<Numbers> arguments_;  ///< Inputs, the epilogue's inputs, outputs.
  Passes passes_;
  std::vector<Said> said_;
  std::uint64_t releases_ = 0;  ///< An address means what it did until memory is given back.
};

}  // namespace isthmus::driver
