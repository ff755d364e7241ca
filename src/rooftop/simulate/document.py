"""What ``rooftop simulate --json`` prints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rooftop.documents import Machine
from rooftop.files.document import Document
from rooftop.simulate.efficiencies import Efficiencies

Method = Literal["model", "replay"]


class PhaseRow(Document):
    """A part of the program, all its times together, in seconds of the slowest rank."""

    name: str
    seconds: float
    compute_s: float
    limit: str  # "compute", "memory"; "" where there is no work
    transfer_s: float
    hidden_s: float  # of the transfers, during the work
    most_hidden_s: float  # the bound: the smaller of computing and transfer
    algorithms: dict[str, str] = Field(default_factory=dict)


class PointRow(Document):
    """The program on so many ranks."""

    ranks: int
    threads: int
    nodes: int
    ranks_per_node: int
    seconds: float
    compute_s: float
    transfer_s: float
    hidden_s: float
    balance: float  # mean work of the ranks over the most that one has
    transfer_efficiency: float  # work of the rank that has most over the whole time
    speedup: float  # over the first point
    efficiency: float  # that speed-up over the ratio of cores
    phases: list[PhaseRow]  # by the model
    model_s: float | None = None  # of a replayed point: its time by the model
    efficiencies: Efficiencies | None = None  # of a replayed point
    links: list[tuple[str, float]] = Field(default_factory=list)  # bytes that the busiest carried in what was simulated


class ChangeRow(Document):
    """What a change gains on so many ranks."""

    change: str
    ranks: int
    seconds: float
    gain: float  # time without it over time with it


class PlacementRow(Document):
    """What another placement of the ranks gains over that of the points."""

    placement: str
    ranks: int
    seconds: float
    gain: float  # time of the points' placement over that of this one


class NeedRow(Document):
    """What it takes to reach the target by one figure alone."""

    figure: str
    ranks: int
    factor: float | None  # None: the target cannot be reached by it
    most: float  # how many times better it was looked at
    least_s: float  # the time where it is so much better


class SimulateDocument(Document):
    """A simulation: what was asked, and the program's time on each number of ranks."""

    schema_: Literal["rooftop/simulate/1"] = Field(default="rooftop/simulate/1", alias="schema")
    rooftop: str
    campaign: str
    started: str
    machine: Machine  # that computed it; it is not the one that is simulated
    program: str
    title: str
    parameters: dict[str, float]
    platform: str
    platform_title: str
    method: Method
    placement: str = "block"  # of the points' ranks
    points: list[PointRow]
    changes: list[ChangeRow] = Field(default_factory=list)
    placements: list[PlacementRow] = Field(default_factory=list)
    target_s: float | None = None
    needs: list[NeedRow] = Field(default_factory=list)
    assumed: list[str] = Field(default_factory=list)  # figures of the platform that nobody stated or measured
    notes: list[str] = Field(default_factory=list)  # what a replay does otherwise than the program
    reproduce: str | None = None
