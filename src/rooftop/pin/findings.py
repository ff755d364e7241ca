"""Find placement problems, and hints, which are worth knowing but are not problems.

Each function finds one kind, from the observation alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field

from rooftop.documents import Finding
from rooftop.machine.processor import format_cpu_list
from rooftop.observe.threads import UNUSED, Ground, ThreadStory
from rooftop.pin.shared_cpus import clusters, crowds, together
from rooftop.text.plural import plural, some

_WANDERS_PER_S = 5.0
_LEAST_MOVES = 5
_CROSSES = 0.05  # share of a thread's running time away from its main NUMA node
_OTHERS = 0.25  # CPUs used by other programs, summed over all CPUs


class Placement(Finding):
    """A placement problem or a hint.

    cpus     CPUs concerned, in Linux's list format
    threads  ids (tid) of the threads concerned
    """

    name: str = Field(alias="finding")
    cpus: str = ""
    threads: list[int] = Field(default_factory=list)


def _cpus_text(cpus: frozenset[int] | set[int]) -> str:
    return f"CPU{'' if len(cpus) == 1 else 's'} {format_cpu_list(cpus)}"


def _busy(count: int) -> str:
    return plural(count, "busy thread")


def _waited(stories: Sequence[ThreadStory]) -> float:
    """Return waiting time as a share of the threads' running and waiting time."""
    wait_s = sum(story.wait_s for story in stories)
    return wait_s / max(wait_s + sum(story.run_s for story in stories), 1e-9)


def _made(name: str, stories: Sequence[ThreadStory], cpus: frozenset[int] | set[int], said: str, do: str) -> Placement:
    tids = [story.thread.tid for story in stories]
    return Placement(finding=name, evidence=said, remedy=do, cpus=format_cpu_list(cpus), threads=tids)


def _stacked_by_binding(ground: Ground) -> Iterator[Placement]:
    """More busy threads are bound to some CPUs than there are CPUs, while other CPUs are not used."""
    idle = ground.cpus - ground.used()
    for crowd in crowds(ground):
        if not idle:
            continue
        stories = [story for story, one in zip(ground.scene.busy, crowd.chosen, strict=True) if one]
        ranks = sorted({story.facts.rank for story in stories if story.facts.rank is not None})
        of = f" of rank{'' if len(ranks) == 1 else 's'} {format_cpu_list(ranks)}" if ranks else ""
        yield _made(
            "stacked",
            stories,
            crowd.cpus,
            f"{_busy(crowd.level)}{of} at once are bound to {_cpus_text(crowd.cpus)}, while {_cpus_text(idle)} "
            f"run{'s' if len(idle) == 1 else ''} nothing of the command",
            "give every rank as many cores as it has threads, and every thread its own core",
        )


def _stacked_as_seen(ground: Ground) -> Iterator[Placement]:
    """Busy threads share a CPU, though not bound to it, while other CPUs are idle."""
    crowded = [crowd.chosen for crowd in crowds(ground)]
    pairs = [
        (a, b, share)
        for a, b, share in together(ground, {cpu: cpu for cpu in ground.cpus})
        if not any(chosen[a] and chosen[b] for chosen in crowded)
    ]
    for members, share in clusters(pairs):
        stories = [ground.scene.busy[row] for row in members]
        homes = {story.home for story in stories if story.home is not None}
        yield _made(
            "stacked",
            stories,
            homes,
            f"{some([story.name for story in stories])} were on one CPU ({_cpus_text(homes)}) for at least {share:.0%} "
            "of the time in which they were busy together, while another CPU was idle; they waited "
            f"{_waited(stories):.0%} of it",
            "bind every thread to its own core",
        )


def _siblings(ground: Ground) -> Iterator[Placement]:
    """Busy threads share a core as hardware threads while other cores are idle."""
    if ground.places.cores == len(ground.cpus):
        return
    same_cpu = {(a, b) for a, b, _ in together(ground, {cpu: cpu for cpu in ground.cpus})}
    pairs = [one for one in together(ground, ground.places.core) if (one[0], one[1]) not in same_cpu]
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
        f"{_busy(len(members))} share cores with each other as hardware threads ({_cpus_text(homes)}), while "
        f"{ground.places.cores - len(cores)} of {ground.places.cores} cores are idle",
        "bind threads to cores, not to hardware threads",
    )


def _oversubscribed(ground: Ground) -> Iterator[Placement]:
    """More threads are busy at once than there are CPUs."""
    if ground.level > len(ground.cpus):
        yield _made(
            "oversubscribed",
            ground.scene.busy,
            ground.cpus,
            f"{_busy(ground.level)} at once on {_cpus_text(ground.cpus)}; they waited "
            f"{_waited(ground.scene.busy):.0%} of the time for a CPU",
            f"start at most {len(ground.cpus)} busy threads (ranks times threads)",
        )


def _quota(ground: Ground) -> Iterator[Placement]:
    """The control group allows less CPU time than the busy threads want."""
    wanted = min(ground.level, len(ground.cpus))
    if ground.quota is not None and ground.quota < wanted:
        yield _made(
            "quota",
            ground.scene.busy,
            ground.cpus,
            f"{_busy(wanted)} at once, but the quota of the control group is {ground.quota:.3g} CPUs",
            f"start at most {plural(max(1, int(ground.quota)), 'busy thread')}, or raise the quota",
        )


def _wandering(ground: Ground) -> Iterator[Placement]:
    """Busy threads migrate between CPUs.

    For a thread bound to one CPU only migrations seen between samples count: it migrates once when it is bound, and
    libraries bind it to one CPU after another while they explore the machine.
    """

    def wanders(story: ThreadStory) -> bool:
        moves = story.moves if len(story.facts.allowed) > 1 else story.changes
        return moves >= _LEAST_MOVES and moves > _WANDERS_PER_S * story.seen_s

    movers = [story for story in ground.scene.busy if wanders(story)]
    for allowed, word in ((True, "may"), (False, "is bound to one CPU at a time, but something keeps rebinding it")):
        stories = [story for story in movers if (len(story.facts.allowed) > 1) == allowed]
        if not stories:
            continue
        told = [f"{story.name} {story.moves_per_s:.3g} times a second" for story in stories]
        where = format_cpu_list(frozenset[int]().union(*(story.facts.allowed for story in stories)))
        yield _made(
            "wandering",
            stories,
            {cpu for story in stories for cpu in story.shares},
            f"{some(told)}; each {f'may run on CPUs {where}' if allowed else word}",
            "bind every thread to a core"
            if allowed
            else "find what calls sched_setaffinity: a library, the launcher or a daemon",
        )


def _crossing(ground: Ground) -> Iterator[Placement]:
    """Busy threads run on more than one NUMA node, away from the memory that they touched first."""
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
            some(told),
            "bind every thread to a core, and let it initialize its own data",
        )


def _unbound(ground: Ground) -> Iterator[Placement]:
    """Busy threads are not bound."""
    free = [story for story in ground.scene.busy if story.facts.allowed >= ground.cpus]
    if free and len(ground.cpus) > 1 and ground.level <= len(ground.cpus):
        yield _made(
            "unbound",
            free,
            ground.cpus,
            f"{_busy(len(free))} may run on all of {_cpus_text(ground.cpus)}",
            "bind them: a thread that stays on its core keeps its data in the caches and its memory local",
        )


def _idle(ground: Ground) -> Iterator[Placement]:
    """The command does not use some of the usable CPUs."""
    left = ground.cpus - ground.used()
    if left and ground.scene.busy and ground.level < len(ground.cpus):
        yield _made(
            "idle",
            [],
            left,
            f"{_cpus_text(left)} of {_cpus_text(ground.cpus)} ran nothing of the command: "
            f"{_busy(ground.level)} at once",
            "more ranks or threads could use them: 'rooftop tune' shows whether that helps",
        )


def _others(ground: Ground) -> Iterator[Placement]:
    """Other programs used the CPUs at the same time."""
    shares = {cpu: share for cpu, share in ground.others().items() if share > UNUSED}
    if ground.scene.busy and sum(shares.values()) > _OTHERS:
        yield _made(
            "others",
            [],
            set(shares),
            f"other programs used {sum(shares.values()):.2g} CPUs in total on {_cpus_text(set(shares))}",
            "stop them and try again: they make threads wait and migrate",
        )


_PROBLEMS = (_stacked_by_binding, _stacked_as_seen, _siblings, _oversubscribed, _quota, _wandering, _crossing)
_HINTS = (_unbound, _idle, _others)


def found(ground: Ground, *, hints: bool = False) -> list[Placement]:
    """Return all problems found, or all hints."""
    return [one for find in (_HINTS if hints else _PROBLEMS) for one in find(ground)]
