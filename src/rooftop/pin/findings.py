"""What is wrong with where threads are. One function is one kind of finding; none looks at anything but the scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from rooftop.documents import Document
from rooftop.machine.cpu_list import format_cpu_list
from rooftop.machine.places import Places
from rooftop.pin.threads import Scene, ThreadStory

_SHARED = 0.5  # of the time in which two threads were both busy they were on one CPU
_LASTING = 0.1  # of the busy time: what two threads do for less than this together is not judged
_WANDERS_PER_S = 5.0
_LEAST_MOVES = 5
_CROSSES = 0.05  # of a thread's running time was spent away from its own node
_UNUSED = 0.01  # of a CPU's time
_TAKEN = 0.5  # of a CPU's time went to other programs: it was no place to go to
_OTHERS = 0.25  # of a CPU's time, all CPUs together
_SHOWN = 4


class Finding(Document):
    """One thing that is wrong, or in a hint one that is worth knowing.

    cpus     a list as Linux writes it: those that the finding is about
    threads  their numbers (tid)
    """

    finding: str
    evidence: str
    remedy: str
    cpus: str = ""
    threads: list[int] = Field(default_factory=list)


@dataclass(frozen=True)
class Ground:
    """What a finding is judged from.

    quota    CPUs' worth of time that the control group allows; None: any
    anybody  CPU to the share of time in which anybody used it, as far as the system tells
    """

    scene: Scene
    places: Places
    quota: float | None = None
    anybody: Mapping[int, float] = field(default_factory=dict)

    @property
    def level(self) -> int:
        """How many threads are busy at once."""
        return self.scene.level()

    def used(self) -> frozenset[int]:
        """Return the usable CPUs on which busy threads ran for more than a hundredth of the time."""
        return frozenset(cpu for cpu, share in self.scene.carried().items() if share > _UNUSED) & self.cpus

    def others(self) -> dict[int, float]:
        """Return CPU to the share of time in which something else used it."""
        carried = self.scene.carried()
        return {cpu: max(0.0, self.anybody.get(cpu, 0.0) - carried.get(cpu, 0.0)) for cpu in sorted(self.cpus)}

    @property
    def cpus(self) -> frozenset[int]:
        """The usable CPUs."""
        return self.places.cpus


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def _cpus(cpus: frozenset[int] | set[int]) -> str:
    return f"CPU{'' if len(cpus) == 1 else 's'} {format_cpu_list(cpus)}"


def _threads(count: int) -> str:
    return f"{count} busy thread{'' if count == 1 else 's'}"


def _waited(stories: Sequence[ThreadStory]) -> float:
    """Return the share of the time in which threads wanted a CPU that they waited for one."""
    waited = sum(story.wait_s for story in stories)
    return waited / max(waited + sum(story.run_s for story in stories), 1e-9)


def _made(name: str, stories: Sequence[ThreadStory], cpus: frozenset[int] | set[int], said: str, do: str) -> Finding:
    tids = [story.thread.tid for story in stories]
    return Finding(finding=name, evidence=said, remedy=do, cpus=format_cpu_list(cpus), threads=tids)


# --- stacked -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Crowd:
    """Threads that are bound to fewer CPUs than there are of them at once."""

    cpus: frozenset[int]
    chosen: NDArray[np.bool_]
    level: int


def _crowds(ground: Ground) -> list[_Crowd]:
    """Return the crowds that leave usable CPUs to others, the narrowest first."""
    busy = ground.scene.busy
    found: list[_Crowd] = []
    sets = {story.facts.allowed & ground.cpus for story in busy}
    for cpus in sorted((one for one in sets if one and one < ground.cpus), key=lambda one: (len(one), sorted(one))):
        chosen = np.array([bool(story.facts.allowed & ground.cpus <= cpus) for story in busy])
        level = ground.scene.level(chosen)
        excess = sum(crowd.level - len(crowd.cpus) for crowd in found if crowd.cpus < cpus)
        if level - excess > len(cpus):
            found.append(_Crowd(cpus, chosen, level))
    return found


def stacked_by_binding(ground: Ground) -> Iterator[Finding]:
    """More busy threads are bound to some CPUs than there are CPUs, while others carry nothing of the command."""
    idle = ground.cpus - ground.used()
    for crowd in _crowds(ground):
        if not idle:
            continue
        stories = [story for story, one in zip(ground.scene.busy, crowd.chosen, strict=True) if one]
        ranks = sorted({story.facts.rank for story in stories if story.facts.rank is not None})
        of = f" of rank{'' if len(ranks) == 1 else 's'} {format_cpu_list(ranks)}" if ranks else ""
        yield _made(
            "stacked",
            stories,
            crowd.cpus,
            f"{_threads(crowd.level)}{of} at once are bound to {_cpus(crowd.cpus)}, while {_cpus(idle)} "
            f"carr{'ies' if len(idle) == 1 else 'y'} nothing of the command",
            "give every rank as many cores as it has threads, and every thread a core of its own",
        )


def _together(ground: Ground, place_of: Mapping[int, int]) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs of busy threads (rows) that share a place while another stands idle, with the share of time."""
    scene = ground.scene
    places = np.full(scene.cpu.shape, -1, dtype=np.int32)
    for cpu in np.unique(scene.cpu):
        places[scene.cpu == cpu] = place_of.get(int(cpu), -1)
    free = set(place_of.values()) - {place_of[cpu] for cpu, share in ground.others().items() if share > _TAKEN}
    idle = [bool(free - set(places[scene.demanding[:, look], look].tolist())) for look in range(scene.cpu.shape[1])]
    weights = scene.weights * np.array(idle, dtype=np.float64)
    demanding = scene.demanding.astype(np.float64)
    both = (demanding * scene.weights) @ demanding.T
    same = np.zeros_like(both)
    for place in set(place_of.values()):
        there = demanding * (places == place)
        same += (there * weights) @ there.T
    for a, b in zip(*np.nonzero(np.triu(same, 1)), strict=True):
        if both[a, b] >= _LASTING * scene.active_s and same[a, b] >= _SHARED * both[a, b]:
            yield int(a), int(b), float(same[a, b] / both[a, b])


def _clusters(pairs: Sequence[tuple[int, int, float]]) -> list[tuple[list[int], float]]:
    """Join pairs that have a thread in common; give each cluster with the least of its pairs' shares."""
    found: list[tuple[set[int], float]] = []
    for a, b, share in pairs:
        joined, least = {a, b}, share
        for members, other in [one for one in found if one[0] & joined]:
            joined, least = joined | members, min(least, other)
            found.remove((members, other))
        found.append((joined, least))
    return [(sorted(members), least) for members, least in found]


def stacked_as_seen(ground: Ground) -> Iterator[Finding]:
    """Busy threads that need not share a CPU share one all the same, while others stand idle."""
    crowded = [crowd.chosen for crowd in _crowds(ground)]
    pairs = [
        (a, b, share)
        for a, b, share in _together(ground, {cpu: cpu for cpu in ground.cpus})
        if not any(chosen[a] and chosen[b] for chosen in crowded)
    ]
    for members, share in _clusters(pairs):
        stories = [ground.scene.busy[row] for row in members]
        homes = {story.home for story in stories if story.home is not None}
        yield _made(
            "stacked",
            stories,
            homes,
            f"{_some([story.name for story in stories])} were on one CPU ({_cpus(homes)}) for at least {share:.0%} of "
            "the time in which they were busy together, while another stood idle; they waited "
            f"{_waited(stories):.0%} of it",
            "bind every thread to a core of its own",
        )


def siblings(ground: Ground) -> Iterator[Finding]:
    """Busy threads share a core's hardware threads while whole cores stand idle."""
    if ground.places.cores == len(ground.cpus):
        return
    same_cpu = {(a, b) for a, b, _ in _together(ground, {cpu: cpu for cpu in ground.cpus})}
    pairs = [one for one in _together(ground, ground.places.core) if (one[0], one[1]) not in same_cpu]
    if not pairs:
        return
    members = sorted({row for a, b, _ in pairs for row in (a, b)})
    stories = [ground.scene.busy[row] for row in members]
    homes = {story.home for story in stories if story.home is not None}
    cores = {ground.places.core[cpu] for cpu in ground.used()}
    yield _made(
        "siblings",
        stories,
        homes,
        f"{_threads(len(members))} share cores with each other as hardware threads ({_cpus(homes)}), while "
        f"{ground.places.cores - len(cores)} of {ground.places.cores} cores stand idle",
        "place threads by cores rather than by hardware threads",
    )


# --- too many ------------------------------------------------------------------------------------------------------


def oversubscribed(ground: Ground) -> Iterator[Finding]:
    """More threads are busy at once than there are CPUs."""
    if ground.level > len(ground.cpus):
        yield _made(
            "oversubscribed",
            ground.scene.busy,
            ground.cpus,
            f"{_threads(ground.level)} at once on {_cpus(ground.cpus)}; they waited "
            f"{_waited(ground.scene.busy):.0%} of the time for one",
            f"start at most {len(ground.cpus)} busy threads: ranks times threads",
        )


def quota(ground: Ground) -> Iterator[Finding]:
    """The control group pays for less processor time than the busy threads want."""
    wanted = min(ground.level, len(ground.cpus))
    if ground.quota is not None and ground.quota < wanted:
        yield _made(
            "quota",
            ground.scene.busy,
            ground.cpus,
            f"{_threads(wanted)} at once, and the control group allows {ground.quota:.3g} CPUs' worth of time",
            f"start at most {max(1, int(ground.quota))}, or have the quota raised",
        )


# --- on the move ---------------------------------------------------------------------------------------------------


def wandering(ground: Ground) -> Iterator[Finding]:
    """Busy threads move between CPUs.

    One that is bound to a CPU has moved to get there, and libraries bind it to one CPU after the other while they look
    at the machine: of these, only the moves that were seen between looks count.
    """

    def wanders(story: ThreadStory) -> bool:
        moves = story.moves if len(story.facts.allowed) > 1 else story.changes
        return moves >= _LEAST_MOVES and moves > _WANDERS_PER_S * story.seen_s

    movers = [story for story in ground.scene.busy if wanders(story)]
    for allowed, word in ((True, "may"), (False, "is bound, and something binds it anew")):
        stories = [story for story in movers if (len(story.facts.allowed) > 1) == allowed]
        if not stories:
            continue
        told = [f"{story.name} {story.moves_per_s:.3g} times a second" for story in stories]
        where = format_cpu_list(frozenset[int]().union(*(story.facts.allowed for story in stories)))
        yield _made(
            "wandering",
            stories,
            {cpu for story in stories for cpu in story.shares},
            f"{_some(told)}; each {f'may run on CPUs {where}' if allowed else word}",
            "bind every thread to a core"
            if allowed
            else "find what calls sched_setaffinity: a library, the launcher or a daemon",
        )


def crossing(ground: Ground) -> Iterator[Finding]:
    """Busy threads run on more than one memory node, away from where their data was first touched."""
    if ground.places.nodes < 2:
        return
    found = []
    for story in ground.scene.busy:
        by_node: dict[int, float] = {}
        for cpu, share in story.shares.items():
            node = ground.places.node.get(cpu, 0)
            by_node[node] = by_node.get(node, 0.0) + share
        if 1 - max(by_node.values(), default=1.0) >= _CROSSES:
            found.append((story, by_node))
    if found:
        told = []
        for story, by_node in found:
            shares = sorted(by_node.items(), key=lambda one: -one[1])
            told.append(f"{story.name} ran " + ", ".join(f"{share:.0%} on node {node}" for node, share in shares))
        yield _made(
            "crossing",
            [story for story, _ in found],
            {cpu for story, _ in found for cpu in story.shares},
            _some(told),
            "bind every thread to a core, and have it touch its data first",
        )


# --- hints ---------------------------------------------------------------------------------------------------------


def unbound(ground: Ground) -> Iterator[Finding]:
    """Nothing holds busy threads where they are."""
    free = [story for story in ground.scene.busy if story.facts.allowed >= ground.cpus]
    if free and len(ground.cpus) > 1 and ground.level <= len(ground.cpus):
        yield _made(
            "unbound",
            free,
            ground.cpus,
            f"{_threads(len(free))} may run on all of {_cpus(ground.cpus)}",
            "bind them: what stays where it is keeps its caches and its memory near",
        )


def idle(ground: Ground) -> Iterator[Finding]:
    """Usable CPUs carry nothing of the command."""
    left = ground.cpus - ground.used()
    if left and ground.scene.busy and ground.level < len(ground.cpus):
        yield _made(
            "idle",
            [],
            left,
            f"{_cpus(left)} of {_cpus(ground.cpus)} carried nothing of the command: {_threads(ground.level)} at once",
            "more ranks or threads could use them: 'rooftop tune' tells whether that helps",
        )


def others(ground: Ground) -> Iterator[Finding]:
    """Other programs used the machine as well."""
    shares = {cpu: share for cpu, share in ground.others().items() if share > _UNUSED}
    if ground.scene.busy and sum(shares.values()) > _OTHERS:
        yield _made(
            "others",
            [],
            set(shares),
            f"other programs used {sum(shares.values()):.2g} CPUs' worth of time on {_cpus(set(shares))}",
            "stop them, and look again: threads wait and move because of them",
        )


Kind = Callable[[Ground], Iterator[Finding]]
FINDINGS: tuple[Kind, ...] = (
    stacked_by_binding,
    stacked_as_seen,
    siblings,
    oversubscribed,
    quota,
    wandering,
    crossing,
)
HINTS: tuple[Kind, ...] = (unbound, idle, others)


def found(ground: Ground, kinds: Sequence[Kind]) -> list[Finding]:
    """Return all findings of these kinds."""
    return [one for kind in kinds for one in kind(ground)]
