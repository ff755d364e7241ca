"""The peer that reads by h5py: right on every case, on cold ones and strides, and planted errors are caught."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

EXPERIMENT = Path(__file__).resolve().parent.parent
PEER = EXPERIMENT / "peers" / "h5py_read.py"
sys.path.insert(0, str(PEER.parent))

from h5py_read import file_of, make, values  # noqa: E402

from rooftop.driver.peer import SkipCaseError  # noqa: E402

CASE = {"rows": 5, "columns": 37, "block": 37, "stride": 37, "chunk_rows": 0, "chunk_columns": 0, "filter": "none",
        "cold": 0}  # fmt: skip
CASES = [
    CASE,
    CASE | {"block": 3, "stride": 7},
    CASE | {"block": 1, "stride": 1, "cold": 1},
    CASE | {"chunk_rows": 2, "chunk_columns": 10, "filter": "shuffle_deflate"},
]


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with the files of all cases."""
    monkeypatch.setenv("ROOFTOP_HDF5_IO_FOLDER", str(tmp_path))
    for case in CASES:
        how: dict[str, Any] = {}
        if case["chunk_rows"]:
            how = {"chunks": (case["chunk_rows"], case["chunk_columns"]), "shuffle": True, "compression": "gzip"}
        with h5py.File(file_of(case), "w") as file:
            index = np.arange(case["rows"] * case["columns"], dtype=np.uint64)
            file.create_dataset("x", data=values(index).reshape(case["rows"], case["columns"]), **how)
    return tmp_path


def test_values_are_those_of_the_problem() -> None:
    """The first ones, and one whose noise is known from problem.hpp's formula."""
    noise = 70_000 * 0x9E3779B97F4A7C15 % 2**64
    noise ^= noise >> 32
    assert values(np.array([0, 70_000], np.uint64)).tolist() == [0, ((70_000 & 0xFFFF) << 8) | (noise & 0xFF)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_planted_errors_are_caught(case: dict[str, Any]) -> None:
    """Nothing read, one value, and values of another place."""
    reading = make(case, 1, 1)
    reading.poison()
    assert reading.verdict().wrong
    reading.run()
    assert not reading.verdict().wrong
    for planted in (reading.out.size - 1, 0):
        right = reading.out.flat[planted]
        reading.out.flat[planted] = right + 1
        assert "expected" in reading.verdict().wrong
        reading.out.flat[planted] = right
    reading.out[...] = np.roll(reading.out, 1, axis=1)
    assert reading.verdict().wrong


def test_requests_are_answered() -> None:
    """A case is set up, timed and judged afresh."""
    follow = [{"op": "calibrate", "min_ns": 1}, {"op": "sample", "iterations": 2}, {"op": "verify"}]
    for case in CASES:
        lines = "".join(json.dumps(one) + "\n" for one in [{"op": "case", "case": case}, *follow])
        words = [sys.executable, str(PEER), "run", "--module", str(PEER)]
        done = subprocess.run(words, input=lines, capture_output=True, text=True, check=True, timeout=120)
        replies = [json.loads(line) for line in done.stdout.splitlines()]
        assert [one["event"] for one in replies] == ["case", "calibrate", "sample", "verify"]
        assert (replies[0]["outcome"], replies[3]["outcome"]) == ("ok", "ok"), replies
        blocks = (case["columns"] - case["block"]) // case["stride"] + 1
        # What is compressed is less in the file.
        assert 0 < replies[0]["work"]["device_bytes"] <= 4 * case["rows"] * blocks * case["block"]


def test_a_file_that_is_not_there_is_skipped(folder: Path) -> None:
    """Other rungs write it."""
    file_of(CASE).unlink()
    with pytest.raises(SkipCaseError, match="which the other rungs write"):
        make(CASE, 1, 1)
