"""How many labs agreed when a processor first measured them: a record that is committed beside the page.

What a prediction is worth shows on a processor on which nobody has corrected it. So the first measurement of each lab
on each processor is kept, whatever comes later. Where a lab's predictions or the cases of its quick size were changed
after it, the first measurement of the new ones is kept as well, apart.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import Field

from benchmarks.form import RESULTS, table
from rooftop.documents import ClimbDocument, ExperimentResult
from rooftop.files.atomic import write_whole
from rooftop.files.document import Document
from rooftop.ladder.discovery import Found
from rooftop.ladder.experiment import Experiment
from rooftop.text.plural import plural
from rooftop.text.quantities import ABSENT

RECORD = RESULTS / "labs.json"
SIZE = "quick"
_HEAD = (
    "processor",
    "since",
    "labs with a verdict",
    "all predictions agreed",
    "single predictions that agreed",
    "labs changed since",
    "of those, agreed when measured anew",
)
ABOUT = """\
The first measurement of each lab on each processor is kept, before anything was changed because of it. If a lab's
predictions or its quick cases were changed later, that measurement still counts, and the first one of the new
predictions is in the last two columns alone. A change of a lab's program alone starts nothing anew."""


class First(Document):
    """The first measurement of a lab on a processor, with the predictions that it had then."""

    measured: str  # ISO 8601, UTC: a time, or the day alone
    predictions: str  # a digest of what was declared
    agree: int  # single predictions
    judged: int  # of those that a measurement could be held against

    @property
    def agrees(self) -> bool:
        """Whether all that could be judged agree."""
        return self.agree == self.judged


class Record(Document):
    """The first measurements by processor and lab: a lab has more than one where its predictions were changed."""

    processors: dict[str, dict[str, list[First]]] = Field(default_factory=dict)

    def add(self, processor: str, lab: str, one: First) -> bool:
        """Keep a measurement if it is the first of these predictions; return whether it is."""
        known = self.processors.setdefault(processor, {}).setdefault(lab, [])
        if known and known[-1].predictions == one.predictions:
            return False
        known.append(one)
        return True

    def firsts(self, processor: str) -> list[First]:
        """Return each lab's first measurement on a processor."""
        return [known[0] for known in self.processors.get(processor, {}).values()]

    def anew(self, processor: str) -> dict[str, list[First]]:
        """Return the labs that were changed after their first measurement on a processor, with all that is kept."""
        labs = self.processors.get(processor, {})
        return {name: known for name, known in sorted(labs.items()) if len(known) > 1}


def digest(declaration: Experiment) -> str:
    """Return what tells a lab's predictions and quick cases from others: the first 16 digits of a hash."""
    predictions = [
        [
            one.of,
            one.over,
            one.less,
            one.figure,
            one.formula,
            one.within,
            one.crowded,
            *([one.up_to] if one.up_to else []),
        ]
        for one in declaration.predictions
    ]
    cases = [one.parameters for one in declaration.cases(SIZE)]
    told = [sorted(json.dumps(one, sort_keys=True) for one in part) for part in (predictions, cases)]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def _is_of(result: ExperimentResult, declaration: Experiment) -> bool:
    """Return whether a result is of the predictions that are declared, at quick size."""
    declared = {(one.of, one.over, one.less, one.figure, one.formula, one.up_to) for one in declaration.predictions}
    told = {
        (one.of, one.over, one.less, one.figure, one.formula, one.up_to)
        for case in result.cases
        for one in case.predictions
    }
    return result.size == SIZE and told <= declared


def add_climb(record: Record, labs: Sequence[Found], document: ClimbDocument) -> list[str]:
    """Keep what a climb measured first on its processor; return the labs that it measured with other predictions.

    A lab of which no prediction could be judged is not measured yet.
    """
    results = {one.name: one for one in document.experiments}
    other = []
    for lab in labs:
        result = results.get(lab.name)
        if result is None:
            continue
        verdicts = [one.agrees for case in result.cases for one in case.predictions if one.agrees is not None]
        if not verdicts:
            continue
        if not _is_of(result, lab.declaration):
            other.append(lab.name)
            continue
        one = First(
            measured=document.started,
            predictions=digest(lab.declaration),
            agree=sum(verdicts),
            judged=len(verdicts),
        )
        record.add(document.machine.processor, lab.name, one)
    return other


def _row(record: Record, processor: str) -> list[str]:
    first, anew = record.firsts(processor), record.anew(processor)
    agreed, right = sum(one.agrees for one in first), sum(known[-1].agrees for known in anew.values())
    return [
        processor,
        min(one.measured for one in first)[:10],
        str(len(first)),
        f"{agreed} ({agreed / len(first):.0%})",
        f"{sum(one.agree for one in first)} of {sum(one.judged for one in first)}",
        str(len(anew)),
        str(right) if anew else ABSENT,
    ]


def section_of_firsts(record: Record) -> str:
    """Return the part of the page about all processors."""
    measured = [one for one in record.processors if record.firsts(one)]
    if not measured:
        return "Nothing is kept yet."
    lines = [ABOUT, table(_HEAD, [_row(record, one) for one in sorted(measured)])]
    return "\n\n".join([*lines, *(_changed(record, one) for one in sorted(measured) if record.anew(one))])


def _changed(record: Record, processor: str) -> str:
    """Return the list of labs that were changed, each with every measurement that is kept."""
    return "\n".join([f"Changed after they were measured on {processor}:", "", *_changes(record.anew(processor))])


def _changes(anew: dict[str, list[First]]) -> Iterator[str]:
    for name, known in anew.items():
        told = ", then ".join(f"{one.agree} of {one.judged} on {one.measured[:10]}" for one in known)
        yield f"- `{name.rpartition('/')[2]}` ({plural(len(known) - 1, 'change')}): {told} agreed"


def read_record(file: Path = RECORD) -> Record:
    """Return the record; an empty one where there is none. Raises OSError, and ValidationError for other content."""
    return Record.model_validate_json(file.read_bytes()) if file.exists() else Record()


def write_record(record: Record, file: Path = RECORD) -> None:
    """Write the record, whole or not at all. Raises OSError."""
    ordered = {name: dict(sorted(labs.items())) for name, labs in sorted(record.processors.items())}
    write_whole(file, Record(processors=ordered).model_dump_json(indent=1) + "\n")
