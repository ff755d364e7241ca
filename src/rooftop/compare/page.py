"""The page of a comparison: the verdicts, every command, and every benchmark where programs have several."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rooftop.compare.document import CommandResult, CompareDocument
from rooftop.compare.figures import runs
from rooftop.compare.text import sentence
from rooftop.measure.comparison_text import where
from rooftop.report.figure_page import Cell, Findings, Lines, Part, Picture, Table, write_figure_page
from rooftop.text.quantities import interval, number, ratio

_CAPTION = "A dot is a run. Each command's runs go from its first, at the top of its row, to its last."


def command_cells(one: CommandResult) -> list[Cell]:
    """Return a command's cells: its name, median, interval, samples and outcome."""
    return [
        Cell(one.name),
        Cell(number(one.median), one.median),
        Cell(interval(one.lo, one.hi) if one.lo is not None and one.hi is not None else "–"),
        Cell(str(len(one.samples)), float(len(one.samples))),
        Cell(one.outcome if one.reason is None else f"{one.outcome}: {one.reason}"),
    ]


def command_columns(unit: str) -> list[str]:
    """Return the titles of what `command_cells` returns."""
    return ["command", f"median, {unit or 'as printed'}", "95 % interval", "samples", "outcome"]


def _benchmarks(document: CompareDocument) -> Table | None:
    rows = [
        [
            Cell(benchmark.name),
            Cell(one.subject),
            Cell(one.against),
            Cell(f"{ratio(one.ratio)} ({interval(one.lo, one.hi)})", one.ratio),
            Cell(f"{one.verdict}{where(one)}" if one.claimed else "not resolved"),
        ]
        for benchmark in document.benchmarks or ()
        for one in benchmark.comparisons
    ]
    rows += [
        [Cell(benchmark.name), Cell(time.command), Cell("–"), Cell("–"), Cell(f"failed: {time.reason}")]
        for benchmark in document.benchmarks or ()
        for time in benchmark.times
        if time.outcome != "ok"
    ]
    columns = ["benchmark", "program", "against", "ratio", "verdict"]
    note = "Verdicts are corrected for the number of benchmarks (Holm)."
    return Table("Benchmarks", columns, rows, frozenset({3}), note) if rows else None


def parts(document: CompareDocument) -> Sequence[Part]:
    """Return the parts of the page."""
    says = [sentence(one, document.better) for one in document.comparisons] or ["There is nothing to compare."]
    rows = [command_cells(one) for one in document.commands]
    commands = Table("Commands", command_columns(document.unit), rows, frozenset({1, 3}))
    benchmarks = _benchmarks(document)
    drawn = runs(document)
    says_runs = "Every run of every command; the table below has their medians."
    return [
        Lines("Verdicts", says, [document.reproduce] if document.reproduce is not None else []),
        *([Picture("Runs", drawn, says_runs, _CAPTION)] if drawn is not None else []),
        commands,
        *([benchmarks] if benchmarks is not None else []),
        Findings("Doubts", document.doubts),
    ]


def write(document: CompareDocument, path: Path) -> None:
    """Write the page. Raises OSError."""
    heading = "Comparison of " + " and ".join(one.name for one in document.commands)
    aside = f"Campaign {document.campaign}, begun {document.started}, on {document.machine.processor}"
    write_figure_page(path, heading, aside, parts(document), document.rooftop)
