"""Kill a campaign again and again, copy its store meanwhile, fill its disk: is each sample there once?"""

from __future__ import annotations

import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import RESULTS, Asked, PageOption, asked_table, table, write_page
from benchmarks.interrupts.campaign_store import COMMANDS, Found, Samples, lacking, samples, twice
from benchmarks.interrupts.interrupts import Interrupt, run
from benchmarks.interrupts.restarts import restarted
from benchmarks.stores.at_once import server_of_tests

PAGE = RESULTS / "kills.md"
_PAIRS = 300
_UNTIL_S = 2.5  # from the start to the signal, at most: half of it is the start of Python and the check of the commands
_LONGEST_S = 300.0
_COPIES_EVERY_S = 0.3
_FULL_KIB = (300, 400, 500, 700, 1000)  # a store without samples has 200 KiB, and its journal as much


def _begun(store: Path, how: str = "") -> bool:
    """Return whether a store has a campaign, in a state if one is named in SQL."""
    if not store.exists():
        return False
    with closing(sqlite3.connect(store, timeout=30)) as connection:
        tables = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'campaign'").fetchall()
        return bool(tables and connection.execute(f"SELECT 1 FROM campaign {how}").fetchall())


def _finished(store: Path) -> bool:
    return _begun(store, "WHERE finished IS NOT NULL")


def is_first_part(part: Samples, whole: Samples) -> bool:
    """Return whether samples are the oldest of others."""
    return part == whole[: len(part)]


class _Copies:
    """Copies of a store's files at any instant, as a backup takes them."""

    def __init__(self, store: Path, folder: Path) -> None:
        self._store, self._folder = store, folder
        self.taken: list[Samples | None] = []  # None: it could not be read

    def take(self) -> None:
        """Copy the file, its journal and its index, and read the copy."""
        with tempfile.TemporaryDirectory(dir=self._folder) as name:
            for end in ("", "-wal", "-shm"):
                file = self._store.with_name(self._store.name + end)
                try:
                    shutil.copy(file, Path(name))
                except FileNotFoundError:
                    continue
            try:
                self.taken.append(samples(Path(name) / self._store.name))
            except sqlite3.Error:
                self.taken.append(None)

    @contextmanager
    def during(self) -> Iterator[None]:
        """Take copies while a block runs."""
        ended = threading.Event()

        def taking() -> None:
            while not ended.wait(_COPIES_EVERY_S):
                self.take()

        thread = threading.Thread(target=taking)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


class Killed:
    """Campaigns of one worker, one after the other, each resumed after every kill until it is finished."""

    def __init__(self, folder: Path, seed: int, pairs: int = _PAIRS) -> None:
        """Stores go into the folder."""
        self._folder, self._pairs = Path(tempfile.mkdtemp(dir=folder)), pairs
        self._random = random.Random(seed)
        self._campaigns = 0
        self.found = Found()

    @property
    def store(self) -> Path:
        return self._folder / f"{self._campaigns}.sqlite"

    def kill(self) -> None:
        """Start or resume the present campaign and kill it; count what that did to its samples."""
        before = samples(self.store)
        copies = _Copies(self.store, self._folder)
        with copies.during():
            ended = _started(self.store, self._folder, self._pairs, self._random.random() * _UNTIL_S)
        now = samples(self.store)
        self._count(before, now, ended)
        self.found.copies += len(copies.taken)
        self.found.torn += sum(one is None or not is_first_part(one, now) for one in copies.taken)
        if _finished(self.store):
            self.end()

    def end(self) -> None:
        """Bring the present campaign to its end, and begin another one with the next kill."""
        if not _finished(self.store):
            before = samples(self.store)
            ended = _started(self.store, self._folder, self._pairs, _LONGEST_S)
            self._count(before, samples(self.store), ended)
        now = samples(self.store)
        self.found.finished += _finished(self.store)
        self.found.samples += len(now)
        self.found.lost += lacking(self.store, self._pairs)
        self.found.twice += twice(self.store)
        self._campaigns += 1

    def _count(self, before: Samples, now: Samples, ended: Interrupt) -> None:
        self.found.lost += len(set(before) - set(now))
        self.found.kills += not ended.early
        self.found.left += ended.left
        if ended.code not in (0, -signal.SIGKILL) or ended.traceback:
            self.found.wrong.append(f"exit code {ended.code}: {ended.said[-300:]}")


def _started(store: Path, home: Path, pairs: int, after_s: float) -> Interrupt:
    """Start or resume the campaign of a store, and kill it after so many seconds."""
    words = ["compare", "--store", str(store)]
    if _begun(store):
        words += ["--resume"]
    else:
        words += ["--budget", "60m", "--pairs", str(pairs), "--max-pairs", str(pairs), *COMMANDS]
    return run(words, home, signal.SIGKILL, after_s)[0]


def fill_disk(folder: Path, kib: int, pairs: int = _PAIRS) -> Found:
    """Keep a campaign on a file system that becomes full, and resume it with more space. Needs the rights to mount."""
    found, disk = Found(full=1), folder / f"disk{kib}"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", str(disk)], check=True)
    try:
        store = disk / "store.sqlite"
        ended = _started(store, folder, pairs, _LONGEST_S)
        before = samples(store) if ended.code else []
        told = ended.said.strip()
        if ended.code != 1 or ended.traceback or "\n" in told or "full" not in told:
            found.wrong.append(f"{kib} KiB: exit code {ended.code}: {told[-300:]}")
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        again = _started(store, folder, pairs, _LONGEST_S)
        if again.code:
            found.wrong.append(f"{kib} KiB, resumed: exit code {again.code}: {again.said[-300:]}")
        now = samples(store)
        found.samples, found.twice, found.left = len(now), twice(store), ended.left + again.left
        found.lost = len(set(before) - set(now)) + lacking(store, pairs)
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    return found


def killed(folder: Path, count: int, workers: int, minutes: float, seed: int, pairs: int = _PAIRS) -> Found:
    """Kill so many times, or until the time is over, and finish what was begun."""
    until = time.monotonic() + minutes * 60
    total = Found()

    def work(number: int) -> Found:
        one = Killed(folder, seed + number, pairs)
        while one.found.kills < -(-count // workers) and time.monotonic() < until:
            one.kill()
        if one.store.exists():
            one.end()
        return one.found

    with ThreadPoolExecutor(workers) as pool:
        for found in pool.map(work, range(workers)):
            total.add(found)
    return total


def main(
    count: Annotated[int, typer.Option(min=1, help="Number of kills.")] = 200,
    minutes: Annotated[float, typer.Option(help="Time limit.")] = 60.0,
    workers: Annotated[int, typer.Option(min=1, help="Number of campaigns that run at a time.")] = 2,
    seed: Annotated[int, typer.Option(help="Seed of the instants.")] = 1,
    disks: Annotated[bool, typer.Option(help="Fill disks too, which needs the rights to mount.")] = True,
    restarts: Annotated[int, typer.Option(min=0, help="Number of restarts of a PostgreSQL server.")] = 50,
    to: PageOption = PAGE,
) -> int:
    """Kill campaigns, copy their stores, fill their disks, restart their server.

    Exit code 1 where a sample was lost or is there twice.
    """
    with tempfile.TemporaryDirectory(prefix="rooftop-kills-") as name:
        found = killed(Path(name), count, workers, minutes, seed)
        filled = Found()
        for kib in _FULL_KIB if disks else ():
            filled.add(fill_disk(Path(name), kib))
        server = server_of_tests() if restarts else None
        again = Found()
        if server is not None:
            with server as running:
                again = restarted(running, Path(name), restarts, _PAIRS, seed)
    counted_of = [("killed", found), ("full disk", filled), *([("restarted", again)] if again.restarts else [])]
    asked = [
        Asked("kills", f"{count}", f"{found.kills}", found.kills >= count),
        *(
            Asked.at_most(f"{what}: {told}", 0, counted)
            for what, one in counted_of
            for told, counted in (
                ("samples lost", one.lost),
                ("samples twice", one.twice),
                ("processes left", one.left),
                ("ended otherwise", len(one.wrong)),
            )
        ),
        *(
            [Asked("restarts", f"{restarts}", f"{again.restarts}", again.restarts >= restarts)]
            if again.restarts
            else []
        ),
        Asked.at_most("copies that hold no first part of the samples", 0, found.torn),
    ]
    head = ["", "kills", "full disks", "restarts", "campaigns finished", "samples", "copies"]
    rows = [
        ("killed", found.kills, "", "", found.finished, found.samples, found.copies),
        ("full disk", "", filled.full, "", "", filled.samples, ""),
        ("restarted", "", "", again.restarts, again.finished, again.samples, ""),
    ]
    told = (
        f"Campaigns of `rooftop compare` with {_PAIRS} pairs of two commands each. SIGKILL comes at a random instant "
        "after the start, and `--resume` goes on, until the campaign is finished. Meanwhile the store's files are "
        "copied one after the other. A disk that becomes full is a small tmpfs; it is made larger, and `--resume` goes "
        "on. A PostgreSQL server is restarted at random instants, every second time as after a crash, while one "
        "campaign after the other writes to it; each is then copied into a file by `rooftop sync`."
    )
    wrong = "\n".join(f"- {one!r}" for one in (*found.wrong, *filled.wrong, *again.wrong))
    title = "Kills, copies, full disks and restarts: asked and reached"
    write_page(to, title, "kills", told, asked_table(asked), table(head, rows), wrong)
    return 0 if all(one.met for one in asked) else 1
