"""What ``rooftop diagnose`` prints for a reader."""

from __future__ import annotations

import shlex

from rich.console import Console

from rooftop.diagnose import efficiencies, roofline_text
from rooftop.diagnose.call_table import call_lines
from rooftop.diagnose.document import INTERRUPTED, Cause, DiagnoseDocument, TriedCure
from rooftop.diagnose.stacks import callers
from rooftop.diagnose.untried import line as untried_line
from rooftop.diagnose.untried import untried
from rooftop.terminal.output import say, say_findings
from rooftop.text.quantities import percent, seconds

_HOT = 5
_NEAREST = 6  # callers


def gain_text(cure: TriedCure) -> str:
    """Return what a cure did, in words."""
    if cure.outcome != "ok":
        return f"{cure.outcome}: {cure.reason}"
    if cure.verdict is None or cure.ratio is None:
        return "not compared"
    interval = f" [{cure.lo:.3g}, {cure.hi:.3g}]" if cure.lo is not None and cure.hi is not None else ""
    told = {"faster": "faster", "slower": "slower"}.get(cure.verdict, "not resolved")
    saved = f", {seconds(cure.gain_s)} saved" if cure.verdict == "faster" and cure.gain_s is not None else ""
    return f"{told}: {cure.ratio:.3g}×{interval}{saved}, {cure.pairs} pairs"


def prediction_text(cause: Cause) -> str | None:
    """Return what was predicted of the first cure, and whether it was so; None where nothing was."""
    one = cause.predicted
    if one is None:
        return None
    told = f"{one.ratio:.3g}×" if one.ratio is not None else "any gain"
    return f"{told} with {one.cure}: {'as measured' if one.holds else one.reason}"


def shown_text(cause: Cause) -> str | None:
    """Return where a finding is explained; None where nowhere."""
    if cause.lab is None:
        return None
    rung = f"; {cause.rung} got rid of it" if cause.rung is not None else ""
    return f"rooftop lab {cause.lab}{rung}"


def summary(document: DiagnoseDocument) -> str:
    """Return one line about the run: how long, and how many cores were busy."""
    facts = document.facts
    of = f"of a smaller run, {shlex.join(document.reduced)}: " if document.reduced is not None else ""
    used = (facts.user_s + facts.system_s) / facts.elapsed_s if facts.elapsed_s > 0 else 0.0
    return f"{of}{seconds(facts.elapsed_s)}, {used:.2f} of {facts.cpus} cores busy on average"


def lines(cause: Cause) -> list[str]:
    """Return the lines of a finding behind its name."""
    at_stake = f"at most {seconds(cause.stake_s)} at stake"
    if cause.cure is not None:
        at_stake = f"{gain_text(cause.cure)}\n  apply: {cause.cure.line}"
    found = [at_stake, f"  seen: {cause.evidence}", f"  in the program: {cause.remedy}"]
    more = {
        "if the work is the same, try": cause.suggested,
        "predicted": prediction_text(cause),
        "shown by": shown_text(cause),
    }
    return [*found, *(f"  {what}: {told}" for what, told in more.items() if told is not None)]


def failed_text(document: DiagnoseDocument) -> str | None:
    """Return how the run that was observed failed; None where it did not."""
    if document.failure is None:
        return None
    return f"{'the command' if document.reduced is None else 'the smaller run'} failed: it {document.failure}"


def nothing_text(document: DiagnoseDocument) -> str | None:
    """Return the line that stands in place of findings; None if the command was not observed to its end."""
    if document.failure is not None or document.no_cures == INTERRUPTED:
        return None
    return f"nothing was {'proven' if untried(document) else 'found'} that holds the command back"


def left_out(document: DiagnoseDocument) -> list[str]:
    """Return which cures were not tried, and why."""
    late = f"not tried, for lack of time: {', '.join(document.not_tried)}; give a larger --budget"
    none = f"no cure was tried: {document.no_cures}"
    return [*([late] if document.not_tried else []), *([none] if document.no_cures is not None else [])]


def chain(document: DiagnoseDocument) -> str | None:
    """Return who calls the hottest function most, of those that have a name; None if that was not seen."""
    stacks = document.facts.stacks
    for one in (document.facts.hot or [])[:_HOT] if stacks is not None else ():
        if stacks is not None and (found := callers(stacks, one.function)) is not None:
            names, share = found
            told = names if len(names) <= _NEAREST else ["…", *names[-_NEAREST:]]
            return f"callers of {one.function}: {' → '.join(told)} ({percent(share)} of its samples)"
    return None


def print_diagnosis(document: DiagnoseDocument, console: Console) -> None:
    """Print the findings, what was tried, and what could not be looked at."""
    say(console, summary(document))
    if (failed := failed_text(document)) is not None:
        say(console, failed)
    for place, cause in enumerate(document.findings, 1):
        first, *others = lines(cause)
        say(console, f"{place}. {cause.name}: {first}", style="bold")
        for line in others:
            say(console, line)
    if not document.findings and (nothing := nothing_text(document)) is not None:
        say(console, nothing, style="bold")
    if left := untried(document):
        say(console, "not tried:", style="bold")
        for cause in left:
            say(console, f"  {untried_line(cause)}")
    for line in efficiencies.lines(document.efficiencies) if document.efficiencies is not None else ():
        say(console, line)
    for cure in document.tried:
        say(console, f"tried: {cure.name}: {gain_text(cure)}")
    for line in left_out(document):
        say(console, line)
    for one in (document.facts.hot or [])[:_HOT]:
        say(console, f"function: {percent(one.share)} {one.function} ({one.file})")
    if (told := chain(document)) is not None:
        say(console, told)
    for line in call_lines(document):
        say(console, line)
    for line in roofline_text.lines(document.facts.roofline) if document.facts.roofline is not None else ():
        say(console, line)
    for reason in document.facts.missing:
        say(console, f"not looked at: {reason}")
    doubts = [*document.doubts, *(document.cost.doubts if document.cost is not None else [])]
    say_findings(console, "doubt: ", doubts)
