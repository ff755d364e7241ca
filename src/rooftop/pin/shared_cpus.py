"""Find busy threads that share a CPU while another is idle, or that are bound to fewer CPUs than there are threads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rooftop.observe.threads import Ground

_SHARED = 0.5  # of the time when two threads were both busy: sharing a CPU for less does not count
_LASTING = 0.1  # of the busy time: threads busy together for less are not judged
_TAKEN = 0.5  # of a CPU's time: a CPU used more by other programs was not available


def together(ground: Ground, place_of: Mapping[int, int]) -> Iterator[tuple[int, int, float]]:
    """Yield pairs of busy threads (rows) that share a place while another is idle, and for what share of the time."""
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


def clusters(pairs: Sequence[tuple[int, int, float]]) -> list[tuple[list[int], float]]:
    """Join pairs with a common thread. Return each cluster with the smallest share of its pairs."""
    found: list[tuple[set[int], float]] = []
    for a, b, share in pairs:
        joined, least = {a, b}, share
        for members, other in [one for one in found if one[0] & joined]:
            joined, least = joined | members, min(least, other)
            found.remove((members, other))
        found.append((joined, least))
    return [(sorted(members), least) for members, least in found]


@dataclass(frozen=True)
class Crowd:
    """Busy threads (`chosen`, a mask) bound to fewer `cpus` than the number of them busy at once (`level`)."""

    cpus: frozenset[int]
    chosen: NDArray[np.bool_]
    level: int


def crowds(ground: Ground) -> list[Crowd]:
    """Return the crowds bound to only some of the usable CPUs, those with the fewest CPUs first."""
    busy = ground.scene.busy
    found: list[Crowd] = []
    sets = {story.facts.allowed & ground.cpus for story in busy}
    for cpus in sorted((one for one in sets if one and one < ground.cpus), key=lambda one: (len(one), sorted(one))):
        chosen = np.array([bool(story.facts.allowed & ground.cpus <= cpus) for story in busy])
        level = ground.scene.level(chosen)
        excess = sum(crowd.level - len(crowd.cpus) for crowd in found if crowd.cpus < cpus)
        if level - excess > len(cpus):
            found.append(Crowd(cpus, chosen, level))
    return found
