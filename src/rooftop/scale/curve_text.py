"""Describe a curve in lines: its base, what was left out, and the fitted laws."""

from __future__ import annotations

from rooftop.command.number import figure
from rooftop.scale.document import Curve, ScaleDocument
from rooftop.scale.fits import Interval, LawResult

CROWDED = "*"


def interval_text(one: Interval | None, digits: int = 3) -> str:
    """Return a figure with its interval."""
    if one is None:
        return ""
    if one.lo is None or one.hi is None:
        return f"{one.value:.{digits}g}"
    return f"{one.value:.{digits}g} [{one.lo:.{digits}g}, {one.hi:.{digits}g}]"


def law_line(law: LawResult) -> str:
    """Return a law in one line."""
    if law.refused is not None:
        return f"{law.title}: not fitted: {law.refused}"
    told = ", ".join(f"{name} {interval_text(one)}" for name, one in law.parameters.items())
    line = f"{law.title}: {told}; deviates from the points by {law.misfit:.1%}"
    if law.peak is not None:
        line += f"; largest speed-up at {interval_text(law.peak)} workers"
    if law.ahead is not None:
        line += f"; at {law.ahead.workers:g} workers {law.ahead.speedup:.3g} [{law.ahead.lo:.3g}, {law.ahead.hi:.3g}]"
    return f"{line}; {law.not_ahead}" if law.not_ahead is not None else line


def curve_lines(curve: Curve, document: ScaleDocument) -> list[str]:
    """Return what a curve's table does not show, line by line."""
    lines = []
    if any(point.oversubscribed for point in curve.points):
        lines.append(f"{CROWDED} oversubscribed: more workers than cores, left out of the fits")
    lines += [f"{point.name}: {point.outcome}: {point.reason}" for point in curve.points if point.outcome != "ok"]
    if curve.base is not None:
        base, interval = curve.base, ""
        if base.lo is not None and base.hi is not None:
            interval = f" [{figure(base.lo, document.unit)}, {figure(base.hi, document.unit)}]"
        lines.append(f"base: {base.name}: {figure(base.median, document.unit)}{interval}: {base.line}")
    if curve.serial is not None and curve.serial.outcome != "ok":
        lines.append(f"{curve.serial.name} is {curve.serial.outcome}, and not the base: {curve.serial.reason}")
    if curve.mode == "weak":
        growing = " ".join(f"{name}={expression}" for name, expression in document.weak.items())
        lines.append(f"the problem grows by {growing}; its work is taken as proportional to the workers")
    if curve.floor is not None:
        lines.append(f"A/A floor {curve.floor:.2%}")
    lines += [law_line(law) for law in curve.laws]
    if curve.preferred_says:
        lines.append(curve.preferred_says)
    if any(point.factors is not None for point in curve.points):
        lines.append("PE, parallel efficiency, is LB, load balance, times CommE, communication efficiency")
    elif curve.no_factors is not None:
        lines.append(f"no load balance and communication efficiency: {curve.no_factors}")
    return lines
