"""h5bench's published workflows, scaled down so that each takes seconds."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TABLE = Path(__file__).with_name("h5bench_workflows.toml")
_MOST_PARTICLES = 1 << 16  # of a rank and step
_MOST_RANKS = 4
#: Keys that shrink together, so that blocks at a stride still end within the array.
_SCALED = ("DIM_1", "BLOCK_CNT", "STDEV_DIM_1")
_ALIGNED = ("ALIGN_THRESHOLD", "ALIGN_LEN")


@dataclass(frozen=True)
class Sample:
    """A workflow.

    document  in the form of h5bench's JSON
    ranks     to run it with: those that it asks for, but four at most
    """

    name: str
    document: dict[str, Any]
    ranks: int


def _scaled(keys: Mapping[str, str]) -> dict[str, str]:
    """Return a benchmark's keys with smaller extents and shorter computation; all others as they are."""
    found = {key: value for key, value in keys.items() if value != ""}
    found["EMULATED_COMPUTE_TIME_PER_TIMESTEP"] = "1 ms"
    particles = math.prod(int(found[f"DIM_{one}"]) for one in (1, 2, 3))
    factor = max(1, particles // _MOST_PARTICLES)
    for key in (*_SCALED, *_ALIGNED):
        if key in found:
            found[key] = str(max(1, int(found[key]) // factor))
    return found


def _benchmark(entry: Mapping[str, str], common: Mapping[str, str]) -> dict[str, Any]:
    keys = {key: value for key, value in entry.items() if key.isupper() or key[-1].isdigit()}
    name, file = entry["benchmark"], entry.get("file", "test.h5")
    return {"benchmark": name, "file": file, "configuration": _scaled({**common, **keys}) if keys else {}}


def _ranks(mpi: Mapping[str, str]) -> int:
    """Return the number of the launcher's own options, or else of the workflow."""
    words = mpi["configuration"].split()
    for option in ("-n", "-np"):
        if option in words:
            return min(_MOST_RANKS, int(words[words.index(option) + 1]))
    return min(_MOST_RANKS, int(mpi["ranks"]))


def samples(table: Path = _TABLE) -> list[Sample]:
    """Return all workflows of the table, in its order."""
    content = tomllib.loads(table.read_text(encoding="utf-8"))
    found = []
    for one in content["workflow"]:
        document: dict[str, Any] = {"mpi": one["mpi"], "directory": "data", "vol": {}}
        if "connector" in one:
            document["vol"] = {"connector": one["connector"]}
        document["file-system"] = one.get("file-system", {})
        document["benchmarks"] = [_benchmark(entry, content["common"]) for entry in one["benchmarks"]]
        found.append(Sample(one["name"], document, _ranks(one["mpi"])))
    return found


def written(sample: Sample, folder: Path) -> Path:
    """Write a workflow as h5bench's JSON file; return its path."""
    path = folder / f"{sample.name}.json"
    path.write_text(json.dumps(sample.document, indent=1) + "\n", encoding="utf-8")
    return path
