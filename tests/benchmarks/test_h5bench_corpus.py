"""h5bench's published workflows: all are there, and scaled down they are what they were but for their size."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.corpora.h5bench_samples import Sample, samples, written
from rooftop.errors import Misuse
from rooftop.solvers.h5io.h5bench.workflow import read_workflow

ALL = samples()
PROGRAMS = {"amrex", "e3sm", "exerciser", "macsio", "metadata", "openpmd"}


def test_there_are_as_many_as_h5bench_has() -> None:
    assert len({one.name for one in ALL}) == 51


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.name)
def test_each_is_read_and_small(tmp_path: Path, sample: Sample) -> None:
    names = [entry["benchmark"] for entry in sample.document["benchmarks"]]
    path = written(sample, tmp_path)
    assert 1 <= sample.ranks <= 4
    if set(names) <= PROGRAMS:
        with pytest.raises(Misuse, match=names[0]):
            read_workflow(path)
        return
    benchmarks = read_workflow(path).benchmarks
    assert len(benchmarks) == len(names)
    for one in benchmarks:
        asked = one.configuration
        assert asked.timesteps == 5
        assert 36 <= asked.particles(1) <= 1 << 16
        assert asked.emulated_compute_time_per_timestep == 1000
        if asked.strided:  # half of what is there, as published
            assert asked.block_size * asked.block_cnt * 2 == asked.dim_1
        assert asked.mode == ("ASYNC" if sample.name.startswith("async") else "SYNC")
