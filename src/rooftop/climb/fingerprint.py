"""What must not change between a climb's sessions, beside its machine and its files: the cases and the threads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from rooftop.measure.case_state import CaseState

_LENGTH = 12


def fingerprint(cases: Sequence[CaseState], threads: int) -> dict[str, str]:
    """Return one short text per part, so that a refusal to resume can say which part differs."""
    listed = [
        [case.experiment, case.size, case.name, case.parameters, case.nominal, [arm.name for arm in case.arms]]
        for case in cases
    ]
    digest = hashlib.sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest()
    return {"case list": digest[:_LENGTH], "threads": str(threads)}
