"""Random programs agree with NumPy to the bit; see random_programs.py."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import isthmus as xp
from tests.device import random_programs
from tests.device.worlds import OurWorld
from tests.ways import Way

# For each way of running: with those of hypothesis 500 on `cpu` and more on the null devices, and
# 20 at least are launched on each device that compiles.
COUNT, INLINE, FEW = 168, 70, 8


def count_of(way: Way) -> int:
    """Nearly every kernel of a random program is a new one."""
    if not way.is_real:
        return COUNT
    return FEW if way.inline == "0" else INLINE


@pytest.mark.no_kernel  # a short program may be all views
def test_program_that_hypothesis_made_agrees_with_numpy(way: Way, device: xp.Device) -> None:
    @settings(
        max_examples=max(count_of(way) // 2, 7),
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(rng=st.randoms(use_true_random=False))
    def agrees(rng: random.Random) -> None:
        random_programs.check(rng, device)

    agrees()


def test_programs_of_a_fixed_seed_agree_with_numpy(way: Way, device: xp.Device) -> None:
    for number in range(count_of(way)):
        random_programs.check(random_programs.rng_of(2026, number), device, f"# program {number}")


def test_long_programs_agree_with_numpy(way: Way, device: xp.Device) -> None:
    for number in range(1 if way.is_real else 4):
        rng = random_programs.rng_of(7, number)
        code, numpys = random_programs.make(rng, device, lines=120)
        difference = random_programs.run(code, device, numpys)
        assert difference is None, random_programs.text_of(code) + f"\n# {difference}"


def test_a_mismatch_is_reported_as_the_smallest_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The report itself: a world whose `add` is wrong for int32."""

    def wrong(self: OurWorld, device: xp.Device) -> None:
        original(self, device)
        right = getattr(self, "add")  # noqa: B009
        setattr(self, "add", lambda x, y: right(right(x, y), 1))  # noqa: B010

    original = OurWorld.__init__
    monkeypatch.setattr(OurWorld, "__init__", wrong)
    device = xp.Device("cpu")
    with pytest.raises(AssertionError) as caught:
        for number in range(200):
            random_programs.check(random_programs.rng_of(3, number), device)
    lines = str(caught.value).splitlines()
    program = [line for line in lines if not line.startswith(("#", " on "))]
    assert any("n.add(" in line for line in program)
    assert len(program) <= 5, program  # of fourteen
