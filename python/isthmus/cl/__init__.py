"""The interface of ``pyopencl.array`` and the modules beside it, on arrays of Isthmus.

``import isthmus.cl.array as cl_array`` in the place of ``import pyopencl.array as cl_array``; the
other modules likewise: ``cltypes``, ``tools``, ``clmath``, ``clrandom``, ``elementwise``,
``reduction``, ``scan`` and ``algorithm``. Queues, contexts, buffers and events are pyopencl's own,
or ``isthmus.Queue`` and ``isthmus.Context`` where pyopencl is not installed.
"""
