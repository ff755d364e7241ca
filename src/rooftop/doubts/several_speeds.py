"""Runs of one program have two speeds or more: a median sees the one that is more frequent, and no share."""

from collections.abc import Iterator

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.measure.shape import speeds, strip
from rooftop.text.plural import some

ORDER = 42
ABOUT_THE_MACHINE = True


def find(evidence: Evidence) -> Iterator[Doubt]:
    told = [
        f"{name} {strip(values)} {two.slow_share:.0%} of the runs take {two.slow / two.fast:.3g}× the others' value"
        for name, values in evidence.each_series()
        if (two := speeds(values)) is not None
    ]
    if told:
        yield Doubt(
            doubt="Runs of one program have several speeds",
            evidence=some(told, "; "),
            remedy="Find what differs between the runs (addresses, cores, what a cache holds); their mean is judged "
            "beside the median, and takes many more pairs",
        )
