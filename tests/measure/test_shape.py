"""The shape of samples: several speeds, steps and trends, and none where there is none."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from rooftop.measure.pairs import Pairs
from rooftop.measure.shape import scatter, speeds, steps, strip, trend


def two_speeds(fast: float, count: int = 60, seed: int = 1) -> list[float]:
    rng = np.random.default_rng(seed)
    return [float(one) for one in np.where(rng.random(count) < fast, 1.0, 2.0) * rng.normal(1, 0.003, count)]


def normal(count: int = 60, seed: int = 1) -> list[float]:
    return [float(one) for one in np.random.default_rng(seed).normal(1, 0.03, count)]


@pytest.mark.case("commands.G3")
@pytest.mark.parametrize("fast", [0.25, 0.5, 0.75])
def test_two_speeds_are_told_with_their_shares(fast: float) -> None:
    pytest.importorskip("diptest")
    values = two_speeds(fast)
    found = speeds(values)
    assert found is not None
    assert (found.fast, found.slow) == pytest.approx((1.0, 2.0), rel=0.01)
    assert found.slow_share == sum(value > 1.5 for value in values) / len(values)
    assert scatter(Pairs.of((values, normal()))) == "the runs have several speeds"


def test_one_speed_is_one() -> None:
    rng = np.random.default_rng(2)
    for seed in range(100):
        assert speeds(normal(30, seed)) is None or seed > 90
    assert speeds([1.0] * 30) is None
    assert speeds((1 / rng.random(60)).tolist()) is None
    assert speeds(two_speeds(0.5, 8)) is None  # too few
    assert scatter(Pairs.of((normal(), normal(seed=2)))) == "the runs scatter"


@pytest.mark.case("commands.G3.steps")
def test_steps_are_told_where_they_are_coarse() -> None:
    assert steps([1.0, 2.0] * 20) == 1.0
    assert steps([100.0, 101.0] * 20) is None  # a step of 1 %
    assert steps([5.0] * 20) is None
    assert steps(normal()) is None
    assert scatter(Pairs.of(([1.0, 2.0] * 20, [1.0] * 40))) == "values come in coarse steps"


@pytest.mark.case("commands.I7")
def test_a_trend_is_told() -> None:
    rng = np.random.default_rng(3)
    rising = [1 + 0.02 * at + float(noise) for at, noise in enumerate(rng.normal(0, 0.03, 30))]
    found = trend(rising)
    assert found is not None
    assert 0.3 < found < 0.6
    assert stats.kendalltau(range(30), rising).pvalue < 0.001
    falling = trend(rising[::-1])
    assert falling is not None
    assert falling < -0.2
    assert sum(trend(normal(30, seed)) is not None for seed in range(200)) == 0
    assert trend([1 + 0.0001 * at for at in range(30)]) is None  # too little to matter
    assert trend([1.0] * 30) is None


def test_a_strip_shows_where_values_lie() -> None:
    assert strip([1.0] * 9 + [2.0] * 3) == "█" + "▁" * 14 + "▃"
    assert strip([1.0]) == "▁"


def test_the_dip_test_leaves_the_environment_alone() -> None:
    """A variable that its package sets would be inherited by what is measured next, and would refuse a resume."""
    pytest.importorskip("diptest")
    code = (
        "import os; from rooftop.measure.shape import speeds; before = dict(os.environ); "
        "assert speeds([at + 1e-4 * i for at in (1, 2) for i in range(30)]) is not None; "
        "assert dict(os.environ) == before"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
