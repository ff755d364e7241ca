"""What each thread does over time, by the looks of the sampler: it runs, wants a core, or sleeps in something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from rooftop.files.document import Document
from rooftop.observe.recording import Recording, Thread
from rooftop.observe.sleeping import CHILD, IO, LOCK, NETWORK, OTHER, SLEEP
from rooftop.observe.threads import Scene, ThreadStory

RUNS, WANTS = "runs", "wants a core"
STATES = {"R": RUNS, "w": WANTS, "l": LOCK, "i": IO, "m": NETWORK, "s": SLEEP, "p": CHILD, "o": OTHER}
GONE = " "
_PLACES = {state: place for place, state in enumerate(STATES.values())}
COLUMNS = 400
MOST_THREADS = 64
_THERE = 0.5  # of a column
_RAN = 0.01  # of its time: a thread that ran or wanted to for less is a helper, unless it is a process's first


class Lane(Document):
    """One thread: a letter for each column, a key of `STATES`, or a blank where it is not there."""

    name: str
    states: str


class Timeline(Document):
    """The busiest threads over time.

    column_s  seconds of one column
    states    what the letters mean: what a thread did for most of a column
    left_out  threads that are not shown
    """

    column_s: float
    states: dict[str, str] = Field(default_factory=lambda: dict(STATES))
    lanes: list[Lane] = Field(default_factory=list)
    left_out: int = 0


def shown(scene: Scene) -> Sequence[ThreadStory]:
    """Return the busiest threads, in the order of rank, process and thread.

    If there are ranks, of these only: the threads that work in them before the helpers of their MPI.
    """
    ranks = any(story.facts.rank is not None for story in scene.stories)
    there = [
        story
        for story in scene.stories
        if (not ranks or story.facts.rank is not None)
        and (story.thread.pid == story.thread.tid or story.run_s + story.wait_s >= _RAN * story.seen_s)
    ]

    def first(story: ThreadStory) -> tuple[bool, float]:
        helps = ranks and story.thread.pid != story.thread.tid and not story.busy
        return helps, -(story.run_s + story.wait_s)

    chosen = sorted(there, key=first)[:MOST_THREADS]
    return [story for story in there if story in chosen]


@dataclass
class Spent:
    """What one thread did before each of its looks: the indices of these, and the seconds in each state."""

    looks: list[int] = field(default_factory=list)
    seconds: list[list[float]] = field(default_factory=list)

    def rows(self) -> NDArray[np.float64]:
        """Return the seconds, of shape (states, own looks)."""
        return np.array(self.seconds).T


def by_state(recording: Recording) -> dict[Thread, Spent]:
    """Return what each thread did."""
    found: dict[Thread, Spent] = {}
    before: dict[Thread, tuple[int, int]] = {}
    began_ns = recording.began_ns
    for place, look in enumerate(recording.looks):
        held_ns = max(0, look.at_ns - began_ns)
        began_ns = look.at_ns
        for thread, seen in look.seen.items():
            run_ns, wait_ns = before.get(thread, (0, 0))
            before[thread] = seen.run_ns, seen.wait_ns
            ran_ns = min(held_ns, max(0, seen.run_ns - run_ns))
            waited_ns = min(held_ns - ran_ns, max(0, seen.wait_ns - wait_ns))
            row = [0.0] * len(STATES)
            row[_PLACES[RUNS]] = ran_ns * 1e-9
            row[_PLACES[WANTS]] = waited_ns * 1e-9
            # A thread that is ready has waited too: the kernel counts waiting when it ends.
            rest = seen.sleeps or (WANTS if seen.state == "R" else OTHER)
            row[_PLACES[rest]] += (held_ns - ran_ns - waited_ns) * 1e-9
            spent = found.setdefault(thread, Spent())
            spent.looks.append(place)
            spent.seconds.append(row)
    return found


def _lane(spent: Spent, moments: NDArray[np.float64], edges: NDArray[np.float64]) -> str:
    """Return the letters of a thread: the state in which it was longest between each two `edges`."""
    until = np.zeros((len(STATES), len(moments)))
    until[:, np.array(spent.looks) + 1] = spent.rows()
    until = until.cumsum(axis=1)
    columns = np.array([np.diff(np.interp(edges, moments, row)) for row in until])
    there = columns.sum(axis=0) >= _THERE * np.diff(edges)
    letters = list(STATES)
    return "".join(letters[most] if seen else GONE for most, seen in zip(columns.argmax(axis=0), there, strict=True))


def timeline(recording: Recording, scene: Scene) -> Timeline | None:
    """Return the timeline; None if nothing was seen."""
    moments = np.array([recording.began_ns, *(look.at_ns for look in recording.looks)], dtype=np.float64) * 1e-9
    moments -= moments[0]
    stories = shown(scene)
    if not stories or moments[-1] <= 0:
        return None
    columns = min(COLUMNS, len(recording.looks))
    edges = np.linspace(0.0, moments[-1], columns + 1)
    spent = by_state(recording)
    return Timeline(
        column_s=float(moments[-1]) / columns,
        lanes=[Lane(name=story.name, states=_lane(spent[story.thread], moments, edges)) for story in stories],
        left_out=sum(1 for story in scene.stories if story not in stories),
    )
