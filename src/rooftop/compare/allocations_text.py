"""What ``rooftop pool``, and ``rooftop compare`` with --allocations, print for a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer
from rich.console import Console

from rooftop import errors
from rooftop.measure.comparison_text import ratios_text, where
from rooftop.terminal.output import print_document, say, say_findings, tables
from rooftop.text.plural import plural

if TYPE_CHECKING:
    from rooftop.compare.allocations import AllocationsDocument, OverAllocations

_RESOLVED = {"lower": {"faster": "faster", "slower": "slower"}, "higher": {"faster": "better", "slower": "worse"}}


def sentence_over(one: OverAllocations, better: str) -> str:
    """Return a comparison over several allocations in one line."""
    figures = (
        f"{ratios_text(one)}, {plural(len(one.within), 'allocation')}, {plural(one.pairs, 'pair')}, "
        f"±{one.between:.2%} from allocation to allocation, A/A floor {one.floor:.2%}"
    )
    if one.verdict == "not resolved":
        more = "give more --allocations or a larger --budget"
        return f"{one.subject}: not resolved against {one.against}: {figures}; {more}"
    shows = where(one) if len(one.resolved) == 1 else ""  # the distribution is not asked
    return f"{one.subject} is {_RESOLVED[better][one.verdict]} than {one.against}{shows}: {figures}"


def print_allocations(document: AllocationsDocument, console: Console) -> None:
    """Print what each allocation says, the verdicts over all, and the doubts."""
    nodes = {one.campaign: one.node or one.processor for one in document.allocations}
    for one in document.comparisons:
        for each in one.within:
            told = f"{each.ratio:.4g}× [{each.lo:.4g}, {each.hi:.4g}], {plural(each.pairs, 'pair')}"
            say(console, f"{each.campaign} on {nodes[each.campaign]}  {one.subject}: {told}")
    for one in document.comparisons:
        say(console, sentence_over(one, document.better), style="bold")
    if not document.comparisons:
        say(console, "no comparison has enough pairs in two allocations", style="bold")
    say_findings(console, "doubt: ", document.doubts)


def end_with(document: AllocationsDocument, *, as_json: bool) -> None:
    """Print the document, or show it, and end the command.

    Raises typer.Exit where a command is wrong or failed in some allocation, or nothing could be compared.
    """
    if as_json:
        print_document(document)
    else:
        print_allocations(document, tables())
    if any(one.failed for one in document.allocations):
        raise typer.Exit(errors.WRONG)
    if not document.comparisons:
        raise typer.Exit(errors.NOTHING_MEASURED)
