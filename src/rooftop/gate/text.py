"""Lines about a gate, shared by the terminal, the Markdown summary and the JUnit report."""

from __future__ import annotations

from rooftop.command.number import figure
from rooftop.gate.document import BenchmarkResult, GateDocument, LookResult
from rooftop.gate.history import HistoryDocument, Point, Series
from rooftop.measure.comparison_text import ratios_text
from rooftop.text.plural import plural
from rooftop.text.sparkline import sparkline

_SHORT = 12


def revisions(document: GateDocument) -> str:
    """Return the revisions compared; empty for plain commands."""
    if document.base is None or document.head is None:
        return ""
    base, head = (f"{one.name} ({one.commit[:_SHORT]})" for one in (document.base, document.head))
    return f"{head} against {base}"


def interval(look: LookResult) -> str:
    """Return the speed of the head beside the base's, by the median, and by the mean where that differs."""
    return ratios_text(look)


def figures(one: BenchmarkResult) -> str:
    """Return a benchmark's figures; empty where there are none."""
    look = one.shown
    if look is None or one.base.median is None or one.head.median is None:
        return ""
    floor = f", A/A floor {look.floor:.2%}" if look.floor is not None else ""
    medians = f"{figure(one.base.median, one.unit)} → {figure(one.head.median, one.unit)}"
    fresh = "new " if one.confirmation is not None else ""
    return f"speed {interval(look)}, {plural(look.pairs, f'{fresh}pair')}{floor}, {medians}"


def headline(document: GateDocument) -> str:
    """Return the overall outcome in one line."""
    counted = (("failed", "failed"), ("wrong", "wrong"), ("regression", "regressed"), ("not resolved", "not resolved"),
               ("faster", "faster"), ("fine", "fine"))  # fmt: skip
    parts = [f"{count} {word}" for outcome, word in counted if (count := document.count(outcome))]  # type: ignore[arg-type]
    interrupted = ", interrupted" if document.interrupted else ""
    return f"{document.outcome}{interrupted}: {', '.join(parts)}"


def _short(name: str) -> str:
    """Return an abbreviated commit; a command unchanged."""
    return name[:_SHORT] if len(name) in (40, 64) and all(letter in "0123456789abcdef" for letter in name) else name


def _gates(points: list[Point]) -> str:
    return plural(len(points), "gate")


def _series_lines(series: Series, fewest: int) -> list[str]:
    points = series.points
    newest = points[-1]
    median = figure(newest.head_median, series.unit)
    lines = [
        f"{series.benchmark}, {series.metric}, on {series.processor} ({series.machine})",
        f"  {sparkline([point.level for point in points])}  {_gates(points)} from {points[0].started} to "
        f"{newest.started}; speed {newest.level:.4g}× that of {_short(points[0].base)}, at last {median}",
    ]
    for change in series.change_points:
        word = "faster" if change.ratio > 1 else "slower"
        lines.append(
            f"  {word} since {change.started}: {change.ratio:.4g}×, between {_short(change.last)} and "
            f"{_short(change.first)}: git log {_short(change.last)}..{_short(change.first)}"
        )
    if not series.analysed:
        lines.append(f"  too short for change points: {_gates(points)}, at least {fewest} are needed")
    elif not series.change_points:
        lines.append("  no change point")
    return lines


def history_lines(document: HistoryDocument) -> list[str]:
    """Return a history as lines of text."""
    return [line for series in document.series for line in _series_lines(series, document.fewest)]
