"""Change points of synthetic histories: steps are found where they are, and noise has none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from rooftop.gate.change_points import FEWEST, _places, change_points, linked

SEEDS = 60
Parents = list[int | None]


def same_base(count: int) -> Parents:
    return [None] * count


def each_the_next_base(count: int) -> Parents:
    return [None, *range(count - 1)]


STRUCTURES = [same_base, each_the_next_base]


def history(seed: int, parents: Sequence[int | None], step: float, at: int, noise: float = 0.005) -> list[float]:
    """Draw the links of a history whose level falls by `step` at a place; where all have one base, with odd days.

    An odd link within a chain shifts all that follow: nothing tells it from a change.
    """
    rng = np.random.default_rng(seed)
    links = rng.normal(0, noise, len(parents))
    if set(parents) == {None}:
        links += 0.03 * (rng.random(len(parents)) < 0.03)
    truth = np.where(np.arange(len(parents)) >= at, -step, 0.0)
    before = np.array([0.0 if parent is None else truth[parent] for parent in parents])
    return [float(one) for one in links + truth - before]


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("count", [FEWEST, 15, 40])
def test_noise_has_no_change_point(structure: Callable[[int], Parents], count: int) -> None:
    parents = structure(count)
    clean = sum(not change_points(history(seed, parents, 0.0, 0), parents) for seed in range(SEEDS))
    assert clean >= 0.95 * SEEDS


@pytest.mark.parametrize("draw", ["laplace", "standard_t"])
def test_noise_with_heavy_tails_has_none_either(draw: str) -> None:
    clean = 0
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        links = rng.laplace(0, 0.005, 30) if draw == "laplace" else 0.005 * rng.standard_t(3, 30)
        clean += not change_points([float(one) for one in links], same_base(30))
    assert clean >= 0.95 * SEEDS


@pytest.mark.parametrize(("structure", "step"), [(same_base, 0.05), (each_the_next_base, 0.1)])
@pytest.mark.parametrize(("count", "at"), [(20, 10), (20, 14), (40, 10)])
def test_a_step_is_found_where_it_is(structure: Callable[[int], Parents], step: float, count: int, at: int) -> None:
    parents = structure(count)
    found = [change_points(history(seed, parents, step, at, noise=0.003), parents) for seed in range(SEEDS)]
    right = sum(any(abs(place - at) <= 1 for place in places) for places in found)
    assert right >= 0.95 * SEEDS
    assert sum(len(places) == 1 for places in found) >= 0.9 * SEEDS


def test_two_steps() -> None:
    links = [0.0, 0.001] * 5 + [-0.1, -0.101] * 5 + [0.05, 0.051] * 5
    assert change_points(links, same_base(30)) == [10, 20]


def test_a_step_without_any_noise() -> None:
    assert change_points([0.0] * 6 + [-0.1] * 6, same_base(12)) == [6]
    assert change_points([0.0] * 12, same_base(12)) == []


def test_one_odd_day_is_no_change() -> None:
    assert change_points([0.0, 0.001] * 6 + [-0.5] + [0.0, 0.001] * 6, same_base(25)) == []


def test_a_short_history_is_not_analysed() -> None:
    assert change_points([0.0] * 4 + [-0.5] * 3, same_base(7)) == []


def test_links_add_up_along_the_chain() -> None:
    links = np.array([0.1, 0.2, 0.3])
    assert list(linked(links, [None, 0, 0])) == pytest.approx([0.1, 0.3, 0.4])
    assert list(linked(links, [None, None, None])) == pytest.approx([0.1, 0.2, 0.3])


@pytest.mark.parametrize("count", [190, 600])
def test_a_change_in_a_long_chain_is_at_its_place(count: int) -> None:
    rng = np.random.default_rng(count)
    links = rng.normal(0, 0.01, count)
    place = count // 3 + 1
    links[place:] += 0.03
    assert change_points(list(links), [None] * count) == [place]
    assert change_points(list(rng.normal(0, 0.01, count)), [None] * count) == []


def test_a_long_chain_is_tried_at_both_ends_and_in_the_middle() -> None:
    places = _places(5000)
    assert len(places) <= 200
    assert (places[:3], places[-3:]) == ([3, 4, 5], [4995, 4996, 4997])
    assert any(abs(place - 2500) < 50 for place in places)
    assert _places(100) == list(range(3, 98))
