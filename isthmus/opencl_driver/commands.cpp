// commands.cpp: memory as an argument of a kernel.
#include "isthmus/opencl_driver/commands.h"

namespace isthmus::driver {

void set_memory(const ClContext& context, ClKernel::Entry& entry, cl_uint index, void* address,
                const BackendMemory& memory) {
  const Api& api = context.api();
  const cl_kernel kernel = entry.kernel.get();
  if (memory.kind == MemoryKind::buffer)
    return set_buffer(api, kernel, index, static_cast<cl_mem>(address));
  const void* pointer = address;
  if (memory.context && context.on.has_usm && !context.on.takes_any_pointer())
    return invoke("clSetKernelArgMemPointerINTEL", context.on.platform.usm.set_argument, kernel,
                  index, pointer);
  invoke("clSetKernelArgSVMPointer", api.clSetKernelArgSVMPointer, kernel, index, pointer);
  if (context.on.info.has_system_memory) return;
  if (entry.was_svm.size() <= index) entry.was_svm.resize(index + 1, false);
  entry.was_svm[index] = true;
}

}  // namespace isthmus::driver
