"""The model and the replay of each program are as far apart as documents say."""

from __future__ import annotations

import pytest

from benchmarks.simulate.part_agreement import CASES, ratios
from rooftop.simulate.agreement import RANGES, agreement
from rooftop.simulate.program import program_names
from rooftop.simulate.replay import missing


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
@pytest.mark.parametrize("name", sorted(CASES))
def test_a_program_is_within_its_range(name: str) -> None:
    least, most = RANGES[name]
    found = [ratio for _, ratio in ratios(name, ["torus"], [(4, 1)])]
    assert least <= min(found)
    assert max(found) <= most


def test_every_program_has_a_range() -> None:
    assert set(RANGES) == set(CASES) == set(program_names())
    assert agreement("nothing") == []
