"""What ``rooftop diagnose`` prints for a reader."""

from __future__ import annotations

from rich.console import Console

from rooftop.diagnose.document import INTERRUPTED, Cause, DiagnoseDocument, TriedCure
from rooftop.terminal.output import say, say_findings
from rooftop.text.quantities import percent, seconds

_HOT = 5


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


def summary(document: DiagnoseDocument) -> str:
    """Return one line about the run: how long, and how many cores were busy."""
    facts = document.facts
    used = (facts.user_s + facts.system_s) / facts.elapsed_s if facts.elapsed_s > 0 else 0.0
    return f"{seconds(facts.elapsed_s)}, {used:.2f} of {facts.cpus} cores busy on average"


def lines(cause: Cause) -> list[str]:
    """Return the lines of a finding behind its name."""
    at_stake = f"at most {seconds(cause.stake_s)} at stake"
    if cause.cure is not None:
        at_stake = f"{gain_text(cause.cure)}\n  apply: {cause.cure.line}"
    return [f"{at_stake}", f"  seen: {cause.evidence}", f"  in the program: {cause.remedy}"]


def print_diagnosis(document: DiagnoseDocument, console: Console) -> None:
    """Print the findings, what was tried, and what could not be looked at."""
    say(console, summary(document))
    if document.failure is not None:
        say(console, f"the command failed: it {document.failure}")
    for place, cause in enumerate(document.findings, 1):
        first, *others = lines(cause)
        say(console, f"{place}. {cause.name}: {first}", style="bold")
        for line in others:
            say(console, line)
    if not document.findings and document.failure is None and document.no_cures != INTERRUPTED:
        say(console, "nothing was found that holds the command back", style="bold")
    for cure in document.tried:
        say(console, f"tried: {cure.name}: {gain_text(cure)}")
    if document.not_tried:
        say(console, f"not tried, for lack of time: {', '.join(document.not_tried)}; give a larger --budget")
    if document.no_cures is not None:
        say(console, f"no cure was tried: {document.no_cures}")
    for one in (document.facts.hot or [])[:_HOT]:
        say(console, f"function: {percent(one.share)} {one.function} ({one.file})")
    for reason in document.facts.missing:
        say(console, f"not looked at: {reason}")
    doubts = [*document.doubts, *(document.cost.doubts if document.cost is not None else [])]
    say_findings(console, "doubt: ", doubts)
