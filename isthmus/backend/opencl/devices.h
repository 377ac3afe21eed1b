// devices.h: which devices there are, and the context of each.
#pragma once

#include "isthmus/opencl_driver/objects.h"

namespace isthmus::opencl {

using driver::ClContext;
using driver::ClDevice;
using driver::ClQueue;

/// All devices: GPUs, then accelerators, then CPUs; of equals, those with USM first. Asked once.
const std::vector<const ClDevice*>& devices();
/// Throws device_not_found.
const ClDevice& device_at(int index);
/// Whether it is one of these. Asks no driver for it.
bool is_listed(cl_device_id id);

/// Of "cpu", "gpu" or "accelerator", with ":1" and so on for another than the first. Throws
/// device_not_found.
int find_device(std::string_view selector);

Ref<ClContext> default_context(int index);
Ref<ClQueue> default_queue(int index);

/// The one wrapper of a user's context. Throws exchange if it has no device that we know; `device`
/// says which, null: its first.
Ref<ClContext> context_of(cl_context handle, cl_device_id device);

}  // namespace isthmus::opencl
