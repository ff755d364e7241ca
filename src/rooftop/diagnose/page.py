"""The page of a diagnosis: findings, cures, efficiencies, where time went, the threads, and the messages of ranks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rooftop.compare import page as comparison
from rooftop.diagnose.document import Cause, DiagnoseDocument
from rooftop.diagnose.observed_parts import efficiency_table, flame_graphs, lanes, messages
from rooftop.diagnose.roofline_part import roofline_parts
from rooftop.diagnose.text import failed_text, gain_text, left_out, nothing_text, prediction_text, summary
from rooftop.documents import Finding
from rooftop.report.figure_page import Cell, Findings, Lines, Part, Table, write_figure_page
from rooftop.text.quantities import percent, seconds


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _remedy(cause: Cause) -> str:
    told = f"{gain_text(cause.cure)}: {cause.cure.line}" if cause.cure is not None else cause.remedy
    return told if cause.suggested is None else f"{told}; if the work is the same, try: {cause.suggested}"


def _findings(document: DiagnoseDocument) -> Findings:
    found = [Finding(name=one.name, evidence=one.evidence, remedy=_remedy(one)) for one in document.findings]
    failed = failed_text(document)
    none = failed or nothing_text(document) or document.no_cures or ""
    return Findings("Findings", found, says=_sentence(failed) if failed else "", none=_sentence(none))


def _left_out(document: DiagnoseDocument) -> list[Part]:
    told = left_out(document)
    return [Lines("Cures that were not tried", [_sentence(one) for one in told])] if told else []


def _explained(document: DiagnoseDocument) -> list[Part]:
    rows = [
        [
            Cell(one.name),
            Cell(seconds(one.stake_s), one.stake_s),
            Cell(prediction_text(one) or "–"),
            Cell(one.lab or "–"),
            Cell(one.rung or "–"),
        ]
        for one in document.findings
    ]
    columns = ["finding", "at stake, at most", "predicted", "lab that shows it", "rung that got rid of it"]
    return [Table("Predictions and labs", columns, rows, frozenset({1}))] if rows else []


def _levels(document: DiagnoseDocument) -> Table:
    facts = document.facts
    rows = [
        [Cell(str(count), float(count)), Cell(seconds(value), value), Cell(percent(value / max(facts.elapsed_s, 1e-9)))]
        for count, value in enumerate(facts.levels)
    ]
    return Table("Busy threads at once", ["threads", "time", "share"], rows, frozenset({0, 1}))


def _hot(document: DiagnoseDocument) -> list[Part]:
    rows = [
        [Cell(percent(one.share), one.share), Cell(one.function), Cell(one.file)] for one in document.facts.hot or []
    ]
    return [Table("Functions by their own time", ["share", "function", "file"], rows, frozenset({0}))] if rows else []


def _threads(document: DiagnoseDocument) -> Table:
    rows = [
        [
            Cell(one.name),
            Cell(seconds(one.run_s), one.run_s),
            Cell(seconds(one.wait_s), one.wait_s),
            Cell(", ".join(f"{kind} {seconds(value)}" for kind, value in one.sleeps.items()) or "–"),
            Cell(f"{one.switches:,}", float(one.switches)),
            Cell(f"{one.faults:,}", float(one.faults)),
        ]
        for one in document.facts.threads
    ]
    columns = ["thread", "running", "waiting for a core", "asleep in", "switches", "page faults"]
    return Table("Threads", columns, rows, frozenset({1, 2, 4, 5}))


def parts(document: DiagnoseDocument) -> Sequence[Part]:
    """Return what the page consists of."""
    missing = [f"# not looked at\n{reason}" for reason in document.facts.missing]
    cost = comparison.parts(document.cost) if document.cost is not None else ()
    return [
        _findings(document),
        *_explained(document),
        *cost,
        *_left_out(document),
        *efficiency_table(document),
        _levels(document),
        *lanes(document),
        *_hot(document),
        *roofline_parts(document),
        *flame_graphs(document),
        _threads(document),
        *messages(document),
        *([Lines("Not looked at", code=missing)] if missing else []),
        Findings("Doubts", document.doubts),
    ]


def write(document: DiagnoseDocument, path: Path) -> None:
    """Write the page. Raises OSError."""
    heading = f"Diagnosis of {' '.join(document.command)}"
    aside = f"Started {document.started}; {summary(document)}"
    write_figure_page(path, heading, aside, parts(document), document.rooftop)
