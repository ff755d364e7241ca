"""Find the interrupted campaign that --resume continues, and check that it can be continued."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from rooftop.documents import Machine
from rooftop.errors import Misuse, RooftopError, StoreError
from rooftop.files.contents import differing, shown
from rooftop.store.campaign_store import IN_PART, files_of
from rooftop.store.digests import digests
from rooftop.store.protocol import Store
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow, ListedRow, SessionRow
from rooftop.text.plural import some

_LIST = "'rooftop list --campaigns' lists them"
_NEW = "start a new one without --resume"

# Two campaigns may start within the same second, and ids end in random digits: the first session decides.
NEWEST_FIRST = """
ORDER BY started DESC,
(SELECT coalesce(min(session.started_s), 0) FROM session WHERE session.campaign = "campaign".id) DESC
"""
_SAMPLES = """
SELECT "case".campaign, count(*) FROM "case" JOIN arm ON arm.case_id = "case".id JOIN sample ON sample.arm_id = arm.id
WHERE "case".campaign IN ({}) GROUP BY "case".campaign
"""
# A request is JSON with its kind in these words, as a part of it may have, too. The oldest climbs do not say theirs.
_OF_KIND = "request LIKE ?"
_OF_CLIMBS = f"({_OF_KIND} OR request NOT LIKE '%\"kind\": %')"


@dataclass(frozen=True)
class Said:
    """An option given with --resume, which must have the value that the campaign was started with.

    option  as the user knows it, such as "--size"
    path    of the value in the stored request, keys separated by dots
    value   given now, in the form of a stored request
    """

    option: str
    path: str
    value: Any


@dataclass(frozen=True)
class Resume:
    """Which campaign to resume: an id or the beginning of one; None: the newest that can be resumed."""

    campaign: str | None = None
    said: tuple[Said, ...] = ()


def kind_of(row: CampaignRow | ListedRow) -> str:
    return str(row.request.get("kind", "climb"))


def subject(request: Mapping[str, Any]) -> str:
    """Return what a campaign measures in one line, such as its commands, from its request alone."""
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
    except (KeyError, TypeError, ValueError):  # the request of another version
        pass
    return "?"


def campaigns(connection: Store) -> list[tuple[ListedRow, int]]:
    """Return all campaigns, the newest first, with their numbers of samples."""

    def counted(some: list[str]) -> dict[str, dict[str, int]]:
        taken = dict(connection.execute(_SAMPLES.format(", ".join("?" for _ in some)), some)) if some else {}
        return {campaign: {"count": taken.get(campaign, 0)} for campaign in some}

    rows = select(connection, ListedRow, NEWEST_FIRST)
    unfinished = [row.id for row in rows if row.finished is None]
    kept = digests(connection, "samples", [row.id for row in rows if row.finished is not None], counted)
    for first in range(0, len(unfinished), 100):
        kept |= counted(unfinished[first : first + 100])
    return [(row, _count(row.id, kept[row.id])) for row in rows]


def _count(campaign: str, kept: object) -> int:
    """Return a kept number of samples. Raises StoreError for what another program has kept."""
    count = kept.get("count") if isinstance(kept, dict) else None
    if not isinstance(count, int):
        raise StoreError(f"the store has a number of samples of campaign {campaign} that no version wrote")
    return count


def of_kind(connection: Store, kind: str, clause: str = NEWEST_FIRST, *values: Any) -> list[CampaignRow]:
    """Return the campaigns of a kind, the newest first, or in the order of a clause, which may group and order.

    `values` replace the clause's question marks.
    """
    return _of_kind(connection, CampaignRow, kind, clause, values)


def listed_of_kind(connection: Store, kind: str, clause: str, *values: Any) -> list[ListedRow]:
    """Return what `of_kind` returns, as lists show it: of a thousand campaigns the machines alone take a second."""
    return _of_kind(connection, ListedRow, kind, clause, values)


_KindRow = TypeVar("_KindRow", CampaignRow, ListedRow)


def _of_kind(connection: Store, row: type[_KindRow], kind: str, clause: str, values: Sequence[Any]) -> list[_KindRow]:
    said = _OF_CLIMBS if kind == "climb" else _OF_KIND
    rows = select(connection, row, f"WHERE {said} {clause}", f'%"kind": "{kind}"%', *values)
    return [one for one in rows if kind_of(one) == kind]


def _told(row: CampaignRow) -> str:
    return f"{row.id} ({subject(row.request)})"


def _named(connection: Store, kind: str, wanted: str) -> CampaignRow:
    """Return the campaign with an id, or the only one whose id begins so. Raises Misuse."""
    fitting = select(connection, CampaignRow, f"WHERE substr(id, 1, ?) = ? {NEWEST_FIRST}", len(wanted), wanted)
    exact = [row for row in fitting if row.id == wanted] or fitting
    if not exact:
        raise Misuse(f"--resume {wanted}: there is no such campaign; {_LIST}")
    if len(exact) > 1:
        raise Misuse(f"--resume {wanted} matches {some([row.id for row in exact])}: give more of the id")
    row = exact[0]
    if kind_of(row) != kind:
        raise Misuse(f"campaign {_told(row)} must be resumed with 'rooftop {kind_of(row)} --resume {row.id}'")
    if row.finished is not None:
        raise Misuse(f"campaign {_told(row)} is finished: there is nothing to resume; {_LIST}")
    return row


def choose(
    connection: Store,
    kind: str,
    resume: Resume,
    attempt: Callable[[CampaignRow], None],
    remark: Callable[[str], None],
) -> CampaignRow | None:
    """Return the interrupted campaign to resume; None if there is none of this kind.

    attempt  raises a RooftopError if a campaign cannot be resumed here and now
    remark   called with a line for each newer campaign that is passed over

    Raises Misuse if there are some but none can be resumed.
    """
    if resume.campaign is not None:
        rows = [_named(connection, kind, resume.campaign)]
    else:
        rows = of_kind(connection, kind, f"AND finished IS NULL {NEWEST_FIRST}")
    errors: list[RooftopError] = []
    for row in rows:
        try:
            if row.copying is not None:
                raise Misuse(f"campaign {_told(row)} {IN_PART}")
            for one in resume.said:
                check_said(row, one)
            attempt(row)
        except RooftopError as error:
            errors.append(error)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            told = f"campaign {row.id} cannot be resumed: rooftop {row.rooftop} stored it in another format ({error})"
            errors.append(Misuse(f"{told}; {_NEW}"))
        else:
            for passed in errors:
                remark(f"passed over: {passed}")
            return row
    if len(errors) > 1:
        raise type(errors[0])(f"{errors[0]}; nor can {len(errors) - 1} older be resumed: {_LIST}")
    if errors:
        raise errors[0]
    return None


# --- What must not have changed ---------------------------------------------------------------------------------------


def value_at(request: Mapping[str, Any], path: str) -> Any:
    """Return the value at a path, keys separated by dots; None if there is none."""
    found: Any = request
    for key in path.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def _shown(value: Any) -> str:
    """Return a stored value as the user wrote it."""
    if value is None:
        return "none"
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return repr(shlex.join(value))
    if isinstance(value, list) and value and all(isinstance(one, list) and len(one) == 2 for one in value):
        return repr(" ::: ".join(str(text) for _, text in value))
    return json.dumps(value)


def check_said(row: CampaignRow, one: Said) -> None:
    """Raise Misuse if an option given with --resume differs from what the campaign was started with."""
    then, now = value_at(row.request, one.path), json.loads(json.dumps(one.value))
    if then != now:
        raise Misuse(
            f"campaign {row.id} was started with {one.option} {_shown(then)}, but {_shown(now)} is given now: "
            f"leave it out, resume another campaign ({_LIST}), or {_NEW}"
        )


def _place(connection: Store, row: CampaignRow) -> str:
    """Return the machine on which a campaign was started, in words."""
    first = select(connection, SessionRow, "WHERE campaign = ? ORDER BY id LIMIT 1", row.id)
    return machine_words(Machine.model_validate(row.machine), first[0].conditions if first else {})


def machine_words(machine: Machine, conditions: Mapping[str, Any]) -> str:
    """Return a machine in words: its processor, the usable CPUs, and the beginning of its id."""
    affinity = conditions.get("affinity")
    on = f", CPUs {affinity}" if affinity else ""
    return f"{machine.processor}{on} ({machine.id[:8]})"


def _or_none(values: Mapping[str, Any], name: str) -> str:
    return repr(values[name]) if name in values else "not there"


def _is_built_again(file: Path, home: Path) -> bool:
    """Return whether a file is a build that another campaign removed: it is rebuilt, and compared after that."""
    return file.is_relative_to(home) and not file.exists()


def check_unchanged(
    connection: Store,
    row: CampaignRow,
    fingerprint: Mapping[str, Any],
    machine: Machine,
    conditions: Mapping[str, Any],
    home: Path,
) -> None:
    """Raise Misuse naming what has changed since the campaign started. `home` is where the bench builds."""
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
            advice = f"resume it there (on other CPUs with 'taskset -c CPUS'), or {_NEW}"
        raise Misuse(f"campaign {_told(row)} cannot be resumed: its {part} was {then}, now it is {now}; {advice}")
    if files := [file for file in differing(files_of(connection, row.id)) if not _is_built_again(file, home)]:
        told = some([shown(file) for file in files])
        one = "it" if len(files) == 1 else "them"
        raise Misuse(
            f"campaign {_told(row)} cannot be resumed: {told} changed since it was measured; restore {one}, or {_NEW}"
        )
