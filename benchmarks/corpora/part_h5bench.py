"""h5bench's published workflows, run by `rooftop solve h5`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from benchmarks.corpora.corpus_packages import Fetched, Packages
from benchmarks.corpora.corpus_steps import Input, Refused, Step, Wrong
from benchmarks.corpora.h5bench_samples import Sample, samples, written

TITLE = "h5bench's published workflows"
TEXT = """\
The 51 workflows of h5bench's folder `samples`, at its commit 675c86d, by their names, benchmarks, keys and values. No
registry of packages has h5bench: `benchmarks/corpora/h5bench_workflows.toml` is what they set. They are scaled down,
each by one factor for `DIM_1`, `BLOCK_CNT`, `STDEV_DIM_1` and alignments, to at most 65536 particles of a rank and
step, a millisecond of computation and four ranks; every other key is as published.

`rooftop solve h5` runs each. Right is: its exit code is 0, it says nothing on its error output but remarks, each
benchmark is verified by the ranks and moves as many bytes as its keys say, and h5py finds in each written file all
steps, variables, shapes and particles' numbers. Refused is a workflow whose message names the benchmark or the key.

Asked: each is run and verified, or refused by name."""
PACKAGES = Packages()
LIMIT_S = 300.0
MOST_REFUSED: Mapping[str, float] = {}

_RUN_S = 240
_MISUSE = 2
_PARTICLE_BYTES = 32
_VARIABLES = ("x", "y", "z", "px", "py", "pz", "id_1", "id_2")
_PARTS = ("LDC", "RDC", "PRL", "CS")


def inputs(packages: Sequence[Fetched], work: Path) -> list[Input]:
    """Return the workflows, each in a file."""
    del packages
    return [Input(one.name, written(one, work)) for one in samples()]


def steps(given: Input, scratch: Path) -> Iterator[Step]:
    """Yield the one run of a workflow."""
    (sample,) = (one for one in samples() if one.name == given.name)
    what = ", ".join(dict.fromkeys(entry["benchmark"] for entry in sample.document["benchmarks"]))
    yield Step("workflow", what, lambda: _run(sample, given.path, scratch))


def _run(sample: Sample, path: Path, scratch: Path) -> None:
    words = ["solve", "h5", str(path), "--ranks", str(sample.ranks), "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "rooftop", *words],
        cwd=scratch,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_RUN_S,
        check=False,
    )
    told = [line for line in done.stderr.splitlines() if line.strip()]
    if done.returncode == _MISUSE:
        require_named(sample, " ".join(told))
        raise Refused(" ".join(told))
    if done.returncode != 0:
        raise Wrong(f"exit code {done.returncode}: {' '.join(told)[-300:]}")
    if unasked := [line for line in told if not line.startswith("remark: ")]:
        raise Wrong(f"on its error output: {' '.join(unasked)[:300]}")
    entries = sample.document["benchmarks"]
    found = json.loads(done.stdout)["benchmarks"]
    if len(found) != len(entries):
        raise Wrong(f"{len(found)} benchmarks were run, expected {len(entries)}")
    for entry, one in zip(entries, found, strict=True):
        require_verified(entry, one, sample.ranks)
    for file in {entry["file"]: entry for entry in entries if entry["benchmark"] != "read"}:
        require_written(scratch / "data" / file, [entry for entry in entries if entry["file"] == file], found)


def require_named(sample: Sample, told: str) -> None:
    """Raise Wrong where a refusal names neither a benchmark nor a key of the workflow."""
    entries = sample.document["benchmarks"]
    names = {entry["benchmark"] for entry in entries} | {key for entry in entries for key in entry["configuration"]}
    if not any(re.search(rf"\b{re.escape(name)}\b", told) for name in names):
        raise Wrong(f"refused without a name: {told}")


def _elements(keys: Mapping[str, str]) -> int | None:
    """Return how many particles of a rank and step are moved; None where ranks differ, or one of them reads parts."""
    if "STDEV_DIM_1" in keys or keys.get("READ_OPTION") in _PARTS:
        return None
    if keys["FILE_PATTERN"] == "STRIDED" or keys.get("READ_OPTION") == "STRIDED":
        return int(keys["BLOCK_SIZE"]) * int(keys["BLOCK_CNT"])
    count = 1
    for dimension in range(1, int(keys["NUM_DIMS"]) + 1):
        count *= int(keys[f"DIM_{dimension}"])
    return count


def require_verified(entry: Mapping[str, Any], found: Mapping[str, Any], ranks: int) -> None:
    """Raise Wrong where a benchmark's results contradict its configuration."""
    keys = entry["configuration"]
    where = f"{entry['benchmark']} {keys.get('READ_OPTION', '')}".strip()
    if not found["valid"]:
        raise Wrong(f"{where}: {found['reason']}")
    if found["operation"] != entry["benchmark"]:
        raise Wrong(f"{where} was run as {found['operation']}")
    if (found["ranks"], found["steps"]) != (ranks, int(keys["TIMESTEPS"])):
        raise Wrong(f"{where}: {found['ranks']} ranks and {found['steps']} steps")
    if found["asynchronous"] != (keys["MODE"] == "ASYNC"):
        raise Wrong(f"{where}: MODE is {keys['MODE']}, and asynchronous {found['asynchronous']}")
    each = _elements(keys)
    if each is not None and found["total_bytes"] != (expected := _PARTICLE_BYTES * each * ranks * found["steps"]):
        raise Wrong(f"{where}: {found['total_bytes']:.0f} bytes were moved, expected {expected}")


def require_written(path: Path, entries: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]]) -> None:
    """Raise Wrong where h5py does not find what the writes of a file were to leave."""
    (first, *_) = (entry for entry in entries if entry["benchmark"] != "read")
    keys = first["configuration"]
    (total,) = {
        sum(one["particles"]) for one in found if one["file"].endswith(path.name) and one["operation"] != "read"
    }
    appended = any(entry["benchmark"] == "append" for entry in entries)
    with h5py.File(path, "r") as file:
        if (steps_there := len(file)) != int(keys["TIMESTEPS"]):
            raise Wrong(f"{path.name} has {steps_there} steps, expected {keys['TIMESTEPS']}")
        for step in range(steps_there):
            group = file[f"Timestep_{step}"]
            for name in _VARIABLES:
                values = group["particles"][name] if keys["FILE_PATTERN"] == "INTERLEAVED" else group[name][...]
                values = values[name] if values.dtype.names else values
                if keys["FILE_PATTERN"] != "STRIDED" and values.size != total * (2 if appended else 1):
                    raise Wrong(f"step {step} of {path.name} has {values.size} of {name}, expected {total}")
                if name == "id_1" and keys["FILE_PATTERN"] != "STRIDED":
                    _require_numbered(values.ravel()[:total], f"step {step} of {path.name}")


def _require_numbered(numbers: np.ndarray[Any, Any], where: str) -> None:
    if not np.array_equal(numbers - numbers[0], np.arange(len(numbers))):
        raise Wrong(f"{where}: the particles' numbers do not count up")


def reason_group(reason: str) -> str:
    """Return a reason without paths."""
    return re.sub(r"(?:/[^\s:,'\"]+)+", "PATH", reason)[:200]
