"""Finds the interrupted campaign that is to be gone on with."""

from __future__ import annotations

import json
import shlex
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rooftop.documents import Machine
from rooftop.errors import Misuse, RooftopError
from rooftop.files.contents import differing, shown
from rooftop.store.campaign_store import files_of
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow, SessionRow
from rooftop.text.plural import some

_LIST = "'rooftop list --campaigns' lists them"
_NEW = "start a new one without --resume"

# Ids end in random letters, and two campaigns may begin within the same second: SQLite counts the rows as they come.
_NEWEST_FIRST = "ORDER BY started DESC, campaign.rowid DESC"
_SAMPLES = """
SELECT "case".campaign, count(*) FROM sample
JOIN arm ON arm.id = sample.arm_id JOIN "case" ON "case".id = arm.case_id
GROUP BY "case".campaign
"""


@dataclass(frozen=True)
class Said:
    """What was said beside --resume, and must be as it was.

    option  what the user calls it
    path    of the value in the stored request, with dots between
    value   that is asked for now, in the form of a stored request
    """

    option: str
    path: str
    value: Any


@dataclass(frozen=True)
class Resume:
    """Which campaign to go on with: one by its id or the beginning of it; None: the newest that can be."""

    campaign: str | None = None
    said: tuple[Said, ...] = ()


def kind_of(row: CampaignRow) -> str:
    """Return a campaign's kind."""
    return str(row.request.get("kind", "climb"))


def subject(request: Mapping[str, Any]) -> str:
    """Return in one line what a campaign is about, by what its request has: no kind has to be known for it."""
    try:
        match request:
            case {"beside": {"command": words}} | {"words": words}:
                return shlex.join(words)
            case {"commands": commands}:
                return " ::: ".join(text for _, text in commands)
            case {"benchmarks": benchmarks}:
                return " ::: ".join(one["name"] for one in benchmarks)
            case {"file": str(file)}:
                return file
            case {"names": names, "size": size}:
                return f"{' '.join(names) or 'all experiments'}, size {size}"
    except (KeyError, TypeError, ValueError):  # of another version
        pass
    return "?"


def campaigns(connection: sqlite3.Connection) -> list[tuple[CampaignRow, int]]:
    """Return all campaigns, the newest first, each with the number of its samples."""
    taken = dict(connection.execute(_SAMPLES))
    return [(row, taken.get(row.id, 0)) for row in select(connection, CampaignRow, _NEWEST_FIRST)]


def _told(row: CampaignRow) -> str:
    return f"{row.id} ({subject(row.request)})"


def _named(rows: list[CampaignRow], kind: str, wanted: str) -> CampaignRow:
    """Return the campaign of an id, or of the beginning of one. Raises Misuse."""
    fitting = [row for row in rows if row.id.startswith(wanted)]
    exact = [row for row in fitting if row.id == wanted] or fitting
    if not exact:
        raise Misuse(f"--resume {wanted}: there is no such campaign; {_LIST}")
    if len(exact) > 1:
        raise Misuse(f"--resume {wanted} fits {some([row.id for row in exact])}: say which")
    row = exact[0]
    if kind_of(row) != kind:
        raise Misuse(f"campaign {_told(row)} is one of '{kind_of(row)}': rooftop {kind_of(row)} --resume {row.id}")
    if row.finished is not None:
        raise Misuse(f"campaign {_told(row)} came to its end: there is nothing to go on with; {_LIST}")
    return row


def choose(
    connection: sqlite3.Connection,
    kind: str,
    resume: Resume,
    attempt: Callable[[CampaignRow], None],
    remark: Callable[[str], None],
) -> CampaignRow | None:
    """Return the interrupted campaign to go on with; None where there is none of the kind at all.

    attempt  raises an error of Rooftop's where a campaign cannot be gone on with here and now
    remark   is told of newer ones that are passed over

    Raises Misuse where none can be gone on with.
    """
    rows = select(connection, CampaignRow, _NEWEST_FIRST)
    if resume.campaign is not None:
        rows = [_named(rows, kind, resume.campaign)]
    rows = [row for row in rows if kind_of(row) == kind and row.finished is None]
    errors: list[RooftopError] = []
    for row in rows:
        try:
            _check_said(row, resume.said)
            attempt(row)
        except RooftopError as error:
            errors.append(error)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            told = f"campaign {row.id} cannot be resumed: rooftop {row.rooftop} kept it in another form ({error})"
            errors.append(Misuse(f"{told}; {_NEW}"))
        else:
            for passed in errors:
                remark(f"passed over: {passed}")
            return row
    if len(errors) > 1:
        raise type(errors[0])(f"{errors[0]}; nor can {len(errors) - 1} older: {_LIST}, --resume ID names one")
    if errors:
        raise errors[0]
    return None


# --- what must be as it was -------------------------------------------------------------------------------------------


def value_at(request: Mapping[str, Any], path: str) -> Any:
    """Return the value at a path, with dots between; None where there is none."""
    found: Any = request
    for key in path.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def _shown(value: Any) -> str:
    """Return a stored value as a user would read it."""
    if value is None:
        return "none"
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return repr(shlex.join(value))
    if isinstance(value, list) and value and all(isinstance(one, list) and len(one) == 2 for one in value):
        return repr(" ::: ".join(str(text) for _, text in value))
    return json.dumps(value)


def _check_said(row: CampaignRow, said: tuple[Said, ...]) -> None:
    """Raise Misuse where something else was said beside --resume than the campaign was begun with."""
    for one in said:
        then, now = value_at(row.request, one.path), json.loads(json.dumps(one.value))
        if then != now:
            raise Misuse(
                f"campaign {row.id} was begun with {one.option} {_shown(then)}, and now {_shown(now)} is asked for: "
                f"leave it out, name another campaign ({_LIST}), or {_NEW}"
            )


def _place(connection: sqlite3.Connection, row: CampaignRow) -> str:
    """Return the machine that a campaign was begun on."""
    first = select(connection, SessionRow, "WHERE campaign = ? ORDER BY id LIMIT 1", row.id)
    return machine_words(Machine.model_validate(row.machine), first[0].conditions if first else {})


def machine_words(machine: Machine, conditions: Mapping[str, Any]) -> str:
    """Return a machine in words, with the processors that could be used of it."""
    affinity = conditions.get("affinity")
    on = f", CPUs {affinity}" if affinity else ""
    return f"{machine.processor}{on} ({machine.id[:8]})"


def _or_none(values: Mapping[str, Any], name: str) -> str:
    return repr(values[name]) if name in values else "not there"


def _is_built_again(file: Path, home: Path) -> bool:
    """Whether a file is a build that another campaign took away: it is made again, and compared then."""
    return file.is_relative_to(home) and not file.exists()


def check_unchanged(
    connection: sqlite3.Connection,
    row: CampaignRow,
    fingerprint: Mapping[str, Any],
    machine: Machine,
    conditions: Mapping[str, Any],
    home: Path,
) -> None:
    """Raise Misuse naming what differs from when the campaign began. `home`: where the bench builds."""
    for part, then in row.fingerprint.items():
        now = fingerprint.get(part)
        if now == then:
            continue
        advice = _NEW
        if isinstance(then, dict) and isinstance(now, dict):
            name = next(key for key in (*then, *now) if then.get(key) != now.get(key))
            part, then, now = f"{part} {name}", _or_none(then, name), _or_none(now, name)  # noqa: PLW2901
        if part == "machine":
            then, now = _place(connection, row), machine_words(machine, conditions)  # noqa: PLW2901
            advice = f"go on with it there, as with 'taskset -c CPUS' for other CPUs, or {_NEW}"
        raise Misuse(f"campaign {_told(row)} cannot be resumed: its {part} was {then}, now it is {now}; {advice}")
    if files := [file for file in differing(files_of(connection, row.id)) if not _is_built_again(file, home)]:
        told = some([shown(file) for file in files])
        one = "it" if len(files) == 1 else "them"
        raise Misuse(
            f"campaign {_told(row)} cannot be resumed: {told} changed since it was measured; put {one} back, or {_NEW}"
        )
