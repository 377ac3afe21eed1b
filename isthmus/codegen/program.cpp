// program.cpp: a program in words.
#include "isthmus/codegen/program.h"

#include "isthmus/base/format.h"

namespace isthmus {

std::string operations_of(const Program& program) {
  std::string text;
  const auto add = [&](std::string_view name) {
    if (!text.empty()) text += ", ";
    text += name;
  };
  const auto add_all = [&](const Tape& tape) {
    for (const Step& step : tape.steps) add(step.op == Op::astype ? "astype" : info(step.op).name);
  };
  add_all(program.map);
  if (program.reduction) add(info(*program.reduction).name);
  add_all(program.epilogue);
  return text.empty() ? "copy" : text;
}

}  // namespace isthmus
