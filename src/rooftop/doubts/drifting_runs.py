"""Each run of a program was slower, or faster, than the one before: what it takes depends on how often it ran."""

from collections.abc import Iterator

from rooftop.documents import Doubt
from rooftop.doubts import Evidence
from rooftop.measure.shape import trend
from rooftop.text.plural import some

ORDER = 46
ABOUT_THE_MACHINE = True


def find(evidence: Evidence) -> Iterator[Doubt]:
    told = [
        f"{name}: the last third of {len(values)} runs {change:+.0%} on the first"
        for name, values in evidence.each_series()
        if (change := trend(values)) is not None
    ]
    if told:
        yield Doubt(
            doubt="Values changed from run to run",
            evidence=some(told, "; "),
            remedy="If a run leaves something behind (a file that grows, a full cache), restore it before each with "
            "--prepare; if all commands changed alike, the machine did: wait, and measure again",
        )
