"""The shares of the ant colony's time, from recorded replies and a document that a test makes up."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.ant_shares.ant_shares import (
    Row,
    Shares,
    by_diagnosis,
    by_rung,
    lacking,
    moved_up,
    order,
    parts,
    suspected,
)
from rooftop.diagnose.document import Cause, DiagnoseDocument
from rooftop.diagnose.facts import Facts, ThreadFacts
from rooftop.diagnose.region_facts import OpenMpFacts, OpenMpRegion
from rooftop.observe.profile import HotFunction


def reply(run_ns: float, **figures: float) -> dict[str, Any]:
    usual = {"allocation_ns": 0.0, "allocations": 0, "waiting_ns": 0.0, "serial_ns": 0.0}
    return {"event": "verify", "outcome": "ok", "first_run_ns": run_ns, "facts": [{"figures": {**usual, **figures}}]}


def test_a_rungs_shares_are_of_all_its_threads_time() -> None:
    found = by_rung([reply(150.0, allocation_ns=60.0, waiting_ns=30.0, serial_ns=15.0)] * 3)
    assert (found.allocation, found.waiting, found.serial) == pytest.approx((0.2, 0.1, 0.1))


def document(**more: Any) -> DiagnoseDocument:
    usual: dict[str, Any] = {
        "elapsed_s": 10.0,
        "cpus": 2,
        "levels": [0.0, 2.0, 8.0],
        "user_s": 16.0,
        "system_s": 0.0,
        "faults": 0,
        "threads": [],
        "hot": [
            HotFunction(share=0.25, file="libc.so.6", function="malloc"),
            HotFunction(share=0.75, file="rung.so", function="month"),
        ],
        "openmp_regions": OpenMpFacts.of(
            10.0, [OpenMpRegion(site="month", calls=9, threads=2.0, seconds=8.0, most_s=8.0, mean_s=7.0)]
        ),
    }
    return DiagnoseDocument(rooftop="0", started="now", command=["driver"], status=0, facts=Facts(**{**usual, **more}))


def test_shares_of_a_diagnosis() -> None:
    found = by_diagnosis(document())
    assert found is not None
    assert (found.allocation, found.waiting, found.serial, found.joining) == pytest.approx((0.2, 0.1, 0.2, 0.0))
    assert by_diagnosis(document(hot=None)) is None


def test_what_is_around_the_runs_is_no_share_of_them() -> None:
    found = by_diagnosis(document(), around_s=1.5)
    assert found is not None
    assert (found.allocation, found.waiting, found.serial) == pytest.approx((0.25 * 16 / 17, 1 / 8.5, 0.5 / 8.5))


def late(most_s: float) -> Shares:
    """Return the shares of a region of 9 s whose threads begin late, by 9 s less `most_s`."""
    region = OpenMpRegion(site="month", calls=9, threads=2.0, seconds=9.0, most_s=most_s, mean_s=most_s - 0.5)
    found = by_diagnosis(document(openmp_regions=OpenMpFacts.of(10.0, [region])))
    assert found is not None
    return found


def test_threads_that_begin_late_are_waited_for_too() -> None:
    found = late(6.0)
    assert (found.waiting, found.joining) == pytest.approx((0.05, 0.3))


@pytest.mark.parametrize(
    ("own", "most_s", "verdict"),
    [(0.06, 8.6, "met"), (0.09, 8.6, "met"), (0.15, 8.6, "missed"), (0.2, 6.0, "missed")],
)
def test_both_ends_of_the_waiting_lie_near(own: float, most_s: float, verdict: str) -> None:
    asked = parts([Row("10-textbook", Shares(0.2, own, 0.1), late(most_s))])[1]
    (line,) = (line for line in asked.splitlines() if "waiting" in line)
    assert line.rsplit("|", 2)[1].strip() == verdict


def test_threads_that_lacked_a_core() -> None:
    thread = ThreadFacts(name="ant", process=1, seen_s=4, run_s=3, wait_s=1, system_s=0, faults=0, switches=0)
    assert lacking(document(threads=[thread, thread])) == pytest.approx(0.25)
    assert lacking(document()) == 0


def test_shares_that_lie_apart_are_missed() -> None:
    row = Row("10-textbook", Shares(0.3, 0.1, 0.0), Shares(0.36, 0.14, 0.01), (), 0.125)
    asked, shown = parts([row, Row("30-mimalloc", Shares(0.3, 0.1, 0.0), None)])[1:3]
    assert [line.rsplit("|", 2)[1].strip() for line in asked.splitlines()[2:]] == ["missed", "met", "met"] + [
        "missed"
    ] * 3
    assert "30.0%, 36.0% | 10.0%, 14.0%" in shown
    assert "14.0% | 0.0%, 1.0% | 12.5% |" in shown


def ladder(*after: tuple[str, float]) -> list[Row]:
    """Return a rung of which allocation is suspected first, and the one that cures it."""
    shares = Shares(0.1, 0.1, 0.0)
    before = (("allocation", 0.15), ("serial section", 0.06))
    return [Row("10-textbook", shares, shares, before), Row("40-no-allocation", shares, shares, after)]


@pytest.mark.parametrize(
    ("after", "reached", "met"),
    [((("serial section", 0.3),), "gone", True), ((("serial section", 0.3), ("allocation", 0.07)), "7.0%", False)],
)
def test_the_next_suspicion_moves_up(after: tuple[tuple[str, float], ...], reached: str, met: bool) -> None:
    rows = ladder(*after)
    (line,) = moved_up(rows)
    assert (line.reached, line.met) == (reached, met)
    assert "allocation, first of 10-textbook with 15.0%" in line.what
    assert order(rows).splitlines()[2] == "| 10-textbook | allocation 15.0% | serial section 6.0% | – |"
    assert order(rows).splitlines()[3].startswith("| 40-no-allocation | serial section 30.0% |")


def test_without_suspicions_nothing_can_move_up() -> None:
    shares = Shares(0.1, 0.1, 0.0)
    (line,) = moved_up([Row("10-textbook", shares, shares), Row("40-no-allocation", shares, shares)])
    assert line.met is None
    assert list(moved_up(ladder()[:1])) == []


def test_what_is_suspected_is_ordered_by_its_share() -> None:
    causes = [Cause(finding=name, evidence="", remedy="", stake_s=stake_s) for name, stake_s in (("a", 1), ("b", 2))]
    assert suspected(document().model_copy(update={"suspected": causes})) == (("b", 0.2), ("a", 0.1))
