"""Uses the installed package: every layer once, with nothing but what the wheel brought."""

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
assert any(str(device) == "cpu" for device in isthmus.devices())
print("isthmus", isthmus.__version__, "at", Path(isthmus.__file__).parent)
