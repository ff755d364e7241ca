"""The roofline plot (Williams, Waterman and Patterson, 2009): every rung by its arithmetic intensity and the flops
that it executes per second, under the machine's compute and bandwidth roofs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from rooftop.documents import CaseResult, ExperimentResult, Machine, RungResult
from rooftop.report.figures.style import Figure, axis, finished, label, log_ticks, plain
from rooftop.report.ladder import measured
from rooftop.report.palette import light
from rooftop.report.roofs import bandwidths, compute_peaks
from rooftop.text.quantities import number, percent

_GIGA = 1e9
_PLOT_HEIGHT = 390.0  # CSS pixels between the ends of the axis
_PLOT_WIDTH = 300.0  # on the narrowest screen
_LABEL_HEIGHT = 13.0
_LABEL_WIDTH = 8.0  # per character


@dataclass(frozen=True)
class Point:
    """A rung in the plot: intensity in flop/byte, performance in GFLOP/s of executed flops."""

    label: str
    hover: str
    intensity: float
    performance: float


def _point(rung: RungResult, label: str, where: str = "") -> Point | None:
    """Return the point of a rung; None if it does not state its flops and bytes."""
    work = rung.work or {}
    flops = float(work.get("fma_flops") or 0) + float(work.get("add_flops") or 0)
    memory_bytes = float(work.get("memory_bytes") or 0)
    if flops <= 0 or memory_bytes <= 0 or not rung.median_s:
        return None
    performance = flops / rung.median_s / _GIGA
    lines = [
        f"<b>{plain(rung.name)}</b>" + (f", {plain(where)}" if where else ""),
        f"{number(performance)} GFLOP/s executed",
        f"{number(flops / memory_bytes)} flop/byte",
        f"rate {number(rung.rate)} {plain(rung.rate_unit or '')}",
    ]
    if rung.roof_fraction:
        lines.append(f"{percent(rung.roof_fraction)} of its own roof" + f" ({plain(rung.limit_by or 'unknown')})")
    return Point(label, "<br>".join(lines), flops / memory_bytes, performance)


def _short_names(names: list[str]) -> dict[str, str]:
    """Return a label for each rung that fits beside a point: the number in its name if these are distinct."""
    numbers = [name.partition("-")[0] for name in names]
    distinct = len(set(numbers)) == len(numbers) and all(number.isdecimal() for number in numbers)
    return dict(zip(names, numbers if distinct else names, strict=True))


def ladder_points(case: CaseResult) -> tuple[list[Point], list[Point]]:
    """Return the points of a case: the rungs in the ladder's order, and the peers."""
    rungs = measured(case.rungs, "rung")
    short = _short_names([rung.name for rung in rungs])
    ladder = [_point(rung, short[rung.name]) for rung in rungs]
    peers = [_point(peer, peer.name) for peer in measured(case.rungs, "peer")]
    return [point for point in ladder if point], [point for point in peers if point]


def top_points(experiment: ExperimentResult) -> list[Point]:
    """Return the point of the top rung of every case."""
    tops = [(case, measured(case.rungs, "rung")) for case in experiment.cases]
    points = [_point(rungs[-1], case.case, where=case.case) for case, rungs in tops if rungs]
    return [point for point in points if point]


def _ranges(points: list[Point], peaks: list[float], slopes: list[float]) -> tuple[float, float, float, float]:
    intensities = [point.intensity for point in points]
    ridges = [max(peaks) / slope for slope in slopes] if peaks else []
    x_lo = min([*intensities, *ridges], default=0.1) / 3
    x_hi = max([*intensities, *ridges], default=10) * 7
    performances = [point.performance for point in points]
    top = max([*performances, *peaks], default=1.0)
    y_lo = min([*performances, *[slope * x_lo for slope in slopes], *peaks, top / 10]) / 1.6
    return x_lo, x_hi, max(y_lo, min([*performances, top / 30]) / 3), top * 2.2


def _roof_traces(
    peaks: Mapping[str, float], slopes: Mapping[str, float], box: tuple[float, float, float, float]
) -> tuple[list[Any], list[dict[str, Any]]]:
    """Return the roofs as lines, and the labels at their ends."""
    x_lo, x_hi, y_lo, _ = box
    highest = max(peaks.values(), default=None)
    traces: list[Any] = []
    labels: list[dict[str, Any]] = []

    def add(text: str, x: float, y: float, role: str, anchor: str) -> None:
        labels.append(
            {
                "x": math.log10(x),
                "y": math.log10(y),
                "text": plain(text),
                "showarrow": False,
                "xanchor": anchor,
                "yanchor": "top" if anchor == "left" else "bottom",
                "font": {"size": 11, "color": light(role)},
                "bgcolor": light("paper"),
                "borderpad": 1,
            }
        )

    for level, bandwidth in slopes.items():
        per_byte = bandwidth / _GIGA
        start = max(x_lo, y_lo / per_byte)
        end = min(x_hi, highest / bandwidth) if highest else x_hi
        if end <= start:
            continue
        traces.append(
            go.Scatter(
                x=[start, end],
                y=[start * per_byte, end * per_byte],
                mode="lines",
                line={"color": light("bandwidth"), "width": 1.6},
                hoverinfo="skip",
                name=level,
            )
        )
        add(f"{level} {number(per_byte)} GB/s", start, start * per_byte, "bandwidth", "left")
    fastest = max(slopes.values(), default=None)
    for isa, flops in peaks.items():
        start = max(x_lo, flops / fastest) if fastest else x_lo
        peak = flops / _GIGA
        traces.append(
            go.Scatter(
                x=[start, x_hi],
                y=[peak, peak],
                mode="lines",
                line={"color": light("roof"), "width": 2.2 if flops == highest else 1.1},
                hoverinfo="skip",
                name=isa,
            )
        )
        add(f"{isa} {number(peak)}", x_hi, peak, "roof", "right")
    return traces, labels


def _points(points: list[Point], role: str, symbol: str, name: str) -> go.Scatter:
    return go.Scatter(
        x=[point.intensity for point in points],
        y=[point.performance for point in points],
        mode="markers",
        marker={"color": light(role), "size": 9, "symbol": symbol, "line": {"color": light("paper"), "width": 1}},
        hovertext=[point.hover for point in points],
        hovertemplate="%{hovertext}<extra></extra>",
        name=name,
    )


def _names(points: list[Point], role: str, side: str, box: tuple[float, float, float, float]) -> list[dict[str, Any]]:
    """Return labels beside the points, moved apart where they would overlap."""
    x_lo, x_hi, y_lo, y_hi = box
    names: list[dict[str, Any]] = []
    taken: list[tuple[float, float]] = []
    for point in sorted(points, key=lambda point: point.performance):
        across = _PLOT_WIDTH * math.log(point.intensity / x_lo) / math.log(x_hi / x_lo)
        at = _PLOT_HEIGHT * math.log(point.performance / y_lo) / math.log(y_hi / y_lo)
        beside = [height for place, height in taken if abs(place - across) < _LABEL_WIDTH * len(point.label)]
        placed = max([at, *(height + _LABEL_HEIGHT for height in beside if height + _LABEL_HEIGHT > at)])
        taken.append((across, placed))
        names.append(
            {
                "name": "point",
                "x": math.log10(point.intensity),
                "y": math.log10(point.performance),
                "text": label(point.label),
                "showarrow": False,
                "xanchor": "left" if side == "right" else "right",
                "xshift": 8 if side == "right" else -8,
                "yshift": placed - at,
                "font": {"size": 11, "color": light(role)},
            }
        )
    return names


def _arrows(ladder: list[Point]) -> go.Scatter:
    return go.Scatter(
        x=[point.intensity for point in ladder],
        y=[point.performance for point in ladder],
        mode="lines+markers",
        line={"color": light("rung"), "width": 1.1},
        marker={
            "symbol": "arrow",
            "angleref": "previous",
            "size": [0.0] + [9.0] * (len(ladder) - 1),
            "standoff": 5,
            "color": light("rung"),
        },
        hoverinfo="skip",
        name="ladder",
    )


def roofline(
    machine: Machine,
    experiment: ExperimentResult,
    ladder: list[Point],
    peers: list[Point],
    arrows: bool,
    labelled: bool = True,
) -> Figure:
    """Return the figure. With ``arrows``, each point of ``ladder`` is joined to the next rung."""
    peaks, slopes = compute_peaks(machine, experiment), bandwidths(machine, experiment)
    return below_roofs(peaks, slopes, ladder, peers, arrows, labelled)


def below_roofs(
    peaks: Mapping[str, float],
    slopes: Mapping[str, float],
    ladder: list[Point],
    peers: list[Point],
    arrows: bool = False,
    labelled: bool = True,
) -> Figure:
    """Return points below compute roofs in flop/s by instruction set, and bandwidths in byte/s by level."""
    rates = [[rate / _GIGA for rate in one.values()] for one in (peaks, slopes)]
    box = _ranges([*ladder, *peers], *rates)
    traces, labels = _roof_traces(peaks, slopes, box)
    if arrows and len(ladder) > 1:
        traces.append(_arrows(ladder))
    if peers:
        traces.append(_points(peers, "peer", "diamond", "peers"))
        labels += _names(peers, "peer", "left", box)
    traces.append(_points(ladder, "rung", "circle", "rungs"))
    if labelled:
        labels += _names(ladder, "ink", "right", box)
    x_lo, x_hi, y_lo, y_hi = box
    layout = {
        "xaxis": axis(
            "arithmetic intensity, flop/byte",
            type="log",
            range=[math.log10(x_lo), math.log10(x_hi)],
            **log_ticks(x_lo, x_hi),
        ),
        "yaxis": axis(
            "GFLOP/s executed",
            type="log",
            range=[math.log10(y_lo), math.log10(y_hi)],
            automargin=True,
            **log_ticks(y_lo, y_hi),
        ),
        "annotations": labels,
        "height": 460,
        "margin": {"l": 56, "r": 12, "t": 12, "b": 48},
        "hovermode": "closest",
    }
    return finished(traces, layout)
