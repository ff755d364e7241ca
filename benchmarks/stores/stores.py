"""Time commands on a store of ten million samples, and check that concurrent writers lose none."""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import RESULTS, ROOT, PageOption, asked_table, machine, table, write_page
from benchmarks.stores.at_once import AtOnce, at_once, server_of_tests
from benchmarks.stores.large_store import fill
from benchmarks.stores.opened import Opened, OpenedStore
from benchmarks.stores.served_pages import served_pages
from rooftop.machine.identity import cores_now
from rooftop.store.database import opened_database
from rooftop.store.interrupted import NEWEST_FIRST
from rooftop.store.place import read_place
from rooftop.store.protocol import Store
from rooftop.store.rows import select
from rooftop.store.schema import ListedRow

PAGE = RESULTS / "stores.md"
_SEEDS = (
    ["compare", "--max-pairs", "6", "--budget", "60s", "sleep 0.001", "sleep 0.002"],
    ["gate", "--max-pairs", "6", "--budget", "60s", "--", "sleep", "0.001", ":::", "sleep", "0.002"],
)
_TIMES = """\
*First*: what a command computes of finished campaigns is not kept yet. *Again*: it is; this is what is asked. Other \
work on the machine lengthens both, and hardly the processor time. Of PostgreSQL that is without the server's."""

_BUSY = " **These times were taken on a busy machine: they are to be taken anew.**"


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


def commands(store: Store, place: str, home: Path) -> list[Opened]:
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
        found.append(Opened(f"`rooftop {' '.join(named)}`", first_s, again_s, cpu_s))
    return found


def measured_seed(folder: Path) -> Path:
    """Measure the campaigns that are repeated."""
    seed = folder / "seed.sqlite"
    for words in _SEEDS:
        _run(words, folder, str(seed))
    return seed


@contextmanager
def empty_stores(place: str | None, folder: Path) -> Iterator[Sequence[tuple[str, str]]]:
    """Yield kinds of stores and their places: the one that is named, or one of each kind that can be made here."""
    if place is not None:
        yield [("PostgreSQL" if "://" in place else "SQLite", place)]
        return
    file = ("SQLite", str(folder / "store.sqlite"))
    server = server_of_tests()
    if server is None:
        yield [file]
        return
    with server as running:
        yield [file, ("PostgreSQL", running.new_store().url)]


def main(
    count: Annotated[int, typer.Option(min=10, help="Number of campaigns.")] = 10_000,
    samples: Annotated[int, typer.Option(min=30, help="Samples of each.")] = 1000,
    place: Annotated[
        str | None, typer.Option("--store", help="An empty database. Default: a new file, and a new server.")
    ] = None,
    written: Annotated[int, typer.Option(min=0, help="Samples that many processes write at once; 0: none.")] = 100_000,
    to: PageOption = PAGE,
) -> int:
    """Fill stores and time what reads them. Exit code 1 if one is too slow or a sample is lost."""
    writing = at_once(written) if written else []
    stores = []
    with tempfile.TemporaryDirectory(prefix="rooftop-stores-") as name:
        folder = Path(name)
        seed = measured_seed(folder)
        with empty_stores(place, folder) as places:
            for kind, where in places:
                with opened_database(seed) as pattern, opened_database(read_place(where)) as store:
                    taken = fill(pattern, store, count, samples)
                    if "://" in where:
                        store.execute("ANALYZE")  # which a server does by itself some minutes later
                    opened = [*commands(store, where, folder), *served_pages(store, where, folder)]
                stores.append(OpenedStore(kind, taken, opened))
    asked = [figure for at in writing for figure in at.asked] + [figure for one in stores for figure in one.asked]
    told = f"{count} campaigns; every tenth is a gate of one benchmark. {_TIMES}"
    title = "A store of many campaigns: asked and reached"
    writers = table(AtOnce.HEAD, [one.row for one in writing]) if writing else ""
    load = os.getloadavg()[2]
    on = f"{machine()}, load {load:.1f} in the last quarter of an hour"
    told += _BUSY if load > 2 * cores_now() else ""
    write_page(to, title, "stores", told, asked_table(asked), writers, *(one.part for one in stores), on=on)
    return 0 if all(one.met for one in asked) else 1
