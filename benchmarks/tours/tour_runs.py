"""One run of a solver on a problem, each a process of its own, so that starting it counts."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from benchmarks.tours.tour_instances import OVERTIME, PEERS, Peer
from benchmarks.tours.tour_samples import OURS, Run, Sample
from rooftop.command import process
from rooftop.command.measured import weighed, weighing
from rooftop.command.process import Finished, Limits
from rooftop.machine import identity
from rooftop.solvers.routing import Problem, RoutingArgumentError
from rooftop.solvers.routing import library as routing_library
from rooftop.solvers.routing.document import TspDocument

ROOT = Path(__file__).resolve().parents[2]
_PEERS = Path(__file__).parent / "peers"
_LONGEST_S = 120.0  # beyond the time given, after which even the bench's own command is killed
_MOST_BYTES = 256 << 20  # that a run may print: a large problem's history is long


@dataclass(frozen=True)
class Here:
    """What every sample says of where and when it was taken."""

    processor: str
    cores: int
    on: date

    @classmethod
    def now(cls) -> Here:
        """Look around."""
        found = identity()
        return cls(found.processor, found.cores, datetime.now(UTC).date())


@cache
def build() -> str:
    """Return the builds of the solver apart. Raises NotBuilt where there is none."""
    return hashlib.sha256(Path(routing_library.load()._name).read_bytes()).hexdigest()[:12]


def lacking(peer: Peer) -> str | None:
    """Return the line that tells how to get a peer that is not here."""
    if find_spec(peer.module) is not None:
        return None
    return f"tours: {peer.title} is left out: there is no Python package {peer.package}; packages/venv tours gets it"


def _said(finished: Finished) -> str:
    return f"ended with {finished.status}" + (f": {finished.said}" if finished.said else "")


def read_document(finished: Finished, peak_bytes: int | None) -> dict[str, Any]:
    """Return a sample's fields from what the bench's own command printed."""
    wall_s = finished.elapsed_ns * 1e-9
    fields: dict[str, Any] = {"wall_s": wall_s, "killed": finished.timed_out, "peak_bytes": peak_bytes}
    try:
        document = TspDocument.model_validate_json(finished.output)
    except ValidationError:
        return fields | {"outcome": "failed", "reason": _said(finished)}
    fields |= {"seconds": document.seconds, "ants": document.iterations}
    if document.history:
        fields["first_s"] = document.began_s + document.history[0].seconds
    if not document.valid:
        return fields | {"outcome": "wrong", "reason": document.reason}
    if finished.status:
        return fields | {"outcome": "failed", "reason": _said(finished)}
    return fields | {"outcome": "ok", "length": document.length}


def read_tour(finished: Finished, problem: Problem) -> dict[str, Any]:
    """Return a sample's fields from the tours that a peer printed, the last whole one of which counts."""
    fields: dict[str, Any] = {"wall_s": finished.elapsed_ns * 1e-9, "killed": finished.timed_out}
    lines = [line for line in finished.output.splitlines(keepends=True) if line.endswith(b"\n")]
    if not lines:
        silent = "killed before it printed one" if finished.timed_out else _said(finished)
        return fields | {"outcome": "no tour", "reason": silent}
    try:
        return fields | {"outcome": "ok", "length": problem.length(json.loads(lines[-1]))}
    except (RoutingArgumentError, ValueError) as error:
        return fields | {"outcome": "wrong", "reason": str(error)}


def _ours(run: Run, file: Path) -> dict[str, Any]:
    words = [str(ROOT / "rooftop"), "solve", "tsp", str(file), "--json"]
    words += ["--seed", str(run.seed), "--threads", str(run.threads)]
    words += ["--iterations", str(run.ants)] if run.ants else ["--time", f"{run.time_s:g}s"]
    with tempfile.TemporaryDirectory() as scratch:
        figures = Path(scratch) / "peak"
        figures.touch()
        limits = Limits(run.time_s + _LONGEST_S, output_bytes=_MOST_BYTES)
        finished = process.run(weighing(words, figures), limits, capture="first")
        peak = weighed(figures)
    return read_document(finished, None if peak is None else peak.peak_bytes)


def _theirs(run: Run, file: Path) -> dict[str, Any]:
    words = [sys.executable, str(_PEERS / f"{run.solver}.py"), str(file), f"{run.time_s:g}", str(run.seed)]
    environment = os.environ | {"OMP_NUM_THREADS": str(run.threads)}
    limits = Limits(OVERTIME * run.time_s, output_bytes=_MOST_BYTES)
    return read_tour(process.run(words, limits, capture="first", environment=environment), Problem.read(file))


def measured(run: Run, file: Path, here: Here) -> Sample:
    """Run it."""
    known: dict[str, Any] = {"run": run, "on": here.on, "processor": here.processor, "cores": here.cores}
    if run.solver == OURS:
        return Sample(**known, build=build(), **_ours(run, file))
    peer = next(one for one in PEERS if one.name == run.solver)
    return Sample(**known, build=version(peer.package), **_theirs(run, file))
