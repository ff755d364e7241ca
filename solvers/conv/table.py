"""The table that ``rooftop solve conv`` prints, and the totals below it."""

from __future__ import annotations

from rich import box
from rich.table import Table

from rooftop.solvers.conv.document import LayerResult, SolveDocument, Timing
from rooftop.solvers.conv.layer_list import Layer


def layer_table(document: SolveDocument) -> Table:
    """One row for each layer and filter term: sizes, algorithm, time with its interval, rate, scratch memory, error."""
    terms = f"padding {document.padding}, {document.accuracy}, {document.layout}, {document.threads} threads"
    table = Table(
        title=f"{document.file}: {terms}",
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
    for layer in document.layers:
        shown = [(term, timing) for term, timing in (("counted", layer.timed), ("prepared", layer.prepared)) if timing]
        if not shown:
            table.add_row(str(_layer(layer)), layer.algorithm, "", "", "", "", "", _error(layer), style="bold red")
        for place, (term, timing) in enumerate(shown):
            time_and_rate = (f"{timing.median_s * 1e3:.4g}", _interval(timing), f"{timing.gflops:.4g}")
            if place == 0:
                scratch = f"{layer.scratch_bytes / 2**20:.3g}"
                table.add_row(str(_layer(layer)), layer.algorithm, term, *time_and_rate, scratch, _error(layer))
            else:
                table.add_row("", "", term, *time_and_rate, "", "")
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


def _layer(layer: LayerResult) -> Layer:
    return Layer(c=layer.c, h=layer.h, w=layer.w, k=layer.k, n=layer.n)


def _interval(timing: Timing) -> str:
    """The interval of the median as its ends' distance from it, which is narrower than the ends themselves."""
    return f"{timing.lo_s / timing.median_s - 1:+.0%} {timing.hi_s / timing.median_s - 1:+.0%}"


def _error(layer: LayerResult) -> str:
    if layer.outcome == "wrong":
        return "wrong" if layer.error is None else f"wrong: {layer.error:.2g}"
    return "not checked" if layer.error is None else f"{layer.error:.2g}"
