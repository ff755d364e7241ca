"""What is asked of the tours: problems of TSPLIB, their optima as TSPLIB publishes them, and figures to be reached."""

from __future__ import annotations

from dataclasses import dataclass

TIME_S = 10.0
FIRST_TOUR_S = 2.0
BYTES_PER_CITY = 1024
MEMORY_OF, MEMORY_BESIDE = "pla85900", "eil51"
SAME_OF, SAME_ANTS, SAME_THREADS = "pr1002", 2000, (1, 2)


@dataclass(frozen=True)
class Instance:
    """A problem, and what is asked of it.

    gaps       the mean excess over the optimum, in percent, asked after so many seconds
    published  the same of the best published ant colony code, in percent; None where none is known
    first      whether its first tour is asked for as well
    """

    name: str
    cities: int
    optimum: int
    gaps: tuple[tuple[float, float], ...]
    published: float | None
    first: bool = False

    def asked(self, time_s: float) -> float | None:
        """Return the gap in percent that is asked after so many seconds."""
        return dict(self.gaps).get(time_s)


INSTANCES = (
    Instance("eil51", 51, 426, ((TIME_S, 0.0),), 0.0),
    Instance("kroA100", 100, 21282, ((TIME_S, 0.0),), 0.0),
    Instance("d198", 198, 15780, ((TIME_S, 0.0),), 0.0),
    Instance("lin318", 318, 42029, ((TIME_S, 0.0),), 0.0),
    Instance("pcb442", 442, 50778, ((TIME_S, 0.0),), 0.0),
    Instance("att532", 532, 27686, ((TIME_S, 0.01),), 0.025),
    Instance("rat783", 783, 8806, ((TIME_S, 0.02),), 0.057),
    Instance("pr1002", 1002, 259045, ((TIME_S, 0.05),), 0.28),
    Instance("pcb1173", 1173, 56892, ((TIME_S, 0.05),), 0.097),
    Instance("d1291", 1291, 50801, ((TIME_S, 0.03),), 0.037),
    Instance("pr2392", 2392, 378032, ((TIME_S, 0.25),), 0.60),
    Instance("rl5934", 5934, 556045, ((TIME_S, 0.60),), 0.90),
    Instance("usa13509", 13509, 19982859, ((TIME_S, 1.0), (30.0, 0.5)), 1.73),
    Instance("d18512", 18512, 645238, ((TIME_S, 1.5),), None, first=True),
    Instance("pla33810", 33810, 66048945, ((TIME_S, 2.0),), None, first=True),
    Instance("pla85900", 85900, 142382641, ((TIME_S, 3.0),), None, first=True),
)
BY_NAME = {one.name: one for one in INSTANCES}


@dataclass(frozen=True)
class Peer:
    """Somebody else's solver: its script in peers/, the package it needs, and the largest problem it is given."""

    name: str
    module: str
    package: str
    title: str
    most_cities: int


PEERS = (
    Peer("ortools_routing", "ortools", "ortools", "OR-Tools", 2392),
    Peer("elkai_lkh", "elkai", "elkai", "elkai (LKH)", 2392),
    Peer("acopy_ants", "acopy", "acopy", "acopy", 200),
    Peer("sko_ants", "sko", "scikit-opt", "scikit-opt", 200),
)
OVERTIME = 3.0  # times the time given, after which a peer that does not end is killed
