"""Stores of others: what no version wrote is refused on one line, and no file is written outside the home."""

from __future__ import annotations

import sqlite3
from pathlib import Path

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
