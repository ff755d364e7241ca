"""Short tours from Python: what is taken, what comes back, and plain words about what cannot be taken."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from rooftop.solvers import routing
from rooftop.solvers.routing import Problem, Progress, RoutingArgumentError
from rooftop.solvers.routing import library as routing_library

HEADER = Path(__file__).parents[1] / "include" / "rooftop" / "routing.h"


pytestmark = pytest.mark.usefixtures("library")


def places(count: int, seed: int = 1) -> NDArray[Any]:
    return np.random.default_rng(seed).uniform(0, 1000, (count, 2))


def rounded(coordinates: NDArray[Any]) -> NDArray[Any]:
    """Distances as TSPLIB rounds them, computed here."""
    apart = coordinates[:, None, :] - coordinates[None, :, :]
    whole: NDArray[Any] = (np.sqrt((apart**2).sum(axis=2)) + 0.5).astype(np.int64)
    return whole


def length_of(order: NDArray[Any], distances: NDArray[Any]) -> int:
    return int(distances[order, np.roll(order, -1)].sum())


def test_the_header_and_the_bindings_have_one_version() -> None:
    match = re.search(r"#define ROOFTOP_ROUTING_ABI_VERSION (\d+)", HEADER.read_text(encoding="utf-8"))
    assert match is not None
    assert int(match[1]) == routing_library.ABI_VERSION


def test_tours_are_shown_on_the_way() -> None:
    problem, seen = Problem.in_plane(places(300)), []

    def show(progress: Progress, order: NDArray[np.int32]) -> None:
        assert problem.length(order) == progress.length
        seen.append(progress.length)

    tour = problem.solve(iterations=2000, threads=1, show=show, show_every_s=0)
    assert seen == sorted(set(seen), reverse=True)
    assert seen[-1] == tour.length
    assert problem.solve(iterations=2000, threads=1).length == tour.length


def test_what_a_callback_raises_ends_the_search() -> None:
    problem = Problem.in_plane(places(300))

    def refuse(*_: object) -> None:
        raise KeyError("enough")

    for more in ({"callback": refuse}, {"show": refuse}, {"show": refuse, "callback": lambda _: True}):
        with pytest.raises(KeyError, match="enough"):
            problem.solve(3600, **more)
    with pytest.raises(RoutingArgumentError, match="show_every"):
        problem.solve(1, show=lambda *_: None, show_every_s=-1)


@settings(max_examples=30, deadline=None)
@given(count=st.integers(3, 60), seed=st.integers(0, 1000), by_matrix=st.booleans())
def test_a_tour_visits_every_city_once_and_is_as_long_as_it_says(count: int, seed: int, by_matrix: bool) -> None:
    coordinates = places(count, seed)
    distances = rounded(coordinates)
    tour = routing.solve_tsp(distances if by_matrix else coordinates, iterations=50, seed=seed, threads=1)
    assert sorted(tour.order) == list(range(count))
    assert tour.length == length_of(tour.order, distances)


def test_a_circle_is_found() -> None:
    angles = np.random.default_rng(3).permutation(np.arange(97)) * 2 * np.pi / 97
    circle = 1e5 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    tour = routing.solve_tsp(circle, iterations=2000)
    steps = np.diff(np.unwrap(angles[tour.order]))
    assert np.allclose(np.abs(steps), 2 * np.pi / 97)


def test_a_seed_gives_the_same_tour_on_any_number_of_threads() -> None:
    coordinates = places(1200)
    first, second = (routing.solve_tsp(coordinates, iterations=200, seed=5, threads=n) for n in (1, 2))
    assert np.array_equal(first.order, second.order)
    assert first.iterations == second.iterations == 200


def test_a_callback_sees_the_best_and_ends_the_search() -> None:
    seen: list[Progress] = []

    def callback(progress: Progress) -> bool:
        seen.append(progress)
        return len(seen) < 3

    tour = routing.solve_tsp(places(400), time_s=3600, callback=callback)
    assert len(seen) == 3
    assert tour.length <= seen[-1].length <= seen[0].length


def test_what_a_callback_raises_is_raised() -> None:
    def callback(_: Progress) -> bool:
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        routing.solve_tsp(places(400), time_s=3600, callback=callback)


def test_a_file_is_read_and_a_tour_written(tmp_path: Path) -> None:
    file, out = tmp_path / "square.tsp", tmp_path / "square.tour"
    file.write_text(
        "NAME: square\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
        "1 0 0\n2 10 10\n3 10 0\n4 0 10\nEOF\n"
    )
    problem = Problem.read(file)
    assert (problem.name, problem.cities) == ("square", 4)
    assert problem.coordinates is not None
    assert problem.coordinates.tolist() == [[0, 0], [10, 10], [10, 0], [0, 10]]
    tour = problem.solve(out=out)
    assert tour.length == problem.length(tour.order) == 40
    assert out.read_text().split("TOUR_SECTION")[1].split()[:5] == [*(str(city + 1) for city in tour.order), "-1"]


def test_a_tour_has_a_direction_where_ways_do() -> None:
    cities = 41
    distances = np.full((cities, cities), 50)
    distances[np.arange(cities), (np.arange(cities) + 3) % cities] = 2
    tour = routing.solve_tsp(distances, iterations=500)
    assert tour.length == length_of(tour.order, distances) == 2 * cities
    assert np.all(np.diff(tour.order) % cities == 3)


def test_a_matrix_has_no_places() -> None:
    assert Problem.of_matrix(rounded(places(5))).coordinates is None


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([[0, 0], [1, 1]], "cities is 2"),
        ([[0, 0, 0], [1, 1, 1]], "shape"),
        ([1, 2, 3], "shape"),
        ([[0, float("nan")], [1, 1], [2, 2]], "city 0"),
        ([["a", "b"], ["c", "d"], ["e", "f"]], "not numbers"),
        ([[0, 1.5, 2], [1.5, 0, 3], [2, 3, 0]], "whole numbers"),
        ([[0, 1 << 31, 2], [1 << 31, 0, 3], [2, 3, 0]], "beyond"),
    ],
)
def test_what_is_no_problem_is_refused(given: Any, says: str) -> None:
    with pytest.raises(RoutingArgumentError, match=says):
        routing.solve_tsp(given, time_s=0.1)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"time_s": 0}, "time_s"),
        ({"time_s": float("inf")}, "time_s"),
        ({"iterations": -1}, "iterations"),
        ({"iterations": 1.5}, "iterations"),
        ({"threads": -1}, "threads"),
        ({"seed": "x"}, "seed"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(RoutingArgumentError, match=says):
        routing.solve_tsp(places(9), **options)


def test_an_order_that_is_no_tour_has_no_length() -> None:
    with pytest.raises(RoutingArgumentError, match="once"):
        Problem.in_plane(places(4)).length([0, 1, 1, 2])
