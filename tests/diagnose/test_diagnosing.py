"""A command from its looks to its cures, on recorded looks and replayed times."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from recorded_looks import Acting, acted, flat
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.command.line import CommandLine, from_words
from rooftop.command.measurement import Measurement
from rooftop.command.process import Finished, Limits
from rooftop.diagnose.document import DiagnoseDocument, Pass
from rooftop.diagnose.findings import AS_GIVEN, OWN
from rooftop.diagnose.options import Options
from rooftop.diagnose.passes import Observed
from rooftop.diagnose.run import Diagnosed, Diagnosing, affordable
from rooftop.driver.replay import Recording as Times
from rooftop.driver.replay import ReplayExecutor
from rooftop.errors import Misuse
from rooftop.observe.threads import Ground, scene
from rooftop.settings import Settings

DONE = Finished(elapsed_ns=2 * 10**9, user_s=4.0, system_s=0.0, max_rss_bytes=1, status=0)
APP = from_words(["./app"])
CROWD = [Acting([0, 1], [0, 1], runs=0.5, waits=0.5, openmp=True, pid=100) for _ in range(4)]
ALONE = [Acting([0], [0])]
SLOW, FAST = [3e7, 3.1e7, 2.9e7], [1e7, 1.1e7, 0.9e7]


@dataclass
class Recorded:
    """A command that was recorded."""

    acting: list[Acting]
    finished: Finished | None = DONE
    asked: list[str] = field(default_factory=list)

    def observe(self, command: CommandLine, limits: Limits) -> Observed:
        self.asked.append(command.text)
        recording = acted(self.acting, 100)
        return Observed(
            recording, Ground(scene(recording), flat(2)), self.finished, [Pass(name="threads", elapsed_s=2.0)]
        )


def look(
    settings: Settings,
    site: Recorded,
    times: dict[str, list[float]],
    options: Options,
    watching: Watching | None = None,
) -> Diagnosed:
    executor = ReplayExecutor({name: Times(each) for name, each in times.items()})
    return Diagnosing(Bench(settings, Place(), watching or Watching(), executor), site).look(APP, options)


@pytest.mark.parametrize(
    ("budget_s", "run_s", "cures"), [(60, 0.5, 6), (20, 0.8, 1), (60, 2, 1), (60, 1, 4), (1, 60, 0)]
)
def test_as_many_cures_as_there_is_time_for(budget_s: float, run_s: float, cures: int) -> None:
    assert affordable(budget_s, run_s, 6) == cures


def options(**more: tuple[str, ...]) -> Options:
    return Options(how=Measurement(seed=3, max_pairs=20, budget_s=600), **more)


def test_suspected_tried_and_proven(settings: Settings) -> None:
    cures = {"fewer-threads": FAST, "one-blas-thread": SLOW, "sleep": SLOW, "bind": SLOW}
    document = look(settings, Recorded(CROWD), {AS_GIVEN: SLOW, **cures}, options()).document
    assert [one.name for one in document.suspected] == ["oversubscription"]
    (found,) = document.findings
    assert found.cure is not None
    assert (found.name, found.cure.name, found.cure.line) == ("oversubscription", "fewer-threads", "OMP_NUM_THREADS=2")
    assert found.cure.gain_s == pytest.approx(0.02, rel=0.1)
    assert {one.name for one in document.tried} == set(document.lines)
    assert DiagnoseDocument.model_validate_json(document.model_dump_json(by_alias=True)) == document


def test_a_suspicion_that_no_cure_confirms_is_dropped(settings: Settings) -> None:
    times = dict.fromkeys([AS_GIVEN, "fewer-threads", "one-blas-thread", "sleep"], SLOW)
    document = look(settings, Recorded(CROWD), times, options()).document
    assert document.findings == []
    assert all(one.verdict != "faster" for one in document.tried)


def test_a_healthy_command_has_no_cures(settings: Settings) -> None:
    document = look(settings, Recorded(ALONE), {}, options()).document
    assert (document.findings, document.cost) == ([], None)
    assert document.no_cures == "nothing was suspected that can be cured from outside"


def test_cures_of_the_users_own(settings: Settings) -> None:
    given = options(tries=("A=1 B=2",), commands=("./other",))
    document = look(settings, Recorded(ALONE), {AS_GIVEN: SLOW, "A=1 B=2": FAST, "./other": SLOW}, given).document
    assert [(one.name, one.cure.line if one.cure else None) for one in document.findings] == [(OWN, "A=1 B=2")]


def test_nothing_is_tried_after_a_failure(settings: Settings) -> None:
    failed = Finished(elapsed_ns=2 * 10**9, user_s=4.0, system_s=0.0, max_rss_bytes=1, status=3)
    document = look(settings, Recorded(CROWD, failed), {}, options()).document
    assert document.failure == "exited with code 3"
    assert document.no_cures == "the command failed"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tries": ("OMP_SCHEDULE",)}, "--try is 'OMP_SCHEDULE', expected variables"),
        ({"without": ("slep",)}, "--without is 'slep', which is no cure; the nearest of 16: sleep, schedule"),
    ],
)
def test_misuse_is_told_before_anything_runs(
    settings: Settings, given: dict[str, tuple[str, ...]], message: str
) -> None:
    site = Recorded(CROWD)
    with pytest.raises(Misuse) as refused:
        look(settings, site, {}, options(**given))
    assert message in str(refused.value)
    assert not site.asked


def test_an_interrupt_keeps_what_is_known(settings: Settings) -> None:
    cures = {"fewer-threads": FAST, "one-blas-thread": SLOW, "sleep": SLOW}
    ended = look(settings, Recorded(CROWD), {AS_GIVEN: SLOW, **cures}, options(), Watching(interrupt_after=20))
    assert ended.interrupted
    assert [one.name for one in ended.document.suspected] == ["oversubscription"]
