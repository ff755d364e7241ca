"""Suspicions against which nothing was tried, and how they are told."""

from __future__ import annotations

from io import StringIO

import pytest
from recorded_diagnosis import CROWD, Recorded, look, options
from rich.console import Console
from still_comparison import compared

from rooftop.diagnose import cures
from rooftop.diagnose.document import Cause, DiagnoseDocument, TriedCure
from rooftop.diagnose.facts import Facts
from rooftop.diagnose.findings import AS_GIVEN, complete
from rooftop.diagnose.page import parts
from rooftop.diagnose.suspicion import Suspicion
from rooftop.diagnose.text import print_diagnosis
from rooftop.diagnose.untried import line, untried, why
from rooftop.report.figure_page import Findings
from rooftop.settings import Settings

FACTS = Facts(elapsed_s=10, cpus=2, levels=[0, 1, 9], user_s=19, system_s=0, faults=0, threads=[])
TIMES = {"helps": 6.0, "does not": 10.0}


def cause(name: str, stake_s: float, tried: tuple[str, ...] = (), left_out: tuple[str, ...] = ()) -> Cause:
    return Cause(
        finding=name, evidence="seen", remedy="mend", stake_s=stake_s, tried=list(tried), left_out=list(left_out)
    )


def diagnosed(*suspected: Cause, stands: bool = False) -> DiagnoseDocument:
    document = DiagnoseDocument(
        rooftop="0",
        started="2026-01-01T00:00:00Z",
        command=["./app"],
        status=0,
        facts=FACTS,
        suspected=list(suspected),
        lines={"helps": "A=1", "does not": "B=1"},
    )
    times = {name: time_s for name, time_s in TIMES.items() if any(name in one.tried for one in suspected)}
    cost = compared({AS_GIVEN: 10.0, **times}, pairs=20) if times else None
    return complete(document, [stands] * len(suspected), cost)


def printed(document: DiagnoseDocument) -> list[str]:
    console = Console(width=200, record=True, file=StringIO())
    print_diagnosis(document, console)
    return console.export_text().splitlines()


def test_neither_findings_nor_what_a_cure_disproved() -> None:
    document = diagnosed(
        cause("none from outside", 1.0),
        cause("proven", 4.0, ("helps",)),
        cause("disproven", 3.0, ("does not",), ("b",)),
        cause("left out", 2.0, (), ("b", "c")),
    )
    assert [one.name for one in document.findings] == ["proven"]
    assert [line(one) for one in untried(document)] == [
        "left out: at most 2.00\u202fs at stake, left out: b, c; seen: seen",
        "none from outside: at most 1.00\u202fs at stake, no cure from outside; seen: seen",
    ]


def test_a_finding_is_told_once() -> None:
    document = diagnosed(cause("stands", 2.0), stands=True)
    assert [one.name for one in document.findings] == ["stands"]
    assert untried(document) == []


def test_a_cure_that_was_skipped_was_not_tried() -> None:
    document = diagnosed(cause("perhaps", 1.0, ("late",), ("b",)))
    document.tried.append(TriedCure(name="late", line="C=1", outcome="skipped", reason="no time"))
    assert [why(one) for one in untried(document)] == ["left out: late, b"]


@pytest.mark.parametrize("findings", range(6))
def test_five_lines_with_the_findings(findings: int) -> None:
    document = diagnosed(*(cause(str(place), 9.0 - place) for place in range(9)))
    document.findings = document.suspected[:findings]
    assert [one.name for one in untried(document)] == [str(place) for place in range(findings, 5)]


def test_text_and_page_list_them_after_the_findings() -> None:
    document = diagnosed(cause("proven", 4.0, ("helps",)), cause("page faults", 1.0, (), ("keep-memory",)))
    text = printed(document)
    place = text.index("not tried:")
    assert text[place + 1] == "  page faults: at most 1.00\u202fs at stake, left out: keep-memory; seen: seen"
    assert any(one.startswith("1. proven") for one in text[:place])
    titles = [one for one in parts(document) if isinstance(one, Findings)]
    assert [one.title for one in titles][:2] == ["Findings", "Not tried"]
    assert [(one.name, one.remedy) for one in titles[1].findings] == [("page faults", "mend (left out: keep-memory)")]


def test_nothing_proven_is_not_nothing_found() -> None:
    assert "nothing was proven that holds the command back" in printed(diagnosed(cause("perhaps", 1.0)))
    assert "nothing was found that holds the command back" in printed(diagnosed(cause("no", 1.0, ("does not",))))


def test_a_diagnosis_knows_which_cures_it_left_out(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    # Of the two, interleaving is none of a machine with one node.
    found = Suspicion("a cause", 1.0, "seen", "mend", (cures.SLEEP, cures.INTERLEAVE), stands=False)
    monkeypatch.setattr("rooftop.diagnose.run.suspicions", lambda _: [found])
    document = look(settings, Recorded(CROWD), {}, options(without=("all",))).document
    assert [(one.tried, one.left_out) for one in document.suspected] == [([], [cures.SLEEP])]
    assert [one.name for one in untried(document)] == ["a cause"]
    assert DiagnoseDocument.model_validate_json(document.model_dump_json(by_alias=True)) == document
