"""The compared numbers were printed with different units."""

from collections.abc import Iterator

from rooftop.command.doubts import Samples
from rooftop.command.measured import OUTPUT
from rooftop.command.number import FIGURE as UNIT
from rooftop.documents import Doubt
from rooftop.measure.arms import Sample

ORDER = 5

_NONE = "no unit"


def _units(taken: list[Sample]) -> dict[str, None]:
    """Return the units of a command's figures in order of appearance."""
    found: dict[str, None] = {}
    for figures in (one.figures for one in taken if one.figures and OUTPUT in one.figures):
        own = {name.removeprefix(UNIT): part for name, part in figures.items() if name.startswith(UNIT)}
        found |= dict.fromkeys(own)
        if sum(own.values()) < 1 - 1e-6:
            found[_NONE] = None
    return found


def find(samples: Samples) -> Iterator[Doubt]:
    told = []
    for names in samples.compared or (tuple(samples),):
        units = {name: _units(samples[name]) for name in names if name in samples}
        if len(set().union(*units.values())) > 1:
            told += [f"{name}: {' and '.join(own)}" for name, own in units.items() if own]
    yield from Doubt.about_all(
        "Figures were printed with different units",
        told,
        "They are compared as bare numbers: let all commands print the same unit",
        between="; ",
    )
