"""Figures beside the time as a reader wants them: their names end with what they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rooftop.documents import CaseResult
from rooftop.text import quantities

_FORMS: dict[str, Callable[[float], str]] = {  # by the end of the name; the first that fits holds
    "_ns_per_step": lambda value: quantities.seconds(value * 1e-9),
    "_ns": lambda value: quantities.seconds(value * 1e-9),
    "_bytes": quantities.size,
    "_percent": lambda value: quantities.percent(value / 100),
}


@dataclass(frozen=True)
class Beside:
    """A table: what each rung that tells something has for each figure, as text."""

    titles: list[str]
    rows: list[tuple[str, list[str]]]


def title(name: str) -> str:
    """Return what a figure is called: "excess_percent" is "excess", "scan_ns_per_step" is "scan per step"."""
    end = next((end for end in _FORMS if name.endswith(end)), "")
    return name.removesuffix(end).replace("_", " ") + (" per step" if end == "_ns_per_step" else "")


def written(name: str, value: float) -> str:
    """Return a figure with the unit that its name tells; what has none is a count."""
    for end, form in _FORMS.items():
        if name.endswith(end):
            return form(value)
    return quantities.whole(round(value)) if value == round(value) else quantities.number(value)


def beside_time(case: CaseResult) -> Beside | None:
    """Return the table of a case; None where no rung tells any figure. Figures that are 0 for all are left out."""
    told: Sequence[tuple[str, dict[str, float]]] = [(rung.name, rung.figures) for rung in case.rungs if rung.figures]
    names = [
        name
        for name in dict.fromkeys(name for _, figures in told for name in figures)
        if any(figures.get(name) for _, figures in told)
    ]
    if not names:
        return None
    rows = [
        (rung, [written(name, figures[name]) if name in figures else quantities.ABSENT for name in names])
        for rung, figures in told
    ]
    return Beside([title(name) for name in names], rows)
