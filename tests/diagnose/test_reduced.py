"""A smaller run in place of the command: it is what is observed and cured, and everything says so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from recorded_diagnosis import CROWD, DONE, FAST, SLOW, Recorded, look, options

from rooftop.diagnose import cures
from rooftop.diagnose.cures import Start
from rooftop.diagnose.facts import Facts
from rooftop.diagnose.reduced import applied_to
from rooftop.diagnose.suspicion import Suspicion
from rooftop.diagnose.text import summary
from rooftop.errors import Misuse
from rooftop.settings import Settings

CURES = {"as given": SLOW, "fewer-threads": FAST, "one-blas-thread": SLOW, "sleep": SLOW}
SMALLER = replace(options(), reduced="./app --steps 3")


def test_the_smaller_run_is_observed_and_cured(settings: Settings) -> None:
    site = Recorded(CROWD)
    document = look(settings, site, CURES, SMALLER).document
    assert site.asked == ["./app --steps 3"]
    assert (document.command, document.reduced) == (["./app"], ["./app", "--steps", "3"])
    assert document.cost is not None
    assert {tuple(one.command) for one in document.cost.commands} == {("./app", "--steps", "3")}
    assert [one.name for one in document.findings] == ["oversubscription"]
    assert summary(document).startswith("of a smaller run, ./app --steps 3: ")


def test_a_finding_has_the_line_for_the_whole_program(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    small = Suspicion("small reads", 1.0, "seen", "mend", (cures.BUFFER,))
    monkeypatch.setattr("rooftop.diagnose.run.suspicions", lambda _: [small])
    document = look(settings, Recorded(CROWD), {"as given": SLOW, "buffer": FAST}, SMALLER).document
    assert [one.cure and one.cure.line for one in document.findings] == ["stdbuf -i1M -o1M ./app"]
    assert document.cost is not None
    assert document.cost.commands[1].command == ["stdbuf", "-i1M", "-o1M", "./app", "--steps", "3"]


def test_what_is_suggested_starts_the_smaller_run(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooftop.diagnose.run.suggestion", lambda words, *_: f"--try-command {' '.join(words)}")
    document = look(settings, Recorded(CROWD), CURES, SMALLER).document
    assert [one.suggested for one in document.suspected] == ["--try-command ./app --steps 3"]


def test_a_cure_that_the_whole_program_lacks_is_not_tried(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    small = Suspicion("small reads", 1.0, "seen", "mend", (cures.BUFFER,))
    monkeypatch.setattr("rooftop.diagnose.run.suspicions", lambda _: [small])
    monkeypatch.setattr("rooftop.diagnose.run.applied_to", lambda *_: [])
    document = look(settings, Recorded(CROWD), {}, SMALLER).document
    assert (document.tried, document.not_tried, document.suspected[0].tried) == ([], [], [])
    assert document.no_cures == "nothing was suspected that can be cured from outside"


def test_without_it_nothing_speaks_of_one(settings: Settings) -> None:
    document = look(settings, Recorded(CROWD), CURES, options()).document
    assert document.reduced is None
    assert "smaller" not in summary(document)


def test_a_smaller_run_that_fails_is_told(settings: Settings) -> None:
    document = look(settings, Recorded(CROWD, replace(DONE, status=3)), {}, SMALLER).document
    assert document.no_cures == "the smaller run failed"


def test_an_empty_command_is_misuse(settings: Settings) -> None:
    with pytest.raises(Misuse, match="a command is ''"):
        look(settings, Recorded(CROWD), {}, replace(options(), reduced=""))


def test_lines_apply_to_the_whole_program() -> None:
    facts = Facts(elapsed_s=1, cpus=4, levels=[], user_s=1, system_s=0, faults=0, threads=[])
    small = cures.cures([cures.BUFFER, cures.SLEEP], Start(("a", "1"), {}), facts, [])
    found = applied_to(small, Start(("a", "9"), {}), facts)
    assert [one.line for one in found] == ["stdbuf -i1M -o1M a 9", "OMP_WAIT_POLICY=passive"]
    assert [one.words for one in found] == [("stdbuf", "-i1M", "-o1M", "a", "1"), ("a", "1")]
    buffered = applied_to(small, Start(("stdbuf", "a", "9"), {}), facts)
    assert [one.name for one in buffered] == [cures.SLEEP]  # the whole program has the other one already
