"""Processes that read parts of a dataset concurrently, from the page cache or from the device."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import psutil
import pytest
from still_there import family, states

from rooftop.errors import NotBuilt
from rooftop.solvers import h5io
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.advice.crew import Crew, CrewFailed
from rooftop.solvers.h5io.advice.dropping import dropping, is_held, means_of_dropping
from rooftop.solvers.h5io.advice.pass_over import Pass

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)

WHOLE = (np.s_[0:300, 0:200],)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "user.h5"
    with h5io.OutputFile(path) as output:
        output.dataset("x", (300, 200), "<f4", chunks=(100, 200), filters=("deflate:1",))[...] = 7
    return path


def test_all_ranks_read_and_are_gone_in_the_end(file: Path) -> None:
    with Crew() as crew:
        started = time.monotonic()
        run = crew.open([Pass(str(file), "x", WHOLE, 1)] * 3)
        assert len(psutil.Process().children(recursive=True)) >= 3
        members = [process for process, _ in crew._members]
        assert 0 < run.run() < time.monotonic() - started
        run.close()
    assert not any(process.is_alive() for process in members)


def test_what_a_rank_says_is_told(file: Path) -> None:
    with Crew() as crew:
        with pytest.raises(CrewFailed, match="dataset y cannot be opened"):
            crew.open([Pass(str(file), "x", WHOLE, 1), Pass(str(file), "y", WHOLE, 1)])
        assert crew.open([Pass(str(file), "x", WHOLE, 1)] * 2).run() > 0  # it goes on


def test_a_rank_that_is_killed_is_told(file: Path) -> None:
    with Crew() as crew:
        run = crew.open([Pass(str(file), "x", WHOLE, 1)] * 2)
        rank = crew._members[1][0]
        rank.kill()
        rank.join(300)
        assert rank.exitcode is not None, states(one.pid for one in family(rank.pid or 0))
        with pytest.raises(CrewFailed, match="ended unexpectedly"):
            run.run()


def test_h5py_has_the_chunk_cache_that_is_asked_for(file: Path) -> None:
    pytest.importorskip("h5py")
    with Crew() as crew:
        own = crew.open([Pass(str(file), "x", WHOLE, 1, "h5py")])
        assert own.cache_bytes is not None
        assert own.run() > 0
        larger = crew.open([Pass(str(file), "x", WHOLE, 1, "h5py", 64 << 20, 101)])
        assert larger.cache_bytes == 64 << 20
        assert larger.run() > 0


def test_the_cache_lets_go_of_a_file(file: Path) -> None:
    if (means := means_of_dropping(str(file))) is None:
        pytest.skip("this file system is in memory")
    file.read_bytes()
    assert is_held(str(file))
    dropping([str(file)], means)()
    assert not is_held(str(file))
    file.read_bytes()
    dropping([str(file)], None)()
    assert is_held(str(file))
