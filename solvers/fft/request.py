"""What `rooftop solve ft` is asked, and the program and the memory that this takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rooftop.driver.memory import available_bytes
from rooftop.errors import Misuse, NotBuilt
from rooftop.ladder.discovery import Module, find_experiment
from rooftop.settings import Settings, built
from rooftop.solvers.fft.npb import Grid
from rooftop.solvers.running.campaign import SolverRequest

SOLVER, SOLVER_BY_RANKS = "99-solver", "98-solver-by-ranks"
_VALUE_BYTES = 16
# Number of arrays of the grid's size: modes and the fields of two iterations; with ranks, modes and planes; with
# messages, also the planes of a second iteration and half of the values in transit.
_ARRAYS, _ARRAYS_BY_RANKS, _ARRAYS_WITH_MESSAGES = 3, 2, 3.5
LIMIT_S = 24 * 3600.0


@dataclass(frozen=True)
class Terms(SolverRequest):
    """Options of a run.

    messages   exchange messages also between ranks of one node, instead of using shared memory
    pipelined  work on two iterations at a time while messages are in transit
    pieces     number of pieces of an exchange; None: the solver's default
    overlap    number of pairs of a pipelined and a blocking run to compare; 0: none
    """

    grid: Grid
    ranks: int = 1
    threads: int = 1
    messages: bool = False
    pipelined: bool = True
    pieces: int | None = None
    overlap: int = 0

    def prepared(self) -> Terms:
        """Return itself. Raises Misuse where it cannot be run, and NotBuilt."""
        check_terms(self, available_bytes())
        module_of(self)
        return self


def check_terms(terms: Terms, available: int) -> None:
    """Raise Misuse for more ranks than the grid can be divided among, and for grids that exceed the memory."""
    grid = terms.grid
    least = min(grid.ny, grid.nz)
    if terms.ranks > least:
        raise Misuse(
            f"--ranks is {terms.ranks}, and {grid.name} has {grid.nz} planes of {grid.ny} rows to share: "
            f"expected at most {least}"
        )
    by_ranks = _ARRAYS_WITH_MESSAGES if terms.messages else _ARRAYS_BY_RANKS
    arrays = _ARRAYS if terms.ranks == 1 else by_ranks
    needed = int(arrays * _VALUE_BYTES * grid.points)
    if needed > available:
        raise Misuse(
            f"{grid.name} needs {needed / 2**30:.3g} GiB, {arrays:g} arrays of the grid; expected at most "
            f"{available / 2**30:.3g} GiB, the memory available here"
        )


def module_of(terms: Terms) -> Module:
    """Return the solver. Raises NotBuilt."""
    settings = Settings()
    wanted = SOLVER if terms.ranks == 1 else SOLVER_BY_RANKS
    folder = built(settings.build_folder, f"experiments/ft/rungs/{wanted}.so").parents[3]
    found = find_experiment(settings.root_folder / "experiments", folder, "ft")
    module = next(one for one in found.rungs if one.name == wanted)
    if module.status != "built":
        raise NotBuilt(f"the FT solver cannot run: {module.reason}")
    return module


def parameters_of(terms: Terms) -> dict[str, Any]:
    """Return the parameters of the solver's case."""
    grid = terms.grid
    chosen: dict[str, Any] = {"nx": grid.nx, "ny": grid.ny, "nz": grid.nz, "iterations": grid.iterations, "facts": True}
    if terms.ranks > 1:
        chosen |= {"messages": terms.messages, "pipelined": terms.pipelined}
        chosen |= {"pieces": terms.pieces} if terms.pieces is not None else {}
    return chosen
