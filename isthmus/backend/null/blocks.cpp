// blocks.cpp: allocations by address, and the disguise of those of the discrete device.
#include "isthmus/backend/null/blocks.h"

#include <sys/mman.h>

#include <cstdlib>

namespace isthmus::null {

namespace {

/// `bytes` at `place` for the host, at `address` for everybody else.
struct Block : Alive {
  std::uintptr_t address = 0;
  char* place = nullptr;
  std::size_t bytes = 0;
  int device = 0;

  ~Block() {
    if (device == discrete && address) munmap(reinterpret_cast<void*>(address), bytes);
    std::free(place);
  }
};

struct Blocks {
  std::mutex lock;
  std::map<std::uintptr_t, Block*> by_address;
  std::uintptr_t next_number = 1;
};

Blocks& blocks() {
  static Blocks& b = *new Blocks;  // leaked: memory may be released while the process ends
  return b;
}

/// Needs the lock.
Block* find(std::uintptr_t address) {
  auto& all = blocks().by_address;
  const auto after = all.upper_bound(address);
  if (after == all.begin()) return nullptr;
  Block* block = std::prev(after)->second;
  return address - block->address < block->bytes ? block : nullptr;
}

bool release(BackendMemory& memory) noexcept {
  if (is_orphaned()) return false;  // the lock may be held by a thread that is not here
  const std::unique_ptr<Block> block(static_cast<Block*>(memory.owner));
  std::lock_guard lock(blocks().lock);
  blocks().by_address.erase(block->address);
  return false;
}

void place(Block& block) {
  const std::size_t size = (block.bytes + 63) / 64 * 64;
  block.place = static_cast<char*>(std::aligned_alloc(64, size));
  check(block.place, Errc::out_of_memory, "null_allocate: the host has no {} bytes left", size);
  block.address = reinterpret_cast<std::uintptr_t>(block.place);
  if (block.device == executing) return;
  block.address = 0;
  void* disguise =
      mmap(nullptr, block.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  check(disguise != MAP_FAILED, Errc::out_of_memory, "null_allocate: no {} addresses are left",
        block.bytes);
  block.address = reinterpret_cast<std::uintptr_t>(disguise);
}

}  // namespace

MemoryKind kind_of(int device) {
  return device == recording   ? MemoryKind::buffer
         : device == executing ? MemoryKind::shared
                               : MemoryKind::device;
}

Ref<BackendMemory> allocate(const Ref<BackendContext>& context, int device, std::size_t bytes,
                            MemoryKind kind) {
  check(kind == kind_of(device), Errc::value, "null: {} allocates {} memory, not {}",
        Device("null", device), to_string(kind_of(device)), to_string(kind));
  check(bytes < std::size_t{1} << 40, Errc::out_of_memory, "null_allocate: {} bytes", bytes);
  auto block = std::make_unique<Block>();
  block->device = device;
  block->bytes = std::max<std::size_t>(bytes, 1);
  if (device != recording) place(*block);
  {
    std::lock_guard lock(blocks().lock);
    if (device == recording) block->address = blocks().next_number++;
  }
  auto memory = make_ref<BackendMemory>(Device("null", device), kind, block->address, bytes);
  {
    std::lock_guard lock(blocks().lock);
    if (device != recording) blocks().by_address[block->address] = block.get();
  }
  memory->context = context;
  memory->host = device == executing ? block->place : nullptr;
  memory->owner = block.release();
  memory->release = release;
  return memory;
}

PointerInfo query(std::uintptr_t address) {
  std::lock_guard lock(blocks().lock);
  const Block* block = find(address);
  if (!block) return {};
  return {kind_of(block->device), block->address, block->bytes, block->device};
}

char* translate(std::uintptr_t address, std::size_t bytes) {
  std::lock_guard lock(blocks().lock);
  const Block* block = find(address);
  check(block, Errc::launch, "null: a command touches memory that is no longer allocated");
  const std::size_t offset = address - block->address;
  check(bytes <= block->bytes - offset, Errc::launch,
        "null: a command touches {} bytes at {} of an allocation of {}", bytes, offset,
        block->bytes);
  return block->place + offset;
}

}  // namespace isthmus::null
