"""The terminal output of ``rooftop tune``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from rooftop.command.number import figure
from rooftop.compare.text import sentence
from rooftop.terminal.output import say, say_findings
from rooftop.text.visible import visible

if TYPE_CHECKING:
    from rooftop.documents import Comparison
    from rooftop.tune.document import Chosen, TuneDocument

_SHOWN = 10
_REASONS_SHOWN = 5


def _lines(title: str, one: Chosen, console: Console) -> None:
    say(console, f"{title}: {one.line}", style="bold")
    if one.build is not None:
        where = f" in {one.folder}" if one.folder is not None else ""
        say(console, f"  built with: {one.build}{where}")
    for launcher, line in one.lines.items():
        say(console, f"  {launcher}: {line}")


def reason_lines(document: TuneDocument) -> list[str]:
    """Return a line for each reason why configurations were not usable, the most frequent first."""
    from rooftop.parameters.space import label

    named: dict[str, list[str]] = {}
    for one in document.tried:
        if one.reason is not None:
            named.setdefault(f"{one.outcome}: {one.reason}", []).append(label(one.parameters))
    lines = []
    ordered = sorted(named.items(), key=lambda item: -len(item[1]))
    for reason, names in ordered[:_REASONS_SHOWN]:
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        lines.append(f"{names[0]}{more} {reason}")
    if len(ordered) > _REASONS_SHOWN:
        lines.append(f"{len(ordered) - _REASONS_SHOWN} more reasons: see the page or --json")
    return lines + [f"{one.comparison}: {label(one.parameters)} {one.outcome}: {one.reason}" for one in document.later]


def print_tuning(document: TuneDocument, console: Console) -> None:
    """Print the configurations tried, the verdicts, and the command lines."""
    from rooftop.parameters.space import label

    usable = [one for one in document.tried if one.speed is not None]
    usable.sort(key=lambda one: -(one.speed or 0.0))
    beside = "the default" if document.default_failure is None else "the first usable one"
    table = Table(title=f"race results, relative to {beside}", title_justify="left")
    for name in document.default.parameters:
        table.add_column(name)
    for name in ("median", "speed", "samples"):
        table.add_column(name, justify="right")
    for one in usable[:_SHOWN]:
        median = figure(one.median, document.unit) if one.median is not None else "first run only"
        values = [visible(str(value)) for value in one.parameters.values()]
        table.add_row(*values, median, f"{one.speed:.3g}×", str(len(one.samples)))
    console.print(table)
    unusable: dict[str, int] = {}
    for one in document.tried:
        if one.speed is None:
            unusable[one.outcome] = unusable.get(one.outcome, 0) + 1
    told = "".join(f", {count} {outcome}" for outcome, count in sorted(unusable.items()))
    whole = "all" if document.exhausted else f"{len(document.tried)} of {document.configurations}"
    console.print(f"{whole} configurations tried: {len(usable)} usable{told}", highlight=False)
    for line in reason_lines(document):
        say(console, f"  {line}")
    for comparison in document.comparisons:
        told = sentence(comparison, document.better)
        say(console, told)
    if document.gains:
        _print_gains(document, console)
    elif document.confirmed and document.best is not None:
        start, end = document.default.parameters, document.best.parameters
        if sum(start[name] != end[name] for name in start) > 1:
            console.print("effect of each parameter: no time was left to measure it, give a larger --budget")
    _lines("default", document.default, console)
    if document.best is None:
        return
    if len(document.tried) < min(2, document.configurations):
        console.print("only the default was tried: give a larger --budget", style="bold")
    elif document.best.parameters == document.default.parameters:
        console.print("no configuration tried is better than the default", style="bold")
    elif document.confirmed:
        _lines("best", document.best, console)
    else:
        told = "best of the race, but not shown to be better than the default"
        lost = {label(one.parameters) for one in document.later if one.comparison == "final"}
        if document.default_failure is not None:
            told = f"best usable configuration; the default {document.default_failure}"
        elif lost & {label(document.default.parameters), label(document.best.parameters)}:
            told = "best of the race; it could not be compared with the default, for the reason above"
        elif not any(one.against == label(document.default.parameters) for one in document.comparisons):
            told = "best of the race; there was no time to compare it with the default: give a larger --budget"
        _lines(told, document.best, console)
    say_findings(console, "doubt: ", document.doubts)


def _print_gains(document: TuneDocument, console: Console) -> None:
    from rooftop.measure.rules import Rules
    from rooftop.text.plural import plural

    def told(one: Comparison | None) -> str:
        if one is None:
            return "not measured"
        if one.pairs < Rules().min_pairs:
            return f"{one.ratio:.3g}×? ({plural(one.pairs, 'pair')})"
        return f"{one.ratio:.3g}× [{one.lo:.3g}, {one.hi:.3g}]" + ("" if one.verdict != "not resolved" else "?")

    table = Table(title="effect of each parameter, as a speed ratio (?: not resolved)", title_justify="left")
    for name in ("parameter", "from", "to", "alone", "on top of the others"):
        table.add_column(name)
    for one in document.gains:
        table.add_row(one.name, str(one.default), str(one.best), told(one.alone), told(one.last))
    console.print(table)
