// kernel.h: programs as kernels, as calls and as text.
#pragma once

#include <functional>
#include <string>

#include "isthmus/backend/null/objects.h"
#include "isthmus/runtime/backend.h"

namespace isthmus::null {

/// Nothing but the text that it was made of, which names a program. Launches bring the program.
class NullKernel final : public Kernel, Alive {
 public:
  explicit NullKernel(std::string text) : text(std::move(text)) {}
  std::string binary() const override { return "null program 3\n" + text; }

  const std::string text;
};

/// Makes the run of a program on the discrete or executing device. Everything that the launch
/// points to is copied; memory is looked up when the call runs.
std::function<void()> make_run(const Program& program, const Launch& launch, int device);

/// "map (3, 4) add:float32 multiply:float32".
std::string describe(const Program& program, const Launch& launch);

}  // namespace isthmus::null
