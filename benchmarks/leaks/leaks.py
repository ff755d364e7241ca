"""Call every Python function of the solvers many times, and report memory that is never freed."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import RESULTS, ROOT, table, write_page

HERE = Path(__file__).resolve().parent
PAGE = RESULTS / "leaks.md"
SOLVERS = ("fft", "conv", "elasticity", "routing", "network", "h5io")
COUNTER = "ROOFTOP_LIVE_ALLOCATIONS"
WARM_UP = 0.2  # of the calls: plans are kept, threads start, pools fill
WARM_UP_MIN = 250
LEAK = 0.5  # of a block for each call
COUNTING = 20  # blocks of Python's that are taken to count
CALLS_MIN = 200  # below, the one could not be told from the other
PARTS = 4
RECOUNTS = 3  # of what seems to leak
_ABOUT = f"""\
Each Python function of the solvers is called so many times, after some calls that are not counted. Blocks are those of
C's memory that were taken and not given back, and Python's own; a leak is more than {LEAK:g} for each call in every
quarter of them. Resident memory moves with the allocator's pages."""


@dataclass(frozen=True)
class Growth:
    """What stays taken after so many calls.

    blocks         of C's memory, after each part of the calls; negative where more were given back
    python         of Python's own small blocks, likewise
    resident_kib   after all of them
    """

    name: str
    calls: int
    blocks: tuple[int, ...]
    python: tuple[int, ...]
    resident_kib: int

    @property
    def leaks(self) -> bool:
        """Whether something stays after every part, which what is kept once does not."""
        most = LEAK * self.calls / PARTS
        return min(self.blocks) > most or min(self.python) > most + COUNTING


@dataclass(frozen=True)
class Taken:
    """Memory that the process has."""

    blocks: int
    python: int
    resident_kib: int

    @staticmethod
    def now(counter: ctypes.CDLL) -> Taken:
        """Return it, once what refers to itself is collected."""
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        resident = pages * os.sysconf("SC_PAGESIZE") // 1024
        return Taken(counter.live_allocations(), sys.getallocatedblocks(), resident)


def grown(name: str, call: Callable[[], object], calls: int, counter: ctypes.CDLL) -> Growth:
    """Call a function so many times, in parts, after some times that do not count.

    Python's caches fill at a pace that differs from run to run. A leak never ends: what seems to be one is
    counted again.
    """
    for _ in range(max(WARM_UP_MIN, int(WARM_UP * calls))):
        call()
    found = counted(name, call, calls, counter)
    for _ in range(RECOUNTS):
        if not found.leaks:
            break
        found = counted(name, call, calls, counter)
    return found


def counted(name: str, call: Callable[[], object], calls: int, counter: ctypes.CDLL) -> Growth:
    """Call a function so many times, in parts, and count what stays taken after each."""
    taken = [Taken.now(counter)]
    for _ in range(PARTS):
        for _ in range(calls // PARTS):
            call()
        taken.append(Taken.now(counter))
    steps = list(pairwise(taken))
    return Growth(
        name,
        calls // PARTS * PARTS,
        tuple(after.blocks - before.blocks for before, after in steps),
        tuple(after.python - before.python for before, after in steps),
        taken[-1].resident_kib - taken[0].resident_kib,
    )


def work(solver: str, only: str, calls: int) -> None:
    """Print a line of JSON for each call of a solver: in a process of its own, which counts what it takes."""
    from benchmarks.leaks.leak_calls import calls_of

    counter = ctypes.CDLL(os.environ[COUNTER])
    counter.live_allocations.restype = ctypes.c_longlong
    with tempfile.TemporaryDirectory() as folder:
        for name, call in calls_of(solver, Path(folder)):
            if only in name:
                print(json.dumps(asdict(grown(name, call, calls, counter))), flush=True)


def leaks_table(found: Sequence[Growth]) -> str:
    """Return the table of what stays taken."""
    rows = [
        (
            one.name,
            one.calls,
            f"{sum(one.blocks):+}",
            f"{sum(one.python):+}",
            f"{one.resident_kib:+}",
            "leaks" if one.leaks else "nothing stays",
        )
        for one in found
    ]
    return table(["call", "calls", "blocks", "Python's blocks", "resident, KiB", ""], rows)


def all_grown(solvers: Sequence[str], only: str, calls: int) -> list[Growth]:
    """Let each solver's calls be made and counted, all solvers at once. Ends the program where one fails."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        counter = Path(folder) / "live_allocations.so"
        flags = ["-O2", "-shared", "-fPIC", "-fno-builtin"]
        subprocess.run(
            [os.environ.get("CC", "cc"), *flags, str(HERE / "live_allocations.c"), "-o", str(counter)], check=True
        )
        # Threads that wait spinning would take a busy machine's time.
        waiting = {"OMP_WAIT_POLICY": "passive"} | dict(os.environ)
        environment = waiting | {COUNTER: str(counter), "LD_PRELOAD": str(counter)}
        words = [sys.executable, str(ROOT / "benchmarks"), "leaks", "--only", only, "--calls", str(calls), "--solver"]
        workers = [
            subprocess.Popen([*words, solver], env=environment, stdout=subprocess.PIPE, text=True) for solver in solvers
        ]
        for solver, worker in zip(solvers, workers, strict=True):
            assert worker.stdout is not None
            for line in worker.stdout:
                told = json.loads(line)
                row = Growth(**told | {"blocks": tuple(told["blocks"]), "python": tuple(told["python"])})
                found.append(row)
                figures = f"{sum(row.blocks):+7} blocks {sum(row.python):+7} of Python {row.resident_kib:+7} KiB"
                print(f"{row.name:38} {row.calls:7} calls {figures}{'  leaks' if row.leaks else ''}", flush=True)
            if worker.wait():
                sys.exit(f"leaks: the calls of {solver} ended with {worker.returncode}")
    return found


def main(
    calls: Annotated[int, typer.Option(min=CALLS_MIN, help="Number of calls of each function.")] = 10_000,
    only: Annotated[str, typer.Option(help="Only functions whose name contains this.")] = "",
    solver: Annotated[list[str] | None, typer.Option(help="Only this solver; may be repeated.")] = None,
    write: Annotated[bool, typer.Option("--page", help=f"Write {PAGE.relative_to(ROOT)}.")] = False,
) -> int:
    """Print the memory that is never freed. Exit code 1 where a call leaks, 3 where no solver is built."""
    if unknown := sorted(set(solver or ()) - set(SOLVERS)):
        raise typer.BadParameter(f"--solver is {unknown[0]!r}, expected one of {', '.join(SOLVERS)}")
    solvers = solver or SOLVERS
    if COUNTER in os.environ:
        work(solvers[0], only, calls)
        return 0
    found = all_grown(solvers, only, calls)
    if not found:
        print("leaks: no such call, or no solver is built: run 'make build'", file=sys.stderr)
        return 3
    if write:
        write_page(PAGE, "What stays taken after many calls", "leaks --page", _ABOUT, leaks_table(found))
    return int(any(one.leaks for one in found))
