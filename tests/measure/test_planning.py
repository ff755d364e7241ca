"""Orders, shares of the budget, and which samples are still wanted."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from rooftop.driver.calls import call_module
from rooftop.measure.arms import Arm, Sample
from rooftop.measure.case_state import CaseState
from rooftop.measure.needs import affordable
from rooftop.measure.rules import Rules
from rooftop.measure.sampling import block_order
from rooftop.measure.turns import is_sampled, lacks_pairs

tasks = st.lists(st.integers(0, 50), unique=True, min_size=1, max_size=12)


@given(tasks, st.integers(0, 2**63 - 1), st.integers(0, 100))
def test_each_two_blocks_are_balanced(some: list[int], seed: int, double: int) -> None:
    first, second = (block_order(some, seed, "case", 2 * double + half) for half in (0, 1))
    assert sorted(first) == sorted(some)
    assert first == second[::-1]


@given(tasks, st.integers(0, 2**31))
def test_retiring_one_keeps_the_others_in_order(some: list[int], seed: int) -> None:
    order = block_order(some, seed, "case", 3)
    assert block_order(some[1:], seed, "case", 3) == [task for task in order if task != some[0]]


def test_orders_are_fresh_in_each_double_block() -> None:
    seen = Counter(tuple(block_order(range(4), 7, "case", block)) for block in range(400))
    assert len(seen) == 24


wanted = st.dictionaries(
    st.integers(0, 20), st.tuples(st.floats(1e-4, 100), st.integers(1, 6)), min_size=1, max_size=15
)


@given(wanted, st.floats(-1000, 1000))
def test_what_is_granted_can_be_paid(needs: dict[int, tuple[float, int]], remaining_s: float) -> None:
    granted = affordable(needs, remaining_s, 0.25)
    assert granted.keys() == needs.keys()
    assert all(0 <= granted[task] <= needs[task][1] for task in needs)
    assert sum(granted[task] * needs[task][0] for task in needs) <= max(remaining_s, 0) * (1 + 1e-9)


def test_the_dearest_goes_short_first() -> None:
    granted = affordable({"naive": (8.0, 6), "middle": (0.5, 6), "fast": (0.01, 6)}, 20.0, 0.25)
    assert granted == {"fast": 6, "middle": 6, "naive": 0}
    assert affordable({"naive": (8.0, 6), "fast": (0.01, 6)}, 100.0, 0.25) == {"fast": 6, "naive": 6}


def sampled(name: str, iterations: int, taken: list[tuple[int, int]]) -> Arm:
    """Return a point with samples, each given by its block and iterations."""
    samples = [Sample(block, 0, count, 1e6, 0) for block, count in taken]
    return Arm(call_module(name), "point", "ok", iterations=iterations, samples=samples)


def test_samples_and_pairs_from_before_iterations_grew_do_not_count() -> None:
    rules = Rules()
    now = sampled("now", 1, [(block, count) for block in range(7) for count in (1, 2)])
    grown = sampled("grown", 2, [*((block, 1) for block in range(5)), (5, 2), (6, 2)])
    case = CaseState("points", "M", "grown", {}, 1.0, [now, grown])
    assert lacks_pairs(case, rules)
    grown.samples += [Sample(block, 0, 2, 1e6, 0) for block in range(7, 11)]
    assert is_sampled(grown, rules)
    assert lacks_pairs(case, rules)  # the other side has only two of these blocks
    now.samples += [Sample(block, 0, 2, 1e6, 0) for block in range(7, 11)]
    assert not lacks_pairs(case, rules)
