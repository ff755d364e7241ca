"""Busy threads that share CPUs: two on one while another stands idle, or more than the CPUs that they are bound to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rooftop.pin.threads import Ground

_SHARED = 0.5  # of the time in which two threads were both busy they were on one CPU
_LASTING = 0.1  # of the busy time: what two threads do for less than this together is not judged
_TAKEN = 0.5  # of a CPU's time went to other programs: it was no place to go to


def together(ground: Ground, place_of: Mapping[int, int]) -> Iterator[tuple[int, int, float]]:
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


def clusters(pairs: Sequence[tuple[int, int, float]]) -> list[tuple[list[int], float]]:
    """Join pairs that have a thread in common; return each cluster with the least of its pairs' shares."""
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
    """Threads that are bound to fewer CPUs than there are of them at once."""

    cpus: frozenset[int]
    chosen: NDArray[np.bool_]
    level: int


def crowds(ground: Ground) -> list[Crowd]:
    """Return the crowds that leave usable CPUs to others, the narrowest first."""
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
