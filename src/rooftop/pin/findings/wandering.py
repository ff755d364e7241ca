"""Busy threads move between CPUs.

One that is bound to a CPU has moved to get there, and libraries bind it to one CPU after the other while they look
at the machine: of these, only the moves that were seen between looks count.
"""

from collections.abc import Iterator

from rooftop.machine.cpu_list import format_cpu_list
from rooftop.pin.findings import Ground, Placement, made
from rooftop.pin.threads import ThreadStory
from rooftop.text.plural import some

ORDER = 60

_WANDERS_PER_S = 5.0
_LEAST_MOVES = 5


def find(ground: Ground) -> Iterator[Placement]:
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
        yield made(
            "wandering",
            stories,
            {cpu for story in stories for cpu in story.shares},
            f"{some(told)}; each {f'may run on CPUs {where}' if allowed else word}",
            "bind every thread to a core"
            if allowed
            else "find what calls sched_setaffinity: a library, the launcher or a daemon",
        )
