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
    """One search for a short tour. An invalid tour has no length."""

    schema_: Literal["rooftop/solve-tsp/1"] = Field("rooftop/solve-tsp/1", alias="schema")
    file: str
    name: str  # NAME in the file
    cities: int
    ranks: int = 1
    threads: int  # of each rank
    seed: int
    initial_tour: str | None = None  # file of the initial tour
    initial_length: int | None = None
    valid: bool  # every city is visited once, and the length agrees with that recomputed from the file
    length: int | None = None
    began_s: float  # start of the search, in seconds after the start of the process
    seconds: float  # of the search, without reading the file
    iterations: int  # number of ants
    tours: int  # number of tours examined: the initial one, and one per ant
    history: list[TourPoint]
