// program.cpp: a program in words.
#include "isthmus/codegen/program.h"

namespace isthmus {

Names names_of(const Program& program) {
  Names names;
  const auto add_all = [&](const Tape& tape) {
    for (const Step& step : tape.steps)
      names.push_back(step.op == Op::astype ? "astype" : info(step.op).name);
  };
  add_all(program.map);
  if (program.reduction) names.push_back(info(*program.reduction).name);
  add_all(program.epilogue);
  return names;
}

std::string list_of(const Names& names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text.empty() ? "copy" : text;
}

}  // namespace isthmus
