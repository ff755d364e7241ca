"""The time between looks, on costs that were recorded of programs with 16 ranks on two cores."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.observe.pace import Pace

MOST = 0.03  # of a CPU
SHORTEST_S = 0.002
# Microseconds of each look, and those of it for facts that few looks read.
OPENMPI = [
    *((2919, 2633), (976, 724), (213, 0), (898, 694), (208, 0), (186, 0), (184, 0), (153, 0), (580, 197), (479, 164)),
    *((2077, 1454), (3488, 2395), (7034, 4930), (6690, 3685), (8462, 5083), (9858, 5709), (10248, 5550), (13502, 6302)),
    *((9071, 4966), (4918, 797), (6219, 1373), (9058, 4128), (9783, 4856), (9130, 4364), (9805, 5342), (9185, 4761)),
    *((4528, 856), (2799, 0), (5442, 263), (2663, 0), (4095, 984), (8171, 3753), (7544, 2968), (7902, 3748)),
    *((10535, 6081), (8019, 4638), (4416, 720), (3755, 0), (4415, 168), (4161, 0), (5946, 1426), (1522, 661)),
]
MPICH = [
    *((3359, 2901), (11137, 8248), (23485, 16996), (9706, 4584), (17189, 12010), (7779, 3155), (2639, 111), (3313, 0)),
    *((3194, 0), (3327, 0), (4000, 585), (16957, 12287), (7043, 2864), (3915, 169), (3880, 0), (2943, 0), (4322, 0)),
    *((3268, 0), (2517, 0), (2425, 0), (3703, 677), (17513, 12944), (6715, 2854), (3470, 164), (3059, 0), (2425, 0)),
]
Costs = list[tuple[int, int]]


def waits(costs: Costs, late_s: float = 0.0) -> list[float]:
    """Return the times between looks. `late_s`: by which each comes later than was asked for."""
    pace, now_s, found = Pace(SHORTEST_S), 0.0, []
    for spent, seldom in costs:
        found.append(pace.next_s(now_s, 1e3 * spent, 1e3 * seldom) + late_s)
        now_s += found[-1]
    return found


def share(costs: Costs, waited: list[float]) -> float:
    return sum(spent for spent, _ in costs) * 1e-6 / sum(waited)


@pytest.mark.parametrize("costs", [OPENMPI, MPICH], ids=["openmpi", "mpich"])
def test_looks_take_what_is_asked_for_and_hardly_less(costs: Costs) -> None:
    assert 0.85 * MOST < share(costs, waits(costs)) <= MOST


def test_one_look_is_not_put_off_for_all_of_its_facts() -> None:
    first, *_ = waits(MPICH)
    assert first < 0.5 * MPICH[0][0] * 1e-6 / MOST


def test_a_look_that_comes_late_is_no_reason_to_wait_longer() -> None:
    slow = [(3000, 0)] * 20
    facts = [(3000, 0)] * 5 + [(9000, 6000)] + [(3000, 0)] * 14
    punctual, late = sum(waits(facts)) - sum(waits(slow)), sum(waits(facts, 0.2)) - sum(waits(slow, 0.2))
    assert punctual > 0.9 * 6e-3 / MOST
    assert late < 0.5 * punctual


LOOK = st.tuples(st.integers(0, 10**5), st.integers(0, 10**5)).map(lambda one: (sum(one), one[1]))


@given(st.lists(LOOK, min_size=1, max_size=50), st.floats(0, 1))
def test_any_looks_take_what_is_asked_for(costs: Costs, late_s: float) -> None:
    # Afterwards nothing is spent, and the rest is made up for.
    costs = [*costs, *[(0, 0)] * 60]
    waited = waits(costs, late_s)
    assert min(waited) >= SHORTEST_S
    assert share(costs, waited) <= MOST
