"""Shares of processes that run at once, by their spans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.diagnose.simultaneous import shares

NS = st.integers(0, 2**53)  # 104 days
SPANS = st.lists(st.tuples(NS, NS).map(lambda span: (min(span), max(span))), max_size=9)


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], []),
        ([(3, 9)], [1.0]),
        ([(3, 9)] * 4, [0.25] * 4),
        ([(0, 2), (2, 3), (5, 9)], [1.0] * 3),
        ([(0, 1), (0, 4)], [0.5, 0.875]),
        ([(0, 4), (1, 3)], [0.75, 0.5]),
        ([(0, 0), (0, 8)], [1.0, 1.0]),
    ],
)
def test_shares_are_known(spans: list[tuple[int, int]], expected: list[float]) -> None:
    assert shares(spans) == pytest.approx(expected)


@given(SPANS)
def test_shares_add_up_to_the_time_in_which_there_is_any(spans: list[tuple[int, int]]) -> None:
    found = shares(spans)
    union, reached = 0, -1
    for began, ended in sorted(spans):
        union += max(0, ended - max(began, reached))
        reached = max(reached, ended)
    lengths = [ended - began for began, ended in spans]
    told = sum(share * length for share, length in zip(found, lengths, strict=True))
    assert told == pytest.approx(union, rel=1e-9, abs=99)
    assert all(one >= 0 for one in found)
    assert all(one < 1.001 for one, length in zip(found, lengths, strict=True) if length > 2**20)
