"""A command from its looks to its cures, on recorded looks and replayed times."""

from __future__ import annotations

import pytest
from recorded_diagnosis import ALONE, CROWD, FAST, SLOW, Recorded, look, options
from still_place import Watching

from rooftop.command.process import Finished
from rooftop.diagnose import cures
from rooftop.diagnose.document import DiagnoseDocument
from rooftop.diagnose.findings import AS_GIVEN, OWN
from rooftop.diagnose.run import affordable
from rooftop.diagnose.suspicion import Suspicion
from rooftop.errors import Misuse
from rooftop.settings import Settings


@pytest.mark.parametrize(
    ("budget_s", "run_s", "cures"), [(60, 0.5, 6), (20, 0.8, 1), (60, 2, 1), (60, 1, 4), (1, 60, 0)]
)
def test_as_many_cures_as_there_is_time_for(budget_s: float, run_s: float, cures: int) -> None:
    assert affordable(budget_s, run_s, 6) == cures


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
    assert (document.tried, document.not_tried, document.lines) == ([], [], {})
    assert [one.tried for one in document.suspected] == [[]]


@pytest.mark.parametrize(
    ("without", "has", "told"),
    [
        (("all",), True, "left out by --without all"),
        (("buffer", "sleep"), True, "left out by --without buffer sleep"),
        (("bind",), False, "nothing was suspected that can be cured from outside"),
        (("all",), False, "nothing was suspected that can be cured from outside"),
    ],
)
def test_without_is_blamed_only_for_cures_that_there_are(
    without: tuple[str, ...], has: bool, told: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = cures.SLEEP if has else cures.INTERLEAVE  # which a machine of one node does not have
    found = Suspicion("a cause", 1.0, "seen", "mend", (wanted,))
    monkeypatch.setattr("rooftop.diagnose.run.suspicions", lambda _: [found])
    document = look(settings, Recorded(CROWD), {}, options(without=without)).document
    assert document.no_cures == told


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tries": ("OMP_SCHEDULE",)}, "--try is 'OMP_SCHEDULE', expected variables"),
        ({"without": ("slep",)}, "--without is 'slep', which is no cure; the nearest of 18: sleep, schedule"),
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
