"""TOML of others that is deep, or has numbers with thousands of digits: one line of misuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from rooftop.command.option import read_toml
from rooftop.errors import Misuse
from rooftop.measure.targets import read_targets

BOMBS = {
    "nested lists": f"a = {'[' * 100_000}",
    "nested tables": f"a = {'{a = ' * 100_000}",
    "dotted": f"{'a.' * 5_000}a = 1",  # reading takes the square of it
    "long number": f"a = {'9' * 6000}",
    "NUL": "a = \0",
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_misuse(bomb: str, tmp_path: Path) -> None:
    file = tmp_path / "given.toml"
    file.write_text(BOMBS[bomb], encoding="utf-8")
    for read in (read_targets, lambda path: read_toml(path, BaseModel)):
        if bomb == "dotted" and read is not read_targets:
            continue  # a table in tables is TOML
        with pytest.raises(Misuse):
            read(file)
