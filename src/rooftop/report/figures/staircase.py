"""The staircase: the rate of every rung as a bar with its own roof as a cap; peers as bars and as dotted lines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from rooftop.report.figures.style import Figure, axis, finished, label, log_ticks, plain
from rooftop.report.ladder import Step
from rooftop.report.palette import light
from rooftop.text.quantities import number, percent

LOG_SPAN = 20.0  # beyond this ratio a linear axis hides the lower rungs
_HALF_BAR = 0.38
_PEER_GAP = 0.5
_TALL = 0.14  # of the axis: a taller bar has room for its value, even if that is rotated


@dataclass(frozen=True)
class _Scale:
    """The scale of the rate axis."""

    logarithmic: bool
    bottom: float
    top: float

    def height(self, value: float) -> float:
        """Return the position of ``value`` on the axis, 0 (bottom) to 1 (top)."""
        if self.logarithmic:
            return math.log(value / self.bottom) / math.log(self.top / self.bottom)
        return value / self.top

    def coordinate(self, value: float) -> float:
        """Return the coordinate that Plotly uses for an annotation at ``value``."""
        return math.log10(value) if self.logarithmic else value


def _scale(steps: list[Step], peak: float | None) -> _Scale:
    seen = [value for step in steps for value in (step.rate, step.limit) if value]
    lo, hi = min(seen, default=1.0), max([*seen, *([peak] if peak else [])], default=1.0)
    if hi / lo > LOG_SPAN:
        return _Scale(True, lo / 2, hi * (hi / lo) ** 0.06)
    return _Scale(False, 0.0, hi * 1.06)


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


def _whiskers(shown: list[Step]) -> dict[str, Any] | None:
    if not any(step.rate_lo and step.rate_hi for step in shown):
        return None
    return {
        "type": "data",
        "symmetric": False,
        "array": [max(0.0, (step.rate_hi or 0) - (step.rate or 0)) for step in shown],
        "arrayminus": [max(0.0, (step.rate or 0) - (step.rate_lo or step.rate or 0)) for step in shown],
        "color": light("ink"),
        "thickness": 1.2,
        "width": 4,
    }


def _bars(steps: list[Step], x: list[float], unit: str) -> go.Bar:
    shown = [(at, step) for at, step in zip(x, steps, strict=True) if step.rate]
    return go.Bar(
        x=[at for at, _ in shown],
        y=[step.rate for _, step in shown],
        width=2 * _HALF_BAR,
        marker={
            "color": [light(step.kind) for _, step in shown],
            "line": {"width": 0},
            "pattern": {"shape": ["/" if step.note else "" for _, step in shown], "size": 5, "solidity": 0.35},
        },
        error_y=_whiskers([step for _, step in shown]),
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


def _values(steps: list[Step], x: list[float], scale: _Scale) -> list[dict[str, Any]]:
    """Return the rates as labels: inside a bar that is tall enough, so that no line crosses them, else above it."""
    labels = []
    for at, step in zip(x, steps, strict=True):
        if not step.rate:
            continue
        inside = scale.height(step.rate) > _TALL
        labels.append(
            {
                "name": "value",
                "x": at,
                "y": scale.coordinate(step.rate),
                "text": number(step.rate),
                "showarrow": False,
                "yanchor": "top" if inside else "bottom",
                "yshift": -5 if inside else 4,
                "font": {"size": 11, "color": light("paper" if inside else "ink")},
                "bgcolor": light(step.kind if inside else "paper"),
                "borderpad": 1,
            }
        )
    return labels


def _absent(steps: list[Step], x: list[float]) -> list[dict[str, Any]]:
    """Return what replaces a missing bar: the outcome, with its reason on hovering."""
    return [
        {
            "x": at,
            "y": 0,
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
    """Return one position per bar, with a gap between the ladder and the peers."""
    both = len({step.kind for step in steps}) > 1
    return [at + (_PEER_GAP if both and step.kind == "peer" else 0.0) for at, step in enumerate(steps)]


def _rate_axis(scale: _Scale, unit: str) -> dict[str, Any]:
    if not scale.logarithmic:
        return axis(unit, range=[0, scale.top], nticks=6, automargin=True)
    ends = [math.log10(scale.bottom), math.log10(scale.top)]
    ticks = log_ticks(scale.bottom, scale.top)
    return axis(f"{unit}, log scale", type="log", range=ends, automargin=True, **ticks)


def staircase(steps: list[Step], unit: str, peak: float | None) -> Figure:
    """Return the figure. ``peak`` is the machine's FMA peak in the same unit; None if the rate does not count flops."""
    x = _places(steps)
    last = x[-1] if x else 0.0
    scale = _scale(steps, peak)
    traces: list[Any] = [
        _line(step.rate, last, "peer", "dot", step.name) for step in steps if step.kind == "peer" and step.rate
    ]
    if peak:
        traces.append(_line(peak, last, "roof", "dash", "FMA peak"))
    traces += [_bars(steps, x, unit), _caps(steps, x, unit)]
    names = axis(
        "",
        range=[-0.6, last + 0.6],
        tickvals=x,
        ticktext=[label(step.name) for step in steps],
        tickangle=-45,
        showgrid=False,
        automargin=True,
        ticklen=2,
    )
    names["tickfont"] = {"size": 11, "color": light("ink")}
    layout = {
        "xaxis": names,
        "yaxis": _rate_axis(scale, unit),
        "annotations": [*_values(steps, x, scale), *_absent(steps, x)],
        "height": 420,
        "margin": {"l": 56, "r": 12, "t": 12, "b": 40},
        "barmode": "overlay",
        "hovermode": "closest",
    }
    return finished(traces, layout)
