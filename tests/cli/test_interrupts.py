"""An interrupt in the worst of moments: while a sample is being written, and while the program is being imported."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rooftop.cli.app import main
from rooftop.measure import sampling
from rooftop.measure.sampling import block_order
from rooftop.store.protocol import Store
from rooftop.store.rows import Row, insert
from rooftop.store.schema import SampleRow

pytestmark = pytest.mark.usefixtures("scratch")
WORDS = ["compare", "--json", "--budget", "60s", "--max-pairs", "6", "--seed", "1", "true", "true ''"]


@contextmanager
def interrupted_as_a_sample_is_written(place: int, number: signal.Signals) -> Iterator[None]:
    """Send a signal while so many samples have been written, the last of them not yet committed."""
    written: list[Row] = []

    def interrupting(connection: Store, row: Row) -> int:
        key = insert(connection, row)
        if isinstance(row, SampleRow):
            written.append(row)
            if len(written) == place:
                signal.raise_signal(number)
        return key

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rooftop.store.campaign_store.insert", interrupting)
        yield
    assert len(written) >= place


@pytest.mark.case("commands.S1")
def test_what_is_being_written_is_kept_and_the_rest_is_gone_on_with(capsys: pytest.CaptureFixture[str]) -> None:
    with interrupted_as_a_sample_is_written(5, signal.SIGINT):
        assert main(WORDS) == 130
    first = json.loads(capsys.readouterr().out)
    assert sum(len(command["samples"]) for command in first["commands"]) >= 3  # and the twin's
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

    monkeypatch.setattr(sampling, "block_order", interrupted)
    assert main(WORDS) == 130
    samples = json.loads(capsys.readouterr().out)["commands"][0]["samples"]
    assert {0, 1} <= {sample["block"] for sample in samples} <= {0, 1, 2}


@pytest.mark.case("commands.S1.text")
@pytest.mark.parametrize("within", ["raise KeyboardInterrupt", "exec('raise KeyboardInterrupt')"])
def test_while_it_is_being_imported_it_is_told_in_one_line(within: str, tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text(f"{within}\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "rooftop", "list"],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "rooftop: interrupted\n")


@pytest.mark.case("commands.S1.dropped")
def test_one_that_python_drops_comes_again(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*_: object, **__: object) -> None:
        Interrupting()
        deadline_s = time.monotonic() + 60
        while time.monotonic() < deadline_s:
            time.sleep(0.001)

    monkeypatch.setattr("rooftop.cli.list.place_of", found)
    assert main(["list"]) == 130
    assert capsys.readouterr() == ("", "rooftop: interrupted\n")


@pytest.mark.case("commands.S1.consequence")
def test_what_fails_after_an_interrupt_has_failed_for_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        except KeyboardInterrupt as interrupt:  # as some libraries do
            raise RuntimeError("the callback failed") from interrupt

    monkeypatch.setattr("rooftop.cli.list.place_of", fail)
    assert main(["list"]) == 130
    assert "interrupted; what was known by then cannot be told: RuntimeError" in capsys.readouterr().err


@pytest.mark.case("commands.S1.term")
def test_an_end_asked_for_while_a_sample_is_written_waits_too(capsys: pytest.CaptureFixture[str]) -> None:
    with interrupted_as_a_sample_is_written(5, signal.SIGTERM):
        assert main(WORDS) == 130
    kept = json.loads(capsys.readouterr().out)["commands"]
    assert sum(len(command["samples"]) for command in kept) > 0


@pytest.mark.case("commands.S1.end")
def test_while_python_ends_it_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import atexit, os, signal\natexit.register(lambda: [os.kill(os.getpid(), n) for n in (2, 15)])\n",
        encoding="utf-8",
    )
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "rooftop", "--version"],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.case("commands.S1.start")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_while_python_begins_it_waits(number: signal.Signals, tmp_path: Path) -> None:
    # The shell script blocks both until Python can take them; here one has come before Python has begun.
    (tmp_path / "sitecustomize.py").write_text(
        f"import os, signal; os.kill(os.getpid(), {int(number)})\n", encoding="utf-8"
    )
    done = subprocess.run(
        [Path(__file__).parents[2] / "rooftop", "list"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "rooftop: interrupted\n")
