"""The form of a check: one declaration in a file of ``checks/``, found by its folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings

Status = Literal["ok", "limited", "missing"]
Group = Literal["build", "parallel", "peers", "measuring", "machine", "report"]
GROUPS: tuple[Group, ...] = ("build", "parallel", "peers", "measuring", "machine", "report")


@dataclass(frozen=True)
class Found:
    """What a check saw: "ok", "limited" (here, but not as it should be) or "missing", and the evidence.

    remedy  in the place of the check's own, where what was seen needs another
    """

    status: Status
    evidence: str
    remedy: Remedy | None = None


@dataclass(frozen=True)
class Check:
    """One thing that the bench can use.

    costs     what the user goes without where it is missing or limited: which results are skipped or doubtful
    look      finds out; whatever it raises becomes "missing" with the error as evidence
    required  without it nothing can be built or measured at all
    """

    name: str
    group: Group
    costs: str
    look: Callable[[Surroundings], Found]
    remedy: Remedy
    required: bool = False


def ok(evidence: str) -> Found:
    """Return the finding that all is well."""
    return Found("ok", evidence)


def limited(evidence: str) -> Found:
    """Return the finding that it is here but not as it should be."""
    return Found("limited", evidence)


def missing(evidence: str, remedy: Remedy | None = None) -> Found:
    """Return the finding that it is not here."""
    return Found("missing", evidence, remedy)
