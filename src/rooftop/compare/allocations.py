"""One verdict over comparisons of the same commands in several allocations, made from what the store holds."""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, cast

from pydantic import Field

import rooftop
from rooftop.campaign.bench import Bench
from rooftop.campaign.rebuild import course_again, find_campaign
from rooftop.compare.document import CompareDocument
from rooftop.compare.run import KIND
from rooftop.compare.run import Comparison as Course
from rooftop.documents import Comparison, Doubt, Verdict
from rooftop.errors import Misuse
from rooftop.files.contents import shown
from rooftop.files.document import Document
from rooftop.measure.allocations import WeighedOver, enough, weigh_over
from rooftop.measure.assemble import campaign_floor
from rooftop.measure.case_state import CaseState
from rooftop.measure.compare import spread, told
from rooftop.measure.correction import holm, level_of
from rooftop.measure.figures import compared
from rooftop.measure.pairs import Pairs
from rooftop.measure.rules import Rules
from rooftop.store.campaign_store import files_of
from rooftop.store.interrupted import kind_of
from rooftop.store.protocol import Store
from rooftop.text.plural import listed, plural

SHARED_NODE = "one node for several allocations"
WITHOUT = "allocations without a comparison"
CUT_SHORT = "allocations that were cut short"
OTHER_FILES = "files that differ between allocations"


class WithinAllocation(Document):
    """What one allocation says of a comparison by itself: the median of its paired ratios, and its interval."""

    campaign: str
    ratio: float
    lo: float
    hi: float
    pairs: int


class OverAllocations(Comparison):
    """How a command compares with an earlier one over all allocations; intervals are those of random effects.

    within   the allocations that count: those with enough pairs
    between  standard deviation of the ratio from allocation to allocation, as a relative difference
    p        of there being no difference in the median and the mean
    """

    subject: str
    within: list[WithinAllocation]
    between: float
    p: float
    corrected_p: float  # by Holm, over all comparisons of this document


class Allocation(Document):
    """One allocation.

    node    where it was measured; None where that was in no job, or is not known
    failed  commands that are wrong or failed there, with their reasons
    """

    campaign: str
    machine: str
    processor: str
    node: str | None = None
    finished: bool
    failed: list[str] = Field(default_factory=list)


class AllocationsDocument(Document):
    """What ``rooftop pool --json`` prints. With two commands the verdict on the second stands at the top as well."""

    schema_: Literal["rooftop/allocations/1"] = Field(default="rooftop/allocations/1", alias="schema")
    rooftop: str  # version
    group: str | None = None
    metric: str
    unit: str
    better: Literal["lower", "higher"]
    commands: list[str]
    allocations: list[Allocation]
    comparisons: list[OverAllocations]
    floor: float | None = None
    verdict: Verdict | None = None
    ratio: float | None = None
    lo: float | None = None
    hi: float | None = None
    doubts: list[Doubt] = Field(default_factory=list)
    reproduce: str  # command line that makes it again


class Measured(NamedTuple):
    """What one campaign has measured. `files`: contents of those that its samples depend on."""

    document: CompareDocument
    case: CaseState
    finished: bool
    files: Mapping[Path, str]


def over_allocations(cases: Mapping[str, CaseState], floor: float | None, rules: Rules) -> list[OverAllocations]:
    """Return every comparison over all allocations, corrected for their number (Holm).

    cases  of the same commands, by campaign; a command that is not ok in one of them has no comparison there
    floor  A/A over all of them; None: nothing can be claimed
    """
    arms = {campaign: {arm.name: arm for arm in case.arms if arm.role == "command"} for campaign, case in cases.items()}
    order, base = list(next(iter(arms.values()))), next(iter(cases.values())).base
    found: list[tuple[str, str, WeighedOver, dict[str, Pairs]]] = []
    for place, subject in enumerate(order):
        for against in (one for one in order[:place] if base in (None, one)):
            each = {
                campaign: compared(known[subject], known[against])
                for campaign, known in arms.items()
                if known[subject].outcome == known[against].outcome == "ok"
            }
            over = weigh_over(list(each.values()), floor if floor is not None else 1.0, rules)
            if over is not None:
                found.append((subject, against, over, each))
    corrected = holm([over.weighed.p for _, _, over, _ in found])
    return [
        OverAllocations(
            **told(against, over.weighed, level_of(over.weighed.p, corrected_p)).model_dump(),
            subject=subject,
            within=[_within(campaign, pairs) for campaign, pairs in each.items() if enough(pairs, rules)],
            between=math.expm1(over.between),
            p=over.weighed.p,
            corrected_p=corrected_p,
        )
        for (subject, against, over, each), corrected_p in zip(found, corrected, strict=True)
    ]


def _within(campaign: str, pairs: Pairs) -> WithinAllocation:
    effect = spread(pairs.log_ratios)
    assert effect is not None
    ratio, lo, hi = map(math.exp, (effect.median, effect.lo, effect.hi))
    return WithinAllocation(campaign=campaign, ratio=ratio, lo=lo, hi=hi, pairs=effect.count)


def measured_of(bench: Bench, connection: Store, wanted: Sequence[str]) -> dict[str, Measured]:
    """Return what campaigns have measured, by their ids. Raises Misuse where they do not compare the same."""
    found: dict[str, Measured] = {}
    for name in wanted:
        row = find_campaign(connection, name)
        if row is None:
            raise Misuse(f"{name!r} is no campaign: 'rooftop list --campaigns' lists them")
        if kind_of(row) != KIND.name:
            raise Misuse(f"campaign {row.id} is a '{kind_of(row)}', expected a '{KIND.name}'")
        course, session = course_again(bench, connection, KIND, row)
        finished = row.finished is not None
        document = course.document(session, interrupted=not finished)
        found[row.id] = Measured(document, cast(Course, course).judged, finished, files_of(connection, row.id))
    _require_the_same(found)
    return found


def _require_the_same(found: Mapping[str, Measured]) -> None:
    """Raise Misuse where campaigns compare other commands, or by another metric."""
    (first, known), *others = found.items()
    for name, one in others:
        for what in ("names", "commands", "metric", "unit"):
            ours, theirs = (_told_of(document, what) for document in (known.document, one.document))
            if ours != theirs:
                told_ = f"campaign {name} has the {what} {theirs!r}, and {first} {ours!r}"
                raise Misuse(f"{told_}: expected campaigns that compare the same")


def _told_of(document: CompareDocument, what: str) -> str:
    match what:
        case "names":
            return " ::: ".join(one.name for one in document.commands)
        case "commands":
            return " ::: ".join(shlex.join(one.command) for one in document.commands)
    return str(getattr(document, what))


def allocations_document(
    found: Mapping[str, Measured],
    rules: Rules,
    *,
    nodes: Mapping[str, Sequence[str]] | None = None,
    lacking: Sequence[str] = (),
    group: str | None = None,
) -> AllocationsDocument:
    """Return the document of campaigns that compare the same commands.

    nodes    that each was measured on, by campaign, as far as that is known
    lacking  lines about allocations that have brought no campaign
    """
    nodes = nodes or {}
    first = next(iter(found.values())).document
    cases = {name: one.case for name, one in found.items()}
    floor = campaign_floor(list(cases.values()), rules)
    known_floor = floor if math.isfinite(floor) else None
    made = over_allocations(cases, known_floor, rules)
    document = AllocationsDocument(
        rooftop=rooftop.__version__,
        group=group,
        metric=first.metric,
        unit=first.unit,
        better=first.better,
        commands=[one.name for one in first.commands],
        allocations=[
            Allocation(
                campaign=name,
                machine=one.document.machine.id,
                processor=one.document.machine.processor,
                node=listed(sorted(nodes[name])) if nodes.get(name) else None,
                finished=one.finished,
                failed=[*_failed(one.document)],
            )
            for name, one in found.items()
        ],
        comparisons=made,
        floor=known_floor,
        doubts=[*_doubts(found, nodes, lacking, rules)],
        reproduce=shlex.join(["rooftop", "pool", *([group] if group is not None else found)]),
    )
    if len(document.commands) == 2 and made:
        only = made[0]
        document.verdict, document.ratio, document.lo, document.hi = only.verdict, only.ratio, only.lo, only.hi
    return document


def _failed(document: CompareDocument) -> Iterator[str]:
    """Yield the commands that are wrong or failed, with their reasons."""
    for one in document.commands:
        if one.outcome in ("wrong", "failed"):
            yield f"{one.name} {one.outcome}: {one.reason}"


def _without(campaign: str, document: CompareDocument, rules: Rules) -> Iterator[str]:
    """Yield which comparisons of a campaign do not count, and why."""
    ok = {one.name for one in document.commands if one.outcome == "ok"}
    for one in document.commands:
        if one.name not in ok:
            yield f"{campaign}: {one.name} {one.outcome}: {one.reason}"
    for made in document.comparisons:
        if made.pairs < rules.min_pairs:
            pairs = f"{plural(made.pairs, 'pair')}, expected at least {rules.min_pairs}"
            yield f"{campaign}: {made.subject} against {made.against}: {pairs}"
    if not document.comparisons and len(ok) > 1:
        yield f"{campaign}: no pairs"


def _other_files(found: Mapping[str, Measured]) -> list[str]:
    """Return the files whose contents are not the same in all campaigns that have them."""
    seen: dict[Path, set[str]] = {}
    for one in found.values():
        for file, contents in one.files.items():
            seen.setdefault(file, set()).add(contents)
    return [shown(file) for file, contents in seen.items() if len(contents) > 1]


def _doubts(
    found: Mapping[str, Measured], nodes: Mapping[str, Sequence[str]], lacking: Sequence[str], rules: Rules
) -> Iterator[Doubt]:
    """Yield what is to be doubted: of the whole, then of each campaign."""
    often = Counter(node for campaign in found for node in nodes.get(campaign, ()))
    shared = [f"{count} on {node}" for node, count in often.items() if count > 1]
    remedy = "what differs from node to node is seen less than it should be: give allocations nodes of their own"
    yield from Doubt.about_all(SHARED_NODE, shared, remedy)
    without = [*lacking, *(line for name, one in found.items() for line in _without(name, one.document, rules))]
    yield from Doubt.about_all(WITHOUT, without, "the verdict rests on the others: run these again")
    cut_short = [name for name, one in found.items() if not one.finished]
    remedy = "the pairs that they have count: 'rooftop compare --resume ID --on SCHEDULER' adds the others"
    yield from Doubt.about_all(CUT_SHORT, cut_short, remedy)
    remedy = "the verdict may be one on different programs: measure all allocations with the same"
    yield from Doubt.about_all(OTHER_FILES, _other_files(found), remedy)
    of_campaigns: dict[str, tuple[str, list[str]]] = {}
    for campaign, one in found.items():
        for doubt in one.document.doubts:
            of_campaigns.setdefault(doubt.name, (doubt.remedy, []))[1].append(f"{campaign}: {doubt.evidence}")
    for name, (remedy, evidence) in of_campaigns.items():
        yield from Doubt.about_all(name, evidence, remedy, between="; ")
