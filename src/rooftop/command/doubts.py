"""Reasons to distrust the figures of commands, beside those about the machine. One function is one doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import median

from rooftop.command.left_behind import FIGURE as LEFT
from rooftop.command.measured import LEAST_MAXRSS
from rooftop.documents import Doubt
from rooftop.measure.arms import Arm, Sample

_SHOWN = 4
_NEAR = 1.05  # times the least peak: starting a command takes some pages more

Samples = Mapping[str, Sequence[Sample]]


def _some(told: Sequence[str]) -> str:
    shown = "; ".join(told[:_SHOWN])
    return shown if len(told) <= _SHOWN else f"{shown}; and {len(told) - _SHOWN} more"


def left_running(samples: Samples) -> Iterator[Doubt]:
    """Programs went on when their command ended, and were ended with it."""
    told = []
    for name, taken in samples.items():
        left = [one.figures[LEFT] for one in taken if one.figures and LEFT in one.figures]
        if left:
            number = "a process" if max(left) == 1 else f"up to {max(left):.0f} processes"
            told.append(f"{name}: {number}, in {len(left)} of {len(taken)} samples")
    if told:
        yield Doubt(
            doubt="Work may have been cut off: processes were left running when their command ended",
            evidence=_some(told),
            remedy="They were ended with it: let the command wait for what it starts; in sh, & and &> put work into "
            "the background",
        )


def least_memory(samples: Samples) -> Iterator[Doubt]:
    """A peak of memory is not the program's own, but that of what starts it."""
    told = []
    for name, taken in samples.items():
        seen = [one.figures for one in taken if one.figures and {LEAST_MAXRSS, "maxrss"} <= one.figures.keys()]
        if seen:
            peak, least = (median(figures[key] for figures in seen) for key in ("maxrss", LEAST_MAXRSS))
            if peak <= _NEAR * least:
                told.append(f"{name}: at most {peak / 2**20:.3g} MiB")
    if told:
        yield Doubt(
            doubt="Some peaks of memory are the least that can be seen",
            evidence=_some(told),
            remedy="Less than that is not told apart: compare with work that needs more memory",
        )


DOUBTS: tuple[Callable[[Samples], Iterator[Doubt]], ...] = (left_running, least_memory)


def about_commands(arms: Iterable[Arm]) -> list[Doubt]:
    """Return every doubt that the samples support. Of one command there may be several arms, one in each case."""
    samples: dict[str, list[Sample]] = {}
    for arm in [arm for arm in arms if arm.role != "twin"]:
        samples.setdefault(arm.name, []).extend(arm.samples)
    return [doubt for find in DOUBTS for doubt in find(samples)]
