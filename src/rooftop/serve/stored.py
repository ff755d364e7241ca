"""Rows of the store as a site reads them: so many at a time, and robust against what a hostile writer has stored."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from rooftop.store.interrupted import NEWEST_FIRST, subject
from rooftop.store.protocol import Store

LONGEST_JSON = 1_000_000  # characters of a column; what is longer is not read
_ADDRESS = re.compile(r"(?!\.)[\w .:+@=,-]{1,200}(?<!\.json)", re.ASCII)


@dataclass(frozen=True)
class Campaign:
    """A campaign as lists show it. `machine` is the id; `request` is empty where it cannot be read.

    in_part  a copy has not completed it
    """

    id: str
    started: str
    finished: str | None
    machine: str
    request: Mapping[str, Any]
    in_part: bool = False

    @property
    def kind(self) -> str:
        return str(self.request.get("kind", "climb"))

    @property
    def subject(self) -> str:
        return subject(self.request)

    @property
    def address(self) -> str:
        return address_of(self.id)


def can_be_addressed(name: str) -> bool:
    """Whether a name can be a part of an address: browsers take .. and / for steps."""
    return _ADDRESS.fullmatch(name) is not None


def bounded(column: str) -> str:
    """Return SQL for a column of JSON, or NULL where that is too long."""
    return f"CASE WHEN length({column}) <= {LONGEST_JSON} THEN {column} END"


def as_object(text: object) -> dict[str, Any]:
    """Return what a column of JSON holds; an empty dictionary where that is no object."""
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {}


_CAMPAIGNS = f"SELECT id, started, finished, {bounded('request')}, {bounded('fingerprint')}, copying FROM campaign"


def campaigns(store: Store, condition: Condition, first: int, count: int) -> list[Campaign]:
    """Return campaigns that meet a condition, the newest first."""
    statement = f"{_CAMPAIGNS} WHERE {condition.sql} {NEWEST_FIRST} LIMIT ? OFFSET ?"
    return [
        Campaign(
            str(name),
            str(started),
            finished,
            machine_id(as_object(fingerprint)),
            as_object(request),
            copying is not None,
        )
        for name, started, finished, request, fingerprint, copying in store.execute(
            statement, [*condition.values, count, first]
        )
    ]


def machine_id(fingerprint: Mapping[str, Any]) -> str:
    """Return the id of the machine that a campaign ran on."""
    return str(fingerprint.get("machine", "?"))[:200]


@dataclass(frozen=True)
class Condition:
    """SQL of a WHERE clause, with its values."""

    sql: str = "1 = 1"
    values: Sequence[object] = ()

    def __and__(self, other: Condition) -> Condition:
        return Condition(f"{self.sql} AND {other.sql}", [*self.values, *other.values])

    def __or__(self, other: Condition) -> Condition:
        return Condition(f"({self.sql} OR {other.sql})", [*self.values, *other.values])


def _pattern(text: str) -> str:
    """Return a pattern of LIKE for what contains a text; ! is the escape."""
    escaped = re.sub("([!%_])", r"!\1", text)
    return f"%{escaped}%"


def has_text(text: str, *columns: str) -> Condition:
    """Return the condition that a column has a text in it, in capitals or not."""
    either = " OR ".join(f"lower({column}) LIKE ? ESCAPE '!'" for column in columns)
    return Condition(f"({either})", [_pattern(text.lower())] * len(columns))


def has_entry(column: str, key: str, value: str) -> Condition:
    """Return the condition that a JSON object, as the store writes them, has an entry."""
    return Condition(f"{column} LIKE ? ESCAPE '!'", [_pattern(f"{json.dumps(key)}: {json.dumps(value)}")])


def on_machine(machine: str) -> Condition:
    """Return the condition that a campaign ran on a machine."""
    return has_entry("campaign.fingerprint", "machine", machine)


def of_kind(kind: str) -> Condition:
    """Return the condition that a campaign is of a kind. The oldest climbs do not say so."""
    said = has_entry("campaign.request", "kind", kind)
    if kind != "climb":
        return said
    return said | Condition("campaign.request NOT LIKE ?", ['%"kind": "%'])


def marks(values: Sequence[object]) -> str:
    """Return a question mark for each value."""
    return ", ".join("?" for _ in values)


def in_json(text: str) -> str:
    """Return a text as it stands within a column of JSON."""
    return json.dumps(text)[1:-1]


def address_of(campaign: str) -> str:
    """Return the address of a campaign's page; empty where its id cannot stand in one. Rooftop gives no such ids."""
    return f"/campaigns/{quote(campaign, safe='')}" if can_be_addressed(campaign) else ""
