"""ant_colony: short tours of the travelling salesman problem, by ants."""

import os
from collections.abc import Sequence
from pathlib import Path

from rooftop.ladder.experiment import Case, Experiment

KEPT = Path(__file__).parents[2] / ".rooftop" / "tours" / "tsplib"  # where benchmarks/tours keeps what it fetches

# The shortest tours' lengths, as TSPLIB publishes them: optimal.
BEST_KNOWN = {"kroA100": 21282, "pr1002": 259045, "pr2392": 378032}


def case(cities: int, tours: int, layout: str = "uniform") -> Case:
    """Return an instance of so many cities, and how many tours are to be made."""
    return Case(
        name=f"{layout} {cities}, {tours} tours",
        parameters={"cities": cities, "tours": tours, "layout": layout},
        nominal=float(tours),
    )


def coordinates(name: str) -> dict[str, list[int]]:
    """Return x and y of the cities of a problem of TSPLIB; nothing where its file is not here."""
    files = Path(os.environ.get("ROOFTOP_TSPLIB", KEPT)).glob("*.tsp")
    file = next((file for file in files if file.stem.lower() == name.lower()), None)
    if file is None:
        return {}
    from rooftop.solvers.routing import Problem  # not before it is needed: every command reads this file

    places = Problem.read(file).coordinates
    return {} if places is None else dict(zip("xy", places.T.astype(int).tolist(), strict=True))


def published(name: str, tours: int, workers: Sequence[int] = ()) -> Case:
    """Return a problem of TSPLIB, EUC_2D. Where its file is missing, setting up the case fails with that reason."""
    return Case(
        name=f"{name}, {tours} tours",
        parameters={"published": name, "tours": tours, "best_known": BEST_KNOWN[name], **coordinates(name)},
        nominal=float(tours),
        workers=workers,
    )


experiment = Experiment(
    title="Travelling salesmen by ant colonies",
    question="How many tours a second, and how short ones, does the same idea give when strings become integers?",
    rate_unit="tours/s",
    rate_scale=1.0,
    precision="fp32",
    merit=("gap_to_best_known_percent", "excess_over_bound_percent"),
    sizes={
        "quick": [case(100, 512), case(200, 512, "clustered")],
        "S": [case(100, 4096), case(500, 2048), case(500, 2048, "clustered")],
        "M": [case(100, 8192), case(1002, 4096), case(1002, 4096, "clustered"), case(2392, 2048)],
        "threads": lambda: [
            published("kroA100", 8192, workers=(1, 2)),
            published("pr1002", 4096, workers=(1, 2)),
            published("pr2392", 2048, workers=(1, 2)),
        ],
        "long": lambda: [published("pr1002", 8192)],
        "L": [case(1002, 1 << 16), case(2392, 1 << 14), case(10_000, 1 << 13)],
    },
    slow_limit_s=60.0,
)
