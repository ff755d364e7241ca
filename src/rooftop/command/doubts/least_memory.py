"""The peak memory is that of the process that starts the program, not its own."""

from collections.abc import Iterator
from statistics import median

from rooftop.command.doubts import Samples
from rooftop.command.measured import LEAST_MAXRSS
from rooftop.documents import Doubt

ORDER = 20

_NEAR = 1.05  # times the least peak: starting a command takes some pages more


def find(samples: Samples) -> Iterator[Doubt]:
    told = []
    for name, taken in samples.items():
        seen = [one.figures for one in taken if one.figures and {LEAST_MAXRSS, "maxrss"} <= one.figures.keys()]
        if seen:
            peak, least = (median(figures[key] for figures in seen) for key in ("maxrss", LEAST_MAXRSS))
            if peak <= _NEAR * least:
                told.append(f"{name}: at most {peak / 2**20:.3g} MiB")
    yield from Doubt.about_all(
        "Some peaks of memory are the least that can be seen",
        told,
        "Less than that is not told apart: compare with work that needs more memory",
        between="; ",
    )
