"""How a case is measured, on replayed times: no clock is read."""

from __future__ import annotations

import numpy as np
import pytest
from replayed import Blind, MemoryJournal, measure, module

from rooftop.driver.replay import Recording, ReplayDriver, ReplayExecutor
from rooftop.launchers.team import Team
from rooftop.measure.arms import Arm, Sample
from rooftop.measure.case_run import CaseRun
from rooftop.measure.case_state import CaseState, Terms
from rooftop.measure.compare import spread
from rooftop.measure.figures import pair_count, pairs_of
from rooftop.measure.pairings import Asked, Pairing, below, pairings
from rooftop.measure.rules import Rules
from rooftop.measure.setup_times import RunTimes
from rooftop.measure.turns import lacks_pairs


def noisy(run_ns: float, noise: float = 0.01, **more: object) -> Recording:
    """Return times around `run_ns`."""
    rng = np.random.default_rng(int(run_ns))
    times = [run_ns * float(np.exp(draw)) for draw in rng.normal(0, noise, 499)]
    return Recording(times, **more)  # type: ignore[arg-type]


def test_a_ladder_is_resolved_and_every_arm_has_its_pairs() -> None:
    done = measure({"10-naive": noisy(9e7), "20-fast": noisy(3e6), "30-solver": noisy(2.9e6)}, {"library": noisy(5e6)})
    assert done.state.stopped == "resolved"
    assert {arm.outcome for arm in done.state.arms} == {"ok"}
    for place, arm in enumerate(done.state.arms):
        previous = next(iter(below(done.state.arms, place)), None)
        if arm.role == "rung" and previous is not None:
            found = spread(pairs_of(done.state.arms[place], done.state.arms[previous]).log_ratios)
            assert found is not None
            assert found.count >= 6
    assert [role for _, role, _ in done.journal.samples].count("twin") >= 6


def test_slow_rungs_retire_while_close_ones_go_on() -> None:
    done = measure({"10-naive": noisy(3e8), "20-fast": noisy(3e6, 0.1), "30-solver": noisy(2.9e6, 0.1)})
    assert len(done.arm("10-naive").samples) <= 12
    assert len(done.arm("30-solver").samples) > 20


def test_both_sides_of_a_pair_do_the_same_iterations() -> None:
    done = measure({"10-slow": noisy(8e5), "20-fast": noisy(1e4)}, {"library": noisy(3e4)})
    slow, fast = done.arm("10-slow"), done.arm("20-fast", "rung")
    iterations = max(slow.iterations, fast.iterations)
    assert len(slow.costs(iterations)) >= 6
    assert slow.costs(iterations).keys() <= fast.costs(iterations).keys() | slow.costs(iterations).keys()
    assert len(slow.costs(iterations).keys() & fast.costs(iterations).keys()) >= 6


def test_samples_last_long_enough() -> None:
    done = measure({"10-a": noisy(1234.0), "20-b": noisy(777.0)})
    assert all(sample.elapsed_ns >= 1e6 for arm in done.state.arms for sample in arm.samples)


def test_a_rung_that_calibrated_too_short_is_given_more_iterations() -> None:
    cold_then_warm = Recording([9e5] * 3 + [1e5] * 400)
    done = measure({"10-a": cold_then_warm})
    arm = done.arm("10-a", "rung")
    assert arm.iterations >= 10
    assert len(arm.costs(arm.iterations)) >= 6


def test_blocks_before_pairs_began_anew_are_not_of_the_most_that_there_may_be() -> None:
    warm_at_last = Recording([1.6e6] * 8 + [0.9e6] * 400)
    done = measure(
        {"10-a": noisy(3e6), "20-b": warm_at_last}, rules=Rules(min_pairs=8, max_blocks=8, half_width=1e-9, of_effect=0)
    )
    assert done.arm("20-b", "rung").iterations == 2
    found = spread(pairs_of(done.state.arms[1], done.state.arms[0]).log_ratios)
    assert found is not None
    assert found.count == 8  # neither fewer nor more
    assert done.state.blocks > 8


@pytest.mark.case("commands.H7.pairs")
def test_no_pair_has_more_than_the_most_that_there_may_be() -> None:
    """Pairs begin anew for one arm, and the others have their blocks already."""
    warm_at_last = Recording([1.6e6] * 4 + [0.9e6] * 400)
    done = measure(
        {"10-a": noisy(3e6), "20-b": noisy(4e6), "30-c": warm_at_last},
        rules=Rules(min_pairs=4, max_blocks=4, half_width=1e-9, of_effect=0),
    )
    assert done.arm("30-c", "rung").iterations == 2
    for one in ((1, 0), (2, 1)):
        found = spread(pairs_of(done.state.arms[one[0]], done.state.arms[one[1]]).log_ratios)
        assert found is not None
        assert found.count == 4
    assert done.state.stopped == "blocks"


@pytest.mark.case("commands.I9")
@pytest.mark.parametrize(("share_s", "refused"), [(76.0, {"20-b"}), (42.0, {"20-b", "30-c"})])
def test_what_is_compared_most_is_set_up_first(share_s: float, refused: set[str]) -> None:
    ladder = {name: noisy(5e6, setup_s=9.0) for name in ("10-a", "20-b", "30-c", "40-d")}
    done = measure(ladder, {"library": noisy(3e6, setup_s=9.0)}, share_s=share_s)
    late = {(arm.name, arm.role) for arm in done.state.arms if "before its turn" in (arm.reason or "")}
    assert {name for name, role in late if role == "rung"} == refused
    assert done.arm("library").outcome == "ok"


def _ladder_whose_top_does_not_apply(**more: object) -> dict[str, Recording]:
    ladder = {f"{10 * n}-a": noisy(9e6 - 5e5 * n, 0.01, **more) for n in range(1, 6)}
    return ladder | {"60-special": noisy(1e6, outcome="skipped", reason="not all elements are alike")}


def test_the_highest_rung_that_applies_is_set_up_first() -> None:
    peers = {"library": noisy(2e7, setup_s=9.0), "other": noisy(3e7, setup_s=9.0)}
    done = measure(_ladder_whose_top_does_not_apply(setup_s=9.0), peers)
    assert done.executor.started == ["60-special", "50-a", "10-a", "library", "other", "50-a"]
    assert done.arm("50-a", "twin").outcome == "ok"


def test_the_highest_rung_that_applies_stays_for_what_does_not_fit_beside_it() -> None:
    one = 1 << 30
    peers = {name: noisy(2e7 + 1e5 * n, peak_bytes=one) for n, name in enumerate(("library", "other", "third"))}
    done = measure(_ladder_whose_top_does_not_apply(peak_bytes=one), peers, available=3 * one + one // 2)
    for name in peers:
        found = spread(pairs_of(done.arm("50-a", "rung"), done.arm(name)).log_ratios)
        assert found is not None, name
        assert found.count >= 6, name
    assert done.arm("50-a", "twin").samples


def test_where_no_rung_applies_the_peers_have_their_turn() -> None:
    skipped = {name: noisy(1e6, outcome="skipped", reason="does not apply") for name in ("10-a", "20-b")}
    done = measure(skipped, {"library": noisy(2e6)})
    assert done.arm("library").samples
    assert done.executor.started == ["20-b", "10-a", "library", "library"]


def test_what_is_left_out_is_told_with_the_time_that_all_need() -> None:
    ladder = {name: noisy(5e6, setup_s=9.0) for name in ("10-a", "20-b", "30-c", "40-d")}
    done = measure(ladder, share_s=20.0)
    reason = str(done.arm("20-b").reason)
    assert "share of 20 s of the budget of 1m was spent before its turn" in reason
    assert "all 4 programs of the case need about 67.9 s, so give 4 times the --budget" in reason


def test_setting_up_takes_a_third_until_what_is_compared_most_is_timed() -> None:
    """Of the ladder between, what does not fit into a third waits, and has its turn in the time that is left."""
    ladder = {f"{10 * n}-a": noisy(3e6 + n, setup_s=2.0) for n in range(1, 10)}
    done = measure(ladder, {"library": noisy(4e6, setup_s=2.0)}, share_s=60.0)
    assert {arm.outcome for arm in done.state.arms} == {"ok"}
    started, taken = done.executor.started, [name for name, _ in done.executor.taken]
    before = started[: started.index("20-a")]
    assert before[:3] == ["90-a", "10-a", "library"]
    assert taken.index("90-a") < taken.index("20-a")
    last_set_up = next(place for place, name in enumerate(taken) if name == "20-a")
    assert taken[:last_set_up].count("90-a") >= 6, "the top rung was timed before the last rung was set up"


def test_a_case_that_does_not_fit_into_memory_is_measured_in_groups() -> None:
    """Three drivers fit at once. Each arm has pairs with the fastest peer, each rung with the top or its neighbour."""
    sizes = {"peak_bytes": 1 << 30}
    ladder = {f"{10 * n}-a": noisy(9e6 - 5e5 * n, **sizes) for n in range(1, 7)}
    done = measure(
        ladder, {"library": noisy(4e6, **sizes), "slow": noisy(8e6, **sizes)}, available=(3 << 30) + (1 << 29)
    )
    assert {arm.outcome for arm in done.state.arms if arm.role != "twin"} == {"ok"}
    top = done.arm("60-a", "rung")
    library = done.arm("library")
    for one, other in ((top, "library"), (top, "10-a"), (library, "slow"), (library, "10-a")):
        found = spread(pairs_of(one, done.arm(other)).log_ratios)
        assert found is not None, other
        assert found.count >= 6, other
    assert done.executor.held_bytes == 0
    assert done.executor.most_bytes <= (3 << 30) + (1 << 29)


def test_the_top_rung_stays_until_all_peers_are_timed() -> None:
    """Two drivers fit at once: each peer has its group beside the top rung, which never ends before."""
    sizes = {"peak_bytes": 1 << 30}
    peers = {name: noisy(4e6 + n, 0.01, **sizes) for n, name in enumerate(("one", "two", "three"))}
    ladder = {"10-a": noisy(5e6, 0.01, **sizes), "20-b": noisy(3e6, 0.01, **sizes)}
    done = measure(ladder, peers, available=(2 << 30) + (1 << 29))
    top = done.arm("20-b", "rung")
    for name in (*peers, "10-a"):
        found = spread(pairs_of(top, done.arm(name)).log_ratios)
        assert found is not None, name
        assert found.count >= 6, name
    assert done.executor.started.count("20-b") <= 2, "the top rung and its twin were started once each"


def test_pairs_with_programs_that_have_ended_are_kept() -> None:
    """A rung that turns out faster once warm keeps its iterations, or its pairs with the first group would be lost."""
    sizes = {"peak_bytes": 1 << 30}
    warm_late = Recording([1.6e6] * 40 + [0.6e6] * 400, peak_bytes=1 << 30)
    ladder = {"10-a": noisy(9e6, 0.01, **sizes), "20-b": noisy(5e6, 0.01, **sizes), "30-c": warm_late}
    peers = {"one": noisy(4e6, 0.01, **sizes), "two": noisy(4.1e6, 0.01, **sizes)}
    done = measure(ladder, peers, available=(2 << 30) + (1 << 29), rules=Rules(max_blocks=12))
    for name in ("one", "two"):
        found = spread(pairs_of(done.arm("30-c", "rung"), done.arm(name)).log_ratios)
        assert found is not None, name
        assert found.count >= 6, name


def test_samples_of_a_group_are_verified_before_its_drivers_end() -> None:
    sizes = {"peak_bytes": 1 << 30}
    ladder = {"10-a": noisy(5e6, **sizes), "20-b": noisy(4e6, later="wrong", **sizes), "30-c": noisy(3e6, **sizes)}
    done = measure(ladder, {"library": noisy(2e6, **sizes)}, available=(2 << 30) + (1 << 29))
    assert done.arm("20-b").outcome == "wrong"
    assert done.arm("10-a").outcome == done.arm("30-c", "rung").outcome == "ok"


@pytest.mark.case("commands.I9.memory")
def test_memory_of_a_rung_does_not_hide_the_peers() -> None:
    ladder = {"10-a": noisy(5e6), "20-b": noisy(4e6, peak_bytes=1 << 30), "30-c": noisy(2e6)}
    done = measure(ladder, {"library": noisy(3e6)}, available=1 << 29)
    assert done.arm("library").outcome == "ok"
    assert done.arm("10-a").outcome == "ok"


@pytest.mark.case("commands.H7")
def test_rung_that_hangs_leaves_time_to_the_others() -> None:
    done = measure(
        {"10-a": noisy(5e6), "20-b": noisy(4e6), "30-c": noisy(2e6, hangs=True)}, share_s=100.0, hang_limit_s=3600.0
    )
    assert done.arm("30-c").outcome in ("skipped", "failed")
    assert len(done.arm("20-b", "rung").samples) >= 6
    assert len(done.arm("10-a").samples) >= 6


def test_a_wrong_rung_is_never_timed_and_the_next_compares_below_it() -> None:
    done = measure({"10-a": noisy(5e6), "20-b": noisy(4e6, outcome="wrong", reason="off by 3"), "30-c": noisy(2e6)})
    wrong = done.arm("20-b")
    assert (wrong.outcome, wrong.reason, wrong.samples) == ("wrong", "off by 3", [])
    assert below(done.state.arms, 2) == [0]
    found = spread(pairs_of(done.state.arms[2], done.state.arms[0]).log_ratios)
    assert found is not None
    assert found.count >= 6


def test_a_rung_that_goes_wrong_later_is_wrong() -> None:
    done = measure({"10-a": noisy(5e6), "20-b": noisy(2e6, later="wrong")})
    assert done.arm("20-b", "rung").outcome == "wrong"
    assert done.arm("10-a").outcome == "ok"


def test_a_twin_that_is_wrong_takes_its_rung_along() -> None:
    done = measure({"10-a": noisy(5e6)}, twins={"10-a": noisy(5e6, later="wrong")})
    assert done.arm("10-a", "rung").outcome == "wrong"


def test_a_crash_in_the_middle_costs_one_rung_and_keeps_its_samples() -> None:
    done = measure({"10-a": noisy(5e6), "20-b": noisy(4e6, fails_at=3), "30-c": noisy(2e6)})
    crashed = done.arm("20-b")
    assert (crashed.outcome, crashed.stage, len(crashed.samples)) == ("failed", "sample", 3)
    assert done.state.stopped == "resolved"
    assert "SIGSEGV" in str(crashed.reason)


def test_a_hang_is_a_failure_and_a_slow_run_is_a_skip_that_names_the_budget() -> None:
    hung = measure({"10-a": noisy(5e6, hangs=True), "20-b": noisy(4e6)}, hang_limit_s=5.0)
    assert (hung.arm("10-a").outcome, hung.arm("10-a").stage) == ("failed", "case")
    slow = measure({"10-a": noisy(5e10), "20-b": noisy(4e6)}, share_s=20.0)
    assert slow.arm("10-a").outcome == "skipped"
    assert "budget of 1m" in str(slow.arm("10-a").reason)
    assert slow.arm("20-b", "rung").outcome == "ok"


def test_the_budget_bounds_the_time_and_is_the_reason() -> None:
    done = measure({"10-a": noisy(2e9, 0.3), "20-b": noisy(1.9e9, 0.3)}, share_s=30.0)
    assert done.state.stopped == "budget"
    assert done.executor.clock_s < 30.0 * 1.3


def test_dear_setting_up_leaves_some_time_for_timing() -> None:
    done = measure({"10-a": noisy(3e6, setup_s=4.0), "20-b": noisy(2e6, setup_s=4.0)}, share_s=10.0)
    assert {arm.outcome for arm in done.state.arms if arm.role == "rung"} == {"ok"}
    assert all(len(arm.samples) >= 6 for arm in done.state.arms if arm.role == "rung")


def test_what_is_known_to_be_too_slow_is_not_even_started() -> None:
    done = measure({"10-a": noisy(3e6), "20-b": noisy(2e6)}, known=RunTimes({"10-a": 1.0}))
    assert done.arm("10-a").outcome == "skipped"
    assert "10-a" not in done.executor.started


def test_the_experiments_own_limit_skips() -> None:
    done = measure({"10-a": noisy(3e9), "20-b": noisy(2e6)}, slow_limit_s=1.0)
    assert done.arm("10-a").outcome == "skipped"
    assert "limit of 1 s" in str(done.arm("10-a").reason)


def test_memory_that_does_not_suffice_skips_with_the_figures() -> None:
    big = 6 << 30
    done = measure({"10-a": noisy(3e6, peak_bytes=big), "20-b": noisy(2e6, peak_bytes=big)}, available=4 << 30)
    assert done.arm("20-b", "rung").outcome == "ok"
    assert done.arm("10-a").outcome == "skipped"
    assert "6758 MiB beside the rungs that it is compared with" in str(done.arm("10-a").reason)


def test_one_rung_alone_is_measured() -> None:
    done = measure({"10-a": noisy(3e6)})
    assert done.state.stopped == "resolved"
    assert len(done.arm("10-a", "rung").samples) >= 6


def test_nothing_left_ends_without_a_block() -> None:
    done = measure({"10-a": noisy(3e6, outcome="skipped", reason="lacks avx9")})
    assert (done.state.stopped, done.state.blocks) == (None, 0)
    assert done.arm("10-a").reason == "lacks avx9"


def test_every_sample_is_kept() -> None:
    done = measure({"10-a": noisy(3e6), "20-b": noisy(2e6)}, {"library": noisy(1e6)})
    held = sum(len(arm.samples) for arm in done.state.arms)
    assert held == len(done.journal.samples) == len(done.executor.taken)
    assert isinstance(done.state.arms[0], Arm)


def test_what_was_asked_for_is_wanted_where_both_sides_are_ok() -> None:
    done = measure({"10-a": noisy(3e8), "20-b": noisy(9e6), "99-solver": noisy(3e6)}, {"library": noisy(3e7)})
    arms, asked = done.state.arms, [Asked("*-solver", "10-*"), Asked("*-solver", algorithms=("*",))]
    plain = pairings(arms, 60.0, Rules())
    assert set(pairings(arms, 60.0, Rules(), asked)) - set(plain) == {Pairing(2, 0)}
    arms[0].outcome = "wrong"
    assert set(pairings(arms, 60.0, Rules(), asked)) == set(pairings(arms, 60.0, Rules()))


def test_drivers_are_told_to_leave_before_one_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(ReplayDriver, "leave", lambda _: done.append("leave"))
    monkeypatch.setattr(ReplayDriver, "close", lambda _: done.append("close"))
    measure({"10-a": noisy(5e6), "20-b": noisy(4e6)})
    assert done == ["leave"] * 3 + ["close"] * 3  # two rungs and a twin


def test_the_base_of_a_curve_is_set_up_for_a_point_that_lacks_pairs() -> None:
    recordings = {"now": noisy(4e7), "wide": noisy(2e6), "grown": noisy(1e6)}
    taken = {"now": [(b, n) for b in range(7) for n in (1, 2)], "wide": [(b, 1) for b in range(7)]}
    taken["grown"] = [*((b, 1) for b in range(5)), (5, 2), (6, 2)]
    arms = [
        Arm(module(name), "point", "ok", iterations=1, run_s=one.run_ns[0] * 1e-9) for name, one in recordings.items()
    ]
    for arm in arms:
        arm.samples = [Sample(block, 0, count, 1e6, 0) for block, count in taken[arm.name]]
    arms[2].iterations = 2
    case = CaseState("replay", "quick", "case", {"n": 1}, 1e6, arms, blocks=7)
    terms = Terms(Team(), 1, 600.0, "10m", 120.0, essentials=True, at_once=False)
    assert not CaseRun(case, terms, ReplayExecutor(recordings), MemoryJournal(), Blind()).run()
    assert pair_count(arms[2], arms[0]) >= 6
    assert not lacks_pairs(case, Rules())


def test_a_block_that_was_cut_short_is_not_of_the_most_that_there_may_be() -> None:
    recordings = {"true": noisy(2e6), "false": noisy(3e6)}
    arms = [Arm(module(name), "command", "ok", iterations=1, run_s=2e-3) for name in recordings]
    for arm, blocks in zip(arms, (8, 7), strict=True):  # the end of a session came between the two
        arm.samples = [Sample(block, 0, 1, 2e6, 0) for block in range(blocks)]
    case = CaseState("replay", "quick", "case", {"n": 1}, 1e6, arms, blocks=8, cut=1)
    rules = Rules(min_pairs=8, max_blocks=8, pairs=8, half_width=1e-9, of_effect=0)
    terms = Terms(Team(), 1, 600.0, "10m", 120.0, rules=rules)
    assert CaseRun(case, terms, ReplayExecutor(recordings), MemoryJournal(), Blind()).run()
    assert pair_count(arms[1], arms[0]) == 8
    assert (case.stopped, case.blocks) == ("blocks", 9)
