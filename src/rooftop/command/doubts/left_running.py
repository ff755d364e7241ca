"""A command left processes running, which were then ended."""

from collections.abc import Iterator

from rooftop.command.doubts import Samples
from rooftop.command.measured import LEFT_RUNNING
from rooftop.documents import Doubt

ORDER = 10


def find(samples: Samples) -> Iterator[Doubt]:
    told = []
    for name, taken in samples.items():
        left = [one.figures[LEFT_RUNNING] for one in taken if one.figures and LEFT_RUNNING in one.figures]
        if left:
            number = "a process" if max(left) == 1 else f"up to {max(left):.0f} processes"
            told.append(f"{name}: {number}, in {len(left)} of {len(taken)} samples")
    yield from Doubt.about_all(
        "Work may have been cut off: processes were left running when their command ended",
        told,
        "They were ended with it: let the command wait for what it starts; in sh, & and &> put work in the background",
        between="; ",
    )
