"""Uses the installed package: every layer once, with nothing but what the wheel brought.

check_wheel.py [backend ...]: those backends find Intel's devices; others import, and say why not.
"""

import sys
from pathlib import Path

import numpy as np

import isthmus

assert Path(isthmus.__file__).is_relative_to(sys.prefix), isthmus.__file__
source = np.arange(6.0)
ours = isthmus.from_dlpack(source)
back = np.from_dlpack(ours)
assert back.ctypes.data == source.ctypes.data
assert np.allclose(np.asarray(isthmus.sin(ours) * 2 + 1), np.sin(source) * 2 + 1)

assert float(ours @ ours) == 55
found = isthmus.devices(verbose=True)
of_wheel = Path(sys.prefix) / "lib"
# NumPy's, whose threads are there already
assert str(of_wheel) in found["blas"] and "numpy.libs" in found["blas"], found["blas"]
assert "cpu" in found["devices"]
isthmus.config.inline = "0"
for backend in ("opencl", "sycl"):
    drivers = {d: i["driver"] for d, i in found["devices"].items() if d.startswith(backend)}
    of_intel = [device for device, driver in drivers.items() if "Intel" in driver]
    if backend not in sys.argv[1:]:
        assert not of_intel, f"{of_intel} came from outside of this environment"
        assert drivers or "pip install" in found["missing"][backend], found["missing"]
        continue
    assert of_intel, f"no device of {backend}: {found['missing']}"
    there = isthmus.asarray(source, device=of_intel[0], copy=True)
    there = isthmus.sum(isthmus.astype(there, "float32") * 2)
    assert float(there) == 30
    print(of_intel[0], found["devices"][of_intel[0]]["name"])
print("isthmus", isthmus.__version__, "at", Path(isthmus.__file__).parent)
