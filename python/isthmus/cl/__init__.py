"""The interface of ``pyopencl.array`` and the modules beside it, on arrays of Isthmus.

Write ``import isthmus.cl.array as cl_array`` instead of ``import pyopencl.array as cl_array``, and
likewise for the other modules: ``cltypes``, ``tools``, ``clmath``, ``clrandom``, ``elementwise``,
``reduction``, ``scan`` and ``algorithm``. Queues, contexts, buffers and events are pyopencl's own,
or ``isthmus.Queue`` and ``isthmus.Context`` where pyopencl is not installed.
"""
