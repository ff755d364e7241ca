"""Where the time of the ant colony's first rungs goes, by `rooftop diagnose` and by what the rungs themselves count."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.form import RESULTS, ROOT, Asked, PageOption, asked_table, table, write_page
from rooftop.diagnose.document import DiagnoseDocument
from rooftop.diagnose.regions import serial_s
from rooftop.diagnose.where_time_goes import ALLOCATION, shares

PAGE = RESULTS / "diagnose-ants.md"
#: In the ladder's order, with how many tours. The last two need AVX2.
RUNGS = {
    "10-textbook": 1024,
    "30-mimalloc": 1024,
    "40-no-allocation": 8192,
    "50-candidate-lists": 16384,
    "60-vector-roulette.avx2": 16384,
    "67-asynchronous-months.avx2": 16384,
}
#: What is first before a rung is to be gone after the one that cures it: allocation; waiting for the months of others.
CURES = {"40-no-allocation": "10-textbook", "67-asynchronous-months.avx2": "60-vector-roulette.avx2"}
THREADS = 2
MOST_APART = 0.05
_KINDS = ("allocation", "waiting for the slowest thread", "serial")
_ABOUT = f"""\
Shares of the time of {THREADS} threads. *By the rung*: what it counts itself in runs that are verified. There it reads
the processor's counter around one allocation of 64, and once more before it for what reading takes. *By diagnose*:
samples in the allocator, and the bodies of parallel regions on each thread, of the rung as an unmodified program
(`driver run` with its requests as standard input). What the driver does around the runs, which the rungs do not count,
is known from a run that only sets up and verifies, and taken off.

A rung waits for its slowest thread whether that works for longer or begins later. Diagnose tells the two apart: the
first is imbalance, the second is in what starting and joining threads takes. So its share is known between the first
and the sum of both, and neither end may be further from the rung's than is asked. Where threads *lacked a core* for
more than some percent of their time, something else ran beside, and the row says little.
"""
_ALLOCATION = """\
How much of 10-textbook's work is allocation was also measured in other ways, once and by hand, in a virtual machine
with two cores of an EPYC (Zen 3) on 2026-11-30, while other programs ran at a lower priority:

| way | share | of each of 8.8 million calls |
|---|---|---|
| samples by `perf` of the program alone, with the symbols of the C library | 12%; 14% without waiting | 12 ns |
| saved by lists of free memory in place of the allocator, in turns, 45 rounds | 16% [11%, 19%] | 15 ns |
| the same between the fastest runs | 12% | 8 ns |
| cost of these lists themselves, found by using them twice | 1% to 4% | 1 to 4 ns |
| the counter around one call of 64, not fenced, as the rung does | 6% to 12% | 7 to 12 ns |
| the counter with fences, so that nothing around a call overlaps it | 14% to 17% | 15 to 19 ns |

It is some 12% to 16%: the rung's own figure is rather low, the fenced one rather high. Calls of a few nanoseconds
overlap what is around them, so that no way is exact to a few points. The clock itself is too coarse: reading it takes
32 ns, of which all but 6 ns of a call overlap.
"""
_ORDER = """\
What is suspected, by the share of the time at stake (5% or more), with no cure tried. What a rung cures is to be gone
from those after it, so that the next one moves up.
"""


@dataclass(frozen=True)
class Shares:
    """Shares of the threads' time, in the order of the kinds.

    joining  in which threads start and join; known by a diagnosis alone
    """

    allocation: float
    waiting: float
    serial: float
    joining: float = 0.0

    def ranges(self) -> Iterator[tuple[float, float]]:
        """Yield from where to where each share is, in the order of the kinds."""
        yield self.allocation, self.allocation
        yield self.waiting, self.waiting + self.joining
        yield self.serial, self.serial


def by_rung(verified: Sequence[dict[str, Any]]) -> Shares:
    """Return the shares that a rung counts, by replies to `case` and `verify` with a run's figures and its time."""

    def median(name: str) -> float:
        return statistics.median(float(one["facts"][0]["figures"][name]) for one in verified)

    run_ns = statistics.median(float(one["first_run_ns"]) for one in verified)
    return Shares(
        median("allocation_ns") / (THREADS * run_ns),
        median("waiting_ns") / (THREADS * run_ns),
        median("serial_ns") / run_ns,
    )


def by_diagnosis(document: DiagnoseDocument, around_s: float = 0.0) -> Shares | None:
    """Return the shares that a diagnosis tells; None if it has no profile or no regions.

    around_s  what a program with the same case does beside the rung's runs, on one thread
    """
    facts = document.facts
    if facts.hot is None or facts.openmp_regions is None:
        return None
    busy_s = facts.user_s + facts.system_s
    runs_s, told = facts.elapsed_s - around_s, facts.openmp_regions
    return Shares(
        shares(facts.hot).get(ALLOCATION, 0.0) * busy_s / (THREADS * runs_s),
        told.imbalance_s / (told.elapsed_s - around_s),
        max(0.0, (serial_s(facts) or 0.0) - around_s) / runs_s,
        told.overhead_s / (told.elapsed_s - around_s),
    )


def lacking(document: DiagnoseDocument) -> float:
    """Return the share of the time in which busy threads wanted a core and had none."""
    threads = document.facts.threads
    waited_s = sum(one.wait_s for one in threads)
    return waited_s / max(waited_s + sum(one.run_s for one in threads), 1e-9)


def suspected(document: DiagnoseDocument) -> tuple[tuple[str, float], ...]:
    """Return the names of all suspicions with the share of the time that is at stake, the largest first."""
    found = ((one.name, one.stake_s / document.facts.elapsed_s) for one in document.suspected)
    return tuple(sorted(found, key=lambda one: -one[1]))


@dataclass(frozen=True)
class Row:
    """A rung: its shares both ways, what is suspected, and the share of the time without a core in its diagnosis.

    suspected  names with the share of the time that is at stake, the largest first
    """

    rung: str
    own: Shares
    told: Shares | None
    suspected: tuple[tuple[str, float], ...] = ()
    lacking: float = 0.0


def ask(driver: Path, module: Path, requests: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a driver's replies. Ends the program if one of them is no success."""
    lines = "".join(json.dumps(one) + "\n" for one in requests)
    words = [str(driver), "run", "--module", str(module)]
    environment = {**os.environ, "OMP_NUM_THREADS": str(THREADS)}
    done = subprocess.run(words, input=lines, env=environment, capture_output=True, text=True, check=True)
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    if wrong := next((one for one in replies if one.get("outcome", "ok") != "ok" or one["event"] == "error"), None):
        sys.exit(f"ant_shares: {module.stem}: {wrong}")
    return replies


def around_runs_s(driver: Path, module: Path, case: dict[str, Any]) -> float:
    """Return what a driver takes beside a rung's runs, for starting, setting up and verifying: the least of three."""
    found: list[float] = []
    for _ in range(3):
        began = time.perf_counter()
        (reply,) = ask(driver, module, [case])
        found.append(time.perf_counter() - began - 1e-9 * float(reply["first_run_ns"]))
    return min(found)


def measured(rung: str, tours: int, build_folder: Path, seconds: float) -> Row:
    """Run a rung for its own counts, then diagnose it."""
    folder = build_folder / "experiments" / "ant_colony"
    driver, module = folder / "driver", folder / "rungs" / f"{rung}.so"
    parameters = {"cities": 400, "tours": tours, "layout": "uniform"}
    case = {"op": "case", "case": parameters, "seed": 1, "threads": THREADS}
    first, *verified, timed = ask(driver, module, [case, *[{"op": "verify"}] * 4, {"op": "sample", "iterations": 3}])
    sample_ns = timed["elapsed_ns"] / 3
    own = by_rung([first, *verified])
    sample = {"op": "sample", "iterations": max(3, round(1e9 * seconds / sample_ns))}
    with tempfile.TemporaryDirectory(prefix="ant-shares-") as temporary:
        requests = Path(temporary) / "requests"
        requests.write_text(f"{json.dumps(case)}\n{json.dumps(sample)}\n", encoding="utf-8")
        words = [str(ROOT / "rooftop"), "diagnose", "--without", "all", "--json", "--input", str(requests), "--"]
        words += [str(driver), "run", "--module", str(module)]
        environment = {**os.environ, "OMP_NUM_THREADS": str(THREADS)}
        done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    document = DiagnoseDocument.model_validate_json(done.stdout)
    told = by_diagnosis(document, around_runs_s(driver, module, case))
    return Row(rung, own, told, suspected(document), lacking(document))


def _told(low: float, high: float) -> str:
    return f"{low:.1%}" if low == high else f"{low:.1%} to {high:.1%}"


def moved_up(rows: Iterable[Row]) -> Iterator[Asked]:
    """Yield, for each rung that cures what was suspected first before it, whether that is gone."""
    by_rung = {row.rung: row for row in rows}
    for after, before in CURES.items():
        if after not in by_rung or before not in by_rung:
            continue
        if not by_rung[before].suspected:
            yield Asked(f"{after}: what is first of {before}", "gone", "there is nothing", None)
            continue
        name, share = by_rung[before].suspected[0]
        left = dict(by_rung[after].suspected).get(name)
        reached = "gone" if left is None else f"{left:.1%}"
        yield Asked(f"{after}: {name}, first of {before} with {share:.1%}", "gone", reached, left is None)


def order(rows: Iterable[Row]) -> str:
    """Return the table of what is suspected of each rung."""
    places = ("first", "second", "third")
    cells = []
    for row in rows:
        told = [f"{name} {share:.1%}" for name, share in row.suspected[: len(places)]]
        cells.append([row.rung, *told, *["–"] * (len(places) - len(told))])
    return table(["rung", *places], cells)


def parts(rows: Sequence[Row]) -> list[str]:
    """Return what stands on the page."""
    asked, cells = [], []
    for row in rows:
        both = list(zip(row.own.ranges(), (row.told or row.own).ranges(), strict=True))
        for kind, ((own, _), (low, high)) in zip(_KINDS, both, strict=True):
            apart = max(abs(low - own), abs(own - high))
            told = f"{100 * apart:.2g} points" if row.told is not None else "not seen"
            met = row.told is not None and apart <= MOST_APART
            asked.append(Asked(f"{row.rung}: {kind}", f"within {100 * MOST_APART:g} points", told, met))
        shown = [f"{own:.1%}, {_told(*told)}" for (own, _), told in both]
        cells.append([row.rung, *shown, f"{row.lacking:.1%}"])
    head = ["rung", *(f"{kind}: rung, diagnose" for kind in _KINDS), "lacked a core"]
    return [_ABOUT, asked_table([*asked, *moved_up(rows)]), table(head, cells), _ALLOCATION, _ORDER, order(rows)]


def main(
    seconds: Annotated[float, typer.Option(help="Time of a rung in its diagnosis.", min=1)] = 8.0,
    to: PageOption = PAGE,
    build_folder: Annotated[Path, typer.Option(help="Folder of the drivers.")] = ROOT / "build" / "release",
) -> None:
    """Measure, and write the page."""
    rows = [measured(rung, tours, build_folder, seconds) for rung, tours in RUNGS.items()]
    write_page(to, "The ant colony, diagnosed", "ant_shares", *parts(rows))
