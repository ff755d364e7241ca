"""Time commands on a store of ten million samples, and check that concurrent writers lose none."""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import RESULTS, ROOT, Asked, PageOption, asked_table, table, write_page
from benchmarks.stores.at_once import AtOnce, at_once
from benchmarks.stores.large_store import fill
from rooftop.store.database import opened_database
from rooftop.store.interrupted import NEWEST_FIRST
from rooftop.store.place import read_place
from rooftop.store.protocol import Store
from rooftop.store.rows import select
from rooftop.store.schema import ListedRow

PAGE = RESULTS / "stores.md"
MOST_S = 2.0
_SEEDS = (
    ["compare", "--max-pairs", "6", "--budget", "60s", "sleep 0.001", "sleep 0.002"],
    ["gate", "--max-pairs", "6", "--budget", "60s", "--", "sleep", "0.001", ":::", "sleep", "0.002"],
)


@dataclass(frozen=True)
class Opened:
    """How long a command took, in seconds: when it read the store first, and again. `cpu_s`: of the second, its own."""

    words: str
    first_s: float
    again_s: float
    cpu_s: float


def _run(words: Sequence[str], home: Path, store: str) -> tuple[str, float, float]:
    """Run a command; return what it printed, and its seconds of wall and processor time."""
    environment = os.environ | {"ROOFTOP_HOME": str(home), "ROOFTOP_STORE": store}
    before, began_s = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    ended = subprocess.run(
        [str(ROOT / "rooftop"), *words], env=environment, cwd=home, check=False, capture_output=True, text=True
    )
    wall_s, after = time.monotonic() - began_s, resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode not in (0, 6, 7):  # a gate's verdict is no error
        raise RuntimeError(f"rooftop {' '.join(words)}: exit code {ended.returncode}: {ended.stderr}")
    return ended.stdout, wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pages(store: Store, place: str, home: Path) -> list[Opened]:
    """Time each command that reads a store, in a new process."""
    newest = select(store, ListedRow, f"{NEWEST_FIRST} LIMIT 1")[0].id
    found = []
    for words in (
        ["report", newest, "--out", str(home / "page.html")],
        ["gate", "--history"],
        ["list", "--campaigns"],
        ["export", newest, "--out", str(home / "samples.csv")],
    ):
        store.execute("DELETE FROM digest")
        _, first_s, _ = _run(words, home, place)
        _, again_s, cpu_s = _run(words, home, place)
        named = [one for one in words if one in (words[0], "--history", "--campaigns")]
        found.append(Opened(" ".join(named), first_s, again_s, cpu_s))
    return found


def made(folder: Path, place: str, count: int, samples: int) -> int:
    """Measure the campaigns that are repeated, and fill a store with them. Return the number of samples."""
    seed = folder / "seed.sqlite"
    for words in _SEEDS:
        _run(words, folder, str(seed))
    with opened_database(seed) as pattern, opened_database(read_place(place)) as store:
        return fill(pattern, store, count, samples)


def main(
    count: Annotated[int, typer.Option(min=10, help="Number of campaigns.")] = 10_000,
    samples: Annotated[int, typer.Option(min=30, help="Samples of each.")] = 1000,
    place: Annotated[str | None, typer.Option("--store", help="An empty database. Default: a new file.")] = None,
    written: Annotated[int, typer.Option(min=0, help="Samples that many processes write at once; 0: none.")] = 100_000,
    to: PageOption = PAGE,
) -> int:
    """Fill a store and time reading commands. Exit code 1 if one is too slow or a sample is lost."""
    writing = at_once(written) if written else []
    with tempfile.TemporaryDirectory(prefix="rooftop-stores-") as name:
        folder = Path(name)
        where = place or str(folder / "store.sqlite")
        taken = made(folder, where, count, samples)
        with opened_database(read_place(where)) as store:
            found = pages(store, where, folder)
    what = "PostgreSQL" if "://" in where else "SQLite"
    asked = [Asked.at_most(f"`rooftop {one.words}`", MOST_S, one.again_s, "s") for one in found]
    asked += [figure for one in writing for figure in one.asked]
    rows = [(f"`rooftop {one.words}`", f"{one.first_s:.2f}", f"{one.again_s:.2f}", f"{one.cpu_s:.2f}") for one in found]
    head = ["command", "first, s", "again, s", "its processor time, s"]
    told = f"{what}, {count} campaigns, {taken} samples; every tenth campaign is a gate of one benchmark."
    title = "A store of many campaigns: asked and reached"
    writers = table(AtOnce.HEAD, [one.row for one in writing]) if writing else ""
    write_page(to, title, "stores", told, asked_table(asked), table(head, rows), writers)
    return 0 if all(one.met for one in asked) else 1
