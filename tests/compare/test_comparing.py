"""Comparisons on replayed times: verdicts, floors, what is kept, and how they are told."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ratio_pairs import pairs_from_ratios
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.campaign.run import Ended
from rooftop.compare.advice import Family, advice
from rooftop.compare.document import CompareDocument
from rooftop.compare.export import exported, google_benchmark, hyperfine, read_export
from rooftop.compare.options import Options
from rooftop.compare.run import Comparing
from rooftop.compare.text import sentence
from rooftop.driver.executor import Executor
from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.errors import Misuse
from rooftop.measure.compare import weigh
from rooftop.measure.correction import least_pairs
from rooftop.measure.rules import Rules
from rooftop.settings import Settings
from rooftop.store.interrupted import Resume

TWO = Options(commands=((("old", "1"), "old 1"), (("new", "1"), "new 1")), seed=7)


def noisy(run_ns: float, noise: float = 0.03, seed: int = 0, **more: Any) -> Recording:
    draws = np.random.default_rng([int(run_ns), seed]).normal(0, noise, 997)
    return Recording([run_ns * float(np.exp(draw)) for draw in draws], **more)


def compare(
    settings: Settings,
    recordings: dict[str, Recording],
    options: Options = TWO,
    watching: Watching | None = None,
    *,
    resume: Resume | None = None,
) -> Ended[CompareDocument]:
    twins = {name: noisy(recording.run_ns[0], seed=5) for name, recording in recordings.items()}
    executor: Executor = ReplayExecutor(recordings, twins)
    return Comparing(Bench(settings, Place(), watching or Watching(), executor)).compare(options, resume=resume)


def test_a_faster_command_is_found_faster(settings: Settings) -> None:
    document = compare(settings, {"old 1": noisy(25e6), "new 1": noisy(22e6)}).document
    assert document.verdict == "faster"
    assert document.ratio == pytest.approx(25 / 22, rel=0.03)
    assert document.lo is not None
    assert document.lo > 1
    assert document.pairs == document.comparisons[0].pairs >= 6
    assert (document.comparisons[0].subject, document.comparisons[0].against) == ("new 1", "old 1")
    assert [len(command.samples) > 5 for command in document.commands] == [True, True]
    assert CompareDocument.model_validate_json(document.model_dump_json(by_alias=True)) == document


def test_equal_commands_are_not_resolved(settings: Settings) -> None:
    document = compare(settings, {"old 1": noisy(25e6, seed=1), "new 1": noisy(25e6, seed=2)}).document
    assert document.verdict == "not resolved"
    assert "more pairs" in document.comparisons[0].advice


def test_false_alarms_stay_under_their_level(settings: Settings) -> None:
    # Sixty comparisons of equal commands with bursts: a sign test at 95 %, with a floor above, calls few of them.
    called = 0
    for trial in range(60):
        rng = np.random.default_rng(trial)
        bursts = {
            name: Recording([25e6 * float(np.exp(x)) for x in rng.normal(0, 0.05, 499) + 0.4 * (rng.random(499) < 0.2)])
            for name in ("old 1", "new 1")
        }
        options = replace(TWO, seed=trial, max_pairs=40)
        called += compare(settings, bursts, options).document.verdict != "not resolved"
    assert called <= 6


def test_three_commands_make_three_comparisons(settings: Settings) -> None:
    options = Options(commands=tuple(((name,), name) for name in "abc"), seed=1)
    document = compare(settings, {"a": noisy(3e7), "b": noisy(2e7), "c": noisy(1e7)}, options).document
    assert [(one.subject, one.against, one.verdict) for one in document.comparisons] == [
        ("b", "a", "faster"),
        ("c", "a", "faster"),
        ("c", "b", "faster"),
    ]
    assert document.verdict is None


@pytest.mark.parametrize("interrupt_at", [None, "block 5"])
def test_each_command_beside_the_base_only(interrupt_at: str | None, settings: Settings) -> None:
    recordings = {"a": noisy(3e7), "b": noisy(2e7), "c": noisy(1e7), "d": noisy(3e7, seed=1)}
    options = Options(commands=tuple(((name,), name) for name in recordings), seed=1, base_only=True)
    ended = compare(settings, recordings, options, Watching(interrupt_at))
    if ended.interrupted:
        ended = compare(settings, recordings, Options(), Watching(), resume=Resume())
    document = ended.document
    assert document.base == "a"
    assert [(one.subject, one.against) for one in document.comparisons] == [("b", "a"), ("c", "a"), ("d", "a")]
    assert [one.verdict for one in document.comparisons] == ["faster", "faster", "not resolved"]


def test_a_base_that_is_wrong_leaves_nothing_to_compare_with(settings: Settings) -> None:
    recordings = {"a": noisy(3e7, outcome="wrong", reason="bad sum"), "b": noisy(2e7), "c": noisy(1e7)}
    options = Options(commands=tuple(((name,), name) for name in recordings), seed=1, base_only=True)
    assert compare(settings, recordings, options).document.comparisons == []


def test_fewer_comparisons_need_fewer_pairs(settings: Settings) -> None:
    alike = {str(place): noisy(1e7 * (1 + place / 4), 1e-4, place) for place in range(8)}
    pairs = {}
    for base_only in (False, True):
        commands = tuple(((name,), name) for name in alike)
        options = Options(commands=commands, seed=1, base_only=base_only)
        pairs[base_only] = min(one.pairs for one in compare(settings, alike, options).document.comparisons)
    assert pairs == {False: least_pairs(28), True: least_pairs(7)}


def test_a_wrong_command_has_no_figures(settings: Settings) -> None:
    recordings = {"old 1": noisy(3e7), "new 1": noisy(1e7, outcome="wrong", reason="bad sum")}
    document = compare(settings, recordings).document
    new = document.commands[1]
    assert (new.outcome, new.reason, new.median, new.samples) == ("wrong", "bad sum", None, [])
    assert document.comparisons == []
    assert document.verdict is None


def test_a_crash_in_the_middle_is_data(settings: Settings) -> None:
    document = compare(settings, {"old 1": noisy(3e7), "new 1": noisy(1e7, fails_at=3)}).document
    assert document.commands[1].outcome == "failed"
    assert document.commands[0].median is not None


def test_what_was_interrupted_is_told_kept_and_gone_on_with(settings: Settings) -> None:
    recordings = {"old 1": noisy(25e6), "new 1": noisy(22e6)}
    first = compare(settings, recordings, TWO, Watching("block 5"))
    assert first.interrupted
    assert first.document.pairs == 4
    watching = Watching()
    second = compare(settings, recordings, replace(TWO, commands=()), watching, resume=Resume())
    assert not second.interrupted
    assert watching.remarks == [f"resuming 'compare' {first.document.campaign}"]
    assert second.document.campaign == first.document.campaign
    kept = [sample.value for sample in first.document.commands[0].samples]
    assert [sample.value for sample in second.document.commands[0].samples][: len(kept)] == kept
    assert second.document.verdict == "faster"


class Throttled(Place):
    """A machine whose quota is used up from the second look on."""

    def __init__(self) -> None:
        self.looks = 0

    def conditions(self) -> dict[str, Any]:
        self.looks += 1
        later = {"cgroup": {"throttled_over_campaign": 0.9}, "steal": {"over_campaign": 0.3}}
        return super().conditions() | (later if self.looks > 1 else {})


@pytest.mark.case("commands.A9", "commands.A9.interrupted")
@pytest.mark.parametrize("interrupt_at", [None, "block 5"])
def test_throttling_and_stolen_time_are_told_of_interrupted_comparisons_too(
    settings: Settings, interrupt_at: str | None
) -> None:
    executor: Executor = ReplayExecutor({"old 1": noisy(25e6), "new 1": noisy(22e6)})
    ended = Comparing(Bench(settings, Throttled(), Watching(interrupt_at), executor)).compare(TWO)
    assert ended.interrupted == (interrupt_at is not None)
    told = " ".join(doubt.name for doubt in ended.document.doubts)
    assert "quota stopped" in told
    assert "hypervisor took" in told


def test_nothing_to_resume_starts_anew(settings: Settings) -> None:
    watching = Watching()
    compare(settings, {"old 1": noisy(25e6), "new 1": noisy(22e6)}, TWO, watching, resume=Resume())
    assert watching.remarks == ["there is no interrupted 'compare' to resume: starting a new one"]


@pytest.mark.case("commands.F27")
def test_nothing_to_resume_and_nothing_to_start_is_one_misuse(settings: Settings) -> None:
    nothing = Bench(settings, Place(), Watching())
    with pytest.raises(Misuse, match="there is no interrupted 'compare' to resume, nor one to start: 0 commands to"):
        Comparing(nothing).compare(Options(), resume=Resume())
    assert isinstance(nothing.watcher, Watching)
    assert nothing.watcher.remarks == []


def test_doubts_speak_of_commands(settings: Settings) -> None:
    document = compare(settings, {"old 1": noisy(25e6, 0.2), "new 1": noisy(22e6, 0.2)}).document
    told = [doubt.name for doubt in document.doubts]
    assert "Runs of the same command differ" in told
    assert not any("rung" in doubt.name + doubt.remedy for doubt in document.doubts)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (replace(TWO, commands=TWO.commands[:1]), "1 command to compare"),
        (replace(TWO, metric="joules"), "--metric is 'joules'"),
        (replace(TWO, prepares=("a", "b", "c")), "--prepare is given 3 times"),
        (replace(TWO, metric_regex="("), "cannot be read"),
    ],
)
def test_misuse_writes_nothing(options: Options, expected: str, settings: Settings) -> None:
    with pytest.raises(Misuse, match=expected):
        compare(settings, {}, options)
    assert not settings.home_folder.exists()


def test_the_same_command_twice_is_told_apart() -> None:
    assert list(replace(TWO, commands=(TWO.commands[0],) * 2).specs()) == ["old 1", "old 1 (command 2)"]


def test_exports(settings: Settings, tmp_path: Path) -> None:
    document = compare(settings, {"old 1": noisy(25e6), "new 1": noisy(22e6)}).document
    fine = hyperfine(document)["results"]
    assert [result["command"] for result in fine] == ["old 1", "new 1"]
    assert fine[0]["min"] <= fine[0]["median"] <= fine[0]["max"]
    assert len(fine[0]["times"]) == len(document.commands[0].samples)
    repetitions = google_benchmark(document)["benchmarks"]
    assert {one["name"] for one in repetitions} == {"old 1", "new 1"}
    assert repetitions[0]["real_time"] == pytest.approx(document.commands[0].samples[0].wall_s * 1e9)
    assert read_export(f"hyperfine:{tmp_path / 'out.json'}") == ("hyperfine", tmp_path / "out.json")
    (tmp_path / "out.json").write_text(exported(document, "hyperfine"), encoding="utf-8")
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["results"] == fine
    for text in ("hyperfine", "xml:out", "hyperfine:"):
        with pytest.raises(Misuse, match="expected hyperfine:FILE or google-benchmark:FILE"):
            read_export(text)
    for place in ("nowhere/out.json", "."):
        with pytest.raises(Misuse, match="expected a file in a folder that is there"):
            read_export(f"hyperfine:{tmp_path / place}")


@pytest.mark.parametrize(
    ("ratios", "floor", "expected"),
    [
        ([0.1] * 5, 0.01, "at least 6 pairs"),
        ([0.1] * 20, None, "A/A floor could not be measured"),
        ([0.1, 0.11] * 10, 0.01, "resolved"),
        ([0.004, 0.006] * 20, 0.02, "within the A/A floor"),
        ([-0.002, 0.003] * 20, 0.0001, "if there is a difference it is under 0.30%"),
        ([-0.06, 0.08] * 10, 0.01, "about 24"),
    ],
)
def test_advice(ratios: list[float], floor: float | None, expected: str) -> None:
    pairs = pairs_from_ratios(ratios)
    weighed = weigh(pairs, floor if floor is not None else 1.0, Rules())
    assert weighed is not None
    assert expected in advice(pairs, weighed, floor, Rules(), Family(1, weighed.p))


@pytest.mark.case("commands.G4")
def test_many_commands_alike_are_corrected(settings: Settings) -> None:
    names = [f"c{place}" for place in range(10)]
    options = Options(commands=tuple(((name,), name) for name in names), seed=1, max_pairs=20)
    alike = {name: noisy(25e6, seed=place) for place, name in enumerate(names)}
    document = compare(settings, alike, options).document
    assert len(document.comparisons) == 45
    assert all(one.pairs >= 11 for one in document.comparisons)  # so many could be claimed, were they unanimous
    assert {one.verdict for one in document.comparisons} == {"not resolved"}
    assert sum(one.p <= 0.05 for one in document.comparisons) > 0  # by chance, as 2 of 45 are
    told = [one.advice for one in document.comparisons if one.resolved == {} and "not among 45" in one.advice]
    assert all("Holm" in one for one in told)


@pytest.mark.case("commands.G4")
def test_one_that_is_faster_stands_out_of_many(settings: Settings) -> None:
    names = [f"c{place}" for place in range(6)]
    options = Options(commands=tuple(((name,), name) for name in names), seed=1, max_pairs=30)
    commands = {name: noisy(25e6, seed=place) for place, name in enumerate(names)} | {"c5": noisy(20e6)}
    document = compare(settings, commands, options).document
    assert {one.subject for one in document.comparisons if one.verdict == "faster"} == {"c5"}


def two_speeds(fast: float, seed: int, width: float = 0.003) -> Recording:
    rng = np.random.default_rng(seed)
    runs = np.where(rng.random(300) < fast, 25e6, 50e6) * rng.normal(1, width, 300)
    return Recording(runs.tolist())


@pytest.mark.case("commands.G3", "commands.G3.steps")
@pytest.mark.parametrize("width", [0.003, 0.0])
def test_a_change_of_shares_is_seen_or_told(width: float, settings: Settings) -> None:
    recordings = {"old 1": two_speeds(0.5, 1, width), "new 1": two_speeds(0.05, 2, width)}
    options = replace(TWO, max_pairs=60)
    document = compare(settings, recordings, options).document
    (only,) = document.comparisons
    assert (only.verdict, only.pairs) == ("slower", 60)
    assert "mean" in only.resolved
    assert only.mean == pytest.approx(1.5 / 1.95, rel=0.1)
    assert ", mean 0.7" in sentence(only, "lower")
    alike = compare(settings, {"old 1": two_speeds(0.5, 1, width), "new 1": two_speeds(0.5, 3, width)}, options)
    (only,) = alike.document.comparisons
    assert (only.verdict, only.pairs) == ("not resolved", 60)
    assert "pairs would show a difference of 2%" in only.advice
    speeds = "several speeds" if find_spec("diptest") else "the runs scatter"
    assert (speeds if width else "coarse steps") in only.advice
    assert only.mean_lo is not None
    assert only.mean_lo < 0.95
