"""A subinterpreter is told that it cannot have the package, and the main one keeps working."""

from __future__ import annotations

from tests.programs import run

TRY = """
try:
    import _interpreters as sub  # Python 3.13
except ImportError:
    import _xxsubinterpreters as sub


def ask(text):
    id = sub.create()
    try:
        failed = sub.run_string(id, text)
        return str(failed or "")
    except Exception as error:
        return str(error)
    finally:
        sub.destroy(id)


"""


def test_a_subinterpreter_cannot_import_it() -> None:
    run(
        TRY
        + """
assert "only the main interpreter" in ask("import isthmus")
import isthmus as xp
assert (xp.ones(3) + 1).tolist() == [2, 2, 2]
assert "only the main interpreter" in ask("import isthmus; isthmus.ones(3)")
for device in xp.devices():
    assert (xp.ones(3, device=device) + 1).tolist() == [2, 2, 2]
"""
    )
