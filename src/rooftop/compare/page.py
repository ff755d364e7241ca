"""The page of a comparison: the verdicts, every command, and every benchmark where programs have several."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from rooftop.compare.document import CommandResult, CompareDocument
from rooftop.compare.text import sentence
from rooftop.measure.comparison_text import where
from rooftop.report.figure_page import Cell, Findings, Lines, Part, Picture, Table
from rooftop.report.figures.style import Figure, axis, finished, label, plain
from rooftop.report.palette import light
from rooftop.text.quantities import interval, number, ratio

_CAPTION = "A dot is a run. Each command's runs go from its first, at the top of its row, to its last."
_HALF = 0.35  # of a row, from its first run to its middle one
_ROW, _MARGINS = 56, 90  # pixels


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
    says = [sentence(one, document.better) for one in document.comparisons] or ["No two commands could be compared."]
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


def heading(document: CompareDocument) -> str:
    """Return the title of the page."""
    return "Comparison of " + " and ".join(one.name for one in document.commands)


def runs(document: CompareDocument) -> Figure | None:
    """Return the runs as dots, a row for each command, from its first run at the top to its last; None without any."""
    shown = [one for one in document.commands if one.samples]
    if not shown:
        return None
    traces = []
    for row, command in enumerate(shown):
        values = [one.value for one in command.samples]
        last = max(1, len(values) - 1)
        traces.append(
            go.Scatter(
                x=values,
                y=[row - _HALF + 2 * _HALF * place / last for place in range(len(values))],
                mode="markers",
                marker={"size": 5, "opacity": 0.6, "color": light("rung")},
                hovertext=[f"{plain(command.name)}<br>run {place + 1}" for place in range(len(values))],
                hovertemplate="%{hovertext}: %{x:.5g}<extra></extra>",
            )
        )
    rows = {"tickvals": list(range(len(shown))), "ticktext": [label(one.name) for one in shown]}
    return finished(
        traces,
        {
            "xaxis": axis(f"{document.metric}, {document.unit or 'as printed'}"),
            "yaxis": axis("", autorange="reversed", automargin=True, **rows),
            "height": _MARGINS + _ROW * len(shown),
        },
    )
