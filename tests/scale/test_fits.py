"""Fits of the laws of scaling: what was put in comes out, intervals cover it, and what cannot be told is not."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.scale.fits import BEYOND, Estimate, LawResult, Measurements, fit, preferred, refusal
from rooftop.scale.laws import AMDAHL, GUSTAFSON, LAWS, USL, Law, peak

COUNTS = (1, 2, 4, 8, 16)


def measured(
    law: Law,
    parameters: Sequence[float],
    *,
    blocks: int = 12,
    noise: float = 0.03,
    counts: Sequence[int] = COUNTS,
    seed: int = 0,
) -> Measurements:
    """Return what a program that follows a law shows on a machine that drifts by a fifth between blocks."""
    rng = np.random.default_rng(seed)
    workers = np.array(counts, dtype=float)
    drift = np.exp(rng.normal(0, 0.2, (blocks, 1)))
    costs = drift * np.exp(rng.normal(0, noise, (blocks, len(counts)))) / law.speedup(workers, np.array(parameters))
    return Measurements(workers, np.log(costs[:, :1] / costs))


def first(found: LawResult) -> Estimate:
    """Return the first parameter."""
    return next(iter(found.parameters.values()))


TRUTHS = [
    (AMDAHL, (0.05,)),
    (AMDAHL, (0.0,)),
    (AMDAHL, (0.6,)),
    (GUSTAFSON, (0.1,)),
    (USL, (0.05, 0.002)),
    (USL, (0.1, 0.0)),
]


@pytest.mark.parametrize(("law", "truth"), TRUTHS)
def test_without_noise_the_parameters_come_out(law: Law, truth: tuple[float, ...]) -> None:
    found = fit(law, measured(law, truth, noise=0.0), seed=1, resamples=5)
    assert [one.value for one in found.parameters.values()] == pytest.approx(list(truth), abs=1e-4)
    assert found.misfit is not None
    assert found.misfit < 1e-4


@pytest.mark.parametrize(("law", "truth"), TRUTHS)
def test_slopes_are_those_of_the_law(law: Law, truth: tuple[float, ...]) -> None:
    workers, parameters, step = np.array(COUNTS, dtype=float), np.array(truth) + 1e-3, 1e-7
    found = law.relative_slopes(workers, 2.0, parameters)
    assert found.shape == (len(COUNTS), len(truth))
    for place, moved in enumerate(step * np.eye(len(truth))):
        ends = [np.log(law.relative(workers, 2.0, parameters + sign * moved)) for sign in (1, -1)]
        assert found[:, place] == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5, abs=1e-7)


def test_a_base_of_several_workers_changes_no_parameter() -> None:
    found = fit(USL, measured(USL, (0.05, 0.002), noise=0.0, counts=(4, 8, 12, 16, 32)), seed=1, resamples=5)
    assert [one.value for one in found.parameters.values()] == pytest.approx([0.05, 0.002], abs=1e-4)


@pytest.mark.parametrize(("law", "truth", "blocks"), [(*TRUTHS[0], 6), (*TRUTHS[3], 20)])
def test_intervals_cover_the_truth(law: Law, truth: tuple[float, ...], blocks: int) -> None:
    # Of 150 intervals at 95 %, 133 or fewer would cover it by chance once in a thousand times.
    trials = 150
    found = (fit(law, measured(law, truth, blocks=blocks, seed=seed), seed, resamples=60) for seed in range(trials))
    covered = sum(interval.lo <= truth[0] <= interval.hi for interval in map(first, found))
    assert covered > 133


def test_both_intervals_of_the_universal_law_cover_the_truth() -> None:
    truth, covered = (0.05, 0.002), np.zeros(2)
    for seed in range(60):
        found = fit(USL, measured(USL, truth, seed=seed), seed, resamples=80)
        covered += [one.lo <= value <= one.hi for one, value in zip(found.parameters.values(), truth, strict=True)]
        assert all(one.lo >= 0 for one in found.parameters.values())
    assert covered.min() > 50  # as above, of 60


@settings(max_examples=30)
@given(st.lists(st.floats(-1, 4), min_size=4, max_size=4), st.sampled_from(LAWS))
def test_no_parameter_leaves_its_bounds_whatever_was_measured(logs: list[float], law: Law) -> None:
    rows = np.array([[0.0, *logs]] * 6)
    found = fit(law, Measurements(np.array(COUNTS, dtype=float), rows), seed=0, resamples=3)
    for one, most in zip(found.parameters.values(), law.most, strict=True):
        assert 0 <= one.lo <= one.value <= one.hi <= most


def test_the_same_seed_gives_the_same_interval() -> None:
    one, other = (fit(AMDAHL, measured(AMDAHL, (0.05,)), seed=4, resamples=50) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    ("law", "counts", "told"),
    [
        (AMDAHL, (1, 2), "2 distinct worker counts with a time and a core for each worker, expected at least 3"),
        (USL, (1, 2, 4), "3 distinct worker counts"),
        (USL, (1, 2, 2, 4), "3 distinct worker counts"),
        (GUSTAFSON, (1,), "1 distinct worker count with"),
    ],
)
def test_too_few_points_are_refused(law: Law, counts: tuple[int, ...], told: str) -> None:
    found = fit(law, measured(law, (0.1, 0.001)[: len(law.parameters)], counts=counts), seed=0)
    assert found.refused is not None
    assert told in found.refused
    assert not found.parameters
    assert not found.curve


def test_as_many_as_are_needed_are_not_refused() -> None:
    assert refusal(AMDAHL, measured(AMDAHL, (0.1,), counts=(1, 2, 4))) is None
    assert refusal(USL, measured(USL, (0.1, 0.0), counts=(1, 2, 3, 4))) is None


def test_nothing_is_drawn_beyond_twice_the_workers() -> None:
    found = fit(AMDAHL, measured(AMDAHL, (0.05,)), seed=0, resamples=50)
    assert found.ahead is not None
    assert found.ahead.workers == BEYOND * COUNTS[-1]
    assert max(one.workers for one in found.curve) == pytest.approx(BEYOND * COUNTS[-1])
    assert all(one.lo <= one.speedup <= one.hi for one in found.curve)
    assert found.curve[0].speedup == pytest.approx(1.0)


def ahead_refused(found: LawResult, told: str) -> None:
    assert found.ahead is None
    assert found.not_ahead is not None
    assert told in found.not_ahead
    assert max(one.workers for one in found.curve) == pytest.approx(COUNTS[-1])


def test_a_wide_interval_ends_the_curve_at_the_last_point() -> None:
    ahead_refused(fit(GUSTAFSON, measured(GUSTAFSON, (0.5,), noise=0.6, blocks=6), seed=0), "lies anywhere in")


def test_a_law_that_misses_the_points_ends_at_the_last_one() -> None:
    ahead_refused(fit(AMDAHL, measured(USL, (0.0, 0.05)), seed=0, resamples=50), "it deviates from the points by")


def test_the_peak_is_told_where_it_was_measured() -> None:
    truth = (0.05, 0.01)
    found = fit(USL, measured(USL, truth), seed=0, resamples=100)
    assert found.peak is not None
    assert found.peak.lo <= peak(np.array(truth)) <= found.peak.hi
    assert peak(np.array(truth)) == pytest.approx(math.sqrt(95))


@pytest.mark.parametrize("truth", [(0.05, 0.0), (0.05, 0.0001)])
def test_a_peak_far_beyond_the_points_is_not_told(truth: tuple[float, float]) -> None:
    assert fit(USL, measured(USL, truth), seed=0, resamples=100).peak is None


def test_a_block_that_lacks_points_is_used_for_the_others() -> None:
    whole = measured(AMDAHL, (0.05,), blocks=20)
    logs = whole.logs.copy()
    logs[8:, 1:3] = np.nan
    found = fit(AMDAHL, Measurements(whole.workers, logs), seed=0, resamples=50)
    assert first(found).lo <= 0.05 <= first(found).hi


def test_laws_are_told_apart_where_the_points_do() -> None:
    counts = (1, 2, 4, 8, 16, 24, 32)
    falling = measured(USL, (0.02, 0.01), counts=counts)
    name, says = preferred([fit(law, falling, 0, resamples=5) for law in (AMDAHL, USL)])
    assert name == "usl"
    assert "describes the points better" in says
    flat = measured(AMDAHL, (0.05,), counts=counts)
    name, says = preferred([fit(law, flat, 0, resamples=5) for law in (AMDAHL, USL)])
    assert name != "usl"
    few = measured(USL, (0.02, 0.01), counts=(1, 2, 4, 8))
    name, says = preferred([fit(law, few, 0, resamples=5) for law in (AMDAHL, USL)])
    assert name is None
    assert "not told apart" in says
    assert preferred([])[0] is None
