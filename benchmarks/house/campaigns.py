"""Whether campaigns with small budgets measured what matters, from the documents and the store of a home."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.form import Asked, table
from rooftop.documents import CaseResult, ClimbDocument, ExperimentResult, RungResult
from rooftop.results.document import document_files
from rooftop.store.database import opened_database
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow, SessionRow
from rooftop.text.durations import budget_text
from rooftop.text.quantities import quantity

SIZE = "M"
BUDGETS_S = {"elasticity": 240.0, "elasticity_solution": 360.0, "hdf5_io": 120.0}
MOST_OVER = 1.1  # of the budget
# Reasons of the campaign's own, by which a program that applies to a case was left out.
_LEFT_OUT = re.compile(r"--budget|of the budget|MiB are left|before its turn")


@dataclass(frozen=True)
class Timed:
    """A campaign of one experiment, and the seconds from its session's start to the last that was kept of it."""

    document: ClimbDocument
    experiment: ExperimentResult
    budget_s: float
    wall_s: float


@dataclass(frozen=True)
class Program:
    """A program that a case has to measure.

    part      top rung, first rung, or a family of peers
    result    of the fastest of the family, or of the first in order where none has a time; None: none applies
    resolved  whether a comparison with another program of the case is resolved
    """

    part: str
    result: RungResult | None
    resolved: bool

    @property
    def complete(self) -> bool:
        """Whether it has a time and a resolved verdict; of what does not apply none is asked."""
        return self.result is None or (self.result.outcome == "ok" and self.resolved)

    @property
    def told(self) -> str:
        """What its cell of the table says."""
        if self.result is None:
            return "does not apply"
        if self.result.median_s is None:
            return f"{self.result.name}: **{self.result.outcome}**, {self.result.reason}"
        verdict = "" if self.resolved else ", **not resolved**"
        return f"{self.result.name}: {quantity(self.result.median_s, 's')}{verdict}"


def family(peer: str) -> str:
    """Return the family of a peer: what its name begins with, as petsc of petsc_sbaij."""
    return re.split(r"[_-]", peer)[0]


def applies(one: RungResult) -> bool:
    """Return whether a program could run the case, were there time and memory for it."""
    return one.outcome != "skipped" or bool(_LEFT_OUT.search(one.reason or ""))


def _resolved(case: CaseResult, name: str) -> bool:
    return any(
        made.verdict != "not resolved"
        for one in case.rungs
        for made in one.comparisons
        if name in (one.name, made.against)
    )


def _program(case: CaseResult, part: str, among: Sequence[RungResult]) -> Program:
    timed = [one for one in among if one.outcome == "ok" and one.median_s is not None]
    best = min(timed, key=lambda one: one.median_s or 0.0) if timed else next(iter(among), None)
    return Program(part, best, best is not None and _resolved(case, best.name))


def programs(case: CaseResult) -> list[Program]:
    """Return what a case has to measure: its top rung, its first rung, and each family of peers."""
    there = [one for one in case.rungs if applies(one)]
    rungs = sorted((one for one in there if one.kind == "rung"), key=lambda one: one.name)
    peers = [one for one in there if one.kind == "peer"]
    families = dict.fromkeys(family(one.name) for one in case.rungs if one.kind == "peer")
    return [
        _program(case, "top rung", rungs[-1:]),
        _program(case, "first rung", rungs[:1]),
        *(_program(case, name, [one for one in peers if family(one.name) == name]) for name in families),
    ]


def newest(home: Path) -> dict[str, Timed]:
    """Return the newest campaign of each experiment alone, at the size and budget asked. Raises StoreError."""
    documents = [
        ClimbDocument.model_validate_json(text)
        for file in document_files(home / "campaigns")
        if '"rooftop/climb/1"' in (text := file.read_text(encoding="utf-8"))[:400]
    ]
    found: dict[str, Timed] = {}
    with opened_database(home / "store.sqlite") as connection:
        for document in sorted(documents, key=lambda one: (one.started, one.campaign)):
            one = document.experiments[0]
            budget_s = BUDGETS_S.get(one.name)
            if budget_s is None or len(document.experiments) != 1 or one.size != SIZE:
                continue
            rows = select(connection, CampaignRow, "WHERE id = ?", document.campaign)
            sessions = select(connection, SessionRow, "WHERE campaign = ?", document.campaign)
            if sessions and any(row.request.get("budget_s") == budget_s for row in rows):
                found[one.name] = Timed(document, one, budget_s, sum(row.last_s - row.started_s for row in sessions))
    return found


def asked(found: dict[str, Timed]) -> list[Asked]:
    """Return for each experiment what was asked beside what was reached; what was not run is not measured."""
    lines = []
    for name, budget_s in BUDGETS_S.items():
        what = f"`climb {name} --size {SIZE} --budget {budget_text(budget_s)}`"
        one = found.get(name)
        if one is None:
            lines += [Asked(f"{what}: {part}", "", "not measured", None) for part in ("measured", "time")]
            continue
        cases = one.experiment.cases
        whole = sum(all(program.complete for program in programs(case)) for case in cases)
        lines += [
            Asked(
                f"{what}: top rung, best peer of each family and first rung have times and resolved verdicts",
                f"all {len(cases)} cases",
                f"{whole} of {len(cases)} cases",
                whole == len(cases) > 0,
            ),
            Asked.at_most(f"{what}: time", MOST_OVER * one.budget_s, one.wall_s, "s", ".0f"),
        ]
    return lines


def tables(found: dict[str, Timed]) -> Iterable[str]:
    """Yield a table for each campaign: what each case measured."""
    for name, one in found.items():
        all_programs = [programs(case) for case in one.experiment.cases]
        parts = list(dict.fromkeys(program.part for row in all_programs for program in row))
        rows = [
            [case.case, *({program.part: program.told for program in row}.get(part, "–") for part in parts)]
            for case, row in zip(one.experiment.cases, all_programs, strict=True)
        ]
        yield f"## {name}\n\nCampaign {one.document.campaign}.\n\n" + table(["case", *parts], rows)
