"""The table that ``rooftop solve conv`` prints, and the totals below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich import box
from rich.table import Table

from rooftop.solvers.conv.document import LayerResult, SolveDocument, Timing
from rooftop.solvers.conv.layer_list import Layer


@dataclass(frozen=True)
class Row:
    """One layer with the filter transform counted, or made beforehand. `timing` is None where the result is wrong."""

    layer: str
    algorithm: str
    terms: str
    timing: Timing | None
    interval: str
    scratch_bytes: int
    error: str
    first: bool  # of its layer


def rows(document: SolveDocument) -> Iterator[Row]:
    """Yield a row for each layer and way to count the filter transform."""
    for layer in document.layers:
        name = str(Layer(c=layer.c, h=layer.h, w=layer.w, k=layer.k, n=layer.n))
        timings: dict[str, Timing | None] = {"counted": layer.timed, "prepared": layer.prepared}
        shown: dict[str, Timing | None] = {terms: timing for terms, timing in timings.items() if timing} or {"": None}
        for place, (terms, timing) in enumerate(shown.items()):
            interval = _interval(timing) if timing is not None else ""
            error = _error(layer)
            yield Row(name, layer.algorithm, terms, timing, interval, layer.scratch_bytes, error, place == 0)


def terms_text(document: SolveDocument) -> str:
    """Return the options that hold for all layers."""
    return f"padding {document.padding}, {document.accuracy}, {document.layout}, {document.threads} threads"


def layer_table(document: SolveDocument) -> Table:
    """One row for each layer and filter term: sizes, algorithm, time with its interval, rate, scratch memory, error."""
    table = Table(
        title=f"{document.file}: {terms_text(document)}",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=0,
    )
    for heading, justify in (
        ("C H W K N", "left"),
        ("how", "left"),
        ("filter", "left"),
        ("ms", "right"),
        ("95 %", "left"),
        ("GFLOP/s", "right"),
        ("scratch\nMiB", "right"),
        ("error", "left"),
    ):
        table.add_column(heading, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for row in rows(document):
        if row.timing is None:
            table.add_row(row.layer, row.algorithm, "", "", "", "", "", row.error, style="bold red")
            continue
        time_and_rate = (f"{row.timing.median_s * 1e3:.4g}", row.interval, f"{row.timing.gflops:.4g}")
        if row.first:
            scratch = f"{row.scratch_bytes / 2**20:.3g}"
            table.add_row(row.layer, row.algorithm, row.terms, *time_and_rate, scratch, row.error)
        else:
            table.add_row("", "", row.terms, *time_and_rate, "", "")
    return table


def total_lines(document: SolveDocument) -> list[str]:
    """The contest's total on each of the terms: sum of flops over sum of mean times, direct-equivalent."""
    lines = []
    for label, total in (
        ("total, filter transform counted (the contest's terms)", document.total_timed),
        ("total, filter transformed beforehand (as for inference)", document.total_prepared),
    ):
        if total is not None:
            lines.append(
                f"{label}: {total.flops * 1e-9:.4g} GFLOP in {total.seconds:.4g} s = {total.gflops:.4g} GFLOP/s"
            )
    return lines


def _interval(timing: Timing) -> str:
    """The interval of the median as its ends' distance from it, which is narrower than the ends themselves."""
    return f"{timing.lo_s / timing.median_s - 1:+.0%} {timing.hi_s / timing.median_s - 1:+.0%}"


def _error(layer: LayerResult) -> str:
    if layer.outcome == "wrong":
        return "wrong" if layer.error is None else f"wrong: {layer.error:.2g}"
    return "not checked" if layer.error is None else f"{layer.error:.2g}"
