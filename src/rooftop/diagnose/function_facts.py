"""What was seen of a program's functions: how often each is called, and the time of its own that a call takes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import PurePath

from rooftop.files.document import Document
from rooftop.observe.function_calls import COUNTING, FunctionCalls
from rooftop.observe.profile import HotFunction

_MOST = 20  # functions that are listed: of those called most, and of those in which most time is

_HOT = 0.2  # of all samples, from which on it is worth a line that nobody knows how often a function is called
_ONCE = ("main", "MAIN__")
Namer = Callable[[str, Sequence[int]], Sequence[tuple[str, ...]]]


class CalledFunction(Document):
    """A function whose calls were counted. Functions of one name in one file, such as overloads, are one.

    calls    by all processes
    share    of all samples that are in it, not in what it calls; None: without a profile, or it has no name
    seconds  of its own, of all cores together, in the run as given; None: not known
    """

    function: str
    file: str
    calls: int
    share: float | None = None
    seconds: float | None = None

    @property
    def call_s(self) -> float | None:
        """Seconds of its own that a call takes."""
        return self.seconds / self.calls if self.seconds is not None and self.calls else None


class FunctionFacts(Document):
    """The functions that were called.

    functions  those called most and those that take most time of their own, by their calls
    different  functions that were called, those too that are not listed
    calls      of all of them
    processes  that called any
    counting   share of all samples that is in what the compiler made functions call
    """

    functions: list[CalledFunction]
    different: int
    calls: int
    processes: int
    counting: float = 0.0


def function_facts(
    told: FunctionCalls, hot: Sequence[HotFunction] | None, sampled_s: float, name: Namer
) -> FunctionFacts:
    """Return the calls of all processes beside the time of their functions.

    hot        functions by their own time; None: without a profile
    sampled_s  processor time that all samples stand for
    name       gives the names of the functions at addresses of a file, as the profile has them
    """
    by_file: dict[str, list[int]] = {}
    for file, address in told.of:
        by_file.setdefault(file, []).append(address)
    calls: dict[tuple[str, tuple[str, ...]], int] = {}
    for file, addresses in by_file.items():
        for address, names in zip(addresses, name(file, addresses), strict=True):
            key = PurePath(file).name, names or (f"{PurePath(file).name}+{address:#x}",)
            calls[key] = calls.get(key, 0) + told.of[file, address]
    shares: dict[tuple[str, str], float] = {}
    for one in hot or []:
        shares[one.file, one.function] = shares.get((one.file, one.function), 0.0) + one.share
    found = []
    for (file, names), count in calls.items():
        share = next((shares[file, one] for one in names if (file, one) in shares), None)
        seconds = share * sampled_s if share is not None else None
        found.append(CalledFunction(function=names[0], file=file, calls=count, share=share, seconds=seconds))
    found.sort(key=lambda one: -one.calls)
    longest = sorted(found, key=lambda one: -(one.share or 0.0))[:_MOST]
    return FunctionFacts(
        functions=[one for place, one in enumerate(found) if place < _MOST or (one.share and one in longest)],
        different=len(found),
        calls=sum(told.of.values()) + told.lost,
        processes=told.processes,
        counting=sum(one.share for one in hot or [] if COUNTING.match(one.function)),
    )


def hot_function(hot: Sequence[HotFunction], files: Collection[str]) -> str | None:
    """Return the function of some files that takes most time, but for main; None where none takes much."""
    own = (one for one in hot if one.file in files and one.share >= _HOT)
    return next((one.function for one in own if one.function not in _ONCE and not one.function.startswith("0x")), None)
