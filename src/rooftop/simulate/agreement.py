"""By how much replays of each program were apart from the model where both were tried."""

from __future__ import annotations

from collections.abc import Mapping

#: The replay's time over the model's, least and most; the page of simulations has them by topology.
RANGES: Mapping[str, tuple[float, float]] = {
    "ant_colony": (0.99, 1.01),
    "halo": (0.99, 1.01),
    "elasticity": (0.99, 1.01),
    "ft": (0.92, 1.02),
    "hdf5_io": (0.85, 1.03),
    "broadcast": (0.92, 1.01),
    "allreduce": (0.83, 1.01),
    "all_to_all": (0.74, 1.01),
}
WHERE = "4 to 64 ranks on four topologies of round figures"


def agreement(program: str) -> list[str]:
    """Return a line about a program; none where it was not tried."""
    if program not in RANGES:
        return []
    least, most = RANGES[program]
    return [f"replays of {program} took {least:g} to {most:g} of the model's time where both were tried: {WHERE}"]
