"""Print the advice as a table and a few lines."""

from __future__ import annotations

import shlex

from rich.table import Table

from rooftop.documents import Comparison
from rooftop.solvers.h5io.advice.document import AdviceDocument, Proposal
from rooftop.text.quantities import size

SHOWN = 8


def gain(ratio: float) -> str:
    """Return a speed ratio as text."""
    return f"{ratio:.2f}x" if ratio < 10 else f"{ratio:.0f}x"


def measured_gain(found: Comparison | None) -> str:
    """Return the measured speed ratio with its interval."""
    return "–" if found is None else f"{gain(found.ratio)} [{found.lo:.2f}, {found.hi:.2f}]"


def duration(seconds: float) -> str:
    """Return seconds as text."""
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s" if seconds >= 0.1 else "< 0.1 s"


def table(document: AdviceDocument) -> Table:
    """Return the layouts that were measured, and the best of the others."""
    rows = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    rows.add_column("layout", no_wrap=True)
    for title in ("predicted", "measured", "size", "to rewrite"):
        rows.add_column(title, justify="right", no_wrap=True)
    rows.add_row(f"now: {document.layout}", "", "", size(document.stored_bytes), "")
    for one in document.proposals[:SHOWN]:
        seen = measured_gain(one.measured)
        rows.add_row(one.layout, gain(one.predicted), seen, size(one.stored_bytes), duration(one.rewrite_s))
    return rows


def best(document: AdviceDocument) -> Proposal | None:
    """Return the fastest measured layout; None if none is faster than the current one."""
    faster = [one for one in document.proposals if one.measured is not None and one.measured.verdict == "faster"]
    return max(faster, key=lambda one: 0.0 if one.measured is None else one.measured.ratio, default=None)


def conclusion(document: AdviceDocument) -> str:
    """Return what to do, in one line."""
    if not any(one.measured is not None for one in document.proposals):
        reason = next((one.reason for one in document.proposals if one.reason is not None), None)
        return f"for reads of {document.access}, no layout was measured" + ("" if reason is None else f": {reason}")
    found = best(document)
    if found is None or found.measured is None:
        return f"for reads of {document.access}, no measured layout is faster than the current one"
    said = (
        f"{found.layout}: reads of {document.access} take 1/{found.measured.ratio:.3g} of the time; the dataset takes"
    )
    if document.stored_bytes == 0:  # its values are stored elsewhere
        return f"{said} {size(found.stored_bytes)}"
    percent = found.stored_bytes / document.stored_bytes - 1
    return f"{said} {size(found.stored_bytes)} instead of {size(document.stored_bytes)} ({percent:+.0%})"


def rewriting(document: AdviceDocument) -> str | None:
    """Return the command that rewrites the dataset in the best layout."""
    found = best(document)
    if found is None:
        return None
    words = ["rooftop", "h5", "repack", document.file, "--dataset", document.dataset]
    words += ["--chunks", "none" if found.chunk is None else "x".join(map(str, found.chunk))]
    if found.chunk is not None:
        words += ["--filter", "+".join(found.filters) or "none"]
    return shlex.join(words)
