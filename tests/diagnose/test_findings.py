"""Suspicions held against what the cures did, on comparisons that a test makes up."""

from __future__ import annotations

import pytest
from still_comparison import compared

from rooftop.diagnose.document import Cause
from rooftop.diagnose.findings import AS_GIVEN, OWN, findings, tried


def cause(name: str, stake_s: float, *cures: str) -> Cause:
    return Cause(finding=name, evidence="seen", remedy="mend", stake_s=stake_s, tried=list(cures))


def test_a_cure_saves_seconds() -> None:
    (cure,) = tried(compared({AS_GIVEN: 10.0, "a": 4.0}), {"a": "A=1"})
    assert (cure.name, cure.line, cure.verdict) == ("a", "A=1", "faster")
    assert cure.gain_s == pytest.approx(6.0)
    assert cure.gain_lo_s is not None and cure.gain_hi_s is not None
    assert cure.gain_lo_s < 6.0 < cure.gain_hi_s


def test_proven_seconds_count_where_there_are_any() -> None:
    suspected = [cause("large", 9.0), cause("proven", 3.0, "a", "b"), cause("disproven", 8.0, "c")]
    given = tried(compared({AS_GIVEN: 10.0, "a": 9.0, "b": 8.0, "c": 10.0}), {})
    found = findings(suspected, [True, False, False], given)
    assert [one.name for one in found] == ["large", "proven"]
    assert found[1].cure is not None and found[1].cure.name == "b"
    assert found[1].seconds == pytest.approx(2.0)


def test_a_suspicion_stays_while_its_cure_is_undecided() -> None:
    suspected = [cause("perhaps", 3.0, "a")]
    few = tried(compared({AS_GIVEN: 10.0, "a": 9.95}, pairs=2), {})
    enough = tried(compared({AS_GIVEN: 10.0, "a": 9.95}, pairs=12), {})
    assert [one.verdict for one in (*few, *enough)] == ["not resolved"] * 2
    assert [one.name for one in findings(suspected, [False], few)] == ["perhaps"]
    assert findings(suspected, [False], enough) == []
    assert findings(suspected, [False], few, least_s=3.1) == []


def test_two_findings_of_one_cause_count_once() -> None:
    given = tried(compared({AS_GIVEN: 10.0, "a": 5.0, "b": 9.9}), {})
    for order in ([0, 1], [1, 0]):
        both = [cause("its own", 2.0, "a"), cause("another's", 6.0, "b", "a")]
        found = findings([both[place] for place in order], [True, True], given)
        assert [one.name for one in found] == ["its own"]


def test_a_cure_of_the_users_own_is_a_finding() -> None:
    given = tried(compared({AS_GIVEN: 10.0, "MINE=1": 5.0}), {"MINE=1": "MINE=1"})
    (found,) = findings([], [], given)
    assert found.name == OWN
    assert found.seconds == pytest.approx(5.0)


def test_at_most_five_are_told() -> None:
    assert len(findings([cause(str(place), place) for place in range(9)], [True] * 9, [])) == 5
