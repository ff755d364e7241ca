"""Tunings on replayed times: what is found, what fails on the way, what is claimed, and what is kept."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from replayed_tuning import OPTIONS, bowl, noisy, recorded, tune
from rich.console import Console
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.campaign.run import run_campaign
from rooftop.command.measurement import Measurement
from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.errors import Misuse
from rooftop.launchers.team import Team
from rooftop.measure.case_state import CaseState
from rooftop.parameters.space import label
from rooftop.settings import Settings
from rooftop.store.interrupted import Resume
from rooftop.tune.document import TuneDocument
from rooftop.tune.options import Options
from rooftop.tune.race import RaceRules
from rooftop.tune.run import KIND
from rooftop.tune.text import print_tuning, reason_lines


def cost_of(document: TuneDocument) -> float:
    assert document.best is not None
    return bowl(document.best.parameters)


def test_the_best_is_found_and_confirmed(settings: Settings) -> None:
    document = tune(settings, recorded(OPTIONS)).document
    assert cost_of(document) <= 1.03 * 40
    assert document.confirmed
    default = next(one for one in document.comparisons if one.against == label(document.default.parameters))
    assert default.verdict == "faster"
    assert document.default.parameters == {"N": 0, "mode": "a"}
    assert document.best is not None
    assert document.best.line == f"app {document.best.parameters['N']} {document.best.parameters['mode']}"
    assert document.runner_up is not None
    assert document.runner_up.parameters not in (document.best.parameters, document.default.parameters)
    assert TuneDocument.model_validate_json(document.model_dump_json(by_alias=True)) == document


@pytest.mark.case("commands.D1", "commands.D1.later")
def test_reasons_are_printed(settings: Settings) -> None:
    few = replace(OPTIONS, parameters=(("N", "param", (0, 11)), ("mode", "param", ("a", "b"))))
    recordings = recorded(few)
    wrong = Recording([1e6], outcome="wrong", reason="exited with code 1; it said: broken")
    recordings |= {name: wrong for name in recordings if "mode=a" in name and "11" in name}
    document = tune(settings, recordings, few).document
    assert reason_lines(document) == ["N=11 mode=a wrong: exited with code 1; it said: broken"]
    two = replace(OPTIONS, parameters=(("N", "param", (0, 11)), ("mode", "param", ("b",))))
    document = tune(settings, recordings | {"N=11 mode=b": noisy(20.0, "b", later="wrong")}, two).document
    (one,) = document.later
    assert (one.comparison, one.parameters, one.outcome) == ("final", {"N": 11, "mode": "b"}, "wrong")
    console = Console(record=True, width=120)
    print_tuning(document, console)
    shown = console.export_text()
    assert "final: N=11 mode=b wrong: after timing" in shown
    assert "no time to hold it" not in shown


def test_nothing_is_claimed_where_all_are_alike(settings: Settings) -> None:
    document = tune(settings, recorded(OPTIONS, lambda one: 40.0)).document
    assert not document.confirmed


@pytest.mark.parametrize("strategy", ["tpe", "shuffled"])
def test_every_strategy_tries_all_that_the_time_allows(strategy: str, settings: Settings) -> None:
    options = replace(OPTIONS, strategy=strategy, how=replace(OPTIONS.how, budget_s=1e4))
    document = tune(settings, recorded(options), options).document
    assert document.exhausted
    assert len(document.tried) == document.configurations == 48
    assert len({label(one.parameters) for one in document.tried}) == 48


@pytest.mark.parametrize("seed", range(4))
def test_runs_of_seconds_leave_time_to_confirm_the_best(seed: int, settings: Settings) -> None:
    """Where the budget holds few runs the default must not come out on top for want of pairs."""
    options = replace(OPTIONS, how=replace(OPTIONS.how, budget_s=400.0, seed=seed))
    recordings = recorded(options, lambda one: 50 * bowl(one))
    document = tune(settings, recordings, options).document
    assert document.best is not None
    assert document.confirmed
    assert cost_of(document) < 0.8 * bowl(document.default.parameters)


def test_what_fails_is_data(settings: Settings) -> None:
    recordings = recorded(OPTIONS)
    rng = np.random.default_rng(5)
    for name in [name for name in recordings if name != "N=0 mode=a" and rng.random() < 0.4]:
        kind = rng.integers(4)
        broken: dict[str, Any] = {"outcome": "wrong", "reason": "its sum is off"} if kind == 0 else {}
        broken |= {"fails_at": 2} if kind == 1 else {"fails_at": 0} if kind == 2 else {}
        broken |= {"hangs": True} if kind == 3 else {}
        recordings[name] = replace(recordings[name], **broken)
    options = replace(OPTIONS, how=replace(OPTIONS.how, budget_s=200.0))
    document = tune(settings, recordings, options).document
    assert document.confirmed
    outcomes = {one.outcome for one in document.tried}
    assert outcomes >= {"ok", "wrong", "failed"}
    assert all(one.reason for one in document.tried if one.outcome != "ok")


def test_a_default_that_fails_leaves_the_others(settings: Settings) -> None:
    recordings = recorded(OPTIONS)
    recordings["N=0 mode=a"] = replace(recordings["N=0 mode=a"], outcome="wrong", reason="its sum is off")
    document = tune(settings, recordings).document
    assert document.tried[0].outcome == "wrong"
    assert cost_of(document) <= 1.03 * 40
    assert not document.confirmed


def test_a_leader_that_fails_is_succeeded_by_one_that_had_left(settings: Settings) -> None:
    recordings = recorded(OPTIONS)
    best = "N=11 mode=b"
    recordings[best] = replace(recordings[best], fails_at=9)
    options = replace(OPTIONS, strategy="shuffled", how=replace(OPTIONS.how, budget_s=1e3, seed=7))
    executor = ReplayExecutor(recordings)
    document = run_campaign(Bench(settings, Place(), Watching(), executor), KIND, options).document
    failed = next(one for one in document.tried if label(one.parameters) == best)
    assert failed.outcome == "failed"
    assert len(failed.samples) == 9  # it led
    assert document.best is not None
    assert cost_of(document) <= 1.06 * 40
    assert document.exhausted
    assert executor.clock_s < 0.2 * 1e3  # the race did not wait for a leader that no longer runs


@pytest.mark.parametrize("seed", [1, 5, 7])  # the first four that are drawn have a fast one among them
def test_one_that_is_far_faster_leads_at_once(seed: int, settings: Settings) -> None:
    options = replace(OPTIONS, how=replace(OPTIONS.how, seed=seed))
    recordings = recorded(options, lambda one: 40.0 if int(one["N"]) % 2 else 400.0)
    document = tune(settings, recordings, options).document
    default = next(one for one in document.tried if one.parameters == document.default.parameters)
    assert default.samples == []  # no block was spent beside it
    assert document.confirmed


@dataclass
class Remembering(Watching):
    """Remembers every step."""

    doings: list[str] = field(default_factory=list)

    def progressed(self, case: CaseState, doing: str) -> None:
        self.doings.append(doing)
        super().progressed(case, doing)


def test_several_are_tried_before_any_are_told_apart_and_what_ran_once_has_a_place(settings: Settings) -> None:
    watching = Remembering()
    options = replace(OPTIONS, how=replace(OPTIONS.how, budget_s=4.0))
    document = tune(settings, recorded(options), options, watching).document
    first_block = next(doing for doing in watching.doings if "tried, best so far" in doing)
    assert first_block.startswith(f"{RaceRules().opening} tried")
    once = [one for one in document.tried if not one.samples]
    assert once
    assert all(one.speed is not None for one in once)


def test_slow_ones_leave_after_their_first_run(settings: Settings) -> None:
    recordings = recorded(OPTIONS, lambda one: 40.0 if one["N"] == 0 else 130.0)
    document = tune(settings, recordings).document
    slow = [one for one in document.tried if one.parameters["N"] != 0]
    assert slow
    assert all(len(one.samples) == 0 and one.speed == pytest.approx(40 / 130, rel=0.2) for one in slow)


@pytest.mark.parametrize("after", [1, 5, 12, 40, 90])
def test_interrupted_anywhere_it_keeps_what_it_knows_and_goes_on(after: int, settings: Settings) -> None:
    recordings = recorded(OPTIONS)
    first = tune(settings, recordings, watching=Watching(interrupt_after=after))
    assert first.interrupted
    watching = Watching()
    second = tune(settings, recordings, watching=watching, resume=Resume())
    assert not second.interrupted
    assert any("resuming" in remark for remark in watching.remarks)
    kept = {label(one.parameters): len(one.samples) for one in first.document.tried}
    after_all = {label(one.parameters): len(one.samples) for one in second.document.tried}
    assert all(after_all.get(name, 0) >= samples for name, samples in kept.items())
    assert cost_of(second.document) <= 1.05 * 40
    known = {label(one.parameters): one for one in second.document.tried}
    for one in first.document.tried:
        if one.speed is not None:
            assert known[label(one.parameters)].speed is not None


def test_resumed_at_the_end_it_still_knows_that_all_were_tried(settings: Settings) -> None:
    recordings = recorded(OPTIONS, lambda one: 40.0 if one["N"] == 0 else 130.0)
    options = replace(OPTIONS, how=replace(OPTIONS.how, budget_s=1e4))
    whole = Watching()
    assert tune(settings, recordings, options, whole).document.exhausted
    first = tune(settings, recordings, options, Watching(interrupt_after=whole.steps - 1))
    assert first.interrupted
    assert tune(settings, recordings, options, resume=Resume()).document.exhausted


def test_a_figure_of_which_more_is_better(settings: Settings) -> None:
    how = replace(OPTIONS.how, metric_regex=r"rate (\S+)", better="higher")
    options = replace(OPTIONS, how=how)

    class Rates(ReplayExecutor):
        """Replays a rate beside the time."""

        def start(self, module: Any, team: Team) -> Any:
            driver = super().start(module, team)
            take = driver.sample

            def sample(iterations: int, limit_s: float) -> Any:
                reply = take(iterations, limit_s)
                return reply.model_copy(update={"figures": {"output": 1e9 / (reply.elapsed_ns / iterations)}})

            driver.sample = sample  # type: ignore[method-assign]
            return driver

    document = run_campaign(Bench(settings, Place(), Watching(), Rates(recorded(options))), KIND, options).document
    assert cost_of(document) <= 1.05 * 40
    assert document.confirmed


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (replace(OPTIONS, words=()), "no command to tune"),
        (replace(OPTIONS, parameters=()), "nothing to tune"),
        (replace(OPTIONS, strategy="luck"), "expected auto, shuffled, tpe"),
        (replace(OPTIONS, default=(("M", 1),)), "--default names 'M', expected one of N, mode"),
        (replace(OPTIONS, default=(("N", 99),)), "not among its values"),
        (replace(OPTIONS, default=(("N", 3),), where=("N != 3",)), "excluded by --where"),
        (replace(OPTIONS, launcher="slurm"), "--launcher is 'slurm'"),
    ],
)
def test_misuse_writes_nothing(options: Options, told: str, settings: Settings) -> None:
    with pytest.raises(Misuse, match=told):
        tune(settings, {}, options)
    assert not (settings.home_folder / "store.sqlite").exists()


def test_the_default_may_be_told(settings: Settings) -> None:
    options = replace(OPTIONS, default=(("N", 5), ("mode", "c")))
    document = tune(settings, recorded(options), options).document
    assert document.default.parameters == {"N": 5, "mode": "c"}
    assert document.tried[0].parameters == document.default.parameters


def test_scores_are_speeds_beside_the_default(settings: Settings) -> None:
    options = replace(OPTIONS, how=replace(OPTIONS.how, budget_s=1e4))
    document = tune(settings, recorded(options), options).document
    base = bowl(document.default.parameters)
    for one in document.tried:
        assert one.speed is not None
        assert math.log(one.speed) == pytest.approx(math.log(base / bowl(one.parameters)), abs=0.1)


def test_a_first_run_is_judged_by_the_metric_whatever_it_is(settings: Settings) -> None:
    """Every run takes as long as the others, and does the more the better its configuration is."""
    how = replace(OPTIONS.how, metric_regex="([0-9.]+)", better="higher")
    times = {
        label(one): replace(noisy(40, label(one)), amounts={"output": 1 / bowl(one)})
        for one in OPTIONS.space().configurations
    }
    document = tune(settings, times, replace(OPTIONS, how=how)).document
    assert all(one.speed is not None for one in document.tried)
    assert document.best is not None
    assert bowl(document.best.parameters) <= 1.03 * 40
    assert document.confirmed


FEW = Options(
    words=("app", "{N}"),
    parameters=(("N", "param", (2, 3, 1)),),
    how=Measurement(budget_s=6.0, seed=7),
)


@pytest.mark.case("commands.H7.turn")
def test_few_configurations_all_get_their_turn_before_the_default_is_repeated(settings: Settings) -> None:
    document = tune(settings, recorded(FEW, lambda one: 1000.0 * int(one["N"])), FEW).document
    assert document.exhausted
    assert document.best is not None
    assert document.best.parameters == {"N": 1}


@pytest.mark.case("commands.H7.default")
def test_default_that_alone_was_tried_is_not_called_the_best(settings: Settings) -> None:
    options = replace(FEW, how=replace(FEW.how, budget_s=1.0))
    document = tune(settings, recorded(options, lambda one: 2000.0 * int(one["N"])), options).document
    assert len(document.tried) == 1
    console = Console(record=True, width=120)
    print_tuning(document, console)
    shown = console.export_text()
    assert "only the default was tried: give a larger --budget" in shown
    assert "nothing that was tried" not in shown
