"""Every method and attribute of every class, called with what is no object of the class.

What fails here ends the process, so that all of it runs in one of its own.
"""

from __future__ import annotations

from tests.programs import run

SWEEP = """
import itertools
import inspect
import types

import numpy as np
import isthmus as xp
from isthmus import _isthmus, memory

classes = {
    c for module in (xp, _isthmus, memory) for c in vars(module).values()
    if isinstance(c, type) and (c.__module__ or "").startswith("isthmus")
    and not issubclass(c, BaseException)
}
of_ours = [xp.ones(3), xp.Device("cpu"), xp.Queue("cpu"), xp.Context("cpu"), memory.MemoryHost(8)]


def without_init(cls):
    try:
        return cls.__new__(cls)
    except Exception:
        return 1


def selves(cls):
    others = [x for x in of_ours if not isinstance(x, cls)]
    return [1, None, object(), "cpu", np.ones(3), cls, *others, without_init(cls)]


calls = 0
for cls in sorted(classes, key=lambda c: c.__name__):
    for name in sorted(set(dir(cls))):
        if name in ("__class__", "__new__", "__init_subclass__", "__subclasshook__", "__dict__"):
            continue
        member = inspect.getattr_static(cls, name)
        if isinstance(member, (staticmethod, classmethod)) or not (
            callable(member) or hasattr(member, "__get__")
        ):
            continue
        for wrong in selves(cls):
            entries = [member] if callable(member) else []
            entries += [e for e in (getattr(member, "fget", None),) if e]
            if type(member) in (types.GetSetDescriptorType, types.MemberDescriptorType):
                entries.append(lambda x: member.__get__(x))
            for entry, more in itertools.product(entries, ((), (None,), (1,), (None,) * 3)):
                calls += 1
                try:
                    entry(wrong, *more)
                except Exception:
                    pass  # which one is the business of other tests: the process lives
assert xp.default_device() == "cpu" or str(xp.default_device()) == "cpu"
assert xp.ones(3).sum if hasattr(xp.ones(3), "sum") else True
assert (xp.ones(3) + 1).tolist() == [2, 2, 2]
print(calls)
"""


def test_no_method_of_any_class_believes_what_self_is() -> None:
    out, _ = run(SWEEP)
    assert int(out.split()[-1]) > 4000


def test_a_wrong_self_is_a_type_error() -> None:
    for text in (
        "xp.Array.__complex__(1)",
        "xp.Queue.__enter__(1)",
        "xp.Device.__enter__(1)",
        "xp.Device.__exit__(1, None, None, None)",
        "xp.Device.__reduce__(1)",
        "xp._isthmus._Memory._array.fget(1)",
        "xp.Array.to_device(1, 'cpu')",
        "xp.Array.memory.fget(1)",
        "xp.Array.shape.__get__(1)",
        "xp.ElementwiseKernel.name.__get__(1)",
        "xp.RawKernel.options.__get__(1)",
        "xp.fusing.__enter__(1)",
        "xp.implicit_host_copy.__exit__(1, None, None, None)",
        "xp.Device.__enter__(xp.Device.__new__(xp.Device))",
        "xp.Queue.__enter__(xp.Queue.__new__(xp.Queue))",
        "xp.implicit_host_copy.__enter__(xp.implicit_host_copy.__new__(xp.implicit_host_copy))",
    ):
        run(f"""
            import isthmus as xp
            try:
                {text}
            except TypeError:
                pass
            else:
                raise AssertionError("no TypeError")
            assert str(xp.default_device()) == "cpu"
        """)


def test_objects_that_new_alone_has_made_say_so() -> None:
    out, _ = run("""
        import warnings
        import isthmus as xp
        from isthmus import memory

        warnings.simplefilter("ignore")  # nanobind's own
        for module in (xp, memory):
            for cls in {c for c in vars(module).values() if isinstance(c, type)}:
                if not cls.__module__.startswith("isthmus") or issubclass(cls, BaseException):
                    continue
                try:
                    made = cls.__new__(cls)
                except TypeError:
                    continue
                for call in (repr, str, hash, lambda x: x == 1):
                    try:
                        call(made)
                    except TypeError as error:
                        print(f"{cls.__name__}: {error}")
    """)
    lines = out.splitlines()
    assert any(line.startswith("Device: ") for line in lines)
    for line in lines:
        assert "was not initialised; its __init__ must call" in line, line


FUNCTIONS = """
import itertools
import os
import tempfile

import numpy as np
import isthmus as xp
from isthmus import _isthmus

folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)  # some functions write to a file of that name
values = [1, None, "a", object(), np.ones(2), xp.ones(3), xp.ones(3) + 1, xp.Queue("cpu")]
values += [xp.ones(3, device=device) for device in xp.devices()[1:2]]
try:
    import pyopencl as cl
    values.append(cl.CommandQueue(cl.Context(cl.get_platforms()[0].get_devices()[:1])))
    context = values[-1].context  # which not every runtime's queue holds
except (ImportError, IndexError, cl.Error):
    pass
calls = 0
for name, function in vars(_isthmus).items():
    if isinstance(function, type) or not callable(function) or name.startswith("__"):
        continue
    for count in (1, 2, 3):
        for given in itertools.product(values, repeat=count):
            if count == 3 and len({id(x) for x in given}) == 3:
                continue  # a few are enough
            calls += 1
            try:
                function(*given)
            except Exception:
                pass  # which one is the business of other tests: the process lives
assert (xp.ones(3) + 1).tolist() == [2, 2, 2]
print(calls)
"""


def test_no_function_believes_what_its_arguments_are() -> None:
    out, _ = run(FUNCTIONS)
    assert int(out.split()[-1]) > 20_000
