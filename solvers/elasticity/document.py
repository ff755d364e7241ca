"""Output of ``rooftop solve elasticity``: a JSON document, or one line of text."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.files.document import Document
from rooftop.solvers.running.report import SolvedDocument
from rooftop.text.plural import plural
from rooftop.text.quantities import number


class ResidualPoint(Document):
    """Relative residual after a number of iterations, as the iteration computed it."""

    iteration: int
    residual: float


class ElasticityDocument(SolvedDocument):
    """Result of one solution: the body, how it was solved, and whether the displacement was verified."""

    schema_: Literal["rooftop/solve-elasticity/1"] = Field("rooftop/solve-elasticity/1", alias="schema")
    file: str
    name: str
    body: Literal["box", "mesh"]  # "box": solved as a structured grid of hexahedra
    size: str  # the numbers of nodes and elements, in words
    nodes: tuple[int, int, int] | None  # of a box, along x, y and z; None for a mesh
    nodes_in_all: int
    elements: int
    unknowns: int  # displacement components that are solved for
    preconditioner: Literal["none", "bjacobi", "cheby", "multigrid"]
    tolerance: float  # of the residual, relative to the load
    ranks: int | None = None  # MPI processes; None: one process without MPI
    parts: tuple[int, int, int] | None = None  # of a box among ranks: number of parts along x, y and z
    part_nodes: list[int] | None = None  # of a mesh among ranks: number of nodes of each rank
    threads: int  # of each process
    valid: bool  # the recomputed residual agrees with the solver's, which is below the tolerance unless interrupted
    ended: Literal["converged", "iteration limit", "time limit", "stopped", "stagnated"]
    iterations: int
    residual: float | None  # true residual as reported by the solver; None if there was no time for an iteration
    checked_residual: float | None  # recomputed independently at `checked_nodes` nodes; None if it is not finite
    checked_nodes: int  # all nodes, or a sample of them
    setup_s: float  # time to set up the matrices and the preconditioner
    seconds: float  # time of the solver, without reading, verifying and writing
    memory_bytes: float  # of the solver's matrices and vectors
    largest_displacement: float | None = None  # largest length of a node's displacement vector
    largest_von_mises: float | None = None  # largest equivalent stress at an element's centre
    error: float | None = None  # largest error, relative to the largest exact displacement, if that is known
    history: list[ResidualPoint] = Field(default_factory=list)  # at most 1000 points


def _by_ranks(document: ElasticityDocument) -> str:
    if document.ranks is None:
        return ""
    by = f" by {plural(document.ranks, 'rank')}"
    if document.parts is not None:
        return f"{by} ({' x '.join(map(str, document.parts))})"
    if document.part_nodes is not None:
        return f"{by} ({min(document.part_nodes)} to {max(document.part_nodes)} nodes each)"
    return by


def line(document: ElasticityDocument) -> str:
    """Return one line with the size, unknowns, ranks, iterations, residual and times, and the error if it is known."""
    error = "" if document.error is None else f", largest error {document.error:.2g} of the exact displacement"
    return (
        f"{document.name}: {document.size}, {document.unknowns} unknowns: "
        f"{plural(document.iterations, 'iteration')}{_by_ranks(document)}, true residual {number(document.residual)}, "
        f"set-up {document.setup_s:.2f} s of {document.seconds:.2f} s{error}"
    )
