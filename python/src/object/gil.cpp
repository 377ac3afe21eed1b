// gil.cpp: what Python's end of a thread finds in our frames.
#include "python/src/object/gil.h"

#include <unwind.h>

#include "python/src/object/array_object.h"

using Personality = _Unwind_Reason_Code(int, _Unwind_Action, _Unwind_Exception_Class,
                                        _Unwind_Exception*, _Unwind_Context*);

extern "C" {
Personality __real___gxx_personality_v0;  // NOLINT: the linker's names, see --wrap

/// Asked for each frame of this module that an exception goes through, before anything in it is
/// destroyed. Once the interpreter ends, a thread is unwound because Python code that we called
/// wanted the GIL: what would be destroyed are Python's objects.
_Unwind_Reason_Code __wrap___gxx_personality_v0(int version,  // NOLINT
                                                _Unwind_Action actions,
                                                _Unwind_Exception_Class kind,
                                                _Unwind_Exception* exception,
                                                _Unwind_Context* context) {
  const bool is_ended = actions & _UA_FORCE_UNWIND && isthmus::python::is_finalizing();
  if (is_ended) isthmus::python::sleep_for_ever();
  return __real___gxx_personality_v0(version, actions, kind, exception, context);
}
}
