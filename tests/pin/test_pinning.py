"""A command from its looks to the comparison with the fix, on recorded looks and replayed times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from recorded_looks import Acting, acted, flat
from rich.console import Console
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.campaign.run import Ended
from rooftop.command.line import CommandLine, from_words
from rooftop.command.process import Finished, Limits
from rooftop.compare.document import CompareDocument
from rooftop.compare.options import Options
from rooftop.compare.run import Comparing
from rooftop.driver.replay import Recording as Times
from rooftop.driver.replay import ReplayExecutor
from rooftop.machine.topology import Places
from rooftop.observe.recording import Recording
from rooftop.pin.document import PinDocument
from rooftop.pin.picture import picture
from rooftop.pin.run import AS_GIVEN, WITH_FIX, Observed, Pinned, Pinning
from rooftop.settings import Settings

HOW = Options(commands=(), seed=3, max_pairs=20)
DONE = Finished(elapsed_ns=2 * 10**9, user_s=1.0, system_s=0.0, max_rss_bytes=1, status=0)
APP = from_words(["./app", "8"])
FIXED = "OMP_PROC_BIND=close OMP_PLACES=cores ./app 8"
STACKED = [Acting([0], [0], runs=0.5, waits=0.5, openmp=True, pid=100) for _ in range(2)]
BOUND = [Acting([cpu], [cpu], openmp=True, pid=100) for cpu in range(2)]


@dataclass
class Recorded:
    """Recorded looks, one after the other."""

    runs: list[tuple[list[Acting], Finished | None]]
    looks: int = 100
    cpus: int = 4
    asked: list[tuple[str, dict[str, str], float]] = field(default_factory=list)

    def observe(self, command: CommandLine, environment: Mapping[str, str], limits: Limits) -> Observed:
        self.asked.append((command.text, dict(environment), limits.timeout_s))
        acting, finished = self.runs[len(self.asked) - 1]
        return Observed(acted(acting, self.looks), finished)

    def places(self, recording: Recording) -> Places:
        return flat(self.cpus)

    def quota(self) -> float | None:
        return None


@pytest.fixture(autouse=True)
def unbound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nothing bound by the tests' own environment."""
    for name in ("OMP_PROC_BIND", "OMP_PLACES", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)


def pinning(settings: Settings, site: Recorded, watching: Watching | None = None) -> Pinning:
    times = {AS_GIVEN: Times([3e7, 3.1e7, 2.9e7]), WITH_FIX: Times([2e7, 2.1e7, 1.9e7])}
    return Pinning(Bench(settings, Place(), watching or Watching(), ReplayExecutor(times)), site)


def look(
    settings: Settings,
    site: Recorded,
    for_s: float | None = None,
    *,
    cost: bool = True,
    watching: Watching | None = None,
) -> Pinned:
    return pinning(settings, site, watching).look(APP, HOW, for_s, cost=cost)


def test_found_mended_and_compared(settings: Settings) -> None:
    site = Recorded([(STACKED, DONE), (BOUND, DONE)])
    ended = look(settings, site)
    document = ended.document
    assert not ended.interrupted
    assert [one.name for one in document.findings] == ["stacked"]
    assert [(one.launcher, one.line) for one in document.fixes] == [("openmp", FIXED)]
    assert document.fix == FIXED
    assert document.left == []
    assert site.asked[1][:2] == (FIXED, {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"})
    assert document.cost is not None
    assert document.cost.verdict == "faster"
    assert document.cost.ratio == pytest.approx(1.5, rel=0.1)
    assert [command.name for command in document.cost.commands] == [AS_GIVEN, WITH_FIX]
    assert PinDocument.model_validate_json(document.model_dump_json(by_alias=True)) == document


def test_the_fix_is_compared_with_its_variables(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without them the command would be compared with itself.
    asked: list[Options] = []
    compare = Comparing.compare

    def remembered(self: Comparing, options: Options, **more: Any) -> Ended[CompareDocument]:
        asked.append(options)
        return compare(self, options, **more)

    monkeypatch.setattr(Comparing, "compare", remembered)
    look(settings, Recorded([(STACKED, DONE), (BOUND, DONE)]))
    given, fixed = asked[0].specs().values()
    assert not given.environment
    assert fixed.environment == {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
    assert list(Options.from_stored(asked[0].stored()).specs().values()) == [given, fixed]


def test_what_the_fix_leaves_is_told(settings: Settings) -> None:
    document = look(settings, Recorded([(STACKED, DONE), (STACKED, DONE)])).document
    assert document.left == ["stacked"]


def test_nothing_found_is_not_compared(settings: Settings) -> None:
    document = look(settings, Recorded([(BOUND, DONE)])).document
    assert document.findings == []
    assert document.no_fix == "no problem was found that binding would fix"
    assert document.no_cost == "there is no fix to compare it with"


def test_no_cost_when_none_is_asked_for(settings: Settings) -> None:
    document = look(settings, Recorded([(STACKED, DONE)]), cost=False).document
    assert (document.fix, document.cost, document.no_cost) == (FIXED, None, "--no-cost was given")


def test_a_command_that_fails_is_told(settings: Settings) -> None:
    failed = Finished(10**9, 1.0, 0.0, 1, status=3, errors=b"no file")
    document = look(settings, Recorded([(STACKED, failed)])).document
    assert document.failure == "exited with code 3; it said: no file"
    assert [one.name for one in document.findings] == ["stacked"]


def test_a_fix_that_breaks_the_command_is_told(settings: Settings) -> None:
    failed = Finished(10**9, 1.0, 0.0, 1, status=1)
    document = look(settings, Recorded([(STACKED, DONE), (BOUND, failed)])).document
    assert document.failure is None
    assert document.no_cost == "with the fix, the command exited with code 1"


def test_looking_for_a_while_only(settings: Settings) -> None:
    cut = Finished(10**9, 1.0, 0.0, 1, status=-15, timed_out=True)
    site = Recorded([(STACKED, cut)])
    document = look(settings, site, for_s=5.0).document
    assert (document.cut, document.failure, site.asked[0][2]) == (True, None, 5.0)
    assert document.findings
    assert document.no_cost is not None
    assert "--for" in document.no_cost


def test_a_command_that_hangs_fails(settings: Settings) -> None:
    hung = Finished(10**9, 1.0, 0.0, 1, status=-15, timed_out=True)
    document = look(settings, Recorded([(STACKED, hung)])).document
    assert document.failure == "took longer than 3.6e+03 s"


def test_too_few_looks_are_not_judged(settings: Settings) -> None:
    document = look(settings, Recorded([(STACKED, DONE)], looks=5)).document
    assert document.fix is None
    assert document.no_fix is not None
    assert document.no_fix.startswith("only 5 samples were taken")


def test_interrupted_while_looking(settings: Settings) -> None:
    ended = look(settings, Recorded([(STACKED, None)]))
    assert ended.interrupted
    assert [one.name for one in ended.document.findings] == ["stacked"]
    assert ended.document.fix == FIXED


def test_interrupted_while_comparing(settings: Settings) -> None:
    ended = look(settings, Recorded([(STACKED, DONE), (BOUND, DONE)]), watching=Watching("block 5"))
    assert ended.interrupted
    assert ended.document.cost is not None
    assert ended.document.cost.pairs == 4
    # Nothing is looked at again: what was seen is kept with the comparison.
    resumed = pinning(settings, Recorded([])).resume(Options(commands=()))
    assert resumed is not None
    assert not resumed.interrupted
    assert resumed.document.cost is not None
    assert resumed.document.cost.verdict == "faster"
    assert resumed.document.model_copy(update={"cost": ended.document.cost}) == ended.document
    assert pinning(settings, Recorded([])).resume(HOW) is None


def shown(document: PinDocument, width: int = 120) -> str:
    console = Console(width=width, record=True, file=None)
    with console.capture() as capture:
        console.print(picture(document))
    return capture.get()


def test_the_picture_of_two_cpus(settings: Settings) -> None:
    text = shown(look(settings, Recorded([(BOUND, DONE)], cpus=2)).document)
    (first, second) = [line for line in text.splitlines() if "app" in line]
    assert first.count("100%") == second.count("100%") == 1
    assert first.index("100%") < second.index("100%")


def test_unused_cpus_are_one_column(settings: Settings) -> None:
    text = shown(look(settings, Recorded([(BOUND, DONE)], cpus=128)).document)
    assert "2-127" in text


def test_many_threads_are_cut_and_those_with_findings_stay(settings: Settings) -> None:
    acting = [Acting([cpu], [cpu]) for cpu in range(128)]
    acting += [Acting([3], [3, 4], runs=0.5, waits=0.5, comm="late")]
    document = look(settings, Recorded([(acting, DONE)], cpus=128), cost=False).document
    text = shown(document)
    assert "89 more busy threads" in text
    assert max(len(line) for line in text.splitlines()) <= 120
    assert "3: 100%" in text
