"""Refuses an #include that goes against tools/layers.txt. Run by pre-commit and by CI."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.M)


def layer_of(path: str) -> tuple[str, str]:
    """Layer of a path, and the part of it that is private: "backend/cuda/x.h" -> cuda."""
    # it stands alone for programs that read it; base/version.cpp includes it
    if path == "isthmus/version.h":
        return "base", ""
    parts = path.removeprefix("isthmus/").split("/")
    return parts[0], parts[1] if parts[0] == "backend" else ""


def allowed(root: pathlib.Path) -> dict[str, set[str]]:
    lines = (root / "tools/layers.txt").read_text().splitlines()
    rows = [line.split(":") for line in lines if line and not line.startswith("#")]
    return {name: {name, *rest.split()} for name, rest in rows}


def problems(root: pathlib.Path = ROOT) -> list[str]:
    """One line per include that breaks a rule, and per folder that has no row."""
    may, errors = allowed(root), []
    for top in ("isthmus", "python"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in {".h", ".cpp", ".cu", ".def", ".inc"}:
                continue
            here = str(file.relative_to(root))
            if here == "isthmus/isthmus.h":
                continue
            layer, part = layer_of(here)
            if layer not in may:
                errors.append(f"{here}: folder {layer} has no row in tools/layers.txt")
                continue
            for target in INCLUDE.findall(file.read_text()):
                if not target.startswith(("isthmus/", "python/")):
                    continue
                to, to_part = layer_of(target)
                if to == "isthmus.h":
                    errors.append(f"{here}: isthmus.h is for users; include what is meant")
                elif to not in may[layer] or (to == "backend" and to_part != part):
                    name = f"{layer}/{part}" if part else layer
                    errors.append(f"{here}: {name} may not include {target}")
    return errors


def main() -> int:
    errors = problems()
    print("\n".join(errors), end="\n" if errors else "")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
