"""Whole gates on replayed times: outcomes, what is kept, interruption and resuming, how they are told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.campaign.run import Ended, run_campaign
from rooftop.command.measurement import Measurement
from rooftop.driver.replay import Recording, ReplayDriver, ReplayExecutor
from rooftop.errors import Misuse
from rooftop.gate.document import GateDocument, exit_code
from rooftop.gate.judge import confirming_pairs
from rooftop.gate.options import Benchmark, Options
from rooftop.gate.run import KIND
from rooftop.ladder.discovery import Module
from rooftop.launchers.team import Team
from rooftop.measure.rules import Rules
from rooftop.settings import Settings
from rooftop.store.interrupted import Resume

HOW = Measurement(seed=7, budget_s=600.0)


class Lucky(ReplayExecutor):
    """Replays other recordings from a module's second start on: what was seen in the first look was luck."""

    def __init__(self, recordings: dict[str, Recording], later: dict[str, Recording]) -> None:
        super().__init__(recordings)
        self.later = later

    def start(self, module: Module, team: Team) -> ReplayDriver:
        if module.name in self.later and module.name in self.started:
            self.recordings = {**self.recordings, module.name: self.later[module.name]}
        return super().start(module, team)


def noisy(run_ns: float, noise: float = 0.02, seed: int = 0, **more: Any) -> Recording:
    draws = np.random.default_rng([int(run_ns), seed]).normal(0, noise, 997)
    return Recording([run_ns * float(np.exp(draw)) for draw in draws], **more)


def options(*names: str) -> Options:
    sides = (((name,), name) for name in names)
    return Options(tuple(Benchmark(text, (words, text), (words, text), 0.02, HOW) for words, text in sides), how=HOW)


def recorded(**heads: Recording) -> dict[str, Recording]:
    """Return recordings for benchmarks whose base takes 25 ms."""
    found: dict[str, Recording] = {}
    for place, (name, head) in enumerate(heads.items()):
        found |= {f"{name} at base": noisy(25e6, seed=100 + place), f"{name} at head": head}
    return found


def gate(
    settings: Settings,
    recordings: dict[str, Recording],
    wanted: Options,
    watching: Watching | None = None,
    *,
    resume: Resume | None = None,
    later: dict[str, Recording] | None = None,
) -> Ended[GateDocument]:
    executor = Lucky(recordings, later or {})
    bench = Bench(settings, Place(), watching or Watching(), executor)
    return run_campaign(bench, KIND, wanted, resume=resume)


def outcomes(document: GateDocument) -> dict[str, str]:
    return {one.name: one.outcome for one in document.benchmarks}


def test_every_outcome(settings: Settings) -> None:
    recordings = recorded(
        same=noisy(25e6, seed=1),
        slow=noisy(27e6),
        fast=noisy(20e6),
        wrong=noisy(25e6, outcome="wrong", reason="bad sum"),
        crash=noisy(25e6, fails_at=3),
        loud=noisy(25e6, noise=0.5),
    )
    # With noise at the head alone, its mean would be 13 % more.
    recordings["loud at base"] = noisy(25e6, noise=0.5, seed=9)
    document = gate(settings, recordings, options("same", "slow", "fast", "wrong", "crash", "loud")).document
    assert outcomes(document) == {
        "same": "fine",
        "slow": "regression",
        "fast": "faster",
        "wrong": "wrong",
        "crash": "failed",
        "loud": "not resolved",
    }
    slow = document.benchmarks[1]
    assert slow.p is not None
    assert slow.p <= 0.05
    assert slow.confirmation is not None
    assert slow.confirmation.ratio == pytest.approx(25 / 27, rel=0.02)
    assert slow.confirmation.hi < 1 / 1.02
    assert slow.first is not None
    assert slow.confirmation.pairs == confirming_pairs(slow.first.pairs, 6, HOW.max_pairs, Rules())
    assert document.benchmarks[3].told == "at the head: bad sum"
    assert document.benchmarks[0].confirmation is None
    assert document.outcome == "failed"
    assert GateDocument.model_validate_json(document.model_dump_json(by_alias=True)) == document


@pytest.mark.parametrize(
    ("head", "code", "allowed"),
    [
        (noisy(25e6, seed=1), 0, 0),
        (noisy(20e6), 0, 0),
        (noisy(27e6), 6, 6),
        (noisy(25e6, noise=0.5), 7, 0),
        (noisy(25e6, outcome="wrong", reason="bad"), 1, 1),
        (noisy(25e6, fails_at=3), 1, 1),
    ],
)
def test_exit_codes(head: Recording, code: int, allowed: int, settings: Settings) -> None:
    recordings = recorded(a=head)
    if code == 7:
        recordings["a at base"] = noisy(25e6, noise=0.5, seed=9)
    document = gate(settings, recordings, options("a")).document
    assert exit_code(document, allow_unresolved=False) == code
    assert exit_code(document, allow_unresolved=True) == allowed


def test_a_wrong_result_outweighs_a_regression(settings: Settings) -> None:
    recordings = recorded(a=noisy(27e6), b=noisy(25e6, outcome="wrong", reason="bad"))
    document = gate(settings, recordings, options("a", "b")).document
    assert document.outcome == "wrong"
    assert outcomes(document) == {"a": "regression", "b": "wrong"}


def test_what_fresh_pairs_do_not_confirm_is_no_regression(settings: Settings) -> None:
    watching = Watching()
    later = {"a at head": noisy(25e6, seed=3)}
    document = gate(settings, recorded(a=noisy(27e6)), options("a"), watching, later=later).document
    only = document.benchmarks[0]
    assert only.first is not None
    assert only.first.p <= 0.05
    assert (only.outcome, only.told) == ("fine", "it looked slower at first, and new pairs did not confirm it")
    assert only.confirmation is not None
    assert only.confirmation.ratio == pytest.approx(1, rel=0.02)
    assert "a: confirmation" in watching.remarks


def test_a_base_that_cannot_be_run_leaves_nothing_to_compare_with(settings: Settings) -> None:
    recordings = recorded(a=noisy(25e6))
    recordings["a at base"] = noisy(25e6, outcome="wrong", reason="no such file")
    document = gate(settings, recordings, options("a")).document
    assert outcomes(document) == {"a": "not resolved"}
    assert document.benchmarks[0].told == "nothing to compare with: at the base it is wrong: no such file"


def test_too_small_a_budget_is_told(settings: Settings) -> None:
    short = replace(options("a", "b"), how=replace(HOW, budget_s=0.05))
    document = gate(settings, recorded(a=noisy(25e6), b=noisy(25e6)), short).document
    assert set(outcomes(document).values()) == {"not resolved"}
    assert all("budget" in one.told for one in document.benchmarks)


def test_too_few_pairs_to_see_slow_runs_are_told(settings: Settings) -> None:
    few = replace(options("a"), how=replace(HOW, max_pairs=20))
    few = replace(few, benchmarks=tuple(replace(one, how=few.how) for one in few.benchmarks))
    (only,) = gate(settings, recorded(a=noisy(25e6, noise=0.002, seed=1)), few).document.benchmarks
    assert only.outcome == "not resolved"
    assert only.told.startswith("it looks the same in 20 pairs, of which 30 are needed to call it fine")


@pytest.mark.parametrize("after", [None, 20, 35, 50])
def test_what_second_looks_leave_is_for_those_with_few_pairs(after: int | None, settings: Settings) -> None:
    # Six tenths of the budget are 22 pairs; all of it, as nothing is suspected, is enough for 30.
    short = replace(options("a"), how=replace(HOW, budget_s=6.5))
    recordings = recorded(a=noisy(25e6, noise=0.002, seed=1))
    ended = gate(settings, recordings, short, Watching(interrupt_after=after))
    if after is not None:
        assert ended.interrupted
        ended = gate(settings, recordings, Options(()), resume=Resume())
    (only,) = ended.document.benchmarks
    assert (only.outcome, only.confirmation) == ("fine", None)
    assert only.first is not None
    assert only.first.pairs >= 30
    if after is None:
        assert only.first.pairs < 60  # each session has a budget of its own


def test_rare_slow_runs_are_told(settings: Settings) -> None:
    head = noisy(25e6, noise=0.002, seed=1)
    slow = Recording([75e6 if place % 50 == 40 else run_ns for place, run_ns in enumerate(head.run_ns)])
    few = replace(options("a"), how=replace(HOW, max_pairs=60))
    few = replace(few, benchmarks=tuple(replace(one, threshold=0.05, how=few.how) for one in few.benchmarks))
    (only,) = gate(settings, recorded(a=slow), few).document.benchmarks
    assert only.outcome == "not resolved"
    assert "the slowest runs of the head take 1.9 times a mean run longer than those of the base" in only.told


def test_the_budget_is_shared(settings: Settings) -> None:
    names = ("a", "b", "c", "d")
    loud = {name: noisy(25e6, noise=0.5, seed=place) for place, name in enumerate(names)}
    how = replace(HOW, budget_s=40.0)
    document = gate(settings, recorded(**loud), replace(options(*names), how=how)).document
    pairs = [one.first.pairs for one in document.benchmarks if one.first is not None]
    assert len(pairs) == 4
    assert min(pairs) > 0.6 * max(pairs)


@pytest.mark.parametrize("after", [1, 5, 20, 40, 60])
def test_what_was_interrupted_is_told_kept_and_gone_on_with(after: int, settings: Settings) -> None:
    recordings = recorded(a=noisy(27e6), b=noisy(25e6, seed=1))
    first = gate(settings, recordings, options("a", "b"), Watching(interrupt_after=after))
    assert first.interrupted
    assert first.document.interrupted
    watching = Watching()
    second = gate(settings, recordings, Options(()), watching, resume=Resume())
    assert not second.interrupted
    assert watching.remarks[0] == f"resuming 'gate' {first.document.campaign}"
    assert second.document.campaign == first.document.campaign
    for before, later in zip(first.document.benchmarks, second.document.benchmarks, strict=True):
        kept = [sample.value for sample in before.head.samples]
        assert [sample.value for sample in later.head.samples][: len(kept)] == kept
    assert outcomes(second.document) == {"a": "regression", "b": "fine"}
    assert (
        gate(settings, recordings, options("b"), watching, resume=Resume()).document.campaign != first.document.campaign
    )


def test_stored_options_are_read_again() -> None:
    asked = replace(options("a", "b"), build="make", listed=((("a",), "a"),), threshold=0.05, correction="bh")
    assert Options.from_stored(asked.stored()) == asked


def test_misuse_writes_nothing(settings: Settings) -> None:
    for wanted, expected in (
        (Options(()), "there is no benchmark"),
        (options("a", "a"), "two benchmarks are named 'a'"),
        (replace(options("a"), build="make"), "--build is given without revisions"),
    ):
        with pytest.raises(Misuse, match=expected):
            gate(settings, {}, wanted)
    assert not Path(settings.home_folder).exists()


def two_speeds(fast: float, seed: int) -> Recording:
    rng = np.random.default_rng(seed)
    return Recording((np.where(rng.random(300) < fast, 25e6, 50e6) * rng.normal(1, 0.003, 300)).tolist())


@pytest.mark.case("commands.G3")
def test_a_change_of_shares_is_a_regression_or_not_resolved(settings: Settings) -> None:
    how = replace(HOW, max_pairs=60)
    wanted = replace(options("few", "many"), how=how)
    wanted = replace(wanted, benchmarks=tuple(replace(one, threshold=0.05, how=how) for one in wanted.benchmarks))
    recordings = {"few at base": two_speeds(0.5, 1), "few at head": two_speeds(0.4, 2)}
    recordings |= {"many at base": two_speeds(0.9, 3), "many at head": two_speeds(0.1, 4)}
    later = {"few at head": two_speeds(0.4, 5), "many at head": two_speeds(0.1, 6)}
    document = gate(settings, recordings, wanted, later=later).document
    assert outcomes(document) == {"few": "not resolved", "many": "regression"}
    few, many = document.benchmarks
    assert "several speeds" in few.told
    assert "pairs would tell" in few.told
    assert "mean" in many.decided_by
    assert " in the " in many.told
    assert many.shown is not None
    assert many.shown.mean == pytest.approx(1.1 / 1.9, rel=0.15)
    assert any(one.name == "Runs of one program have several speeds" for one in document.doubts)
