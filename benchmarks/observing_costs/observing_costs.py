"""What the passes of `rooftop diagnose` cost the program that they observe."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import RESULTS, ROOT, Asked, PageOption, asked_table, table, write_page
from rooftop.command.environment import own_environment
from rooftop.launchers import named
from rooftop.measure.compare import Spread, spread
from rooftop.observe import call_counts, function_calls, mpi_times, openmp

PAGE = RESULTS / "observing-costs.md"
SOURCE = Path(__file__).with_name("brief_calls.c")
LAUNCHER = "openmpi"
MOST_CORE = 0.03
_ABOUT = """\
Nanoseconds that a pass adds to each call: a loop of calls that do next to nothing, alone and with the library that
observes them, in turn. A pass of `rooftop diagnose` is never timed: these are the costs of what it observes, which
its seconds include. Median of the differences with its 95 % interval, and pairs.
"""


@dataclass(frozen=True)
class Loop:
    """Calls of one kind. `most_ns`: that observing one may take; None: nothing was asked."""

    kind: str
    what: str
    calls: int
    most_ns: float | None
    threads: int = 1


LOOPS = (
    Loop("messages", "MPI call (MPI_Iprobe)", 2_000_000, 60),
    Loop("regions", "parallel region of one thread", 1_000_000, 150),
    Loop("regions", "parallel region of two threads", 200_000, None, 2),
    Loop("allocations", "malloc or free", 20_000_000, 5),
    Loop("reads", "read of 1 byte", 2_000_000, None),
    Loop("functions", "function (-finstrument-functions)", 20_000_000, None),
)


def build(folder: Path) -> dict[str, Path]:
    """Compile the program for each kind of loop; without one for messages where there is no mpicc."""
    flags = ["-O2", "-Wall", "-Wextra", "-fopenmp", str(SOURCE), "-o"]
    plain = folder / "brief_calls"
    subprocess.run(["gcc", *flags, str(plain)], check=True)
    programs = dict.fromkeys(("regions", "allocations", "reads"), plain)
    programs["functions"] = folder / "brief_functions"
    subprocess.run(["gcc", "-finstrument-functions", *flags, str(programs["functions"])], check=True)
    if shutil.which("mpicc") and shutil.which("mpirun"):
        programs["messages"] = folder / "brief_messages"
        subprocess.run(["mpicc", "-DWITH_MPI", *flags, str(programs["messages"])], check=True)
    return programs


def observed(kind: str, build_folder: Path, folder: Path) -> dict[str, str]:
    """Return the variables that load the library for a kind of calls. Ends the program if it is not built."""
    environment = own_environment()
    if kind == "messages":
        missing = mpi_times.missing(build_folder, LAUNCHER)
        more = mpi_times.variables(mpi_times.library(build_folder, LAUNCHER), folder / "times", environment)
    elif kind == "regions":
        missing = openmp.missing(build_folder)
        more = openmp.variables(openmp.library(build_folder), folder, environment)
    elif kind == "functions":
        missing = function_calls.missing(build_folder)
        more = function_calls.variables(function_calls.library(build_folder), folder, environment)
    else:
        missing = call_counts.missing(build_folder)
        more = call_counts.variables(call_counts.library(build_folder), folder, environment)
    if missing is not None:
        sys.exit(f"observing_costs: {missing}")
    return more


def ns_per_call(program: Path, loop: Loop, more: Mapping[str, str]) -> float:
    """Run a loop once, and return the nanoseconds of a call."""
    environment = own_environment({"OMP_NUM_THREADS": str(loop.threads), **more})
    words = [str(program), loop.kind, str(loop.calls)]
    if loop.kind == "messages":
        environment |= named(LAUNCHER).environment({})
        words = ["mpirun", "-n", "1", *words]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


def sampler_cost(program: Path) -> tuple[float, float]:
    """Return the seconds of processor time that sampling threads took, and those of the command."""
    words = [str(ROOT / "rooftop"), "diagnose", "--without", "all", "--json", "--", str(program), "regions", "2000000"]
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    first = json.loads(done.stdout)["passes"][0]
    return float(first["spent_s"]), float(first["elapsed_s"])


@dataclass(frozen=True)
class Cost:
    """What observing a kind of calls took: alone, with the library, and the differences of the pairs."""

    loop: Loop
    alone: float
    more: Spread


def measured(programs: Mapping[str, Path], build_folder: Path, pairs: int) -> list[Cost]:
    """Measure all loops in turn, alone and observed, which of the two first by turns."""
    loops = [loop for loop in LOOPS if loop.kind in programs]
    alone: list[list[float]] = [[] for _ in loops]
    with_it: list[list[float]] = [[] for _ in loops]
    for pair in range(pairs):
        for i, loop in enumerate(loops):
            with tempfile.TemporaryDirectory(prefix="observing-costs-") as folder:
                ways = [(alone[i], {}), (with_it[i], observed(loop.kind, build_folder, Path(folder)))]
                for times, more in ways if pair % 2 == 0 else reversed(ways):
                    times.append(ns_per_call(programs[loop.kind], loop, more))
    found = []
    for loop, one, other in zip(loops, alone, with_it, strict=True):
        difference, of_alone = spread(b - a for a, b in zip(one, other, strict=True)), spread(one)
        assert difference is not None
        assert of_alone is not None
        found.append(Cost(loop, of_alone.median, difference))
    return found


def parts(costs: Sequence[Cost], sampler: tuple[float, float]) -> list[str]:
    """Return what stands on the page."""
    spent_s, elapsed_s = sampler
    asked = [
        Asked.at_most(f"{one.loop.what}: added", one.loop.most_ns, one.more.median, "ns")
        for one in costs
        if one.loop.most_ns is not None
    ]
    asked.append(Asked.at_most("sampler of threads, of a core", 100 * MOST_CORE, 100 * spent_s / elapsed_s, "%"))
    rows = [
        [
            one.loop.what,
            f"{one.alone:.3g} ns",
            f"{one.more.median:.3g} ns [{one.more.lo:.3g}, {one.more.hi:.3g}], {one.more.count}",
        ]
        for one in costs
    ]
    return [
        _ABOUT,
        asked_table(asked),
        table(["call", "alone", "added [95 %], pairs"], rows),
        f"The sampler took {spent_s:.3g} s of a core for a command of two threads that ran for {elapsed_s:.3g} s.",
    ]


def main(
    pairs: Annotated[int, typer.Option(help="Pairs of each loop, six at least for an interval.", min=1)] = 15,
    to: PageOption = PAGE,
    build_folder: Annotated[Path, typer.Option(help="Folder of the libraries.")] = ROOT / "build" / "release",
) -> None:
    """Measure, and write the page."""
    with tempfile.TemporaryDirectory(prefix="observing-costs-") as folder:
        programs = build(Path(folder))
        costs = measured(programs, build_folder, pairs)
        sampler = sampler_cost(programs["regions"])
    write_page(to, "What observing costs", "observing_costs", *parts(costs, sampler))
