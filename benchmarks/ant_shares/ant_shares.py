"""Where the time of the ant colony's first rungs goes, by `rooftop diagnose` and by what the rungs themselves count."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.form import RESULTS, ROOT, Asked, PageOption, asked_table, table, write_page
from rooftop.diagnose.document import DiagnoseDocument
from rooftop.diagnose.regions import serial_s
from rooftop.diagnose.where_time_goes import ALLOCATION, shares

PAGE = RESULTS / "diagnose-ants.md"
#: In the ladder's order, with how many tours: what each cures is to be gone from the next.
RUNGS = {"10-textbook": 1024, "30-mimalloc": 1024, "40-no-allocation": 8192, "50-candidate-lists": 16384}
THREADS = 2
MOST_APART = 0.05
_KINDS = ("allocation", "waiting for the slowest thread", "serial")
_ABOUT = f"""\
Shares of the time of {THREADS} threads. *By the rung*: what it counts itself in runs that are verified. There it
looks at the clock around each allocation, which makes them longer; half of what such a run takes more than one that
is timed is taken off its allocations. *By diagnose*: samples in the allocator, and the bodies of parallel regions
on each thread, of the rung as an unmodified program (`driver run` with its requests as standard input). What is set
up and verified around the runs, which the rungs do not count, makes the serial share a bound.
"""


@dataclass(frozen=True)
class Shares:
    """Shares of the threads' time, in the order of the kinds."""

    allocation: float
    waiting: float
    serial: float

    def __iter__(self) -> Any:
        return iter((self.allocation, self.waiting, self.serial))


def by_rung(verified: Sequence[dict[str, Any]], sample_ns: float) -> Shares:
    """Return the shares that a rung counts.

    verified   replies to `case` and `verify`, with the figures of a run and its time
    sample_ns  of one run that is timed
    """

    def median(name: str) -> float:
        return statistics.median(float(one["facts"][0]["figures"][name]) for one in verified)

    run_ns = statistics.median(float(one["first_run_ns"]) for one in verified)
    clock_ns = max(0.0, run_ns - sample_ns) * THREADS if median("allocations") else 0.0
    return Shares(
        max(0.0, median("allocation_ns") - clock_ns / 2) / (THREADS * sample_ns),
        median("waiting_ns") / (THREADS * run_ns),
        median("serial_ns") / run_ns,
    )


def by_diagnosis(document: DiagnoseDocument) -> Shares | None:
    """Return the shares that a diagnosis tells; None if it has no profile or no regions."""
    facts = document.facts
    if facts.hot is None or facts.openmp_regions is None:
        return None
    waited_s = sum(region.most_s - region.mean_s for region in facts.openmp_regions.regions)
    busy_s = facts.user_s + facts.system_s
    return Shares(
        shares(facts.hot).get(ALLOCATION, 0.0) * busy_s / (THREADS * facts.elapsed_s),
        waited_s / facts.openmp_regions.elapsed_s,
        (serial_s(facts) or 0.0) / facts.elapsed_s,
    )


@dataclass(frozen=True)
class Row:
    """A rung: its shares both ways, and the findings of its diagnosis."""

    rung: str
    own: Shares
    told: Shares | None
    findings: tuple[str, ...]


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


def measured(rung: str, tours: int, build_folder: Path, seconds: float) -> Row:
    """Run a rung for its own counts, then diagnose it."""
    folder = build_folder / "experiments" / "ant_colony"
    driver, module = folder / "driver", folder / "rungs" / f"{rung}.so"
    parameters = {"cities": 400, "tours": tours, "layout": "uniform"}
    case = {"op": "case", "case": parameters, "seed": 1, "threads": THREADS}
    first, *verified, timed = ask(driver, module, [case, *[{"op": "verify"}] * 4, {"op": "sample", "iterations": 3}])
    sample_ns = timed["elapsed_ns"] / 3
    own = by_rung([first, *verified], sample_ns)
    sample = {"op": "sample", "iterations": max(3, round(1e9 * seconds / sample_ns))}
    with tempfile.TemporaryDirectory(prefix="ant-shares-") as temporary:
        requests = Path(temporary) / "requests"
        requests.write_text(f"{json.dumps(case)}\n{json.dumps(sample)}\n", encoding="utf-8")
        words = [str(ROOT / "rooftop"), "diagnose", "--without", "all", "--json", "--input", str(requests), "--"]
        words += [str(driver), "run", "--module", str(module)]
        environment = {**os.environ, "OMP_NUM_THREADS": str(THREADS)}
        done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    document = DiagnoseDocument.model_validate_json(done.stdout)
    found = tuple(f"{one.name} {one.seconds:.2g} s" for one in document.findings)
    return Row(rung, own, by_diagnosis(document), found)


def parts(rows: Sequence[Row]) -> list[str]:
    """Return what stands on the page."""
    asked = []
    for row in rows:
        for kind, one, other in zip(_KINDS, row.own, row.told or row.own, strict=True):
            apart = f"{100 * abs(one - other):.2g} points" if row.told is not None else "not seen"
            met = row.told is not None and abs(one - other) <= MOST_APART
            asked.append(Asked(f"{row.rung}: {kind}", f"within {100 * MOST_APART:g} points", apart, met))
    cells = []
    for row in rows:
        both = zip(row.own, row.told or row.own, strict=True)
        cells.append([row.rung, *(f"{one:.1%}, {other:.1%}" for one, other in both), "; ".join(row.findings) or "none"])
    head = ["rung", *(f"{kind}: rung, diagnose" for kind in _KINDS), "findings"]
    return [_ABOUT, asked_table(asked), table(head, cells)]


def main(
    seconds: Annotated[float, typer.Option(help="Time of a rung in its diagnosis.", min=1)] = 8.0,
    to: PageOption = PAGE,
    build_folder: Annotated[Path, typer.Option(help="Folder of the drivers.")] = ROOT / "build" / "release",
) -> None:
    """Measure, and write the page."""
    rows = [measured(rung, tours, build_folder, seconds) for rung, tours in RUNGS.items()]
    write_page(to, "The ant colony, diagnosed", "ant_shares", *parts(rows))
