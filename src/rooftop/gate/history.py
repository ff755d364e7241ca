"""History of a home's gates: a chain of ratios with change points for each benchmark.

A ratio of head to base was measured in pairs, on one machine within minutes. Absolute times drift from day to day on
shared machines, and such ratios do not; they chain wherever one gate's head is another one's base. So a level is the
product of the ratios from the chain's first base on.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import pairwise
from statistics import median
from typing import Any, Literal, cast

from pydantic import Field

from rooftop.command.driver import as_module
from rooftop.command.line import from_words
from rooftop.command.spec import Spec
from rooftop.errors import NothingMeasured, StoreError
from rooftop.files.document import Document
from rooftop.gate.change_points import FEWEST, change_points
from rooftop.measure.arms import Arm, Role, Sample
from rooftop.measure.case_state import CaseState
from rooftop.measure.compare import spread
from rooftop.measure.figures import pairs_of
from rooftop.measure.metric import Better, Metric
from rooftop.store.campaign_store import sample_of
from rooftop.store.database import opened_database
from rooftop.store.digests import digests, keep_digests
from rooftop.store.interrupted import listed_of_kind
from rooftop.store.place import Place, is_there
from rooftop.store.protocol import Store
from rooftop.store.rows import select
from rooftop.store.schema import ArmRow, CampaignRow, CaseRow, SampleRow

_BEGUN = "AND copying IS NULL AND EXISTS (SELECT 1 FROM session WHERE session.campaign = campaign.id)"
_WITH = "AND campaign.id IN (SELECT campaign FROM \"case\" WHERE experiment = 'gate' AND name = ?)"
_ORDER = "ORDER BY (SELECT min(session.started_s) FROM session WHERE session.campaign = campaign.id)"
_DIGEST = "gate history 1"
_CHANGES = "gate changes 1"
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


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


Links = Sequence[float]
Parents = Sequence[int | None]


def _found_anew(links: Links, parents: Parents, _newest: str) -> list[int]:
    return change_points(links, parents)


def chained(found: list[Found], changes: Callable[[Links, Parents, str], list[int]] = _found_anew) -> list[Series]:
    """Return the chains of one benchmark, metric and machine.

    found    in the order of time
    changes  finds the change points of a chain, whose newest gate it gets too
    """
    chains: list[Chain] = []
    for one in found:
        if not any(chain.takes(one) for chain in reversed(chains)):
            chains.append(Chain())
            chains[-1].takes(one)
    return [_series(chain, changes) for chain in chains]


def _series(chain: Chain, changes_of: Callable[[Links, Parents, str], list[int]]) -> Series:
    links = [math.log(one.point.ratio) for one in chain.found]
    levels: list[float] = []
    for link, parent in zip(links, chain.parents, strict=True):
        levels.append(link + (levels[parent] if parent is not None else 0.0))
    points = [
        one.point.model_copy(update={"level": math.exp(level)}) for one, level in zip(chain.found, levels, strict=True)
    ]
    places = [0, *changes_of(links, chain.parents, points[-1].campaign), len(points)]
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


def _case(row: CaseRow, kept: Sequence[ArmRow], samples: Mapping[int | None, Sequence[Sample]]) -> CaseState:
    """Return a case with its samples; unlike CampaignStore's, it is only read."""
    about = row.parameters
    metric = Metric(about["figure"], about["unit"], cast(Better, about["better"]))
    case = CaseState(row.experiment, row.size, row.name, about, row.nominal, [])
    for one in kept:
        module = as_module(one.name, Spec(from_words([one.name])))
        arm = Arm(module, cast(Role, one.role), iterations=one.iterations, metric=metric)
        arm.outcome = cast(Any, one.outcome)
        arm.samples.extend(samples.get(one.id, ()))
        case.arms.append(arm)
    return case


def _cases(connection: Store, campaigns: Sequence[CampaignRow]) -> dict[str, list[Callable[[], CaseState]]]:
    """Return what makes the cases of campaigns, by the campaigns' ids, those of the last look first.

    All are read at once.
    """
    names = [one.id for one in campaigns]
    these = f"({', '.join('?' for _ in names)})"
    of_these = f'JOIN "case" ON "case".id = arm.case_id WHERE "case".campaign IN {these}'
    of_them = f"JOIN arm ON arm.id = sample.arm_id {of_these} ORDER BY sample.id"
    arms: dict[int, list[ArmRow]] = {}
    for arm in select(connection, ArmRow, f"{of_these} ORDER BY arm.id", *names):
        arms.setdefault(arm.case_id, []).append(arm)
    samples: dict[int | None, list[Sample]] = {}
    for one in select(connection, SampleRow, of_them, *names):
        samples.setdefault(one.arm_id, []).append(sample_of(one))
    found: dict[str, list[Callable[[], CaseState]]] = {name: [] for name in names}
    for row in select(connection, CaseRow, f"WHERE campaign IN {these} ORDER BY position DESC", *names):
        found[row.campaign].append(partial(_case, row, arms.get(row.id or 0, ()), samples))
    return found


def _found(campaign: CampaignRow, cases: Sequence[Callable[[], CaseState]]) -> Iterator[Found]:
    """Yield one gate's benchmarks that have pairs: those of the second look where there was one, which are fair."""
    request = campaign.request
    commands = {one["name"]: (one["base"][1], one["head"][1]) for one in request["benchmarks"]}
    seen: set[str] = set()
    for case in (make() for make in cases):
        sides = [arm for arm in case.arms if arm.role == "command" and arm.outcome == "ok"]
        if case.name in seen or len(sides) != 2:
            continue
        effect = spread(pairs_of(sides[1], sides[0]).log_ratios)
        if effect is None:
            continue
        seen.add(case.name)
        base, head = commands[case.name]
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
            "benchmark": case.name,
            "machine": campaign.machine["id"],
            "processor": campaign.machine["processor"],
            "metric": about["metric"],
            "unit": about["unit"],
            "better": about["better"],
        }
        yield Found((case.name, campaign.machine["id"], about["metric"]), *keys, told, point)


def _as_json(one: Found) -> dict[str, Any]:
    return asdict(one) | {"point": one.point.model_dump(mode="json")}


def _from_json(kept: Mapping[str, Any]) -> Found:
    """Return what was kept. Raises one of _UNREADABLE for what no version has kept."""
    found = Found(**{**kept, "key": tuple(kept["key"]), "point": Point.model_validate(kept["point"])})
    series = Series(**found.about, points=[found.point], analysed=False)
    if (series.benchmark, series.machine, series.metric) != found.key or not 0 < found.point.ratio < math.inf:
        raise ValueError(f"{found.key!r} with the ratio {found.point.ratio}")
    return found


class _KeptChanges:
    """Change points that a store keeps with the newest gate of their chain: to import what finds them takes a second.

    finished  the gates that do not change any more
    """

    def __init__(self, connection: Store, finished: Collection[str]) -> None:
        self._connection, self._finished = connection, finished

    def __call__(self, links: Links, parents: Parents, newest: str) -> list[int]:
        if len(links) < FEWEST or newest not in self._finished:
            return change_points(links, parents)
        of_chain = hashlib.sha256(json.dumps([list(links), list(parents)]).encode()).hexdigest()[:32]

        def computed(some: list[str]) -> dict[str, dict[str, Any]]:
            return {gate: {"places": change_points(links, parents)} for gate in some}

        kept = digests(self._connection, f"{_CHANGES} {of_chain}", [newest], computed)[newest]
        places = kept.get("places") if isinstance(kept, dict) else None
        if (
            not isinstance(places, list)
            or not all(type(one) is int and 0 < one < len(links) for one in places)
            or (places != sorted(set(places)))
        ):
            raise StoreError(f"the store has change points of gate {newest} that no version kept")
        return places


def _refused(gate: str, error: Exception) -> StoreError:
    told = str(error).split("\n", 1)[0]
    return StoreError(f"gate {gate} has values that this version does not read: {type(error).__name__}: {told}")


def _computed(connection: Store, some: Sequence[str], *, strict: bool) -> dict[str, dict[str, Any]]:
    """Return what is kept of gates, by their ids. One that this version does not read is an error, or left out."""
    if not some:
        return {}
    these = f"WHERE id IN ({', '.join('?' for _ in some)})"
    gates = {row.id: row for row in select(connection, CampaignRow, these, *some)}
    cases = _cases(connection, list(gates.values()))
    values: dict[str, dict[str, Any]] = {}
    for gate in some:
        try:
            values[gate] = {"found": [_as_json(one) for one in _found(gates[gate], cases[gate])]}
        except _UNREADABLE as error:
            if strict:
                raise _refused(gate, error) from error
    return values


def keep_found(connection: Store, gate: str) -> None:
    """Keep what a history shows of a gate that has just finished: a history of thousands then reads no samples."""
    keep_digests(connection, _DIGEST, _computed(connection, [gate], strict=False))


def history(
    connection: Store,
    benchmark: str | None = None,
    newest: int | None = None,
    unreadable: list[str] | None = None,
) -> HistoryDocument:
    """Return the history that a store holds.

    benchmark   the only one that is meant; None: all
    newest      so many gates are looked at; None: all
    unreadable  gets the ids of gates that another version has kept in a form of its own; None: they are an error

    Raises StoreError.
    """
    limit = "" if newest is None else f"DESC LIMIT {newest}"
    named = [benchmark] if benchmark is not None else []
    only = _WITH if named else ""
    rows = listed_of_kind(connection, "gate", f"{_BEGUN} {only} {_ORDER} {limit}", *named)
    if newest is not None:
        rows.reverse()

    computed = partial(_computed, connection, strict=unreadable is None)
    finished = [row.id for row in rows if row.finished is not None]
    kept = digests(connection, _DIGEST, finished, computed)
    kept |= computed([row.id for row in rows if row.finished is None])
    found: dict[tuple[str, str, str], list[Found]] = {}
    for row in rows:
        try:
            of_gate = [_from_json(one) for one in kept[row.id]["found"]]
        except _UNREADABLE as error:
            if unreadable is None:
                raise _refused(row.id, error) from error
            unreadable.append(row.id)
            continue
        for one in of_gate:
            if benchmark in (None, one.key[0]):
                found.setdefault(one.key, []).append(one)
    changes = _KeptChanges(connection, frozenset(finished))
    try:
        return HistoryDocument(series=[series for key in sorted(found) for series in chained(found[key], changes)])
    except OverflowError as error:
        raise StoreError("the store has a chain of gates whose ratios make no number") from error


def read_history(place: Place) -> HistoryDocument:
    """Return the history that a store holds. Raises NothingMeasured where no gate has measured anything."""
    document = HistoryDocument(series=[])
    if is_there(place):
        with opened_database(place) as connection:
            document = history(connection)
    if not document.series:
        raise NothingMeasured(f"no gate has measured anything in {place}: run 'rooftop gate BASE HEAD -- CMD' first")
    return document
