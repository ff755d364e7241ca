"""What must not change between a climb's sessions, beside the machine: the built files and the cases."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from rooftop.discover import Found
from rooftop.measure.case_run import CaseState

_LENGTH = 12


def _digest(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return "absent"


def fingerprint(found: Sequence[Found], cases: Sequence[CaseState], threads: int) -> dict[str, str]:
    """Return one short hash per part, so that a refusal to resume can say which part differs."""
    files = {module.file for experiment in found for module in experiment.modules}
    files |= {
        Path(module.command[0]) for experiment in found for module in experiment.modules if module.file.suffix == ".so"
    }
    built = {str(file): _digest(file) for file in sorted(files)}
    listed = [
        [case.experiment, case.size, case.name, case.parameters, case.nominal, [arm.name for arm in case.arms]]
        for case in cases
    ]

    def short(value: object) -> str:
        return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:_LENGTH]

    return {"build": short(built), "case list": short(listed), "threads": str(threads)}
