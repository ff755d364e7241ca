"""Programs went on when their command ended, and were ended with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rooftop.command.doubts import Samples
from rooftop.documents import Doubt
from rooftop.text.plural import some

ORDER = 10
FIGURE = "left_running"  # how many processes a run left, where it left any


def find(samples: Samples) -> Iterator[Doubt]:
    told = []
    for name, taken in samples.items():
        left = [one.figures[FIGURE] for one in taken if one.figures and FIGURE in one.figures]
        if left:
            number = "a process" if max(left) == 1 else f"up to {max(left):.0f} processes"
            told.append(f"{name}: {number}, in {len(left)} of {len(taken)} samples")
    if told:
        yield Doubt(
            doubt="Work may have been cut off: processes were left running when their command ended",
            evidence=some(told, "; "),
            about=told,
            remedy="They were ended with it: let the command wait for what it starts; in sh, & and &> put work into "
            "the background",
        )


def left_behind(said: str, names: Sequence[str]) -> str:
    """Return the sentence that tells what a program left. `said`: what the program is called."""
    number = "a process" if len(names) == 1 else f"{len(names)} processes"
    told = ", ".join(dict.fromkeys(names))
    return f"{said} left {number} at work when it ended ({told}), which ended with it: let it wait for its own"
