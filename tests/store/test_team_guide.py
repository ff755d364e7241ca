"""The commands that the guide to stores of a team shows work as they are shown, one after the other."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from growing_store import Growing
from postgres_server import running_server, why_not
from tree import ROOT, shell_blocks

from rooftop.cli.app import main
from rooftop.store.database import opened_database
from rooftop.store.place import Server

pytestmark = pytest.mark.skipif(why_not() is not None, reason=str(why_not()))

GUIDE = ROOT / "docs" / "guide" / "team.md"
LINES = [line for block in shell_blocks(GUIDE) for line in block.splitlines()]
SERVER, CAMPAIGN = "postgresql://bench@db.example.org/rooftop", "20261130-1112"


@pytest.fixture(name="place")
def place_fixture() -> Iterator[Server]:
    with running_server() as server:
        yield server.new_store()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, scratch: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work where the guide's programs and stores are."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, seconds in (("old", 0.02), ("new", 0.01)):
        Path(name).write_text(f"#!/bin/sh\nsleep {seconds}\n", encoding="ascii")
        Path(name).chmod(0o755)
    for name in (".rooftop", "job-1"):
        with opened_database(tmp_path / name / "store.sqlite") as store:
            Growing(store, f"campaign of {name}").measure()
    Path("job-2").mkdir()


def test_the_shown_commands_work(
    place: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = ""
    for line in LINES:
        words = shlex.split(line.replace(SERVER, place.url).replace(CAMPAIGN, campaign or CAMPAIGN))
        if words[0] == "export":
            monkeypatch.setenv(*words[1].split("=", 1))
            continue
        if words[0] == "curl" or words[1] == "serve":
            continue  # see below
        assert words[0] == "rooftop"
        if "parquet" in words and importlib.util.find_spec("pyarrow") is None:
            continue
        assert main([str(Path(word).expanduser()) if word.startswith("~") else word for word in words[1:]]) == 0, line
        if words[1] == "compare":
            capsys.readouterr()
            assert main(["list", "--campaigns", "--json"]) == 0
            campaign = json.loads(capsys.readouterr().out)["campaigns"][0]["id"]
    with opened_database(place) as store:
        assert sorted(store.execute("SELECT id FROM campaign")) == [(campaign,), ("campaign of .rooftop",)]
    assert Path("job-2/store.sqlite").is_file()
    assert Path("samples.csv").read_text(encoding="utf-8").count("\n") > 12


def test_the_shown_sites_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    for needed in ("starlette", "uvicorn"):
        pytest.importorskip(needed, reason="pip install 'rooftop[serve]'")
    monkeypatch.setenv("ROOFTOP_STORE", str(Path(".rooftop/store.sqlite").absolute()))
    Path("token").write_text("0123456789abcdef", encoding="ascii")
    Path("token").chmod(0o600)
    asked = [shlex.split(line)[1] for line in LINES if line.startswith("curl ")]
    shown = [shlex.split(line)[1:] for line in LINES if line.startswith("rooftop serve")]
    assert len(asked) == 1
    assert len(shown) == 2
    for words in shown:
        line = [sys.executable, "-m", "rooftop", *words, "--port", "0"]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        with subprocess.Popen(line, env=environment, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            told = process.stderr.readline()
            found = re.match(r"http://\S+:(\d+)/", told)
            assert found is not None, told
            url = asked[0].replace(":8000/", f":{found[1]}/")
            request = urllib.request.Request(url, headers={"Authorization": "Bearer 0123456789abcdef"})
            with urllib.request.urlopen(request) as reply:
                assert json.load(reply)["campaigns"] == []
            process.send_signal(signal.SIGINT)
            assert process.wait() == 0


def test_the_guide_shows_commands() -> None:
    assert len(LINES) >= 8
