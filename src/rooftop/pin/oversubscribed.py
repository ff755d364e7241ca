"""Threads that are bound to fewer CPUs than there are of them at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rooftop.pin.findings import Ground


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
