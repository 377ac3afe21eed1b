"""Makes a build tree the installed package of this environment: link_build.py <build>/python.

The tree already is the package (its Python files are links into python/isthmus), so a .pth file
that names it is nearly the whole installation: an edit of a Python file or a rebuild shows at once,
and a second preset is one PYTHONPATH away. The metadata beside it make entry points work, and the
command `isthmus` is a script that calls them.
"""

import pathlib
import shutil
import sys
import sysconfig

from scikit_build_core.build import prepare_metadata_for_build_wheel


def write_command(folder: pathlib.Path) -> pathlib.Path:
    """The script that pip would write for [project.scripts]."""
    script = folder / "isthmus"
    script.write_text(
        f"#!{sys.executable}\nimport sys\n\nfrom isthmus.__main__ import main\n\nsys.exit(main())\n"
    )
    script.chmod(0o755)
    return script


def main() -> int:
    folder = pathlib.Path(sys.argv[1]).resolve()
    if not (folder / "isthmus").is_dir():
        sys.exit(f"{folder}: no package there; build it first")
    for old in folder.glob("*.dist-info"):
        shutil.rmtree(old)
    prepare_metadata_for_build_wheel(str(folder), None)
    link = pathlib.Path(sysconfig.get_path("purelib")) / "isthmus-build.pth"
    link.write_text(f"{folder}\n")
    write_command(pathlib.Path(sysconfig.get_path("scripts")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
