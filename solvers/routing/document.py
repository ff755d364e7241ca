"""What ``rooftop solve tsp --json`` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.files.document import Document
from rooftop.solvers.running.report import SolvedDocument


class TourPoint(Document):
    """Length of the best tour during the search."""

    seconds: float
    iterations: int
    length: int


class TspDocument(SolvedDocument):
    """One search for a short tour. A tour that is none has no length."""

    schema_: Literal["rooftop/solve-tsp/1"] = Field("rooftop/solve-tsp/1", alias="schema")
    file: str
    name: str  # the problem's own
    cities: int
    ranks: int = 1
    threads: int  # of each rank
    seed: int
    initial_tour: str | None = None  # the file of the tour to begin with
    initial_length: int | None = None
    valid: bool  # every city is visited once, and the length was computed anew from the file's distances
    length: int | None = None
    began_s: float  # after the start of the process, the file being read: from then on the solver counts
    seconds: float  # of the solver, without reading the file
    iterations: int  # ants
    tours: int  # that were looked at: each ant makes one, and one is there at first
    history: list[TourPoint]
