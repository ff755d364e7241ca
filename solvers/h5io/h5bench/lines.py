"""Print the rates of a benchmark as a table."""

from __future__ import annotations

from rich.table import Table

from rooftop.solvers.h5io.h5bench.document import BenchmarkDocument
from rooftop.text.quantities import quantity, size


def _seconds(value: float) -> str:
    return f"{value:.3f} s"


def title(document: BenchmarkDocument) -> str:
    """Return the benchmark in one line."""
    mode = "asynchronous " if document.asynchronous else ""
    cache = ", cold" if document.cold else ""
    ranks = "1 rank" if document.ranks == 1 else f"{document.ranks} ranks"
    return (
        f"{mode}{document.operation} of {document.file} by {ranks}: {document.pattern}, {document.steps} steps, "
        f"{size(document.total_bytes)}{cache}"
    )


def table(document: BenchmarkDocument) -> Table:
    """Return the table of rates, each with its time, and the rates of plain calls."""
    rows = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    rows.add_column("what", no_wrap=True)
    rows.add_column("time", justify="right", no_wrap=True)
    rows.add_column("rate", justify="right", no_wrap=True)
    seconds = document.seconds

    def row(what: str, time_s: float, rate: float | None = None) -> None:
        rows.add_row(what, _seconds(time_s), "" if rate is None else quantity(rate, "byte/s"))

    row("raw, rank 0 (h5bench's)", seconds.raw[0], document.raw_rate)
    row("raw, slowest rank", max(seconds.raw), document.raw_rate_slowest)
    without = " without computing" if document.compute_s else ""
    row(f"observed{without} (h5bench's)", seconds.observed[0] - document.compute_s, document.observed_rate)
    wall_s = max(seconds.wall) - document.compute_s + max(seconds.sync)
    row(
        f"wall{without}, with opening{' and reaching the device' if max(seconds.sync) else ''}",
        wall_s,
        document.wall_rate,
    )
    row("metadata, slowest rank", max(seconds.metadata))
    if document.compute_s:
        row("emulated computing", document.compute_s)
    if document.by_solver is not None:
        row("the same reads by h5io, with opening", max(document.by_solver), document.by_solver_rate)
    call = "pwrite" if document.operation != "read" else "pread"
    for when, rate in zip(("before", "after"), document.plain_rates, strict=True):
        rows.add_row(f"limit: {call} by as many ranks, just {when}", "", quantity(rate, "byte/s") if rate else "–")
    return rows


def verdict(document: BenchmarkDocument) -> str:
    """Return how the values were verified."""
    how = "all values are right" if document.verified == "formula" else "all values are those of a second read"
    return f"verified: {how}"
