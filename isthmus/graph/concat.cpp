// concat.cpp: the nodes of a concat and of its parts.
#include "isthmus/graph/concat.h"

namespace isthmus::inline ISTHMUS_ABI {

Ref<Storage> make_concat(DType dtype, Device device, Layout&& layout,
                         const Ref<BackendContext>& context, std::span<Part> parts,
                         PendingFacts* facts) {
  auto node = std::make_unique<Node>(work::Concat());
  node->context = context;
  node->operands.reserve(parts.size());
  for (Part& part : parts) {
    const DType from = part.source.storage->dtype;
    auto copy =
        std::make_unique<Node>(work::Map(Op::astype, from.is_builtin() ? from.id : TypeId::uint8));
    copy->context = context;
    copy->operand_count = 1;
    copy->operands[0] = std::move(part.source);
    Operand& operand = node->operands[static_cast<std::size_t>(node->operand_count)];
    operand.storage = make_part(dtype, device, std::move(part.place), std::move(copy));
    operand.kind = Operand::Kind::storage;
    ++node->operand_count;
  }
  return make_pending(dtype, device, std::move(layout), std::move(node), facts);
}

}  // namespace isthmus::inline ISTHMUS_ABI
