// slots.cpp: scratch memory for the values of a plan.
#include "isthmus/host/plan.h"

namespace isthmus::inline ISTHMUS_ABI::host {

void assign_slots(Plan& plan) {
  const std::size_t end = plan.instructions.size();
  SmallVector<std::uint32_t, 32> last_use(plan.values.size(), 0);
  const auto each_value = [&](const Instruction& instruction, auto f) {
    if (instruction.row) {
      for (const std::uint16_t v : {instruction.out, instruction.x, instruction.y, instruction.z})
        if (v != no_value) f(v);
    } else {
      const ChainPlan& chain = plan.chains[instruction.chain];
      for (int i = 0; i < chain.operand_count; ++i)
        f(plan.chain_operands[chain.first_operand + i].value);
    }
  };
  for (std::size_t i = 0; i < end; ++i)
    each_value(plan.instructions[i],
               [&](std::uint16_t v) { last_use[v] = static_cast<std::uint32_t>(i); });
  const auto keep = [&](std::uint16_t v) { last_use[v] = static_cast<std::uint32_t>(end); };
  for (const Port& port : plan.writes) keep(port.value);
  for (const std::uint16_t value : plan.results) keep(value);
  for (const Port& scalar : plan.scalars) keep(scalar.value);

  SmallVector<std::uint32_t, 8> free[5];
  SmallVector<std::uint8_t, 32> has_slot(plan.values.size(), 0);
  const auto take = [&](std::uint16_t v) {
    PlanValue& value = plan.values[v];
    if (value.place != Place::slot || has_slot[v]) return;
    has_slot[v] = 1;
    const std::int64_t bytes = info(value.type).bits / 8;
    auto& list = free[bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : bytes == 8 ? 3 : 4];
    if (list.empty()) {
      value.slot = static_cast<std::uint32_t>(plan.slot_bytes);
      plan.slot_bytes += bytes;
    } else {
      value.slot = list.back();
      list.pop_back();
    }
  };
  for (const Port& port : plan.reads) take(port.value);
  if (plan.runs)
    for (const RunLoad& load : plan.runs->loads) take(load.value);
  for (const Port& scalar : plan.scalars) take(scalar.value);
  for (std::size_t i = 0; i < end; ++i) {
    each_value(plan.instructions[i], take);
    each_value(plan.instructions[i], [&](std::uint16_t v) {
      if (last_use[v] != i || !has_slot[v]) return;
      last_use[v] = static_cast<std::uint32_t>(end);  // only once
      const std::int64_t bytes = info(plan.values[v].type).bits / 8;
      free[bytes == 1   ? 0
           : bytes == 2 ? 1
           : bytes == 4 ? 2
           : bytes == 8 ? 3
                        : 4]
          .push_back(plan.values[v].slot);
    });
  }
}

}  // namespace isthmus::inline ISTHMUS_ABI::host
