"""scikit-opt's ant colony: round after round, each shorter tour told as it comes, until the time is over."""

from __future__ import annotations

import numpy as np
from peer_task import Task, tell

np.int = int  # type: ignore[attr-defined]  # the name that it uses, which NumPy 1.24 removed

from sko.ACA import ACA_TSP  # noqa: E402

# The best of a few that were tried on 51 and 100 cities: 5, 10 and 20 ants with 2, its own, and 10 with 5.
ANTS, DISTANCE_WEIGHT = 10, 5

task = Task.given()
np.random.seed(task.seed)


def length(order: np.ndarray) -> int:
    """Return a closed tour's length."""
    return int(task.matrix[order, np.roll(order, -1)].sum())


cities = len(task.matrix)
colony = ACA_TSP(
    length, cities, size_pop=ANTS, max_iter=1, beta=DISTANCE_WEIGHT, distance_matrix=np.maximum(task.matrix, 1)
)
best = None
while task.left_s > 0:
    order, found = colony.run(1)
    if best is None or found < best:
        best = found
        tell(order)
