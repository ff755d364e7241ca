"""What fuzzers were fed by all their runs, on any machine: a record that is committed beside the page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from benchmarks.form import RESULTS, ROOT
from rooftop.files.atomic import write_whole
from rooftop.files.document import Document

KEPT = ROOT / ".rooftop" / "fuzzing"
RECORD = RESULTS / "fuzzing.json"
LONGEST_INPUT_S = 10
MOST_MIB = 2048


@dataclass(frozen=True)
class Run:
    """What one process of a fuzzer did.

    inputs     fed
    seconds    of the process
    kept       inputs in its folder afterwards
    finding    the file with the input that ended it, or ""
    processor  that it ran on
    broken     inputs at which a library that is not Rooftop's crashed or hung
    """

    fuzzer: str
    inputs: int
    seconds: float
    kept: int
    finding: str
    processor: str
    broken: int = 0


class Fed(Document):
    """What a fuzzer was fed, all its runs together."""

    inputs: int = 0
    seconds: float = 0.0
    kept: int = 0  # after the last run
    findings: int = 0
    broken: int = 0  # inputs at which a library that is not Rooftop's crashed or hung


class Record(Document):
    """All fuzzers by name, and the processors that they ran on."""

    processors: list[str] = Field(default_factory=list)
    fuzzers: dict[str, Fed] = Field(default_factory=dict)

    def inputs(self, fuzzer: str) -> int:
        """Return how many inputs a fuzzer was fed."""
        return self.fuzzers.get(fuzzer, Fed()).inputs

    def add(self, run: Run) -> None:
        """Add a run."""
        before = self.fuzzers.get(run.fuzzer, Fed())
        self.fuzzers[run.fuzzer] = Fed(
            inputs=before.inputs + run.inputs,
            seconds=round(before.seconds + run.seconds, 1),
            kept=run.kept,
            findings=before.findings + bool(run.finding),
            broken=before.broken + run.broken,
        )
        self.fuzzers = dict(sorted(self.fuzzers.items()))
        self.processors = sorted({*self.processors, run.processor})


def read_record(file: Path = RECORD) -> Record:
    """Return the record. Raises OSError, and ValidationError where the file holds something else."""
    return Record.model_validate_json(file.read_bytes())


def keep_run(run: Run, file: Path = RECORD) -> None:
    """Add a run to the record, and write that."""
    record = read_record(file)
    record.add(run)
    write_whole(file, record.model_dump_json(indent=1) + "\n")
