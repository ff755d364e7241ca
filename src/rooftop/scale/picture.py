"""The picture of a curve: speed-up against workers, the ideal line and the fitted laws, and the efficiency below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from rooftop.report.figures.style import Figure, axis, finished, plain
from rooftop.report.palette import light
from rooftop.scale.document import Curve, PointResult
from rooftop.scale.fits import Interval, LawResult
from rooftop.text.quantities import number, percent

_COLOURS = {"amdahl": "peer", "gustafson": "peer", "usl": "roof"}
_HEIGHT = 620
_ROOM = 1.15  # beyond the outermost points


def _powers(lo: float, hi: float) -> list[float]:
    """Return the powers of two from lo to hi, every other one where there are many."""
    first, last = math.ceil(math.log2(lo) - 1e-9), math.floor(math.log2(hi) + 1e-9)
    step = 1 + (last - first) // 9
    return [2.0**exponent for exponent in range(first, last + 1, step)]


def _log_axis(title: str, lo: float, hi: float, **more: Any) -> dict[str, Any]:
    ticks = _powers(lo, hi)
    return axis(
        title,
        type="log",
        range=[math.log10(lo), math.log10(hi)],
        tickvals=ticks,
        ticktext=[f"{tick:g}" for tick in ticks],
        **more,
    )


def _hover(point: PointResult) -> str:
    lines = [f"<b>{plain(point.name)}</b>", f"{point.workers} workers"]
    for title, one in (("speed-up", point.speedup), ("efficiency", point.efficiency)):
        if one is not None:
            ends = f", 95 %: {number(one.lo)} to {number(one.hi)}" if one.lo is not None else ""
            lines.append(f"{title} {number(one.value)}{ends}")
    if point.factors is not None:
        got = point.factors
        lines.append(f"load balance {percent(got.load_balance)}")
        lines.append(f"communication efficiency {percent(got.communication_efficiency)}")
    return "<br>".join([*lines, "oversubscribed: not fitted"] if point.oversubscribed else lines)


def _whiskers(values: Sequence[Interval]) -> dict[str, Any]:
    up = [one.hi - one.value if one.hi is not None else 0.0 for one in values]
    down = [one.value - one.lo if one.lo is not None else 0.0 for one in values]
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "thickness": 1.4, "width": 5}


def _points(points: Sequence[PointResult], *, efficiency: bool) -> list[go.Scatter]:
    """Return the measured points, those that share cores with open marks."""
    traces = []
    for crowded in (False, True):
        chosen = [point for point in points if point.oversubscribed == crowded]
        pairs = [(point, point.efficiency if efficiency else point.speedup) for point in chosen]
        known = [(point, one) for point, one in pairs if one is not None]
        if known:
            traces.append(
                go.Scatter(
                    x=[point.workers for point, _ in known],
                    y=[one.value for _, one in known],
                    error_y=_whiskers([one for _, one in known]),
                    mode="markers",
                    marker={
                        "color": light("rung"),
                        "size": 9,
                        "symbol": "circle-open" if crowded else "circle",
                        "line": {"width": 1.6},
                    },
                    hovertext=[_hover(point) for point, _ in known],
                    hovertemplate="%{hovertext}<extra></extra>",
                    name="oversubscribed" if crowded else "measured",
                    showlegend=not efficiency,
                    yaxis="y2" if efficiency else "y",
                )
            )
    return traces


def _law(law: LawResult, ideal_base: float, *, efficiency: bool) -> list[go.Scatter]:
    """Return a fitted law and its band. `ideal_base`: workers at which the ideal speed-up is 1."""
    workers = [at.workers for at in law.curve]

    def scaled(values: Sequence[float]) -> list[float]:
        if not efficiency:
            return list(values)
        return [value * ideal_base / n for value, n in zip(values, workers, strict=True)]

    lo, hi = scaled([at.lo for at in law.curve]), scaled([at.hi for at in law.curve])
    colour, where = light(_COLOURS[law.law]), "y2" if efficiency else "y"
    return [
        go.Scatter(
            x=[*workers, *reversed(workers)],
            y=[*hi, *reversed(lo)],
            fill="toself",
            fillcolor=colour,
            opacity=0.16,
            mode="lines",
            line={"width": 0},
            hoverinfo="skip",
            showlegend=False,
            yaxis=where,
        ),
        go.Scatter(
            x=workers,
            y=scaled([at.speedup for at in law.curve]),
            mode="lines",
            line={"color": colour, "width": 1.8, "dash": "dot" if law.law == "usl" else "solid"},
            hovertemplate=f"{plain(law.title)}: %{{y:.3g}} at %{{x:.3g}} workers<extra></extra>",
            name=plain(law.title),
            showlegend=not efficiency,
            yaxis=where,
        ),
    ]


def figure(curve: Curve) -> Figure | None:
    """Return the picture of a curve; None where no point has a speed-up."""
    known = [point for point in curve.points if point.speedup is not None]
    if curve.base is None or not known:
        return None
    base = float(curve.base.workers)
    fitted = [law for law in curve.laws if law.curve]
    workers = [float(point.workers) for point in known] + [at.workers for law in fitted for at in law.curve]
    speedups = [end for point in known if point.speedup for end in _ends(point.speedup)]
    speedups += [value for law in fitted for at in law.curve for value in (at.lo, at.hi)]
    left, right = min(workers) / _ROOM, max(workers) * _ROOM
    bottom, top = min(*speedups, min(workers) / base), max(*speedups, max(workers) / base)
    efficiencies = [end for point in known if point.efficiency for end in _ends(point.efficiency)]
    traces: list[Any] = [
        go.Scatter(
            x=[min(workers), max(workers)],
            y=[min(workers) / base, max(workers) / base],
            mode="lines",
            line={"color": light("muted"), "width": 1.2, "dash": "dash"},
            hoverinfo="skip",
            name="ideal",
        ),
        go.Scatter(
            x=[min(workers), max(workers)],
            y=[1.0, 1.0],
            mode="lines",
            line={"color": light("muted"), "width": 1.2, "dash": "dash"},
            hoverinfo="skip",
            showlegend=False,
            yaxis="y2",
        ),
    ]
    for efficiency in (False, True):
        for law in fitted:
            traces += _law(law, base, efficiency=efficiency)
        traces += _points(known, efficiency=efficiency)
    titles = {"strong": "speed-up", "weak": "scaled speed-up"}
    drawn = finished(
        traces,
        {
            "height": _HEIGHT,
            "margin": {"l": 52, "r": 10, "t": 64, "b": 48},
            "xaxis": _log_axis("workers (ranks × threads)", left, right, anchor="y2"),
            "yaxis": _log_axis(titles[curve.mode], bottom / _ROOM, top * _ROOM, domain=[0.38, 1.0]),
            "yaxis2": axis(
                "efficiency",
                range=[0.0, 1.08 * max(1.0, *efficiencies)],
                domain=[0.0, 0.29],
                tickformat=".0%",
            ),
            "legend": {"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom", "font": {"size": 11}},
        },
    )
    drawn["layout"]["showlegend"] = True
    return drawn


def _ends(one: Interval) -> list[float]:
    return [end for end in (one.value, one.lo, one.hi) if end is not None]
