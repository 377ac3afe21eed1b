"""Writes the stub of the compiled module: make_stub.py <folder of the package> <output>."""

import pathlib
import sys


def stub(folder: pathlib.Path) -> str:
    """The text of _isthmus.pyi for the package that lies in `folder`. Wants a fresh process."""
    sys.path.insert(0, str(folder))
    import importlib

    from nanobind.stubgen import StubGen

    module = importlib.import_module("isthmus._isthmus")
    for value in vars(module).values():
        # Classes call themselves isthmus.Array; the stub says where they are defined.
        if isinstance(value, type) and value.__module__ == "isthmus":
            value.__module__ = module.__name__
    generator = StubGen(module)
    generator.put(module)
    return str(generator.get())


def main() -> int:
    folder, output = map(pathlib.Path, sys.argv[1:])
    text = stub(folder)
    if not output.exists() or output.read_text() != text:
        output.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
