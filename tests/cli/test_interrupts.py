"""An interrupt in the worst of moments: while a sample is being written."""

from __future__ import annotations

import json
import signal
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from rooftop.cli.app import main

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
