"""The page of a diagnosis: findings, cures, efficiencies, where time went, the threads, and the messages of ranks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rooftop.compare import page as comparison
from rooftop.diagnose.call_table import call_table
from rooftop.diagnose.document import Cause, DiagnoseDocument
from rooftop.diagnose.observed_parts import efficiency_table, flame_graphs, lanes, messages
from rooftop.diagnose.region_table import region_table
from rooftop.diagnose.roofline_part import roofline_parts
from rooftop.diagnose.text import failed_text, gain_text, left_out, nothing_text, prediction_text, summary
from rooftop.diagnose.untried import untried, why
from rooftop.documents import Finding
from rooftop.report.figure_page import Cell, Findings, Lines, Part, Table, write_figure_page
from rooftop.text.plural import plural
from rooftop.text.quantities import percent, seconds

_MOST_THREADS = 64  # in the table
_FEW_LEVELS = 16  # which are all shown
_LEAST_SHARE = 0.01  # of the time, from which on one of many levels is shown


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


def _untried(document: DiagnoseDocument) -> Findings:
    found = [
        Finding(
            name=one.name,
            evidence=f"{one.evidence}; at most {seconds(one.stake_s)} at stake",
            remedy=f"{one.remedy} ({why(one)})",
        )
        for one in untried(document)
    ]
    return Findings("Not tried", found)


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
    elapsed_s, levels = max(document.facts.elapsed_s, 1e-9), document.facts.levels
    shown = {
        count: value
        for count, value in enumerate(levels)
        if len(levels) <= _FEW_LEVELS or value >= _LEAST_SHARE * elapsed_s
    }
    rows = [
        [Cell(str(count), float(count)), Cell(seconds(value), value), Cell(percent(value / elapsed_s))]
        for count, value in shown.items()
    ]
    rest_s = sum(levels) - sum(shown.values())
    note = f"Others take {seconds(rest_s)} together." if len(shown) < len(levels) else ""
    return Table("Busy threads at once", ["threads", "time", "share"], rows, frozenset({0, 1}), note)


def _hot(document: DiagnoseDocument) -> list[Part]:
    rows = [
        [Cell(percent(one.share), one.share), Cell(one.function), Cell(one.file)] for one in document.facts.hot or []
    ]
    return [Table("Functions by their own time", ["share", "function", "file"], rows, frozenset({0}))] if rows else []


def _threads(document: DiagnoseDocument) -> Table:
    threads = document.facts.threads
    busiest = sorted(range(len(threads)), key=lambda place: -(threads[place].run_s + threads[place].wait_s))
    shown = [threads[place] for place in sorted(busiest[:_MOST_THREADS])]
    rows = [
        [
            Cell(one.name),
            Cell(seconds(one.run_s), one.run_s),
            Cell(seconds(one.wait_s), one.wait_s),
            Cell(", ".join(f"{kind} {seconds(value)}" for kind, value in one.sleeps.items()) or "–"),
            Cell(f"{one.switches:,}", float(one.switches)),
            Cell(f"{one.faults:,}", float(one.faults)),
        ]
        for one in shown
    ]
    columns = ["thread", "running", "waiting for a core", "asleep in", "switches", "page faults"]
    left = len(threads) - len(shown)
    note = f"{plural(left, 'thread')} that ran less: in the JSON document." if left else ""
    return Table("Threads", columns, rows, frozenset({1, 2, 4, 5}), note)


def parts(document: DiagnoseDocument) -> Sequence[Part]:
    """Return what the page consists of."""
    missing = [f"# not looked at\n{reason}" for reason in document.facts.missing]
    cost = comparison.parts(document.cost) if document.cost is not None else ()
    return [
        _findings(document),
        _untried(document),
        *_explained(document),
        *cost,
        *_left_out(document),
        *efficiency_table(document),
        _levels(document),
        *lanes(document),
        *region_table(document),
        *_hot(document),
        *call_table(document),
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
