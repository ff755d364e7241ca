"""What is counted in the store of campaigns that were disturbed: samples that are lost, and that are there twice."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field, fields
from pathlib import Path

COMMANDS = ("true", "true ''")

Samples = list[tuple[int, ...]]


@dataclass
class Found:
    """What was counted.

    lost      samples that were there before a kill and not after it, or that a finished campaign lacks
    twice     samples of one command in one pair beyond the first
    finished  campaigns that came to their end
    left      processes that were there yet
    wrong     what ended otherwise than by the kill or well, in its own words
    copies    of the store, while a campaign ran; `torn`: that could not be opened, or held no first part of the samples
    """

    kills: int = 0
    samples: int = 0
    lost: int = 0
    twice: int = 0
    finished: int = 0
    left: int = 0
    copies: int = 0
    torn: int = 0
    full: int = 0
    restarts: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Found) -> None:
        """Add what another one counted."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


def samples(store: Path) -> Samples:
    """Return all samples of a store, the oldest first. Raises sqlite3.Error."""
    if not store.exists():
        return []
    with closing(sqlite3.connect(store, timeout=30)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sample'").fetchall():
            return []
        asked = "SELECT id, arm_id, session_id, block, position, iterations, elapsed_ns, taken_ns FROM sample"
        return connection.execute(f"{asked} ORDER BY id").fetchall()


def twice(store: Path) -> int:
    """Return how many samples of one command in one pair there are beyond the first."""
    asked = "SELECT count(*) - count(DISTINCT arm_id || ' ' || block || ' ' || iterations) FROM sample"
    with closing(sqlite3.connect(store, timeout=30)) as connection:
        return int(connection.execute(asked).fetchone()[0])


def lacking(store: Path, pairs: int) -> int:
    """Return how many samples of its commands a finished campaign lacks of so many pairs.

    The pair during which a session was killed may lack some: the next session begins with another one. Once there are
    enough pairs, a command may go on beside its twin alone.
    """
    asked = """
    SELECT session_id, block, count(DISTINCT arm_id) FROM sample JOIN arm ON arm.id = sample.arm_id
    WHERE arm.role = 'command' GROUP BY session_id, block ORDER BY session_id, block
    """
    sessions: dict[int, dict[int, int]] = {}
    with closing(sqlite3.connect(store, timeout=30)) as connection:
        for session, block, commands in connection.execute(asked):
            sessions.setdefault(session, {})[block] = commands
    lost = whole = 0
    for taken in sessions.values():
        for block in range(min(taken), max(taken) + 1):
            if whole == pairs:
                break
            lacks = len(COMMANDS) - taken.get(block, 0)
            cut = lacks and block == max(taken)
            whole += not cut
            lost += 0 if cut else lacks
    return lost + len(COMMANDS) * (pairs - whole)
