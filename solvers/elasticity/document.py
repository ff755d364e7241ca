"""What ``rooftop solve elasticity`` prints: a JSON document, or one line."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.files.document import Document
from rooftop.solvers.running.report import SolvedDocument
from rooftop.text.plural import plural
from rooftop.text.quantities import number


class ResidualPoint(Document):
    """The norm of the residual after so many iterations, relative to the load's, as the iteration saw it."""

    iteration: int
    residual: float


class ElasticityDocument(SolvedDocument):
    """One displacement of a body under a load."""

    schema_: Literal["rooftop/solve-elasticity/1"] = Field("rooftop/solve-elasticity/1", alias="schema")
    file: str
    name: str
    body: Literal["box", "mesh"]  # whether rows of hexahedra are made use of
    size: str  # in words
    nodes: tuple[int, int, int] | None  # of a box, along x, y and z
    nodes_in_all: int
    elements: int
    unknowns: int  # displacements that are not held
    preconditioner: Literal["none", "bjacobi", "cheby", "multigrid"]
    tolerance: float  # of the norm of the residual, relative to the load's
    ranks: int | None = None  # processes; None: one, without MPI
    parts: tuple[int, int, int] | None = None  # that ranks have of a box, along x, y and z
    part_nodes: list[int] | None = None  # of a mesh, that each rank has
    threads: int  # of each process
    valid: bool  # the residual that the solver told was computed anew, and is below the tolerance unless interrupted
    ended: Literal["converged", "iteration limit", "time limit", "stopped", "stagnated"]
    iterations: int
    residual: float | None  # the true one, as the solver told; None where there was no time to begin
    checked_residual: float | None  # of `checked_nodes`, computed apart from the solver; None where it is not finite
    checked_nodes: int  # all, or a sample
    setup_s: float  # matrices and preconditioner
    seconds: float  # of the solver, without reading, verifying and writing
    memory_bytes: float  # of the solver's matrices and vectors
    largest_displacement: float | None = None  # length of a node's displacement
    largest_von_mises: float | None = None  # at an element's centre
    error: float | None = None  # largest, relative to the largest displacement, where the exact one is known
    history: list[ResidualPoint] = Field(default_factory=list)  # at most 1000


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
    """Return size, unknowns, ranks, iterations, residual and times, and the error where the exact one is known."""
    error = "" if document.error is None else f", largest error {document.error:.2g} of the exact displacement"
    return (
        f"{document.name}: {document.size}, {document.unknowns} unknowns: "
        f"{plural(document.iterations, 'iteration')}{_by_ranks(document)}, true residual {number(document.residual)}, "
        f"set-up {document.setup_s:.2f} s of {document.seconds:.2f} s{error}"
    )
