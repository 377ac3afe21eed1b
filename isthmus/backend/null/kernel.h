// kernel.h: programs as compiled code, as bytes and as text.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "isthmus/backend/null/objects.h"
#include "isthmus/runtime/backend.h"

namespace isthmus::null {

/// A program, kept to be run.
class NullKernel final : public Kernel, Alive {
 public:
  explicit NullKernel(Program program) : program(std::move(program)) {}
  std::string binary() const override;

  const Program program;
};

/// The program that binary() wrote; nothing if the bytes are not one.
std::optional<Program> read_program(std::string_view binary);

/// Whether a step calculates with float64 or complex128. Copies do not.
bool needs_fp64(const Program& program);

/// Makes the call of a kernel on the discrete or executing device. Everything that the launch
/// points to is copied; memory is looked up when the call runs.
std::function<void()> make_run(Ref<NullKernel> kernel, const Launch& launch, int device);

/// "map (3, 4) add:float32 multiply:float32".
std::string describe(const Program& program, const Launch& launch);

}  // namespace isthmus::null
