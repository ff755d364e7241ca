"""What is printed of a finding, and what its page has."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Any

import pytest
from rich.console import Console
from still_comparison import compared

from rooftop.diagnose.document import INTERRUPTED, Cause, DiagnoseDocument
from rooftop.diagnose.facts import Facts
from rooftop.diagnose.findings import AS_GIVEN, complete
from rooftop.diagnose.page import parts
from rooftop.diagnose.text import lines, prediction_text, print_diagnosis, shown_text
from rooftop.report.figure_page import Findings, Lines, Part, Table

FACTS = Facts(elapsed_s=10, cpus=2, levels=[0, 1, 9], user_s=19, system_s=0, faults=0, threads=[])


def diagnosed(lab: str | None = None, rung: str | None = None, suggested: str | None = None) -> DiagnoseDocument:
    cause = Cause(
        finding="page faults",
        evidence="seen",
        remedy="mend",
        stake_s=5.0,
        tried=["a"],
        lab=lab,
        rung=rung,
        suggested=suggested,
    )
    document = DiagnoseDocument(
        schema="rooftop/diagnose/1",
        rooftop="0",
        started="2026-01-01T00:00:00Z",
        command=["./app"],
        status=0,
        facts=FACTS,
        suspected=[cause],
        lines={"a": "A=1"},
    )
    return complete(document, [True], compared({AS_GIVEN: 10.0, "a": 6.0}))


def test_a_finding_has_its_lab_and_its_prediction() -> None:
    (cause,) = diagnosed(lab="page_faults", rung="hdf5_io/80-huge-pages", suggested="--try-command x").findings
    assert lines(cause)[-3:] == [
        "  if the work is the same, try: --try-command x",
        "  predicted: 2× with a: the cure removes only a part, 80% of what is at stake",
        "  shown by: rooftop lab page_faults; hdf5_io/80-huge-pages got rid of it",
    ]


def test_the_document_has_the_prediction_of_each_suspicion() -> None:
    document = diagnosed()
    assert [one.predicted and one.predicted.holds for one in document.suspected] == [False]
    assert '"predicted":{"cure":"a","ratio":2.0,"holds":false' in document.model_dump_json(by_alias=True)
    assert DiagnoseDocument.model_validate_json(document.model_dump_json(by_alias=True)) == document


@pytest.mark.parametrize(("lab", "rung", "told"), [(None, None, None), ("waiting", None, "rooftop lab waiting")])
def test_what_is_not_known_is_left_out(lab: str | None, rung: str | None, told: str | None) -> None:
    (cause,) = diagnosed(lab=lab, rung=rung).findings
    assert shown_text(cause) == told
    assert prediction_text(cause.model_copy(update={"predicted": None})) is None


def findings_part(page: Sequence[Part]) -> Findings:
    return next(one for one in page if isinstance(one, Findings) and one.title == "Findings")


def not_tried(page: Sequence[Part]) -> list[str]:
    return [line for one in page if isinstance(one, Lines) and one.title.startswith("Cures that") for line in one.says]


def printed(document: DiagnoseDocument) -> str:
    console = Console(width=200, record=True, file=StringIO())
    print_diagnosis(document, console)
    return console.export_text()


NOTHING = "othing was found that holds the command back"


@pytest.mark.parametrize(
    ("more", "told", "left_out"),
    [
        ({}, "Nothing was found that holds the command back.", []),
        (
            {"failure": "exited with code 3", "no_cures": "the command failed"},
            "The command failed: it exited with code 3.",
            ["No cure was tried: the command failed."],
        ),
        (
            {"failure": "exited with code 3", "no_cures": "the smaller run failed", "reduced": ["./app", "1"]},
            "The smaller run failed: it exited with code 3.",
            ["No cure was tried: the smaller run failed."],
        ),
        (
            {"no_cures": INTERRUPTED},
            "Observing was interrupted.",
            ["No cure was tried: observing was interrupted."],
        ),
        (
            {"not_tried": ["bind", "sleep"]},
            "Nothing was found that holds the command back.",
            ["Not tried, for lack of time: bind, sleep; give a larger --budget."],
        ),
    ],
)
def test_page_and_text_tell_how_a_diagnosis_ended(more: dict[str, Any], told: str, left_out: list[str]) -> None:
    document = diagnosed().model_copy(update={"findings": [], **more})
    page, text = parts(document), printed(document)
    assert (findings_part(page).none, not_tried(page)) == (told, left_out)
    assert (NOTHING in text) is (NOTHING in told)
    assert all(line[1:].removesuffix(".") in text for line in left_out)
    assert ("failed: it exited with code 3" in text) is ("failure" in more)


def test_the_page_tells_a_failure_beside_findings_and_what_to_try() -> None:
    document = diagnosed(suggested="--try-command x").model_copy(update={"failure": "exited with code 3"})
    found = findings_part(parts(document))
    assert found.says == "The command failed: it exited with code 3."
    assert found.findings[0].remedy.endswith("; if the work is the same, try: --try-command x")


def test_the_page_has_predictions_and_labs() -> None:
    page = parts(diagnosed(lab="page_faults", rung="hdf5_io/80-huge-pages"))
    (table,) = [one for one in page if isinstance(one, Table) and one.title == "Predictions and labs"]
    assert [cell.text for cell in table.rows[0]] == [
        "page faults",
        "5.00\u202fs",
        "2× with a: the cure removes only a part, 80% of what is at stake",
        "page_faults",
        "hdf5_io/80-huge-pages",
    ]
