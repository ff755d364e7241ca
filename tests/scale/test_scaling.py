"""Scaling on replayed times: the curve and its base, what fails on the way, the factors, and what is kept."""

from __future__ import annotations

import shlex
import zlib
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from replayed import module
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.campaign.run import Ended, run_campaign
from rooftop.command.line import SHELL
from rooftop.command.measurement import Measurement
from rooftop.driver.executor import DriverFailed
from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.errors import Misuse
from rooftop.launchers import team
from rooftop.measure.arms import Arm
from rooftop.measure.pairings import Pairing, pairings
from rooftop.measure.rules import Rules
from rooftop.observe.mpi_times import RankTimes
from rooftop.scale import fits
from rooftop.scale import points as scale_points
from rooftop.scale.document import Curve, PointResult, ScaleDocument
from rooftop.scale.options import Options
from rooftop.scale.points import Point
from rooftop.scale.run import kind
from rooftop.settings import Settings
from rooftop.store.interrupted import Resume

HOW = Measurement(seed=3, budget_s=600.0, max_pairs=30)
THREADS = Options(words=("app",), threads=(1, 2, 4, 8), how=HOW)
BOTH = replace(
    THREADS,
    words=("app", "{n}"),
    weak=(("n", "100*workers"),),
    modes=("strong", "weak"),
    how=replace(HOW, budget_s=1e4),
)
STEPS = 26  # of a campaign with three points: 4 to verify, 9 blocks, 4 to verify again, 9 to trace
RANKS = Options(words=("app",), ranks=(1, 2, 4), launcher="openmpi", how=HOW)


@pytest.fixture(autouse=True)
def eight_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale_points, "usable_cores", lambda: 8)
    monkeypatch.setattr(team, "usable_cores", lambda: 8)
    monkeypatch.setattr(fits, "RESAMPLES", 60)


def noisy(milliseconds: float, name: str, noise: float = 0.02, **more: Any) -> Recording:
    draws = np.random.default_rng(zlib.crc32(name.encode())).normal(0, noise, 499)
    return Recording([milliseconds * 1e6 * float(np.exp(draw)) for draw in draws], **more)


def milliseconds(point: Point) -> float:
    """Return what a program takes of which a tenth is serial; the rest grows with n."""
    work = float(point.sizes.get("n", 100)) / 100
    return 800 * (0.1 + 0.9 * work / point.workers)


def recorded(options: Options) -> dict[str, Recording]:
    return {
        point.name: noisy(milliseconds(point), point.name) for mode in options.modes for point in options.points(mode)
    }


@dataclass
class Imbalanced:
    """Rank 0 works twice as long as the others, and then all send for a quarter of that."""

    failing: str = ""
    seen: list[str] = field(default_factory=list)

    def trace(self, name: str, limit_s: float) -> list[RankTimes]:
        self.seen.append(name)
        if name == self.failing:
            raise DriverFailed("trace", "no rank gave its times")
        ranks = int(name.partition("=")[2])
        whole = 5_000_000_000
        return [RankTimes(whole, whole - (4_000_000_000 if rank == 0 else 2_000_000_000), 3) for rank in range(ranks)]


def scale(
    settings: Settings,
    recordings: dict[str, Recording],
    options: Options = THREADS,
    watching: Watching | None = None,
    tracer: Imbalanced | None = None,
    *,
    resume: Resume | None = None,
) -> Ended[ScaleDocument]:
    bench = Bench(settings, Place(), watching or Watching(), ReplayExecutor(recordings))
    return run_campaign(bench, kind(tracer), options, resume=resume)


def only(document: ScaleDocument) -> Curve:
    assert len(document.curves) == 1
    return document.curves[0]


def at(curve: Curve, workers: int) -> PointResult:
    return next(point for point in curve.points if point.workers == workers)


def test_the_curve_is_held_against_its_base(settings: Settings) -> None:
    document = scale(settings, recorded(THREADS)).document
    curve = only(document)
    assert curve.base is not None
    assert (curve.base.name, curve.base.workers) == ("threads=1", 1)
    assert curve.base.median == pytest.approx(0.8, rel=0.02)
    assert curve.base.line == "OMP_NUM_THREADS=1 app"
    for point in curve.points[1:]:
        assert point.speedup is not None
        assert point.speedup.lo is not None
        assert point.speedup.hi is not None
        assert point.speedup.lo <= 1 / (0.1 + 0.9 / point.workers) <= point.speedup.hi
        assert point.efficiency is not None
        assert point.efficiency.value == pytest.approx(point.speedup.value / point.workers)
        assert point.vs_base is not None
        assert point.vs_base.verdict == "faster"
        assert len(point.samples) >= 6
    amdahl = next(law for law in curve.laws if law.law == "amdahl")
    got = amdahl.parameters["serial fraction"]
    assert got.value == pytest.approx(0.1, abs=0.01)
    assert [law.law for law in curve.laws] == ["amdahl", "usl"]
    assert ScaleDocument.model_validate_json(document.model_dump_json(by_alias=True)) == document


def test_only_the_base_is_compared_with(settings: Settings) -> None:
    curve = only(scale(settings, recorded(THREADS)).document)
    assert {point.vs_base.against for point in curve.points if point.vs_base} == {"threads=1"}


def test_points_of_one_block_are_paired_whatever_the_machine_does(settings: Settings) -> None:
    # The recordings are as long as each other, so that all runs of a block see the same drift.
    drift = [float(x) for x in np.exp(np.random.default_rng(1).normal(0, 0.3, 400))]
    recordings = {p.name: Recording([milliseconds(p) * 1e6 * x for x in drift]) for p in THREADS.points("strong")}
    curve = only(scale(settings, recordings).document)
    assert at(curve, 8).speedup is not None
    amdahl = curve.laws[0].parameters["serial fraction"]
    assert amdahl.lo is not None
    assert amdahl.hi is not None
    assert amdahl.lo - 1e-5 <= 0.1 <= amdahl.hi + 1e-5


def test_strong_and_weak_scaling_in_one_campaign(settings: Settings) -> None:
    document = scale(settings, recorded(BOTH), BOTH).document
    strong, weak = document.curves
    assert (strong.mode, weak.mode) == ("strong", "weak")
    assert [point.sizes["n"] for point in strong.points] == [100] * 4
    assert [point.sizes["n"] for point in weak.points] == [100, 200, 400, 800]
    assert [point.name for point in weak.points][:2] == ["threads=1 n=100", "threads=2 n=200"]
    eight = at(weak, 8)
    assert eight.speedup is not None
    assert eight.speedup.value == pytest.approx(8, rel=0.03)  # of it all the time stays the same
    assert eight.efficiency is not None
    assert eight.efficiency.value == pytest.approx(1, rel=0.03)
    assert [law.law for law in weak.laws] == ["gustafson", "usl"]
    assert weak.laws[0].parameters["serial fraction"].value == pytest.approx(0, abs=0.02)
    assert eight.line == "OMP_NUM_THREADS=8 app 800"


def test_more_workers_than_cores_are_marked_and_not_fitted(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team, "usable_cores", lambda: 2)
    curve = only(scale(settings, recorded(THREADS)).document)
    assert [point.oversubscribed for point in curve.points] == [False, False, True, True]
    assert [point.in_fit for point in curve.points] == [True, True, False, False]
    assert at(curve, 8).speedup is not None
    assert all(law.refused is not None for law in curve.laws)


def test_points_that_fail_or_are_wrong_are_data(settings: Settings) -> None:
    recordings = recorded(THREADS)
    recordings["threads=2"] = replace(recordings["threads=2"], outcome="wrong", reason="its sum is off")
    recordings["threads=8"] = replace(recordings["threads=8"], fails_at=3)
    curve = only(scale(settings, recordings).document)
    assert (at(curve, 2).outcome, at(curve, 2).reason, at(curve, 2).median) == ("wrong", "its sum is off", None)
    assert (at(curve, 8).outcome, at(curve, 8).speedup, at(curve, 8).samples) == ("failed", None, [])
    assert at(curve, 4).speedup is not None
    assert not at(curve, 8).in_fit


def test_a_base_that_fails_is_followed_by_the_next(settings: Settings) -> None:
    recordings = recorded(THREADS)
    recordings["threads=1"] = replace(recordings["threads=1"], outcome="wrong", reason="its sum is off")
    curve = only(scale(settings, recordings).document)
    assert curve.base is not None
    assert (curve.base.name, curve.base.workers) == ("threads=2", 2)
    four = at(curve, 4)
    assert four.speedup is not None
    assert four.efficiency is not None
    assert four.efficiency.value == pytest.approx(four.speedup.value / 2)


def test_nothing_right_has_no_base(settings: Settings) -> None:
    wrong = {name: replace(one, outcome="wrong", reason="off") for name, one in recorded(THREADS).items()}
    curve = only(scale(settings, wrong).document)
    assert curve.base is None
    assert curve.laws == []


def test_another_program_may_be_the_base(settings: Settings) -> None:
    options = replace(THREADS, serial="best 100")
    recordings = recorded(options) | {"serial: best 100": noisy(400, "best")}
    curve = only(scale(settings, recordings, options).document)
    assert curve.base is not None
    assert curve.base.name == "serial: best 100"
    assert curve.base.median == pytest.approx(0.4, rel=0.02)
    one = at(curve, 1)
    assert one.speedup is not None
    assert one.speedup.value == pytest.approx(0.5, rel=0.02)
    # The law is about the program itself, and its curve begins where the program does.
    assert curve.laws[0].parameters["serial fraction"].value == pytest.approx(0.1, abs=0.01)
    assert curve.laws[0].curve[0].speedup == pytest.approx(0.5, rel=0.02)


def test_another_program_has_the_problem_of_the_first_point(settings: Settings) -> None:
    # Two workers and twice the work to begin with: perfect weak scaling is as efficient as the serial program.
    options = replace(BOTH, modes=("weak",), threads=(2, 4, 8), serial="best {n}")
    recordings = {point.name: noisy(400, point.name) for point in options.points("weak")}
    curve = only(scale(settings, recordings | {"serial: best {n}": noisy(800, "best")}, options).document)
    for point in curve.points:
        assert point.speedup is not None
        assert point.efficiency is not None
        assert point.speedup.value == pytest.approx(point.workers, rel=0.03)
        assert point.efficiency.value == pytest.approx(1, rel=0.03)
    assert curve.laws[0].parameters["serial fraction"].value == pytest.approx(0, abs=0.03)


@pytest.mark.case("commands.A1.scale")
def test_a_shell_that_the_serial_program_needs_starts_the_points_too() -> None:
    with_shell, without = (replace(THREADS, serial=serial) for serial in ("best > /dev/null", "best"))
    point = with_shell.points("strong")[0]
    assert with_shell.spec(point).command.words[:2] == with_shell.serial_spec(point).command.words[:2] == SHELL
    assert with_shell.spec(point).command.words[2] == shlex.join(without.spec(point).command.words)
    assert without.spec(point).command.words[0] != "/bin/sh"


def test_another_program_that_fails_is_not_the_base(settings: Settings) -> None:
    options = replace(THREADS, serial="best")
    recordings = recorded(options) | {"serial: best": noisy(400, "best", outcome="wrong", reason="off")}
    curve = only(scale(settings, recordings, options).document)
    assert curve.base is not None
    assert curve.base.name == "threads=1"
    assert curve.serial is not None
    assert curve.serial.outcome == "wrong"


def test_the_factors_stand_beside_the_curve(settings: Settings) -> None:
    tracer = Imbalanced()
    curve = only(scale(settings, recorded(RANKS), RANKS, tracer=tracer).document)
    four = at(curve, 4).factors
    assert four is not None
    assert four.load_balance == pytest.approx((4 + 3 * 2) / 4 / 4)
    assert four.communication_efficiency == pytest.approx(4 / 5)
    assert four.parallel_efficiency == pytest.approx(four.load_balance * four.communication_efficiency)
    assert four.computation_scalability == pytest.approx(4 / 10)
    assert (four.runs, four.runtime_s, len(four.useful_s)) == (3, 5.0, 4)
    assert sorted(tracer.seen) == sorted(["ranks=1", "ranks=2", "ranks=4"] * 3)
    assert curve.no_factors is None


def test_a_point_that_cannot_be_traced_keeps_its_time(settings: Settings) -> None:
    curve = only(scale(settings, recorded(RANKS), RANKS, tracer=Imbalanced("ranks=2")).document)
    assert at(curve, 2).factors is None
    assert at(curve, 2).outcome == "ok"
    assert at(curve, 2).speedup is not None
    assert at(curve, 4).factors is not None


@pytest.mark.parametrize("options", [replace(RANKS, factors=False), THREADS, RANKS])
def test_without_a_tracer_there_are_no_factors(options: Options, settings: Settings) -> None:
    curve = only(scale(settings, recorded(options), options).document)
    assert all(point.factors is None for point in curve.points)
    assert (curve.no_factors is not None) == bool(options.ranks)


def test_the_steps_are_counted_right(settings: Settings) -> None:
    watching = Watching()
    scale(settings, recorded(RANKS), RANKS, watching, Imbalanced())
    assert watching.steps == STEPS


@pytest.mark.parametrize("step", range(1, STEPS))
def test_interrupted_anywhere_it_tells_what_is_known_and_goes_on(step: int, settings: Settings) -> None:
    recordings = recorded(RANKS)
    tracer = Imbalanced()
    first = scale(settings, recordings, RANKS, Watching(interrupt_after=step), tracer)
    assert first.interrupted
    watching = Watching()
    second = scale(settings, recordings, Options(words=(), how=HOW), watching, tracer, resume=Resume())
    assert not second.interrupted
    assert watching.remarks == [f"resuming 'scale' {first.document.campaign}"]
    assert second.document.campaign == first.document.campaign
    for before, after in zip(only(first.document).points, only(second.document).points, strict=True):
        if before.outcome == "ok":
            kept = [sample.value for sample in before.samples]
            assert [sample.value for sample in after.samples][: len(kept)] == kept
        assert after.outcome == "ok"
        assert after.factors is not None
        assert after.factors.runs == 3
    assert len(tracer.seen) <= 9 + 1
    assert (
        scale(settings, recordings, RANKS, watching, tracer, resume=Resume()).document.campaign
        != first.document.campaign
    )


def test_a_rate_has_counted_the_work_that_grew(settings: Settings) -> None:
    options = replace(BOTH, modes=("weak",), how=replace(BOTH.how, metric_regex="rate ([0-9.]+)", better="higher"))
    recordings = {name: replace(one, amounts={"output": 1.0}) for name, one in recorded(options).items()}
    curve = only(scale(settings, recordings, options).document)
    eight = at(curve, 8)
    assert eight.speedup is not None
    assert eight.vs_base is not None
    assert eight.speedup.value == eight.vs_base.ratio


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (replace(THREADS, words=()), "no command to scale"),
        (replace(THREADS, threads=None), "nothing to scale over"),
        (replace(THREADS, threads=(0, 1)), "--threads has 0"),
        (replace(THREADS, bind="near"), "--bind is 'near'"),
        (replace(THREADS, modes=("weak",)), "expected how the size grows"),
        (replace(THREADS, sizes=(("n", 3),)), "expected {n} in the command"),
        (replace(BOTH, weak=(("n", "100*wrkers"),)), "it may use workers, ranks, threads, cores"),
        (replace(BOTH, weak=(("n", "100*"),)), "has no value"),
        (replace(BOTH, weak=(("n", "1-workers"),)), "expected a number above 0"),
        (replace(BOTH, weak=(("n", "workers/0"),)), "has no value"),
        (replace(BOTH, weak=(("n", "'a'*workers"),)), "expected a number above 0"),
        (replace(THREADS, how=replace(HOW, metric="maxrss")), "--metric is 'maxrss', expected wall"),
        (replace(THREADS, serial="'open"), "cannot be read"),
    ],
)
def test_misuse_writes_nothing(options: Options, told: str, settings: Settings) -> None:
    with pytest.raises(Misuse, match=told.replace("{", r"\{").replace("*", r"\*")):
        scale(settings, {}, options)
    assert not settings.home_folder.exists()


def test_problems_that_grow_need_not_print_the_same() -> None:
    options = replace(BOTH, how=replace(HOW, same_output=0.0))
    assert options.terms("strong").check.same_output == 0.0
    assert options.terms("weak").check.same_output is None


def test_every_point_is_paired_with_the_base_and_no_other() -> None:
    arms = [Arm(module(name), "point", outcome="ok") for name in "abcd"]
    arms[0].outcome = "failed"
    assert pairings(arms, 1.0, Rules()) == [Pairing(2, 1), Pairing(3, 1)]


def test_what_is_stored_is_read_again() -> None:
    options = replace(BOTH, ranks=(1, 2), launcher="openmpi", sizes=(("m", 3),), serial="x")
    assert Options.from_stored(options.stored()) == options


def test_ranks_and_threads_are_crossed_and_come_in_the_order_of_workers() -> None:
    options = replace(RANKS, threads=(1, 2))
    assert [(point.ranks, point.threads) for point in options.points("strong")] == [
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
        (4, 1),
        (4, 2),
    ]
