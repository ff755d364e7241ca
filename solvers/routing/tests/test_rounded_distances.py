"""Cities so near to one another that whole numbers say nothing of their distances: this is told, and only this."""

from __future__ import annotations

import tracemalloc
import warnings
from pathlib import Path

import numpy as np
import pytest

from rooftop.solvers import routing
from rooftop.solvers.routing import Problem, RoundedDistances
from rooftop.solvers.routing.rounded_distances import rounding_remark

SQUARE = np.random.default_rng(1).uniform(0, 1, (200, 2))


pytestmark = pytest.mark.usefixtures("library")


@pytest.mark.case("solvers.B3")
def test_the_unit_square_is_warned_of_where_the_caller_is() -> None:
    said = r"by 100%: multiply the coordinates by 10000, and tours are 10000 times as long"
    with pytest.warns(RoundedDistances, match=said) as seen:
        tour = routing.solve_tsp(SQUARE, iterations=5, threads=1)
    with pytest.warns(RoundedDistances, match=said) as seen_too:
        Problem.in_plane(SQUARE)
    assert [Path(one.filename).name for one in (*seen, *seen_too)] == [Path(__file__).name] * 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        longer = routing.solve_tsp(10000 * SQUARE, iterations=50, threads=1)
    assert tour.length < 0.01 * longer.length


@pytest.mark.parametrize(
    "places",
    [
        np.zeros((50, 2)),  # nothing is rounded
        np.full((3, 2), 0.5),
        SQUARE * 1000,
        np.round(SQUARE * 100),  # whole coordinates, some of them the same
        np.stack(np.meshgrid(range(9), range(9)), axis=2).reshape(-1, 2),  # a grid of width 1
        [[0, 0], [3, 0], [0, 4]],
        SQUARE * 1e8,
    ],
)
def test_what_is_not_rounded_away_is_not_warned_of(places: object) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Problem.in_plane(np.asarray(places, dtype=float))


@pytest.mark.parametrize("scale", [1e-3, 1, 10])
def test_the_factor_told_is_enough(scale: float) -> None:
    remark = rounding_remark(scale * SQUARE)
    assert remark is not None
    factor = float(remark.split("multiply the coordinates by ")[1].split(",")[0])
    assert rounding_remark(scale * SQUARE * factor) is None


def test_no_factor_is_told_that_the_solver_would_not_take() -> None:
    remark = rounding_remark(SQUARE + np.array([4e8, 0]))
    assert remark is not None
    assert remark.endswith("multiply the coordinates")


def test_degrees_are_too_near() -> None:
    towns = np.array([[48.1, 11.6], [52.5, 13.4], [50.1, 8.7], [53.6, 10.0], [51.3, 12.4], [48.8, 9.2]])
    assert rounding_remark(towns) is not None


def test_many_cities_take_the_memory_of_a_few_columns() -> None:
    """Of each city that is looked at, two distances are kept, and not those to all others."""
    places = np.random.default_rng(2).uniform(0, 1e6, (100_000, 2))
    tracemalloc.start()
    try:
        rounding_remark(places)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < 5 * places.nbytes
