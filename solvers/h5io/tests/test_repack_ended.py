"""``rooftop h5 repack`` killed or interrupted: the file is the complete old or the complete new one."""

from __future__ import annotations

import fcntl
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rooftop.cli.app import main
from rooftop.errors import INTERRUPTED, NotBuilt
from rooftop.solvers.h5io import library

h5py = pytest.importorskip("h5py")

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)

SHAPE = (1500, 1000)
OLD, NEW = (100, 1000), (30, 50)
KILLS = 12


def values() -> Any:
    return np.random.default_rng(3).integers(0, 1000, SHAPE, dtype="<i4")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with h5py.File(tmp_path / "run.h5", "w") as file:
        file.create_dataset("x", data=values(), chunks=OLD, compression="gzip", compression_opts=1)
        file["copied"] = values()[:200]
        file.attrs["note"] = "text"
    return tmp_path / "run.h5"


def started(path: Path) -> subprocess.Popen[bytes]:
    """Return a run that has begun to write."""
    words = ["--dataset", "x", "--chunks", "x".join(map(str, NEW)), "--filter", "shuffle+deflate:6"]
    run = subprocess.Popen(
        [sys.executable, "-m", "rooftop", "h5", "repack", str(path), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while run.poll() is None and not left_over(path):
        time.sleep(0.001)
    return run


def left_over(path: Path) -> list[Path]:
    return list(path.parent.glob("run.h5.repack-*.partial"))


def chunks_of_whole(path: Path) -> tuple[int, ...]:
    """Return the chunk shape of a file, after checking that it is complete."""
    with h5py.File(path) as file:
        np.testing.assert_array_equal(file["x"][...], values())
        np.testing.assert_array_equal(file["copied"][...], values()[:200])
        assert file.attrs["note"] == "text"
        return tuple(file["x"].chunks)


def test_a_run_that_is_killed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = path.read_bytes()
    begun = started(path)
    start = time.monotonic()
    assert begun.wait(timeout=120) == 0
    whole_s = time.monotonic() - start
    moments = random.Random(1)
    removed = 0
    for _ in range(KILLS):
        for one in left_over(path):
            removed += 1
            assert one.name.startswith("run.h5.repack-")
        path.write_bytes(old)
        run = started(path)
        time.sleep(moments.uniform(0, 1.1 * whole_s))
        run.kill()
        run.communicate(timeout=120)
        chunks = chunks_of_whole(path)
        assert chunks in (OLD, NEW)
        assert chunks == NEW or path.read_bytes() == old
        assert len(left_over(path)) <= 1
        assert sorted(one.name for one in path.parent.iterdir() if one not in left_over(path)) == ["run.h5"]
    path.write_bytes(old)
    left = path.with_name("run.h5.repack-0123abcd.partial")
    left.write_bytes(b"half")
    other = path.with_name("other.h5.repack-0123abcd.partial")
    other.write_bytes(b"of another file")
    assert main(["h5", "repack", str(path), "--filter", "none"]) == 0
    _, told, names = capsys.readouterr().err.replace("\n", "").partition("removed the partial file of a killed run: ")
    assert told
    assert left.name in names  # perhaps beside that of the last run
    assert sorted(one.name for one in path.parent.iterdir()) == [other.name, "run.h5"]


def test_a_run_beside_a_reader_removes_nothing(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left = path.with_name("run.h5.repack-0123abcd.partial")
    left.write_bytes(b"perhaps being written")
    with path.open("rb") as reader:
        fcntl.flock(reader, fcntl.LOCK_SH)
        assert main(["h5", "repack", str(path), "--filter", "none"]) == 0
    assert f"another program has {path} open: {left.name} may belong to it" in capsys.readouterr().err
    assert left.exists()


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_interrupted(path: Path, share: float, number: int) -> None:
    old = path.read_bytes()
    run = started(path)
    time.sleep(share)
    run.send_signal(number)
    _, err = run.communicate(timeout=120)
    if run.returncode == 0:  # it was through
        assert chunks_of_whole(path) == NEW
    else:
        assert (run.returncode, b"interrupted" in err) == (INTERRUPTED, True), err
        assert chunks_of_whole(path) in (OLD, NEW)
        assert chunks_of_whole(path) == NEW or path.read_bytes() == old
    assert [one.name for one in path.parent.iterdir()] == ["run.h5"]
