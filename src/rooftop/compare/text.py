"""What ``rooftop compare`` prints for a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from rooftop.command.number import figure
from rooftop.measure.comparison_text import ratios_text, where
from rooftop.terminal.output import say, say_findings
from rooftop.text.plural import plural

if TYPE_CHECKING:
    from rooftop.compare.document import CommandComparison, CompareDocument


def sentence(one: CommandComparison, better: str) -> str:
    """Return a comparison in one line."""
    word = {"faster": "better", "slower": "worse"} if better == "higher" else {"faster": "faster", "slower": "slower"}
    told = word.get(one.verdict, "not resolved")
    figures = f"{ratios_text(one)}, {plural(one.pairs, 'pair')}, A/A floor {one.floor:.2%}"
    if told == "not resolved":
        return f"{one.subject}: not resolved against {one.against}: {figures}; {one.advice}"
    return f"{one.subject} is {told} than {one.against}{where(one)}: {figures}; {one.advice}"


def print_comparison(document: CompareDocument, console: Console) -> None:
    """Print the commands, their verdicts and the doubts."""
    for command in document.commands:
        if command.median is None:
            told = f"{command.outcome}: {command.reason}"
        else:
            interval = ""
            if command.lo is not None and command.hi is not None:
                interval = f" [{figure(command.lo, document.unit)}, {figure(command.hi, document.unit)}]"
            of = f" ({document.metric})" if document.benchmarks is not None and document.rungs is None else ""
            of = " (largest process)" if document.metric == "maxrss" else of
            told = f"{figure(command.median, document.unit)}{interval}{of}, {plural(len(command.samples), 'sample')}"
            if document.rungs is not None and command.rate is not None:
                told += f", {command.rate:.4g} {document.rungs.rate_unit}"
            if command.roof_fraction is not None:
                told += f", {command.roof_fraction:.0%} of its roof ({command.limit_by})"
        say(console, f"{command.name}  {told}")
    if document.benchmarks is not None:
        _print_benchmarks(document, console)
    for one in document.comparisons:
        say(console, sentence(one, document.better), style="bold")
    say_findings(console, "doubt: ", document.doubts)


def _benchmark_lines(document: CompareDocument, subject: str, against: str) -> list[str]:
    """Return a line for each benchmark of two programs, and how many verdicts stand after correction."""
    lines: list[str] = []
    counts: dict[str, int] = {}
    for benchmark in document.benchmarks or ():
        times = {time.command: time for time in benchmark.times if time.command in (subject, against)}
        found = next((c for c in benchmark.comparisons if (c.subject, c.against) == (subject, against)), None)
        if found is not None:
            told: str = found.verdict if found.claimed else "not resolved"
            counts[told] = counts.get(told, 0) + 1
            shown = " to ".join(figure(times[name].median or 0.0, "s") for name in (against, subject))
            line = f"{shown}, {found.ratio:.4g}× [{found.lo:.4g}, {found.hi:.4g}], A/A floor {found.floor:.2%}: {told}"
            if found.verdict != told:
                line += f" ({found.advice})"
        else:
            failed = [f"failed in {name}: {time.reason}" for name, time in times.items() if time.outcome != "ok"]
            line = "; ".join(failed) or ", ".join(f"only in {name}" for name in times)
        if times:
            lines.append(f"{benchmark.name}: {line}")
    if counts:
        told = ", ".join(f"{counts[word]} {word}" for word in ("faster", "slower", "not resolved") if word in counts)
        compared = "benchmarks in both" if document.rungs is None else "cases"
        lines.append(f"{sum(counts.values())} {compared}, after Holm's correction: {told}")
    else:
        lines.append("no benchmark is in both programs")
    return lines


def _print_benchmarks(document: CompareDocument, console: Console) -> None:
    usable = [command.name for command in document.commands if command.median is not None]
    for place, subject in enumerate(usable):
        for against in (one for one in usable[:place] if document.base in (None, one)):
            say(console, f"{against} to {subject}", style="bold")
            for line in _benchmark_lines(document, subject, against):
                say(console, f"  {line}")
    if document.comparisons:
        mean = "geometric mean of the benchmarks in both programs:"
        console.print(mean if document.rungs is None else "sum over all cases:", highlight=False)
