"""show_config(): what this installation is."""

from __future__ import annotations


def show_config() -> None:
    """Prints what ``python -m isthmus -v`` does: devices, libraries, process and settings.

    Waits: for drivers, which are opened if necessary.
    """
    from isthmus.__main__ import collect, print_table

    print_table(collect(), True)
