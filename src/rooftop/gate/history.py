"""History of a home's gates: a chain of ratios with change points for each benchmark.

A ratio of head to base was measured in pairs, on one machine within minutes. Absolute times drift from day to day on
shared machines, and such ratios do not; they chain wherever one gate's head is another one's base. So a level is the
product of the ratios from the chain's first base on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from statistics import median
from typing import Any, Literal, cast

from pydantic import Field

from rooftop.command.driver import as_module
from rooftop.command.line import from_words
from rooftop.command.spec import Spec
from rooftop.errors import NothingMeasured
from rooftop.files.document import Document
from rooftop.gate.change_points import FEWEST, change_points
from rooftop.measure.arms import Arm, Role
from rooftop.measure.case_state import CaseState
from rooftop.measure.compare import spread
from rooftop.measure.figures import pairs_of
from rooftop.measure.metric import Better, Metric
from rooftop.store.campaign_store import sample_of
from rooftop.store.database import opened_database
from rooftop.store.digests import digests
from rooftop.store.interrupted import of_kind
from rooftop.store.place import Place, is_there
from rooftop.store.protocol import Store
from rooftop.store.rows import select
from rooftop.store.schema import ArmRow, CampaignRow, CaseRow, SampleRow

_AS_BEGUN = """
AND copying IS NULL AND EXISTS (SELECT 1 FROM session WHERE session.campaign = campaign.id)
ORDER BY (SELECT min(session.started_s) FROM session WHERE session.campaign = campaign.id)
"""
_DIGEST = "gate history 1"


class Point(Document):
    """One gate: the speed of its head beside its base, above 1 where the head is the better.

    base, head  commits, or the commands where there were no revisions
    level       speed of the head beside the first base of the chain
    """

    campaign: str
    started: str
    base: str
    head: str
    ratio: float
    lo: float
    hi: float
    pairs: int
    head_median: float
    level: float


class ChangePoint(Document):
    """A level that changed for good: after the head `last`, with the head `first`, by this ratio of medians."""

    last: str
    first: str
    started: str
    ratio: float


class Series(Document):
    """The chained gates of one benchmark by one metric on one machine, in the order of time."""

    benchmark: str
    machine: str
    processor: str
    metric: str
    unit: str
    better: Better
    points: list[Point]
    change_points: list[ChangePoint] = Field(default_factory=list)
    analysed: bool  # False: fewer points than an analysis needs


class HistoryDocument(Document):
    """What ``rooftop gate --history --json`` prints."""

    schema_: Literal["rooftop/gate-history/1"] = Field(default="rooftop/gate-history/1", alias="schema")
    fewest: int = FEWEST  # points that are analysed
    series: list[Series]


@dataclass(frozen=True)
class Found:
    """One benchmark of one gate. `base_key` and `head_key` tell what was measured: the same files are the same."""

    key: tuple[str, str, str]  # benchmark, machine, metric
    base_key: str
    head_key: str
    about: dict[str, Any]
    point: Point


@dataclass
class Chain:
    """Gates that are linked by what they measured."""

    found: list[Found] = field(default_factory=list)
    parents: list[int | None] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)  # of the first gate with such a head
    base: str = ""

    def takes(self, one: Found) -> bool:
        """Add a gate where it links; False where it does not."""
        parent = self.places.get(one.base_key)
        if self.found and parent is None and one.base_key != self.base:
            return False
        if not self.found:
            self.base = one.base_key
        self.found.append(one)
        self.parents.append(parent)
        self.places.setdefault(one.head_key, len(self.found) - 1)
        return True


def chained(found: list[Found]) -> list[Series]:
    """Return the chains of one benchmark, metric and machine. `found`: in the order of time."""
    chains: list[Chain] = []
    for one in found:
        if not any(chain.takes(one) for chain in reversed(chains)):
            chains.append(Chain())
            chains[-1].takes(one)
    return [_series(chain) for chain in chains]


def _series(chain: Chain) -> Series:
    links = [math.log(one.point.ratio) for one in chain.found]
    levels: list[float] = []
    for link, parent in zip(links, chain.parents, strict=True):
        levels.append(link + (levels[parent] if parent is not None else 0.0))
    points = [
        one.point.model_copy(update={"level": math.exp(level)}) for one, level in zip(chain.found, levels, strict=True)
    ]
    places = [0, *change_points(links, chain.parents), len(points)]
    middles = [median(levels[begin:end]) for begin, end in pairwise(places)]
    changes = [
        ChangePoint(
            last=points[place - 1].head,
            first=points[place].head,
            started=points[place].started,
            ratio=math.exp(after - before),
        )
        for place, before, after in zip(places[1:-1], middles, middles[1:], strict=False)
    ]
    return Series(**chain.found[0].about, points=points, change_points=changes, analysed=len(points) >= FEWEST)


def _case(connection: Store, row: CaseRow) -> CaseState:
    """Return a case with its samples; unlike CampaignStore's, it is only read."""
    about = row.parameters
    metric = Metric(about["figure"], about["unit"], cast(Better, about["better"]))
    case = CaseState(row.experiment, row.size, row.name, about, row.nominal, [])
    for kept in select(connection, ArmRow, "WHERE case_id = ? ORDER BY id", row.id):
        module = as_module(kept.name, Spec(from_words([kept.name])))
        arm = Arm(module, cast(Role, kept.role), iterations=kept.iterations, metric=metric)
        arm.outcome = cast(Any, kept.outcome)
        for sample in select(connection, SampleRow, "WHERE arm_id = ? ORDER BY id", kept.id):
            arm.samples.append(sample_of(sample))
        case.arms.append(arm)
    return case


def _found(connection: Store, campaign: CampaignRow) -> Iterator[Found]:
    """Yield one gate's benchmarks that have pairs: those of the second look where there was one, which are fair."""
    request = campaign.request
    commands = {one["name"]: (one["base"][1], one["head"][1]) for one in request["benchmarks"]}
    seen: set[str] = set()
    for row in select(connection, CaseRow, "WHERE campaign = ? ORDER BY position DESC", campaign.id):
        case = _case(connection, row)
        sides = [arm for arm in case.arms if arm.role == "command" and arm.outcome == "ok"]
        if row.name in seen or len(sides) != 2:
            continue
        effect = spread(pairs_of(sides[1], sides[0]).log_ratios)
        if effect is None:
            continue
        seen.add(row.name)
        base, head = commands[row.name]
        keys = (base, f"{head} ({campaign.id})")
        if request["base"] is not None:
            base, head = request["base"]["commit"], request["head"]["commit"]
            keys = (request["base"]["tree"], request["head"]["tree"])
        about = case.parameters
        point = Point(
            campaign=campaign.id,
            started=campaign.started,
            base=base,
            head=head,
            ratio=math.exp(effect.median),
            lo=math.exp(effect.lo),
            hi=math.exp(effect.hi),
            pairs=effect.count,
            head_median=median(sides[1].value(sample) for sample in sides[1].samples),
            level=math.exp(effect.median),
        )
        told = {
            "benchmark": row.name,
            "machine": campaign.machine["id"],
            "processor": campaign.machine["processor"],
            "metric": about["metric"],
            "unit": about["unit"],
            "better": about["better"],
        }
        yield Found((row.name, campaign.machine["id"], about["metric"]), *keys, told, point)


def _as_json(one: Found) -> dict[str, Any]:
    return asdict(one) | {"point": one.point.model_dump(mode="json")}


def _from_json(kept: Mapping[str, Any]) -> Found:
    benchmark, machine, metric = kept["key"]
    return Found(**{**kept, "key": (benchmark, machine, metric), "point": Point.model_validate(kept["point"])})


def history(connection: Store) -> HistoryDocument:
    """Return the history that a store holds."""
    found: dict[tuple[str, str, str], list[Found]] = {}
    gates = {row.id: row for row in of_kind(connection, "gate", _AS_BEGUN)}
    finished = [row.id for row in gates.values() if row.finished is not None]

    def computed(some: list[str]) -> dict[str, dict[str, Any]]:
        return {gate: {"found": [_as_json(one) for one in _found(connection, gates[gate])]} for gate in some}

    kept = digests(connection, _DIGEST, finished, computed)
    for gate in gates.values():
        of_gate = map(_from_json, kept[gate.id]["found"]) if gate.finished is not None else _found(connection, gate)
        for one in of_gate:
            found.setdefault(one.key, []).append(one)
    return HistoryDocument(series=[series for key in sorted(found) for series in chained(found[key])])


def read_history(place: Place) -> HistoryDocument:
    """Return the history that a store holds. Raises NothingMeasured where no gate has measured anything."""
    document = HistoryDocument(series=[])
    if is_there(place):
        with opened_database(place) as connection:
            document = history(connection)
    if not document.series:
        raise NothingMeasured(f"no gate has measured anything in {place}: run 'rooftop gate BASE HEAD -- CMD' first")
    return document
