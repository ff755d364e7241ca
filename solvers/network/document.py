"""What ``rooftop solve network --json`` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.files.document import Document
from rooftop.solvers.running.report import SolvedDocument


class Figures(Document):
    """Objectives of a plan: cost (currency), time (tonne-hours), and CO2e (kg, well to wheel)."""

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
    """The plan with the smallest weighted sum, each objective scaled from 0 at the front's best to 1 at its worst."""

    plan: int  # index on the front, from 0
    weights: Figures
    figures: Figures
    vehicles: int  # over all arcs and months
    load_factor: float  # tonne-km carried, relative to fully loaded vehicles


class NetworkDocument(SolvedDocument):
    """One search for a Pareto front. The front is empty if no plan meets all demands and capacities."""

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
    valid: bool  # demands, capacities and objectives of each plan were verified from the tables
    seconds: float  # of the search, without reading the files
    iterations: int  # number of ants
    front: list[Figures] = Field(default_factory=list)
    reference: Figures | None = None
    hypervolume: float | None = None  # volume dominated by the front, up to the reference point
    hypervolume_share: float | None = None  # its share of the volume below the reference point
    chosen: ChosenPlan | None = None
    history: list[FrontPoint] = Field(default_factory=list)
