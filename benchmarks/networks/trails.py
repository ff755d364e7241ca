"""Superposed trails against one combined trail: prints hypervolumes for each seed.

The reference point is the same for all runs: a tenth beyond the worst figures of all fronts.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rooftop.solvers import network
from rooftop.solvers.network.front import hypervolume, reference_of
from rooftop.solvers.network.model import make_model
from rooftop.solvers.network.tables import read_network


def main(folder: Path, ants: int = 2000, seeds: int = 10) -> None:
    """Run, print, and count how often superposed trails came to more."""
    model = make_model(read_network([folder]))
    fronts = {
        (trails, seed): network.solve(model, seed=seed, iterations=ants, trails=trails).points
        for seed in range(1, seeds + 1)
        for trails in network.TRAILS
    }
    reference = reference_of(np.concatenate(list(fronts.values())))
    share = {key: hypervolume(points, reference) / float(np.prod(reference)) for key, points in fronts.items()}
    more = 0
    for seed in range(1, seeds + 1):
        superposed, combined = (share[trails, seed] for trails in network.TRAILS)
        more += superposed > combined
        print(f"seed {seed}: superposed {superposed:.6f} combined {combined:.6f}")
    means = ", ".join(f"{t} {np.mean([share[t, s] for s in range(1, seeds + 1)]):.6f}" for t in network.TRAILS)
    print(f"{folder.name}, {ants} ants: means: {means}; superposed more in {more} of {seeds}")
