"""An interrupt in the worst of moments: while a sample is being written, and while the program is being imported."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from rooftop.cli.app import main
from rooftop.measure import case_run
from rooftop.measure.order import block_order

pytestmark = pytest.mark.usefixtures("scratch")
WORDS = ["compare", "--json", "--budget", "10s", "--max-pairs", "6", "--seed", "1", "true", "true ''"]


def test_what_is_being_written_is_kept_and_the_rest_is_gone_on_with(capsys: pytest.CaptureFixture[str]) -> None:
    flushes: list[bool] = []

    def interrupt(*_: Any) -> None:
        flushes.append(True)
        if len(flushes) == 12:
            signal.raise_signal(signal.SIGINT)

    event.listen(Session, "after_flush", interrupt)
    try:
        assert main(WORDS) == 130
    finally:
        event.remove(Session, "after_flush", interrupt)
    first = json.loads(capsys.readouterr().out)
    assert sum(len(command["samples"]) for command in first["commands"]) > 0
    assert main([*WORDS, "--resume"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert whole["campaign"] == first["campaign"]
    for before, after in zip(first["commands"], whole["commands"], strict=True):
        assert after["samples"][: len(before["samples"])] == before["samples"]


class Interrupting:
    """Is interrupted while it is finalised."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_one_that_python_drops_is_not_lost(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(tasks: Any, seed: int, title: str, block: int) -> Any:
        if block == 2:
            Interrupting()
        return block_order(tasks, seed, title, block)

    monkeypatch.setattr(case_run, "block_order", interrupted)
    assert main(WORDS) == 130
    samples = json.loads(capsys.readouterr().out)["commands"][0]["samples"]
    assert {sample["block"] for sample in samples} == {0, 1, 2}


def test_while_it_is_being_imported_it_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "pydantic_settings.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "rooftop", "list"],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "rooftop: interrupted\n")
