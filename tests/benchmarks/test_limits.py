"""The page of the limits says what was late, and its inputs are ones that the solvers read."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.limits.limit_inputs import PLACES, write_tsplib
from benchmarks.limits.limits import Kept, tables
from rooftop.errors import NotBuilt
from rooftop.solvers.routing import Problem
from rooftop.solvers.routing import library as routing_library


def test_what_is_late_is_told() -> None:
    found = [Kept("tour, many", 1.0, 0.4), Kept("tour, many", 5.0, 0.6), Kept("tour, many", None, 0.6)]
    told = "\n".join(tables(found))
    assert "| tour, many | 1 | 0.400 |  |" in told
    assert "| tour, many | 5 | 0.600 | too long |" in told
    assert "| tour, many | SIGINT | 0.600 |  |" in told
    assert "2 of 3 as asked." in told


@pytest.mark.parametrize("name", [name for name in PLACES if "000 000" not in name])
def test_inputs_have_as_many_cities_as_they_say(name: str) -> None:
    places = PLACES[name]()
    said = "".join(word for word in name.split() if word.isdigit()).replace("1001000", "100000")
    assert len(places) == int(said)


def test_an_input_is_read(tmp_path: Path) -> None:
    try:
        routing_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))
    write_tsplib(PLACES["1000 random cities"](), tmp_path / "cities.tsp")
    assert sorted(Problem.read(tmp_path / "cities.tsp").solve(0.1).order) == list(range(1000))
