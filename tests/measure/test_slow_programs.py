"""How a case is measured where some programs are too slow for its time, on replayed times: no clock is read."""

from __future__ import annotations

import pytest
from replayed import Blind, Measured, MemoryJournal, measure, module

from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.launchers.team import Team
from rooftop.measure.arms import Arm
from rooftop.measure.case_run import CaseRun
from rooftop.measure.case_state import CaseState, Terms
from rooftop.measure.figures import pairs_of
from rooftop.measure.setup_times import RunTimes

# Seconds of one run at size M of elasticity_solution, where a case has two minutes.
LADDER = {"10-cg": 3.6, "20-block": 4.8, "30-chebyshev": 2.2, "60-multigrid": 0.3}
PEERS = {"boomeramg": 43.0, "cg": 61.0, "gamg": 38.0, "pcmg": 7.0, "sbaij": 12.0, "pyamg": 9.0}


def replayed(runs_s: dict[str, float]) -> dict[str, Recording]:
    return {
        name: Recording([run_s * 1e9 * (1 + 0.001 * step) for step in range(7)], untimed=0)
        for name, run_s in runs_s.items()
    }


def solution(share_s: float = 118.0, known: RunTimes | None = None) -> Measured:
    return measure(
        replayed(LADDER), replayed(PEERS), share_s=share_s, known=known, slow_limit_s=None, hang_limit_s=600.0
    )


def pairs(done: Measured, one: str, other: str) -> int:
    return len(pairs_of(done.arm(one, "rung"), done.arm(other)).log_ratios)


def test_slow_peers_do_not_take_the_time_of_others() -> None:
    done = solution()
    assert pairs(done, "60-multigrid", "10-cg") >= 6
    assert done.arm("pcmg").samples
    for name in ("boomeramg", "cg", "gamg"):
        assert done.arm(name).outcome == "skipped"
        assert "one run takes more than" in str(done.arm(name).reason)
    assert done.executor.clock_s < 1.1 * 118.0


def test_what_was_too_slow_for_one_case_is_not_tried_first_in_the_next() -> None:
    first = solution()
    known = RunTimes()
    known.learn(first.state.arms, first.state.nominal)
    done = solution(known=known)
    assert not {"boomeramg", "cg", "gamg"} & set(done.executor.started)
    assert pairs(done, "60-multigrid", "pcmg") >= 6
    assert pairs(done, "30-chebyshev", "10-cg") + pairs(done, "20-block", "10-cg") >= 6
    assert done.executor.clock_s < 1.1 * 118.0


def test_a_slow_program_has_its_turn_once_the_others_are_resolved() -> None:
    quick = {"10-a": 0.01, "20-b": 0.001}
    done = measure(replayed(quick), replayed({"slow": 12.0, "fast": 0.002}), share_s=60.0, hang_limit_s=600.0)
    assert pairs(done, "20-b", "fast") >= 6
    assert done.arm("slow").outcome == "ok"
    assert done.arm("slow").samples
    assert done.executor.clock_s < 66.0


@pytest.mark.parametrize("share_s", [20.0, 60.0, 118.0, 300.0])
@pytest.mark.parametrize("names", [["boomeramg", "cg"], list(PEERS), []])
def test_the_share_is_kept(share_s: float, names: list[str]) -> None:
    done = measure(
        replayed(LADDER), replayed({name: PEERS[name] for name in names}), share_s=share_s, hang_limit_s=600.0
    )
    assert done.executor.clock_s < max(1.1 * share_s, share_s + 10.0)
    assert all(arm.outcome is not None for arm in done.state.arms)
    assert all(arm.driver is None for arm in done.state.arms)


def test_what_answered_in_one_case_is_tried_in_each() -> None:
    """The first rung takes 3.6 s on one mesh, and more than the second case has time for."""
    known = RunTimes()
    known.learn([Arm(module("10-cg"), "rung", run_s=3.6)], 1e6)
    known.learn([Arm(module("10-cg"), "rung", slower_than_s=11.0)], 1e6)
    known.learn([Arm(module("cg"), "peer", slower_than_s=11.0)], 1e6)
    done = solution(known=known)
    assert "10-cg" in done.executor.started
    assert len(done.arm("10-cg").samples) >= 6
    assert known.slower_than_s == {"cg": 11.0 / 1e6}


def test_commands_have_their_noise_floor_from_the_first_pair_on() -> None:
    """Of commands, which have no ladder, the second driver waits for no later group, however slow they are."""
    state = CaseState("compare", "", "case", {}, 1.0, [Arm(module("a"), "command"), Arm(module("b"), "command")])
    executor = ReplayExecutor(replayed({"a": 9.0, "b": 8.0}))
    terms = Terms(team=Team(threads=1), seed=1, share_s=200.0, budget="200s", hang_limit_s=600.0)
    journal = MemoryJournal()
    CaseRun(state, terms, executor, journal, Blind()).run()
    assert executor.started == ["a", "b", "b"]
    assert {role for _, role, sample in journal.samples if sample.block == 0} == {"command", "twin"}
