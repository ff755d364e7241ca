"""What a pipelined exchange hides, from recorded pairs of runs."""

from __future__ import annotations

import pytest

from rooftop.solvers.fft.overlap import RunPair, RunTimes, overlap_of
from rooftop.solvers.fft.report import share_text

# Seconds in all, computing and waiting: blocking, pipelined. Two hosts, 9.6 Gbit/s; the last pair was disturbed.
PAIRS = [
    RunPair(RunTimes(1.07, 0.40, 0.67), RunTimes(0.88, 0.69, 0.19)),
    RunPair(RunTimes(1.05, 0.41, 0.64), RunTimes(0.86, 0.67, 0.16)),
    RunPair(RunTimes(1.10, 0.40, 0.70), RunTimes(0.91, 0.70, 0.21)),
    RunPair(RunTimes(1.08, 0.42, 0.66), RunTimes(0.90, 0.70, 0.20)),
    RunPair(RunTimes(1.06, 0.41, 0.65), RunTimes(0.89, 0.70, 0.13)),
    RunPair(RunTimes(1.09, 0.40, 0.69), RunTimes(1.60, 1.00, 0.60)),
]


def test_budget_are_medians_of_pairs_with_their_interval() -> None:
    found = overlap_of(PAIRS)
    hidden = sorted(pair.hidden for pair in PAIRS)
    assert found.pairs == 6
    assert found.hidden == pytest.approx((hidden[2] + hidden[3]) / 2)
    assert found.hidden_lo == pytest.approx(1 - 0.60 / 0.69)
    assert found.hidden_hi == pytest.approx(1 - 0.13 / 0.65)
    assert found.saved == pytest.approx(((1.06 - 0.89) / 0.65 + (1.08 - 0.90) / 0.66) / 2, rel=0.02)
    assert found.contention == pytest.approx(1.7, rel=0.03)
    assert share_text(found) == f"{found.hidden:.0%} [13, 80]"


def test_fewer_than_six_pairs_have_no_interval() -> None:
    found = overlap_of(PAIRS[:5])
    assert (found.hidden_lo, found.hidden_hi) == (None, None)
    assert share_text(found) == f"{found.hidden:.0%}"
