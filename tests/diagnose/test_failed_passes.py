"""Passes that fail under observation are no evidence, and runs with an accepted exit code are observed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest
from recorded_diagnosis import CROWD
from recorded_looks import acted, flat
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.command.check import Check
from rooftop.command.line import CommandLine, from_words
from rooftop.command.process import Finished, Limits
from rooftop.diagnose import passes
from rooftop.diagnose.observed import Observed
from rooftop.diagnose.passes import Here
from rooftop.diagnose.region_facts import OpenMpFacts, OpenMpRegion
from rooftop.driver.replay import ReplayExecutor
from rooftop.observe import call_counts, openmp, python_stacks
from rooftop.observe.call_counts import CallCounts
from rooftop.observe.operations import NoCounters
from rooftop.observe.profile import HotFunction, NoProfile, Profile
from rooftop.observe.python_stacks import NoPythonStacks
from rooftop.observe.sampler import Sampler
from rooftop.settings import Settings

LIMITS = Limits(timeout_s=60)
GOOD = Finished(elapsed_ns=10**9, user_s=2.0, system_s=0.0, max_rss_bytes=1, status=0)
FAILED, LATE = replace(GOOD, status=3), replace(GOOD, status=-15, timed_out=True)
CALLS = "calls of the allocator and of input and output"


class Site(Here):
    """A machine on which nothing runs. `ends`: of the runs, one after the other; the last one is that of all others."""

    def __init__(self, settings: Settings, ends: Sequence[Finished], check: Check | None = None) -> None:
        super().__init__(Bench(settings, Place(), Watching(), ReplayExecutor({})), None, "null", check)
        self.ends = ends
        self.runs: list[Mapping[str, str]] = []

    def _run(
        self, words: Sequence[str], limits: Limits, more: Mapping[str, str], sampler: Sampler | None = None
    ) -> Finished:
        self.runs.append(more)
        return self.ends[min(len(self.runs), len(self.ends)) - 1]

    def observe(self, command: CommandLine | None = None, limits: Limits = LIMITS) -> Observed:
        return super().observe(command or from_words(["./app"]), limits)


@pytest.fixture(autouse=True)
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Observe four OpenMP threads; count calls; there are neither perf nor regions."""

    def no_profile(*_: object) -> None:
        raise NoProfile("there is no perf")

    def no_counters(*_: object) -> None:
        raise NoCounters("no counters")

    monkeypatch.setattr(passes, "profile", no_profile)
    monkeypatch.setattr(passes, "counted", no_counters)
    monkeypatch.setattr(Sampler, "ended", lambda _: acted(CROWD, 100))
    monkeypatch.setattr(passes, "places", lambda *_: flat(2))
    monkeypatch.setattr(openmp, "missing", lambda _: "it is not built")
    monkeypatch.setattr(call_counts, "missing", lambda _: None)
    monkeypatch.setattr(call_counts, "why_silent", lambda *_: None)
    monkeypatch.setattr(call_counts, "read_counts", lambda _: CallCounts())


def names(observed: Observed) -> list[str]:
    return [one.name for one in observed.passes]


def test_passes_that_succeed_are_evidence(settings: Settings) -> None:
    observed = Site(settings, [GOOD]).observe()
    assert names(observed) == ["threads", "one thread", "threads that wait asleep", "calls"]
    assert (observed.alone_s, observed.calls is not None) == (2.0, True)
    assert observed.asleep_switches_per_s is not None


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (FAILED, "the observed run exited with code 3"),
        (LATE, "the observed run took longer than 60 s: raise --timeout"),
    ],
)
def test_passes_that_fail_are_none(settings: Settings, end: Finished, told: str) -> None:
    observed = Site(settings, [GOOD, end]).observe()
    assert names(observed) == ["threads"]
    assert (observed.alone_s, observed.asleep_switches_per_s, observed.calls) == (None, None, None)
    assert f"one thread alone: {told}" in observed.missing
    assert f"{CALLS}: {told}" in observed.missing


def test_a_run_that_waits_asleep_may_fail_alone(settings: Settings) -> None:
    observed = Site(settings, [GOOD, GOOD, LATE, GOOD]).observe()
    assert names(observed) == ["threads", "one thread", "calls"]
    assert "threads that wait asleep: the observed run took longer than 60 s: raise --timeout" in observed.missing


def test_a_profile_of_a_run_that_failed_is_none(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    hot = [HotFunction(share=0.9, file="app", function="work")]
    monkeypatch.setattr(passes, "profile", lambda words, run, _: Profile(run(words), hot))
    assert Site(settings, [GOOD]).observe().hot == hot
    for end in (FAILED, LATE):
        observed = Site(settings, [GOOD, end, GOOD]).observe()
        assert observed.hot is None
        assert "functions" not in names(observed)
        assert any(one.startswith("functions by their time: the observed run") for one in observed.missing)


def test_an_observer_that_fails_tells_itself_why(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(words: Sequence[str], run: Callable[[Sequence[str]], Finished], *_: object) -> None:
        run(words)
        raise NoProfile("perf record failed: no permission")

    monkeypatch.setattr(passes, "profile", refused)
    assert Site(settings, [GOOD, FAILED]).observe().missing[0].endswith("perf record failed: no permission")
    assert Site(settings, [GOOD, LATE]).observe().missing[0].endswith("raise --timeout")


def test_stacks_of_a_python_program_that_failed_are_none(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_stacks, "interpreted", lambda _: True)
    monkeypatch.setattr(python_stacks, "python_stacks", lambda words, run: ({("f",): 1}, run(words)))
    assert Site(settings, [GOOD]).observe().python_stacks is not None
    observed = Site(settings, [GOOD, FAILED]).observe()
    assert observed.python_stacks is None
    assert "functions of Python: the observed run exited with code 3" in observed.missing

    def refused(words: Sequence[str], run: object) -> None:
        raise NoPythonStacks("py-spy is not installed")

    monkeypatch.setattr(python_stacks, "python_stacks", refused)
    assert "functions of Python: py-spy is not installed" in Site(settings, [GOOD]).observe().missing


@pytest.mark.parametrize("check", [Check(any_status=True), Check(codes=(3,))])
def test_a_run_with_an_accepted_exit_code_is_observed(settings: Settings, check: Check) -> None:
    observed = Site(settings, [FAILED], check).observe()
    assert names(observed) == ["threads", "one thread", "threads that wait asleep", "calls"]
    assert names(Site(settings, [FAILED]).observe()) == ["threads"]
    assert names(Site(settings, [LATE], check).observe()) == ["threads"]


@pytest.mark.parametrize("tasks", [False, True])
def test_regions_that_tell_spare_two_runs(tasks: bool, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    region = OpenMpRegion(site="f", calls=1, threads=2.0, seconds=1.0, most_s=1.0, mean_s=1.0, tasks=tasks)

    def told(_: Here, command: CommandLine, limits: Limits, observed: Observed) -> None:
        observed.openmp = OpenMpFacts.of(1.0, [region])

    monkeypatch.setattr(Here, "_time_regions", told)
    site = Site(settings, [GOOD])
    more = ["one thread", "threads that wait asleep"] if tasks else []
    assert names(site.observe()) == ["threads", *more, "calls"]
    assert len(site.runs) == 2 + len(more)
