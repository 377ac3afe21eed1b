"""Refuses files of more than 500 lines. Run by pre-commit and by CI."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).parent.parent
LIMIT = 500
FOLDERS = ("isthmus", "python", "tests", "tools", "cmake", "examples", "bench")
SUFFIXES = {".h", ".cpp", ".cu", ".inc", ".py", ".cmake", ".txt"}


def problems(root: pathlib.Path = ROOT) -> list[str]:
    """One line per file that is too long. Lists (.def), stubs and golden kernels are exempt."""
    errors = []
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in SUFFIXES or "golden" in file.parts or "out" in file.parts:
                continue
            lines = file.read_text().count("\n")
            if lines > LIMIT:
                errors.append(f"{file.relative_to(root)}: {lines} lines; at most {LIMIT}")
    return errors


def main() -> int:
    errors = problems()
    print("\n".join(errors), end="\n" if errors else "")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
