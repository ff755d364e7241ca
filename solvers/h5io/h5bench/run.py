"""Run h5bench's benchmarks on MPI ranks."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rooftop.driver.memory import available_bytes
from rooftop.errors import Misuse
from rooftop.interrupts import taken_as_requests
from rooftop.solvers.h5io.h5bench.configuration import PARTICLE_BYTES, Configuration, Operation
from rooftop.solvers.h5io.h5bench.csv_file import require_no_other
from rooftop.solvers.h5io.h5bench.document import BenchmarkDocument, RankSeconds
from rooftop.solvers.h5io.h5bench.workflow import Benchmark
from rooftop.solvers.running.ranks import Ranks, program_of_ranks, result_of_ranks
from rooftop.solvers.running.stop import Stop
from rooftop.text.quantities import size

PROGRAM = "rooftop_h5bench_by_ranks"
_CHUNK_ELEMENTS = 1 << 20
_OPTIONS = {
    "FULL": "all",
    "PARTIAL": "the first part",
    "STRIDED": "blocks at a stride",
    "LDC": "left diagonal corners",
    "RDC": "right diagonal corners",
    "PRL": "the frame",
    "CS": "blocks along the diagonal",
}
_OPERATIONS: dict[Operation, Any] = {
    "WRITE": "write",
    "READ": "read",
    "WRITE_UNLIMITED": "write-unlimited",
    "WRITE_NORMAL_DIST": "write_normal_dist",
    "OVERWRITE": "overwrite",
    "APPEND": "append",
}
_LAYOUTS = {"CONTIG": "arrays", "INTERLEAVED": "structures", "STRIDED": "arrays"}


@dataclass(frozen=True)
class Terms:
    """How benchmarks are run.

    folder   folder of the HDF5 files
    cold     drop files from the page cache before reads, and sync them after writes
    replace  replace or modify existing files
    """

    ranks: int
    folder: Path
    cold: bool
    replace: bool


def pattern(asked: Configuration) -> str:
    """Return the access pattern in words."""
    what = _OPTIONS["STRIDED" if asked.strided else "FULL" if asked.creates else asked.read_option]
    way = (asked.mem_pattern, asked.file_pattern) if asked.write else (asked.file_pattern, asked.mem_pattern)
    words = f"{asked.num_dims}-D, {what}, {_LAYOUTS[way[0]]} to {_LAYOUTS[way[1]]}"
    return f"{words}, gzip" if asked.creates and asked.compress else words


def _require_room(asked: Configuration, terms: Terms) -> None:
    """Raise Misuse if the disk or the memory is too small."""
    step = PARTICLE_BYTES * sum(asked.shares(terms.ranks))
    if asked.write:
        most = 512 << 20  # per rank, of the plain write that the benchmark is compared with
        need = step * asked.timesteps + min(step * asked.timesteps, most * terms.ranks)
        free = shutil.disk_usage(terms.folder).free
        if need > free:
            raise Misuse(f"{terms.folder} has {size(free)} free, and {size(need)} are needed: give another --folder")
    # A step, its expected values, and HDF5's buffers. Asynchronous steps are in memory at the same time.
    need = step * ((asked.timesteps if asked.mode == "ASYNC" else 1) + 2)
    free = available_bytes()
    if need > free:
        raise Misuse(f"{size(free)} of memory are free, {size(need)} are needed: give a smaller DIM_1 or fewer ranks")


def _by_ranks(asked: Configuration, path: Path, terms: Terms, told: Callable[[int], None]) -> dict[str, Any]:
    program = program_of_ranks("h5io", PROGRAM)
    words = [f"{name}={int(value)}" for name, value in asked.words().items()]
    if asked.normal:
        words.append("shares=" + ",".join(map(str, asked.shares(terms.ranks))))
    words = [str(program), f"file={path}", f"cold={int(terms.cold)}", *words]
    stop = Stop()

    def hear(_: Ranks, line: dict[str, Any]) -> None:
        if "step" in line:
            told(int(line["step"]))

    with taken_as_requests(stop.request):
        found = result_of_ranks(words, terms.ranks, 1, stop, str(path), hear)
    if stop.requested:
        raise KeyboardInterrupt
    return found


def _rate(total: float, seconds: float) -> float:
    return total / seconds if seconds > 0 else math.inf


def _document(asked: Configuration, path: Path, terms: Terms, found: dict[str, Any]) -> BenchmarkDocument:
    seconds = RankSeconds(**{name: found[name] for name in RankSeconds.model_fields})
    total = math.fsum(found["bytes"])
    compute_s = asked.emulated_compute_time_per_timestep * (asked.timesteps - 1) / 1e6
    return BenchmarkDocument(
        operation=_OPERATIONS[asked.io_operation],
        pattern=pattern(asked),
        file=str(path),
        ranks=terms.ranks,
        steps=asked.timesteps,
        dims=asked.dims,
        particles=[round(one / (PARTICLE_BYTES * asked.timesteps)) for one in found["bytes"]],
        asynchronous=asked.mode == "ASYNC",
        cold=terms.cold,
        total_bytes=total,
        compute_s=compute_s,
        seconds=seconds,
        raw_rate=_rate(total, seconds.raw[0]),
        raw_rate_slowest=_rate(total, max(seconds.raw)),
        observed_rate=_rate(total, seconds.observed[0] - compute_s),
        wall_rate=_rate(total, max(seconds.wall) - compute_s + max(seconds.sync)),
        plain_rates=found["plain"],
        by_solver=(by_solver := found.get("by_solver")),
        by_solver_rate=None if by_solver is None else _rate(total, max(by_solver)),
        verified="formula" if found["known"] else "second read",
        valid=not found["wrong"],
        reason=found["wrong"] or None,
    )


def _written_first(benchmark: Benchmark, terms: Terms) -> None:
    """Write the file that a benchmark needs and that does not exist: all of it, in the same patterns."""
    asked = benchmark.configuration
    changed: dict[str, Any] = {"io_operation": "WRITE", "mode": "SYNC", "emulated_compute_time_per_timestep": 0}
    if asked.io_operation == "APPEND":
        rows = max(1, min(asked.dim_1, _CHUNK_ELEMENTS // (asked.particles(1) // asked.dim_1)))
        changed |= {"io_operation": "WRITE_UNLIMITED", "compress": False}
        changed |= {"chunk_dim_1": rows, "chunk_dim_2": asked.dim_2, "chunk_dim_3": asked.dim_3}
    if asked.file_pattern == "STRIDED":
        changed["file_pattern"] = "CONTIG"
    writing = asked.model_copy(update=changed)
    _require_room(writing, terms)
    _by_ranks(writing, terms.folder / benchmark.file, terms, lambda _: None)


def _paths(benchmark: Benchmark, terms: Terms) -> list[Path]:
    """Return the files that a benchmark writes or reads."""
    path = terms.folder / benchmark.file
    if not benchmark.configuration.file_per_proc:
        return [path]
    return [path.with_name(f"rank_{rank}_{path.name}") for rank in range(terms.ranks)]


def require_new_files(benchmarks: list[Benchmark], terms: Terms) -> None:
    """Raise Misuse if a file would be replaced without --replace, or another one by a table."""
    for one in benchmarks:
        if one.configuration.csv_file is not None:
            require_no_other(Path(one.configuration.csv_file))
        for path in _paths(one, terms):
            if one.configuration.write and path.exists() and not terms.replace:
                what = "" if one.configuration.creates else " and would be changed"
                raise Misuse(f"{path} is there already{what}: expected --replace, or another --folder")


def run_benchmark(
    benchmark: Benchmark, terms: Terms, told: Callable[[str], None]
) -> tuple[BenchmarkDocument, list[str]]:
    """Run one benchmark and return its result. Raises Misuse, RooftopError, NotBuilt and KeyboardInterrupt.

    `told` is called with the progress.
    """
    asked = benchmark.configuration
    path = terms.folder / benchmark.file
    remarks = []
    _require_room(asked, terms)
    if not asked.creates and not all(one.exists() for one in _paths(benchmark, terms)):
        told(f"writing {path.name}, which does not exist yet")
        _written_first(benchmark, terms)
        remarks.append(f"{path} did not exist: it was written first, untimed")
    verb = "writing" if asked.write else "reading"
    told(f"{verb} {path.name}")
    found = _by_ranks(asked, path, terms, lambda step: told(f"{verb} {path.name}, step {step} of {asked.timesteps}"))
    return _document(asked, path, terms, found), remarks
