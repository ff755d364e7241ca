"""What h5bench's workflows leave is held against their keys: each difference is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.corpora.corpus_steps import Wrong
from benchmarks.corpora.h5bench_samples import samples

h5py = pytest.importorskip("h5py")
from benchmarks.corpora import part_h5bench  # noqa: E402  it needs h5py

KEYS = {
    "MEM_PATTERN": "CONTIG",
    "FILE_PATTERN": "CONTIG",
    "TIMESTEPS": "2",
    "NUM_DIMS": "1",
    "DIM_1": "6",
    "MODE": "SYNC",
}
NAMES = ("x", "y", "z", "px", "py", "pz", "id_1", "id_2")


def entry(benchmark: str, **keys: str) -> dict[str, Any]:
    return {"benchmark": benchmark, "file": "test.h5", "configuration": KEYS | keys}


def found(**changed: Any) -> dict[str, Any]:
    """Return what is told of a write of 6 particles by each of 2 ranks in 2 steps."""
    told = {"operation": "write", "file": "data/test.h5", "ranks": 2, "steps": 2, "particles": [6, 6]}
    return told | {"asynchronous": False, "total_bytes": 32 * 24, "valid": True, "reason": None} | changed


@pytest.mark.parametrize(("keys", "changed", "says"), [
    ({}, {}, ""),
    ({}, {"valid": False, "reason": "x of particle 3 is 4"}, "x of particle 3 is 4"),
    ({}, {"operation": "append"}, "write was run as append"),
    ({}, {"ranks": 1}, "1 ranks and 2 steps"),
    ({}, {"total_bytes": 32 * 23}, "736 bytes were moved, expected 768"),
    ({"MODE": "ASYNC"}, {}, "MODE is ASYNC, and asynchronous False"),
    ({"NUM_DIMS": "2", "DIM_2": "3"}, {"total_bytes": 32 * 72}, ""),
    ({"FILE_PATTERN": "STRIDED", "BLOCK_SIZE": "2", "BLOCK_CNT": "2"}, {}, "768 bytes were moved, expected 512"),
])  # fmt: skip
def test_what_is_told_is_what_was_asked(keys: dict[str, str], changed: dict[str, Any], says: str) -> None:
    if not says:
        part_h5bench.require_verified(entry("write", **keys), found(**changed), 2)
        return
    with pytest.raises(Wrong, match=says):
        part_h5bench.require_verified(entry("write", **keys), found(**changed), 2)


@pytest.mark.parametrize(("steps", "size", "broken", "says"), [
    (2, 12, None, ""),
    (1, 12, None, "test.h5 has 1 steps, expected 2"),
    (2, 11, None, "step 0 of test.h5 has 11 of x, expected 12"),
    (2, 12, 5, "step 1 of test.h5: the particles' numbers do not count up"),
])  # fmt: skip
def test_files_have_what_was_written(tmp_path: Path, steps: int, size: int, broken: int | None, says: str) -> None:
    with h5py.File(tmp_path / "test.h5", "w") as file:
        for step in range(steps):
            for name in NAMES:
                values = np.arange(size, dtype="i4" if name == "id_1" else "f4") + step
                if broken is not None and step == 1:
                    values[broken] = 0
                file[f"Timestep_{step}/{name}"] = values
    entries = [entry("write"), entry("read")]
    told = [found(), found(operation="read")]
    if not says:
        part_h5bench.require_written(tmp_path / "test.h5", entries, told)
        return
    with pytest.raises(Wrong, match=says):
        part_h5bench.require_written(tmp_path / "test.h5", entries, told)


def test_refusals_name_a_benchmark_or_a_key() -> None:
    (sample,) = (one for one in samples() if one.name == "sync-append")
    part_h5bench.require_named(sample, "rooftop: x.json, benchmark 1: DIM_1 is 0")
    with pytest.raises(Wrong, match="refused without a name"):
        part_h5bench.require_named(sample, "rooftop: this cannot be done")
