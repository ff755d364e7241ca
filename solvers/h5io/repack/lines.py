"""Print the rewritten datasets as a table, and a summary."""

from __future__ import annotations

from rich.table import Table

from rooftop.solvers.h5io.repack.document import RepackDocument
from rooftop.solvers.h5io.repack.reasons import by_reason
from rooftop.text.quantities import seconds, size

_SHOWN = 20


def table(document: RepackDocument) -> Table:
    """Return the table of rewritten datasets, the largest first."""
    rows = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("dataset", "before", "after"):
        rows.add_column(title, overflow="fold")
    for title in ("size before", "after"):
        rows.add_column(title, justify="right", no_wrap=True)
    largest = sorted(document.rewritten, key=lambda one: -one.before.stored_bytes)
    for one in largest[:_SHOWN]:
        rows.add_row(
            one.dataset,
            one.before.layout,
            one.after.layout,
            size(one.before.stored_bytes),
            size(one.after.stored_bytes),
        )
    if len(largest) > _SHOWN:
        rows.add_row(f"and {len(largest) - _SHOWN} more", "", "", "", "")
    return rows


def left(document: RepackDocument) -> list[str]:
    """Return a line for each reason why datasets are unchanged."""
    return [f"unchanged: {one}" for one in by_reason((one.dataset, one.reason) for one in document.left)]


def conclusion(document: RepackDocument) -> str:
    """Return the summary line."""
    change = round(100 * (document.bytes_after / max(document.bytes_before, 1) - 1))
    return (
        f"{document.out}: {size(document.bytes_after)} instead of {size(document.bytes_before)} ({change:+d}%), in "
        f"{seconds(document.seconds)}; read back and identical"
    )
