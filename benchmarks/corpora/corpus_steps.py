"""What is done with an input of a corpus, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from benchmarks.corpora.corpus_packages import Fetched, Packages

Kind = Literal["right", "refused", "left out", "wrong", "crash", "hang", "unnamed error"]
FAULTS: tuple[Kind, ...] = ("wrong", "crash", "hang", "unnamed error")


class Refused(Exception):
    """The input was refused with a message to its user, which is what is raised."""


class Wrong(Exception):
    """What came out is not what is right; the message tells the difference."""


class LeftOut(Exception):
    """There is nothing here that the input can be held against, or it needs what is not installed."""


@dataclass(frozen=True)
class Input:
    """A file, or what else a part tries.

    name  short, the same on every machine
    """

    name: str
    path: Path


@dataclass(frozen=True)
class Step:
    """One thing that is tried with an input.

    task  what the outcomes are counted under, such as "read"
    what  of the input, such as a dataset
    run   returns where all is right; raises Refused, Wrong or LeftOut, and anything else is an unnamed error
    """

    task: str
    what: str
    run: Callable[[], None]


@dataclass(frozen=True)
class Outcome:
    """What came of a step."""

    input: str
    task: str
    what: str
    kind: Kind
    reason: str = ""

    @property
    def is_fault(self) -> bool:
        """Whether it is what must not be."""
        return self.kind in FAULTS


class Part(Protocol):
    """A module `part_NAME.py`.

    TITLE     of the page
    TEXT      what is tried, and against what; what is asked of the counts
    PACKAGES  that the inputs come from
    LIMIT_S   seconds for one step
    MOST_REFUSED  share of each task's steps that may be refused, those left out not counted
    """

    TITLE: str
    TEXT: str
    PACKAGES: Packages
    LIMIT_S: float
    MOST_REFUSED: Mapping[str, float]

    def inputs(self, packages: Sequence[Fetched], work: Path) -> list[Input]:
        """Return what is tried, in a fixed order. `work` is a folder that stays."""

    def steps(self, given: Input, scratch: Path) -> Iterator[Step]:
        """Yield what is done with an input, in the same order each time. `scratch` is an empty folder."""

    def reason_group(self, reason: str) -> str:
        """Return a reason without what is the input's own, such as names and numbers: reasons are counted by it."""
