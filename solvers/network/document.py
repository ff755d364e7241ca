"""What ``rooftop solve network --json`` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.files.document import Document
from rooftop.solvers.running.report import SolvedDocument


class Figures(Document):
    """A figure for each objective: currency, tonne-hours, and kg of CO2e from well to wheel."""

    cost: float
    time: float
    co2e: float


class FrontPoint(Document):
    """Size and hypervolume of the front during the search."""

    seconds: float
    iterations: int
    plans: int
    hypervolume: float


class ChosenPlan(Document):
    """The plan of the smallest weighted sum, each objective counted from 0 at the front's best to 1 at its worst."""

    plan: int  # on the front, from 0
    weights: Figures
    figures: Figures
    vehicles: int  # over all arcs and months
    load_factor: float  # tonne-km over what the vehicles' payload would have carried as far


class NetworkDocument(SolvedDocument):
    """One search for a front of plans. Where no plan does all that is asked, there is no front."""

    schema_: Literal["rooftop/solve-network/1"] = Field("rooftop/solve-network/1", alias="schema")
    files: list[str]
    name: str  # of the tables' folder
    nodes: int
    links: int
    demands: int
    months: int
    tonnes: float
    threads: int
    seed: int
    valid: bool  # of each plan: demands, capacities and figures were computed anew from the tables
    seconds: float  # of the solver, without reading the files
    iterations: int  # ants
    front: list[Figures] = Field(default_factory=list)
    reference: Figures | None = None
    hypervolume: float | None = None  # dominated by the front, up to the reference
    hypervolume_share: float | None = None  # of all that lies below the reference
    chosen: ChosenPlan | None = None
    history: list[FrontPoint] = Field(default_factory=list)
