"""What a suspicion predicts of its first cure, held against comparisons that a test makes up."""

from __future__ import annotations

import pytest
from still_comparison import compared

from rooftop.diagnose.document import Cause, TriedCure
from rooftop.diagnose.findings import AS_GIVEN, tried
from rooftop.diagnose.predicted import predicted


def cause(stake_s: float, *cures: str) -> Cause:
    return Cause(finding="f", evidence="seen", remedy="mend", stake_s=stake_s, tried=list(cures))


def cures(pairs: int = 12, **times_s: float) -> dict[str, TriedCure]:
    return {one.name: one for one in tried(compared({AS_GIVEN: 10.0, **times_s}, pairs), {})}


@pytest.mark.parametrize(
    ("stake_s", "time_s", "holds", "reason"),
    [
        (5.0, 5.0, True, None),
        (5.0, 5.04, True, None),
        (5.0, 6.0, False, "the cure removes only a part, 80% of what is at stake"),
        (5.0, 3.0, False, "the cure saves more than was seen to be at stake: it mends something else, too"),
        (5.0, 10.0, False, "the cure removes nothing of it that could be measured"),
        (5.0, 20.0, False, "the cure removes nothing of it that could be measured"),
    ],
)
def test_a_prediction_is_held_against_the_interval(
    stake_s: float, time_s: float, holds: bool, reason: str | None
) -> None:
    found = predicted(cause(stake_s, "a"), cures(a=time_s), 10.0, in_time=True)
    assert found is not None
    assert found.ratio == pytest.approx(2.0)
    assert (found.holds, found.reason) == (holds, reason)


def test_the_first_cure_that_was_tried_counts() -> None:
    found = predicted(cause(5.0, "left out", "b", "a"), cures(a=5.0, b=10.0), 10.0, in_time=True)
    assert found is not None
    assert (found.cure, found.holds) == ("b", False)
    assert predicted(cause(5.0, "left out"), cures(a=5.0), 10.0, in_time=True) is None
    assert predicted(cause(5.0), cures(a=5.0), 10.0, in_time=True) is None


def test_what_cannot_be_told_has_a_reason() -> None:
    wrong = {"a": TriedCure(name="a", line="a", outcome="wrong", reason="bad sum")}
    alone = {"a": TriedCure(name="a", line="a", outcome="ok")}
    few, enough = cures(2, a=5.0), cures(a=5.0)
    told = [
        predicted(cause(5.0, "a"), wrong, 10.0, in_time=True),
        predicted(cause(5.0, "a"), alone, 10.0, in_time=True),
        predicted(cause(5.0, "a"), few, 10.0, in_time=True),
        predicted(cause(5.0, "a"), enough, 10.0, in_time=False),
        predicted(cause(10.0, "a"), enough, 10.0, in_time=True),
        predicted(cause(0.0, "a"), enough, 0.0, in_time=True),
    ]
    assert [one.holds if one else 0 for one in told] == [None] * 6
    assert [one.reason if one else 0 for one in told] == [
        "the cure was not measured: bad sum",
        "there are too few pairs for an interval",
        "there are too few pairs for an interval",
        "what was measured is not a time",
        "all of the run is at stake, which bounds nothing",
        "all of the run is at stake, which bounds nothing",
    ]
    assert [one.ratio if one else 0 for one in told] == [2.0] * 4 + [None] * 2
