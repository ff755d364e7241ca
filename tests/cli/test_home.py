"""A home that cannot be written: what stores says so in one line before it measures, what does not works."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest_types import Write

from rooftop.cli.app import main

COMMANDS = [
    ["compare", "true", "true"],
    ["tune", "--param", "N=1,2", "--", "true", "{N}"],
    ["scale", "--threads", "1,2", "--", "true"],
    ["gate", "--", "true", ":::", "true"],
    ["pin", "--", "true"],
    ["climb", "fake", "--no-report"],
]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a file where the home's folder would be: root may write any folder."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "file" / "home"))
    return tmp_path / "file" / "home"


@pytest.mark.case("commands.C5")
@pytest.mark.parametrize("resume", [[], ["--resume"]])
@pytest.mark.parametrize("words", COMMANDS)
def test_what_stores_says_so_before_it_measures(
    words: list[str], resume: list[str], home: Path, write_experiment: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    write_experiment(rungs={"10-a": ""})
    words = words[:1] if words[0] == "pin" and resume else words
    assert main([words[0], *resume, *words[1:]]) == 1
    said = f"rooftop: {home} cannot be written: Not a directory; set ROOFTOP_HOME to a writable folder\n"
    assert capsys.readouterr() == ("", said)


@pytest.mark.case("commands.C5")
def test_what_does_not_store_works(write_experiment: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write_experiment(rungs={"10-a": ""})
    for words in (["list"], ["list", "--campaigns"], ["show", "fake"], ["doctor"]):
        assert main([*words, "--json"]) in (0, 1)
        assert "schema" in json.loads(capsys.readouterr().out)
    assert [main(words) for words in (["report"], ["gate", "--history"], ["results", "fake"])] == [3, 3, 2]
    assert capsys.readouterr().err.count("\n") == 3
