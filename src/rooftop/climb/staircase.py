"""Draw a ladder as a staircase of bars: rate, fraction of the roof, and ratio to the rung below with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from rooftop.documents import CaseResult, Comparison, RungResult
from rooftop.measure.comparison_text import where

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LOG_SPAN = 20.0  # a wider range of rates is drawn on a logarithmic scale
_BAR_CELLS = 24


def bar(part: float, cells: int = _BAR_CELLS) -> str:
    """Return a bar that fills a fraction `part`, 0 to 1, of `cells` characters."""
    eighths = round(max(0.0, min(1.0, part)) * cells * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def parts(rates: Sequence[float]) -> tuple[list[float], bool]:
    """Return the fraction of the full bar for each rate, and whether the scale is logarithmic."""
    top, bottom = max(rates, default=1.0), min(rates, default=1.0)
    if top <= 0 or bottom <= 0 or top / bottom <= _LOG_SPAN:
        return [rate / top if top > 0 else 0.0 for rate in rates], False
    start = math.log10(bottom) - 0.3  # so that the lowest bar is visible
    return [(math.log10(rate) - start) / (math.log10(top) - start) for rate in rates], True


def ratio_text(comparison: Comparison | None) -> str:
    """Return a comparison as "3.05x (2.9 to 3.2)", marked if it is not resolved."""
    if comparison is None:
        return ""
    figures = f"{comparison.ratio:.3g}x ({comparison.lo:.3g} to {comparison.hi:.3g})"
    return f"{figures}{where(comparison)}" if comparison.verdict != "not resolved" else f"{figures}, not resolved"


def _row(rung: RungResult, part: float | None) -> list[str | Text]:
    name = Text(rung.name, style="" if rung.kind == "rung" else "italic")
    if part is None or rung.rate is None:
        words = f"{rung.outcome}: {rung.reason or ''}" if rung.outcome != "ok" else "verified, not yet timed"
        style = {"wrong": "bold red", "failed": "bold red", "skipped": "dim"}.get(rung.outcome, "dim")
        return [name, Text(words, style=style), "", "", "", ""]
    roof = f"{rung.roof_fraction:.0%} of {rung.limit_by}" if rung.roof_fraction is not None else ""
    colour = "cyan" if rung.kind == "rung" else "yellow"
    return [
        name,
        Text(bar(part), style=colour),
        f"{rung.rate:.4g}",
        roof,
        ratio_text(rung.vs_below),
        ratio_text(rung.vs_best_peer),
    ]


def staircase(title: str, case: CaseResult, rate_unit: str, *, waiting: bool = False) -> Table:
    """Return the staircase of one case. With `waiting`, rungs that were not reached yet are left out."""
    timed = [rung.rate for rung in case.rungs if rung.rate is not None]
    scaled, logarithmic = parts(timed)
    remaining = iter(scaled)
    table = Table(
        title=f"{title}  {case.case}" + ("  (bars on a logarithmic scale)" if logarithmic else ""),
        title_justify="left",
        box=None,
        pad_edge=False,
    )
    table.add_column("rung", no_wrap=True)
    table.add_column("", min_width=_BAR_CELLS)
    table.add_column(rate_unit, justify="right", no_wrap=True)
    table.add_column("of its roof", justify="right")
    table.add_column("vs below")
    table.add_column("vs best peer")
    for rung in case.rungs:
        if waiting and rung.outcome == "skipped" and rung.reason == "the campaign ended before its turn":
            continue
        table.add_row(*_row(rung, next(remaining) if rung.rate is not None else None))
    return table
