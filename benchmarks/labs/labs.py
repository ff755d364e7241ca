"""Measure all labs at quick size, and write what each predicted and what came of it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks import form
from benchmarks.form import RESULTS, ROOT, Asked, asked_table, table
from benchmarks.labs.first_measurements import RECORD, Record, add_climb, read_record, section_of_firsts, write_record
from rooftop.documents import CaseResult, ClimbDocument, ExperimentResult, PredictionResult, RungResult
from rooftop.files.atomic import write_whole
from rooftop.lab.lessons import chapters, find_labs, short_name
from rooftop.ladder.discovery import Found
from rooftop.ladder.location import place_of
from rooftop.report.prediction_text import predicted_of, quantity_of, value_of
from rooftop.settings import Settings
from rooftop.text.plural import plural
from rooftop.text.quantities import ABSENT, NARROW_SPACE

PAGE = RESULTS / "labs.md"
ASKED_VERDICTS = 35  # labs
ASKED_AGREEING = 0.8  # of those that have a verdict
BUDGET = "15m"  # of all labs together: 10 s a case, as five minutes (3 to 4 s) were too short for MPI on 2 and 4 ranks
_MISS = re.compile(r"^\*\*(?:Not predicted|Miss\w*)\.\*\*\s+(.+?)(?:\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)

_ROOFLINES = """\
A variant that states its operations and bytes has a roof: the least time that this work takes here, in a cache, in
memory or in the units that compute. The table shows the variant of each lab and case that comes nearest to its roof.
Labs of locks, messages and graphs have no such count. Above 100 % the model leaves something out: a roof of memory is
that of plain reads and copies, which non-temporal stores exceed, and a sum that is not fused counts as a multiply-add,
while Zen has units for both."""

Judged = tuple[CaseResult, PredictionResult]


@dataclass(frozen=True)
class Measured:
    """A lab, and what climbing it gave; None: it was not climbed."""

    lab: Found
    result: ExperimentResult | None

    @property
    def predictions(self) -> list[Judged]:
        """Every prediction of every case."""
        cases = self.result.cases if self.result is not None else []
        return [(case, one) for case in cases for one in case.predictions]

    @property
    def misses(self) -> list[Judged]:
        """Those that the measurement disagrees with."""
        return [(case, one) for case, one in self.predictions if one.agrees is False]

    @property
    def has_verdict(self) -> bool:
        """Whether a prediction could be held against a measurement."""
        return any(one.agrees is not None for _, one in self.predictions)

    @property
    def agrees(self) -> bool:
        """Whether all predictions that were judged agree."""
        return self.has_verdict and not self.misses

    @property
    def why_not(self) -> str:
        """Why there is no verdict."""
        if self.result is None:
            return self.lab.rungs[0].reason or "it was not climbed"
        told = [rung.reason for case in self.result.cases for rung in case.rungs if rung.outcome != "ok"]
        told += [one.reason for _, one in self.predictions]
        return "; ".join(dict.fromkeys(reason for reason in told if reason)) or "it predicts nothing"

    @property
    def not_predicted(self) -> str:
        """What its README says of what is not predicted."""
        found = _MISS.findall((self.lab.folder / "README.md").read_text(encoding="utf-8"))
        told = " ".join(" ".join(found).split())
        return f"Not predicted, as its README says: {told}" if told else "Its README gives no reason."


def measured(labs: Sequence[Found], document: ClimbDocument) -> list[Measured]:
    """Return the labs in the order of the course, each with its result."""
    results = {one.name: one for one in document.experiments}
    return [Measured(lab, results.get(lab.name)) for chapter in chapters(labs) for lab in chapter.labs]


def counts(labs: Sequence[Measured]) -> list[Asked]:
    """Return what was asked beside what was reached."""
    judged, agreeing = sum(one.has_verdict for one in labs), sum(one.agrees for one in labs)
    share = agreeing / judged if judged else 0.0
    single = [one for lab in labs for _, one in lab.predictions if one.agrees is not None]
    right = sum(one.agrees is True for one in single)
    return [
        Asked(
            "labs with a measured verdict",
            f"at least {ASKED_VERDICTS}",
            f"{judged} of {len(labs)}",
            judged >= ASKED_VERDICTS,
        ),
        Asked(
            "of those, labs all of whose predictions agree",
            f"at least {ASKED_AGREEING:.0%}",
            f"{agreeing} ({share:.0%})",
            share >= ASKED_AGREEING,
        ),
        Asked("single predictions that agree", ABSENT, f"{right} of {len(single)}", None),
    ]


def first_here(record: Record, processor: str) -> Asked:
    """Return how many labs agreed when a processor first measured them, beside what was asked."""
    first = record.firsts(processor)
    agreeing = sum(one.agrees for one in first)
    share = agreeing / len(first) if first else 0.0
    return Asked(
        "labs that agreed at their first measurement on this processor",
        f"at least {ASKED_AGREEING:.0%}",
        f"{agreeing} of {len(first)} ({share:.0%})",
        share >= ASKED_AGREEING if first else None,
    )


def _cells(case: CaseResult, one: PredictionResult) -> list[str]:
    def shown(value: float | None) -> str:
        return ABSENT if value is None else value_of(one, value).replace(NARROW_SPACE, " ")

    interval = ABSENT if one.lo is None or one.hi is None else f"{shown(one.lo)} to {shown(one.hi)}"
    verdict = {True: "agrees", False: "**disagrees**", None: one.reason or "not known"}[one.agrees]
    return [
        quantity_of(one),
        f"{case.case}, {plural(one.threads, 'worker')}",
        predicted_of(one).replace(NARROW_SPACE, " ") or ABSENT,
        shown(one.measured),
        interval,
        f"{one.within:g}",
        verdict,
    ]


def section(one: Measured) -> Iterator[str]:
    """Yield the lines about one lab."""
    lesson = one.lab.declaration.lesson
    yield from (f"### {one.lab.declaration.title} (`{short_name(one.lab)}`)", "")
    if one.predictions:
        head = ["of", "case", "predicted", "measured", "95 % interval", "within", ""]
        yield from (table(head, (_cells(case, told) for case, told in one.predictions)), "")
    if not one.has_verdict:
        yield from (f"No verdict: {one.why_not}.", "")
    if lesson is not None and lesson.course:
        yield from (f"The course: {'; '.join(f'{what}: {figure}' for what, figure in lesson.course.items())}.", "")


def misses(labs: Sequence[Measured]) -> Iterator[str]:
    """Yield the list of what was predicted wrongly, each lab with the reason that its README gives."""
    for one in labs:
        if not one.misses:
            continue
        told = "; ".join(
            f"{quantity_of(miss)} on {case.case}, {plural(miss.threads, 'worker')}" for case, miss in one.misses
        )
        yield f"- `{short_name(one.lab)}`: {told}. {one.not_predicted}"


def rooflines(labs: Sequence[Measured]) -> str:
    """Return a table of where each lab's best variant stands beside its roof, of those that have one."""
    rows = []
    for lab in labs:
        for case in lab.result.cases if lab.result is not None else []:
            known = [one for one in case.rungs if one.roof_fraction is not None]
            if known:
                best = max(known, key=lambda one: one.roof_fraction or 0.0)
                cells = [short_name(lab.lab), case.case, best.name, intensity(best), best.limit_by or ABSENT]
                rows.append([*cells, f"{best.roof_fraction:.0%}"])
    return table(["lab", "case", "variant", "flop per byte", "limited by", "of its roof"], rows)


def intensity(rung: RungResult) -> str:
    """Return the operations for each byte that a variant states, or that it states one of the two only."""
    work = rung.work or {}
    flops = (work.get("fma_flops") or 0) + (work.get("add_flops") or 0)
    moved = work.get("memory_bytes") or 0
    return f"{flops / moved:.3g}" if flops and moved else "no flops" if moved else "no bytes"


def page(found: Sequence[Found], document: ClimbDocument, record: Record) -> str:
    """Return the page in Markdown, with the first measurements of all processors."""
    labs, machine = measured(found, document), document.machine
    by_lab = {one.lab.name: one for one in labs}
    where = f"{machine.processor}, {plural(machine.cores, 'core')}, {plural(machine.numa_nodes, 'NUMA node')}"
    lines = [
        "A lab agrees if every prediction of it that could be judged does, in all cases and on all numbers of workers.",
        "",
        "## At the first measurement on each processor",
        "",
        section_of_firsts(record),
        "",
        "## Misses",
        "",
        *(list(misses(labs)) or ["None."]),
        "",
        "## Without a verdict",
        "",
        *([f"- `{short_name(one.lab)}`: {one.why_not}" for one in labs if not one.has_verdict] or ["None."]),
        "",
    ]
    for chapter in chapters(found):
        lines += [f"## {chapter.title}", ""]
        lines += [line for lab in chapter.labs for line in section(by_lab[lab.name])]
    return form.page(
        "What the labs predict, and what is measured",
        "labs",
        asked_table([*counts(labs), first_here(record, machine.processor)]),
        "\n".join(lines),
        "## Rooflines",
        _ROOFLINES,
        rooflines(labs),
        on=f"{where}, quick size",
        date=document.started[:10],
    )


def climb(budget: str) -> ClimbDocument:
    """Climb all labs. Raises SystemExit where that gives no document."""
    words = [str(ROOT / "rooftop"), "climb", "labs", "--size", "quick", "--budget", budget]
    done = subprocess.run([*words, "--no-report", "--json"], cwd=ROOT, stdout=subprocess.PIPE, check=False)
    if not done.stdout:
        raise SystemExit(f"{' '.join(words)} ended with exit code {done.returncode} and without a document")
    return ClimbDocument.model_validate_json(done.stdout)


def main(
    budget: Annotated[str, typer.Option(help="Time of all labs together.")] = BUDGET,
    recorded: Annotated[
        Path | None, typer.Option("--document", help="Output of 'rooftop climb labs --json'; nothing is measured.")
    ] = None,
) -> int:
    """Measure all labs at quick size, and write docs/results/labs.md. Exit code 1 where a variant is wrong.

    docs/results/labs.json keeps what was measured first on this processor.
    """
    found = find_labs(place_of(Settings(root=ROOT), None))
    document = ClimbDocument.model_validate_json(recorded.read_bytes()) if recorded is not None else climb(budget)
    record = read_record(RECORD)
    for name in add_climb(record, found, document):
        print(f"{name} was measured with other predictions or at another size: it is not kept in {RECORD.name}")
    write_record(record, RECORD)
    write_whole(PAGE, page(found, document, record))
    rungs = [rung for one in document.experiments for case in one.cases for rung in case.rungs]
    return 1 if any(rung.outcome in ("wrong", "failed") for rung in rungs) else 0
