"""Stores of others: what no version wrote is refused on one line, and no file is written outside the home."""

from __future__ import annotations

import copy
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from rooftop.cli.app import main
from rooftop.store.database import opened_database
from rooftop.store.rows import insert
from rooftop.store.schema import CampaignRow

STARTED = "2026-01-01T00:00:00Z"
REQUEST = {"kind": "compare"}


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A store with one campaign."""
    file = tmp_path / "foreign.sqlite"
    with opened_database(file) as store:
        insert(store, CampaignRow("20260101-000000-abcd", STARTED, "0.3.0", REQUEST, {}, {}))
    return file


def changed(file: Path, statement: object, *values: object) -> None:
    connection = sqlite3.connect(file)
    with connection:
        connection.execute(str(statement), values)
    connection.close()


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c"
CHANGES = {
    "path": ("UPDATE campaign SET id = ?", "../../escaped"),
    "absolute path": ("UPDATE campaign SET id = ?", "/tmp/escaped"),
    "hidden": ("UPDATE campaign SET id = ?", ".ssh"),
    "escape sequence": ("UPDATE campaign SET id = ?", "\x1b[2J"),
    "markup": ("UPDATE campaign SET id = ?", "<script>"),
    "SQL": ("UPDATE campaign SET id = ?", "x'); DROP TABLE sample; --"),
    "bytes": ("UPDATE campaign SET id = ?", b"\xff"),
    "line feed": ("UPDATE campaign SET id = ?", "20260101\n"),
    "no date": ("UPDATE campaign SET started = ?", "<b>"),
    "nested JSON": ("UPDATE campaign SET request = ?", "[" * 200_000),
    "long number": ("UPDATE campaign SET request = ?", f'{{"seed": {"9" * 6000}}}'),
    "other JSON": ("UPDATE campaign SET request = '[]'",),
    "no JSON": ("UPDATE campaign SET machine = 'x'",),
    "view": (f"CREATE VIEW endless AS {ENDLESS}",),
    "trigger": ("CREATE TRIGGER t AFTER UPDATE ON campaign BEGIN DELETE FROM sample; END",),
}


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("words", [["sync", "{foreign}", "{tmp}/target.sqlite"], ["report", "--store", "{foreign}"]])
def test_what_no_version_wrote_is_refused_on_one_line(
    foreign: Path, change: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(foreign, *CHANGES[change])
    before = set(tmp_path.parent.glob("*"))
    assert main([word.format(foreign=foreign, tmp=tmp_path) for word in words]) in (1, 2)
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1
    assert "internal error" not in told.err and "\x1b" not in told.err
    assert set(tmp_path.parent.glob("*")) == before


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("machine", ["{}", '{"cores": 1e300}'])
def test_a_campaign_that_cannot_be_drawn_is_misuse(
    foreign: Path, machine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(foreign, "UPDATE campaign SET machine = ?", machine)
    assert main(["report", "--store", str(foreign)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


ABOUT = {"benchmark": "b", "machine": "m", "processor": "p", "metric": "wall", "unit": "s", "better": "lower"}
FIGURES = {"ratio": 1.0, "lo": 0.9, "hi": 1.1, "pairs": 9, "head_median": 0.1, "level": 1.0}
POINT = {"campaign": "x", "started": STARTED, "base": "a", "head": "b", **FIGURES}
GATE = {"key": ["b", "m", "wall"], "base_key": "a", "head_key": "b", "about": ABOUT, "point": POINT}


def _gate(*place: str, value: Any) -> str:
    """Return what is kept of a gate, with another value at a place."""
    changed = copy.deepcopy(GATE)
    there: Any = changed
    for name in place[:-1]:
        there = there[name]
    there[place[-1]] = value
    return json.dumps({"found": [changed]})


# Of the command, under the name, what was kept.
DIGESTS = {
    "no JSON": ("list", "samples", "x"),
    "no object": ("list", "samples", "[]"),
    "nothing": ("list", "samples", "{}"),
    "escape sequence": ("list", "samples", r'{"count": "\u001b[2J"}'),
    "infinity": ("list", "samples", '{"count": 1e400}'),
    "gate, no object": ("gate", "gate history 1", "[]"),
    "gate, nothing": ("gate", "gate history 1", '{"found": [{}]}'),
    "gate, number": ("gate", "gate history 1", '{"found": 1}'),
    "gate, ratio": ("gate", "gate history 1", _gate("point", "ratio", value=0.0)),
    "gate, infinity": ("gate", "gate history 1", _gate("point", "ratio", value=1e999)),
    "gate, text": ("gate", "gate history 1", _gate("point", "lo", value="low")),
    "gate, key": ("gate", "gate history 1", _gate("key", value=["other", "m", "wall"])),
    "gate, unit": ("gate", "gate history 1", _gate("about", "unit", value=7)),
    "gate, more": ("gate", "gate history 1", _gate("about", "points", value=[])),
    "gate, its own request": ("gate", "nothing", "{}"),
}
COMMANDS = {"list": ["list", "--campaigns"], "gate": ["gate", "--history"]}


def kept(foreign: Path, command: str, name: str, value: str) -> list[str]:
    """Finish the store's campaign, and keep something of it. Return the words of the command that reads it."""
    changed(foreign, "UPDATE campaign SET finished = started, request = ?", json.dumps({"kind": command}))
    changed(
        foreign,
        "INSERT INTO session (campaign, started_s, last_s, conditions, conditions_end) SELECT id, 1, 2, '{}', '{}' "
        "FROM campaign",
    )
    changed(foreign, "INSERT INTO digest (campaign, name, value) SELECT id, ?, ? FROM campaign", name, value)
    return [*COMMANDS[command], "--store", str(foreign)]


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("digest", DIGESTS)
def test_digests_that_no_version_kept_are_refused_on_one_line(
    foreign: Path, digest: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(kept(foreign, *DIGESTS[digest])) == 1
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1
    assert "internal error" not in told.err and "\x1b" not in told.err


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize(
    ("command", "name", "value", "shown"),
    [
        ("list", "samples", '{"count": 41}', "41 samples"),
        ("gate", "gate history 1", _gate("key", value=GATE["key"]), "p"),
    ],
)
def test_digests_of_this_version_are_read(
    foreign: Path, command: str, name: str, value: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(kept(foreign, command, name, value)) == 0
    assert shown in capsys.readouterr().out


@pytest.mark.usefixtures("scratch")
def test_a_line_feed_in_a_command_begins_no_entry(foreign: Path, capsys: pytest.CaptureFixture[str]) -> None:
    request = {"kind": "compare", "commands": [[["a"], "a\n20260101-000000-fake  compare  finished"]]}
    changed(foreign, "UPDATE campaign SET request = ?", json.dumps(request))
    assert main(["list", "--campaigns", "--store", str(foreign)]) == 0
    told = capsys.readouterr().out
    assert told.count("\n") == 1 and r"\n20260101-000000-fake" in told
