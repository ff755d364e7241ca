"""The staircase: the rate of every rung as a bar, its own roof as a cap, the peers beside it and as lines across."""

from __future__ import annotations

import math
from typing import Any

import plotly.graph_objects as go

from rooftop.report.figures.style import Figure, axis, finished, log_ticks, plain
from rooftop.report.ladder import Step
from rooftop.report.palette import light
from rooftop.report.quantities import number, percent

LOG_SPAN = 20.0  # beyond this ratio a linear axis hides the lower rungs
_HALF_BAR = 0.38
_PEER_GAP = 0.5


def _span(steps: list[Step], peak: float | None) -> tuple[float, float]:
    seen = [value for step in steps for value in (step.rate, step.limit) if value]
    return min(seen, default=1.0), max([*seen, *([peak] if peak else [])], default=1.0)


def _hover(step: Step, unit: str) -> str:
    lines = [f"<b>{plain(step.name)}</b>", f"{number(step.rate)} {plain(unit)}"]
    if step.rate_lo and step.rate_hi:
        lines[-1] += f" ({number(step.rate_lo)} to {number(step.rate_hi)})"
    if step.limit:
        by = f", {plain(step.limit_by)}" if step.limit_by else ""
        lines.append(f"{percent(step.fraction)} of its own roof: {number(step.limit)}{by}")
    if step.note:
        lines.append(plain(step.note))
    return "<br>".join(lines)


def _bars(steps: list[Step], x: list[float], unit: str) -> go.Bar:
    shown = [(at, step) for at, step in zip(x, steps, strict=True) if step.rate]
    rates = [step.rate or 0.0 for _, step in shown]
    return go.Bar(
        x=[at for at, _ in shown],
        y=rates,
        width=2 * _HALF_BAR,
        marker={
            "color": [light(step.kind) for _, step in shown],
            "line": {"width": 0},
            "pattern": {"shape": ["/" if step.note else "" for _, step in shown], "size": 5, "solidity": 0.3},
        },
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [max(0.0, (step.rate_hi or 0) - (step.rate or 0)) for _, step in shown],
            "arrayminus": [max(0.0, (step.rate or 0) - (step.rate_lo or step.rate or 0)) for _, step in shown],
            "color": light("ink"),
            "thickness": 1.2,
            "width": 3,
        },
        text=[number(rate) for rate in rates],
        textposition="outside",
        textfont={"size": 11, "color": light("ink")},
        cliponaxis=False,
        hovertext=[_hover(step, unit) for _, step in shown],
        hovertemplate="%{hovertext}<extra></extra>",
        name="rate",
    )


def _caps(steps: list[Step], x: list[float], unit: str) -> go.Scatter:
    shown = [(at, step) for at, step in zip(x, steps, strict=True) if step.rate and step.limit]
    return go.Scatter(
        x=[at for at, _ in shown],
        y=[step.limit for _, step in shown],
        mode="markers",
        marker={"size": 1, "color": light("roof")},
        error_x={"type": "constant", "value": _HALF_BAR, "width": 0, "thickness": 2.4, "color": light("roof")},
        hovertext=[_hover(step, unit) for _, step in shown],
        hovertemplate="%{hovertext}<extra></extra>",
        name="own roof",
    )


def _line(level: float, last: float, role: str, dash: str, label: str) -> go.Scatter:
    return go.Scatter(
        x=[-0.5, last + 0.5],
        y=[level, level],
        mode="lines",
        line={"color": light(role), "width": 1.1, "dash": dash},
        hoverinfo="skip",
        name=label,
    )


def _absent(steps: list[Step], x: list[float]) -> list[dict[str, Any]]:
    """What stands in the place of a bar: the outcome in a word, its reason on hovering."""
    return [
        {
            "x": at,
            "y": 0,
            "xref": "x",
            "yref": "paper",
            "text": "no time" if step.outcome == "ok" else step.outcome,
            "hovertext": f"<b>{plain(step.name)}</b><br>{plain(step.reason)}",
            "textangle": -90,
            "showarrow": False,
            "yanchor": "bottom",
            "yshift": 4,
            "font": {"size": 11, "color": light("muted" if step.outcome == "skipped" else "alarm")},
        }
        for at, step in zip(x, steps, strict=True)
        if not step.rate
    ]


def _places(steps: list[Step]) -> list[float]:
    """One place per bar; the peers stand a little apart from the ladder."""
    both = len({step.kind for step in steps}) > 1
    return [at + (_PEER_GAP if both and step.kind == "peer" else 0.0) for at, step in enumerate(steps)]


def staircase(steps: list[Step], unit: str, peak: float | None) -> Figure:
    """The figure. ``peak`` is the machine's FMA peak in the same unit, where the rate counts flops: the direct roof."""
    x = _places(steps)
    last = x[-1] if x else 0.0
    lo, hi = _span(steps, peak)
    logarithmic = hi / lo > LOG_SPAN
    traces: list[Any] = [
        _line(step.rate, last, "peer", "dot", step.name) for step in steps if step.kind == "peer" and step.rate
    ]
    annotations = _absent(steps, x)
    if peak:
        traces.append(_line(peak, last, "roof", "dash", "FMA peak"))
        annotations.append(
            {
                "x": 0,
                "xref": "paper",
                "xanchor": "left",
                "y": peak,
                "yref": "y",
                "yanchor": "bottom",
                "text": f"FMA peak {number(peak)}",
                "showarrow": False,
                "font": {"size": 11, "color": light("roof")},
                "bgcolor": light("paper"),
                "borderpad": 1,
            }
        )
    traces += [_bars(steps, x, unit), _caps(steps, x, unit)]
    values = axis(f"{unit}, log scale" if logarithmic else unit)
    if logarithmic:
        bottom, top = lo / 2, hi * (hi / lo) ** 0.09
        values |= {"type": "log", "range": [math.log10(bottom), math.log10(top)], **log_ticks(bottom, top)}
        annotations = [a | {"y": math.log10(a["y"])} if a["yref"] == "y" else a for a in annotations]
    else:
        values |= {"range": [0, hi * 1.12], "nticks": 6}
    names = axis(
        "",
        range=[-0.6, last + 0.6],
        tickvals=x,
        ticktext=[plain(step.name) for step in steps],
        tickangle=-45,
        showgrid=False,
        automargin=True,
        ticklen=2,
    )
    names["tickfont"] = {"size": 11, "color": light("ink")}
    layout = {
        "xaxis": names,
        "yaxis": values | {"automargin": True},
        "annotations": annotations,
        "height": 420,
        "margin": {"l": 56, "r": 12, "t": 12, "b": 40},
        "bargap": 0,
        "barmode": "overlay",
        "hovermode": "closest",
    }
    return finished(traces, layout)
