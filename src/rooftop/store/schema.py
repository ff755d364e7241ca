"""The rows of the store's tables. A change needs a migration in ``migrations/versions``: a test compares both."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}")


def _check(row: CampaignRow | ListedRow) -> None:
    """Raise ValueError for an id, a start or a request that no version has stored: files are named after ids."""
    if not isinstance(row.id, str) or _ID.fullmatch(row.id) is None:
        raise ValueError(f"a campaign's id is {str(row.id)[:80]!r}, expected letters, digits, blanks and -._")
    datetime.fromisoformat(row.started)
    if not isinstance(row.request, dict):
        raise ValueError(f"the request of campaign {row.id} is no object of JSON")


@dataclass
class CampaignRow:
    """One campaign with all its sessions. `started` and `finished` are in ISO 8601, UTC.

    request      what the user asked for, and the kind of campaign
    fingerprint  of build, machine and cases, which must not change between sessions
    machine      a documents.Machine, as it was in the first session
    copying      by which copy it is being completed; None: it is whole
    """

    table: ClassVar[str] = "campaign"

    id: str
    started: str
    rooftop: str
    request: dict[str, Any]
    fingerprint: dict[str, Any]
    machine: dict[str, Any]
    finished: str | None = None
    copying: str | None = None

    def __post_init__(self) -> None:
        """Raise ValueError where the campaign of another's store is none."""
        _check(self)
        for name in ("fingerprint", "machine"):
            if not isinstance(getattr(self, name), dict):
                raise ValueError(f"the {name} of campaign {self.id} is no object of JSON")


@dataclass
class ListedRow:
    """What a list of campaigns shows of one, without its fingerprint and machine, which are long."""

    table: ClassVar[str] = "campaign"

    id: str
    started: str
    request: dict[str, Any]
    finished: str | None = None
    copying: str | None = None

    def __post_init__(self) -> None:
        """Raise ValueError where the campaign of another's store is none."""
        _check(self)


@dataclass
class DigestRow:
    """What was computed of a finished campaign. It belongs to this store: it is not copied."""

    table: ClassVar[str] = "digest"

    campaign: str
    name: str
    value: dict[str, Any]
    id: int | None = None


@dataclass
class SessionRow:
    """One process that worked on a campaign: a resumed campaign has several. Times are in seconds since 1970.

    last_s  when it last stored something
    """

    table: ClassVar[str] = "session"

    campaign: str
    started_s: float
    last_s: float
    conditions: dict[str, Any]
    conditions_end: dict[str, Any] | None = None
    id: int | None = None


@dataclass
class CaseRow:
    """One case of a campaign; `position` is its place in the order of measuring."""

    table: ClassVar[str] = "case"

    campaign: str
    position: int
    experiment: str
    size: str
    name: str
    parameters: dict[str, Any]
    nominal: float
    blocks: int = 0
    stopped: str | None = None
    finished: bool = False
    id: int | None = None


@dataclass
class ArmRow:
    """One program measured on one case: `role` is "rung", "peer", "command", "point" or "twin"."""

    table: ClassVar[str] = "arm"

    case_id: int
    name: str
    role: str
    outcome: str | None = None
    reason: str | None = None
    stage: str | None = None
    error: float | None = None
    tolerance: float | None = None
    iterations: int = 0
    run_s: float = 0.0
    work: dict[str, Any] | None = None
    binding: list[Any] | None = None
    timeline: list[Any] | None = None
    figures: dict[str, Any] | None = None
    id: int | None = None


@dataclass
class SampleRow:
    """One sample as the driver returned it. Samples are never changed or deleted."""

    table: ClassVar[str] = "sample"

    arm_id: int
    session_id: int
    block: int
    position: int
    iterations: int
    elapsed_ns: float
    taken_ns: int
    ranks_ns: list[Any] | None = None
    figures: dict[str, Any] | None = None
    id: int | None = None


@dataclass
class FileRow:
    """A file on which a campaign's samples depend: its path in the system's encoding, and a digest of its contents."""

    table: ClassVar[str] = "file"

    campaign: str
    path: bytes
    contents: str
    id: int | None = None


@dataclass
class RoofRow:
    """One roof measured within a campaign. `roof` is a documents.Roof, `taken_s` is in seconds since 1970."""

    table: ClassVar[str] = "roof"

    campaign: str
    taken_s: float
    roof: dict[str, Any]
    id: int | None = None
