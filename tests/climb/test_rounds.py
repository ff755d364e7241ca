"""In which order the cases of a climb are measured, on replayed times: no clock is read."""

from __future__ import annotations

import io
from itertools import cycle
from typing import Any

import pytest
from conftest_types import Write
from rich.console import Console
from still_machine import StillMachine

from rooftop.climb.live import LiveClimb
from rooftop.climb.request import Request
from rooftop.climb.run import Climbing
from rooftop.climb.watch import Unwatched
from rooftop.documents import ClimbDocument, RungResult
from rooftop.driver.protocol import CaseReply
from rooftop.driver.replay import Recording, ReplayDriver, ReplayExecutor
from rooftop.ladder.discovery import Module
from rooftop.launchers.team import Team
from rooftop.settings import Settings

# Seconds of one run; a program takes one second more to be set up.
LADDER = {"10-first": 0.1, "20-a": 0.08, "30-b": 0.07, "40-c": 0.06, "50-d": 0.05, "60-top": 0.02}
PEERS = {"library": 0.09, "other": 0.12}
CASES = 3
_TIMES_AS_SLOW = 12.0


class Uneven(ReplayExecutor):
    """An executor on which one case takes 12 times as long as the others."""

    def __init__(self, slow: int | None) -> None:
        super().__init__(
            {
                name: Recording([run_s * 1e9 * (1 + 0.002 * step) for step in range(7)], setup_s=1.0)
                for name, run_s in (LADDER | PEERS).items()
            }
        )
        self.slow = slow
        self.cases: list[int] = []

    def start(self, module: Module, team: Team) -> ReplayDriver:
        """See Executor."""
        super().start(module, team)
        executor = self

        class Driver(ReplayDriver):
            def case(self, parameters: dict[str, Any], seed: int, limit_s: float) -> CaseReply:
                number = parameters["n"]
                executor.cases += [] if executor.cases[-1:] == [number] else [number]
                if number == executor.slow:
                    self._runs = cycle([run_ns * _TIMES_AS_SLOW for run_ns in self._recording.run_ns])
                return super().case(parameters, seed, limit_s)

        return Driver(self, self.recordings[module.name], module.name, team)


def climb(write_experiment: Write, settings: Settings, executor: Uneven, budget_s: float) -> ClimbDocument:
    write_experiment(rungs=dict.fromkeys(LADDER, ""), peers=dict.fromkeys(PEERS, ""), cases=CASES)
    request = Request(budget_s=budget_s, seed=1)
    return Climbing(settings, executor, StillMachine(), Unwatched()).climb(request).document


def rungs(document: ClimbDocument, case: int) -> dict[str, RungResult]:
    return {rung.name: rung for rung in document.experiments[0].cases[case].rungs}


@pytest.mark.parametrize("slow", range(CASES))
def test_each_case_has_what_is_compared_most_before_any_has_its_ladder(
    write_experiment: Write, settings: Settings, slow: int
) -> None:
    """A slow case has more than its share, for the others need little of theirs for what is compared most."""
    executor = Uneven(slow)
    document = climb(write_experiment, settings, executor, 110.0)
    for case in range(CASES):
        found = rungs(document, case)
        assert found["60-top"].vs_best_peer is not None
        assert found["60-top"].vs_best_peer.pairs >= 6
        assert all(len(found[name].samples_s) >= 6 for name in ("10-first", "library", "other", "60-top"))
        assert found["60-top"].vs_below is not None
    assert executor.clock_s <= 121.0
    measured = [[name for name in LADDER if rungs(document, case)[name].outcome == "ok"] for case in range(CASES)]
    assert sum(map(len, measured)) > 2 * CASES, measured  # what was left went to ladders


def test_a_case_that_fits_its_share_is_measured_at_once(write_experiment: Write, settings: Settings) -> None:
    executor = Uneven(None)
    document = climb(write_experiment, settings, executor, 600.0)
    assert executor.cases == [0, 1, 2]
    assert all(rung.outcome == "ok" for case in range(CASES) for rung in rungs(document, case).values())


@pytest.mark.parametrize("budget_s", [31.0, 45.0])
def test_what_has_no_turn_is_told_with_the_whole_share(
    write_experiment: Write, settings: Settings, budget_s: float
) -> None:
    document = climb(write_experiment, settings, Uneven(None), budget_s)
    reasons = [rung.reason for case in range(CASES) for rung in rungs(document, case).values() if rung.reason]
    assert reasons
    assert all("was spent before its turn" in reason for reason in reasons), reasons
    shares = [float(reason.partition("share of ")[2].partition(" s")[0]) for reason in reasons]
    assert all(9.0 <= share <= 30.0 for share in shares)
    assert document.experiments[0].cases[0].stopped == "budget"


def test_a_rung_is_held_against_one_that_it_has_enough_pairs_with(write_experiment: Write, settings: Settings) -> None:
    """The next rung below has its turn late and hardly any time; the verdict on the first rung is not lost for it."""
    document = climb(write_experiment, settings, Uneven(None), 45.0)
    for case in range(CASES):
        found = rungs(document, case)
        below = found["60-top"].vs_below
        assert below is not None
        assert below.pairs >= 6
        assert below.verdict == "faster"


def test_programs_without_a_time_for_one_reason_share_a_line(write_experiment: Write, settings: Settings) -> None:
    write_experiment(rungs=dict.fromkeys(LADDER, ""), peers=dict.fromkeys(PEERS, ""), cases=CASES)
    printed = io.StringIO()
    with LiveClimb(Console(file=printed, width=200)) as live:
        Climbing(settings, Uneven(None), StillMachine(), live).climb(Request(budget_s=31.0, seed=1))
    lines = [line for line in printed.getvalue().splitlines() if line.startswith("fake/quick/case2  ")]
    assert sum("60-top  " in line and "GFLOP/s" in line for line in lines) == 1
    assert sum("20-a, 30-b, 40-c, 50-d  skipped: this case's share" in line for line in lines) == 1
