"""Efficiencies of replays whose factors are known beforehand."""

from __future__ import annotations

from typing import Any

import pytest
from any_platform import plain

from rooftop.simulate.efficiencies import Efficiencies, efficiencies
from rooftop.simulate.layout import laid_out
from rooftop.simulate.recording import Recording
from rooftop.simulate.replay import Replayed, missing, replay

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))
WORK_S = 1e-2
LONG = 10**7


def work(times: float = 1) -> dict[str, Any]:
    return {"op": "work", "seconds": WORK_S * times}


def to(rank: int, size: int = 8) -> dict[str, Any]:
    return {"op": "send", "to": rank, "bytes": size, "tag": 0}


def come(rank: int) -> dict[str, Any]:
    return {"op": "recv", "from": rank, "tag": 0}


def told(*bodies: list[dict[str, Any]]) -> tuple[Efficiencies, Replayed]:
    recording = Recording(len(bodies), [([rank], body) for rank, body in enumerate(bodies)])
    layout = laid_out(plain(len(bodies)), len(bodies), per_node=1)
    found = replay(recording, layout)
    return efficiencies(recording, layout, None, found), found


def test_ranks_that_do_the_same_lose_nothing() -> None:
    factors, _ = told(*[[work()]] * 4)
    assert (factors.balance, factors.serialisation, factors.transfer) == (1, 1, 1)


def test_ranks_that_have_less_to_do_are_the_balance() -> None:
    factors, _ = told([work(4)], [work(1)], [work(1)])
    assert factors.balance == pytest.approx(0.5)
    assert (factors.serialisation, factors.transfer) == (1, 1)


def test_ranks_that_wait_for_the_one_before_are_serialisation() -> None:
    factors, _ = told([work(), to(1)], [come(0), work(), to(2)], [come(1), work()])
    assert factors.balance == pytest.approx(1)
    assert factors.serialisation == pytest.approx(1 / 3)
    assert factors.transfer == pytest.approx(1, abs=1e-2)


def test_bytes_on_a_link_are_transfer() -> None:
    factors, found = told([work(), to(1, LONG)], [work(), come(0)])
    assert (factors.balance, factors.serialisation) == pytest.approx((1, 1))
    assert factors.transfer == pytest.approx(WORK_S / found.seconds)
    assert factors.transfer < 0.95


def test_their_product_is_the_share_of_work() -> None:
    factors, found = told([work(2), to(1, LONG), come(1)], [come(0), work(3), to(0, LONG)])
    mean_s = sum(one.computing_s for one in found.ranks) / 2
    assert factors.parallel == pytest.approx(mean_s / found.seconds)
    assert min(factors.balance, factors.serialisation, factors.transfer) < 1


def test_without_work_there_is_only_transfer() -> None:
    factors, _ = told([to(1, LONG)], [come(0)])
    assert factors.transfer == 0
    assert factors.parallel == 0
