"""Programs went on when their command ended, and were ended with it."""

from collections.abc import Iterator

from rooftop.command.doubts import Samples
from rooftop.command.leftover_processes import FIGURE as LEFT
from rooftop.documents import Doubt
from rooftop.text.plural import some

ORDER = 10


def find(samples: Samples) -> Iterator[Doubt]:
    told = []
    for name, taken in samples.items():
        left = [one.figures[LEFT] for one in taken if one.figures and LEFT in one.figures]
        if left:
            number = "a process" if max(left) == 1 else f"up to {max(left):.0f} processes"
            told.append(f"{name}: {number}, in {len(left)} of {len(taken)} samples")
    if told:
        yield Doubt(
            doubt="Work may have been cut off: processes were left running when their command ended",
            evidence=some(told, "; "),
            remedy="They were ended with it: let the command wait for what it starts; in sh, & and &> put work into "
            "the background",
        )
