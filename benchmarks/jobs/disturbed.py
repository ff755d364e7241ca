"""Campaigns in jobs that are disturbed at random instants, collected, gone on with, and what is in the store then."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from benchmarks.form import ROOT
from benchmarks.jobs.disturbances import Cluster, Disturbance

PAIRS = 16
_COMPARE = ["--budget", "10m", "--pairs", str(PAIRS), "--max-pairs", str(PAIRS)]
_ROUNDS = 5
_START_S = 120.0
_DONE = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "OUT_OF_MEMORY")
_PENDING = "PENDING"
_LEFT_S = 20.0  # what a guardian, or Slurm's own, still ends
_OF_JOB = {"job.json", "campaign.sh", "output.txt", "messages.txt", "exit", "started", "batch", "home"}
_OF_HOME = {"store.sqlite", "store.lock", "climb.lock", "campaigns", "jobs", "asked", "probe", "probes"}
_SAMPLES = (
    'SELECT "case".campaign, arm.name, sample.taken_ns FROM sample JOIN arm ON arm.id = sample.arm_id '
    'JOIN "case" ON "case".id = arm.case_id'
)


@dataclass(frozen=True)
class Found:
    """What came of the instants of one kind.

    instants   disturbances of jobs that ran
    again      starts beyond the first of a job
    resumed    campaigns that went on in another job
    campaigns  in the user's store, `finished` of them at the end
    samples    finished ones that some job's store has, `lost`: not in the user's store, `twice`: there more than once
    second     campaigns that a job has begun beside its own
    orphans    processes that were left; files: files that were
    wrong      anything else that was not as it must be
    forgotten  jobs that Slurm does not know any more though they had not ended
    """

    kind: str
    instants: int
    again: int
    resumed: int
    campaigns: int
    finished: int
    samples: int
    lost: int
    twice: int
    second: int
    orphans: int
    files: tuple[str, ...]
    wrong: tuple[str, ...]
    forgotten: int = 0

    @property
    def right(self) -> bool:
        """Whether all is as it must be."""
        bad = self.lost or self.twice or self.second or self.orphans or self.files or self.wrong
        return not bad and self.campaigns == self.finished


class Instants:
    """All instants of one kind, in a home of their own."""

    def __init__(self, name: str, cluster: Cluster, folder: Path, draw: random.Random, at_once: int) -> None:
        self.name, self._cluster, self._folder, self._draw, self._at_once = name, cluster, folder, draw, at_once
        self._home, self._tmp = folder / "home", folder / "tmp"
        self._work = folder / "work"
        for one in (self._home, self._tmp, self._work):
            one.mkdir(parents=True)
        self._wrong: list[str] = []
        self._disturbed = self._forgotten = 0
        self._campaigns: list[str] = []

    def measure(self, count: int, kind: Disturbance, start_s: float) -> Found:
        """Submit campaigns and disturb each; then collect and go on until all are finished.

        start_s  how long a job takes besides its runs
        """
        lasts_s = start_s + PAIRS * 2.3 * kind.run_s
        instants = [self._draw.uniform(0, lasts_s) for _ in range(count)]
        with ThreadPoolExecutor(self._at_once) as pool:
            list(pool.map(lambda number: self._one(number, kind, instants[number]), range(count)))
        resumed = 0
        for _ in range(_ROUNDS):
            open_ones = self._collect()
            if not open_ones:
                break
            resumed += len(open_ones)
            with ThreadPoolExecutor(self._at_once) as pool:
                list(pool.map(lambda item: self._resume(*item), enumerate(open_ones)))
        return self._found(resumed)

    def _rooftop(self, *words: str, job: str = "login") -> Any:
        """Run a command; return its document."""
        own = {"ROOFTOP_HOME": self._home, "ROOFTOP_LOCKS": self._folder / "locks" / job, "TMPDIR": self._tmp}
        environment = self._cluster.environment | {name: str(value) for name, value in own.items()}
        for _ in range(5):
            line = [str(ROOT / "rooftop"), *words]
            ended = subprocess.run(line, cwd=self._work, env=environment, capture_output=True, text=True, check=False)
            if "Traceback" in ended.stderr:
                self._wrong.append(ended.stderr[-400:])
            if ended.returncode == 0 and ended.stdout:
                return json.loads(ended.stdout)
            time.sleep(2)  # the controller is away
        self._wrong.append(f"rooftop {' '.join(words)}: exit code {ended.returncode}: {ended.stderr[-400:]}")
        return None

    def _one(self, number: int, kind: Disturbance, after_s: float) -> None:
        words = ["--on", "slurm", "--partition", kind.partition, "--submit-only", "--json", *_COMPARE]
        commands = ["--", "sleep", f"{kind.run_s}", ":::", "sleep", f"{1.3 * kind.run_s}"]
        record = self._rooftop("compare", *words, *commands, job=f"job{number}")
        if record is None:
            return
        native = record["native"]
        node = self._until(record, lambda state: state == "RUNNING" or state in _DONE)
        if node is None:
            return
        store = self._home / "jobs" / record["id"] / "home" / "store.sqlite"
        end = time.monotonic() + (_START_S if number % 4 else 0)  # a quarter may be disturbed while the bench starts
        while not _has_campaign(store) and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(after_s)
        state, now = (self._cluster.queue() or {}).get(self._batch(record), ("", ""))
        if state == "RUNNING":
            kind.do(self._cluster, native, now or node)
            self._disturbed += 1
        self._until(record, lambda state: state in _DONE)

    def _batch(self, record: dict[str, Any]) -> str:
        """Return the folder of a job's batch script."""
        return str(self._home / "jobs" / record["id"] / "batch")

    def _until(self, record: dict[str, Any], came: Callable[[str], bool]) -> str | None:
        """Wait for a state of a job; return its node, or None where Slurm has forgotten the job."""
        end = time.monotonic() + 900
        while time.monotonic() < end:
            queue = self._cluster.queue()
            state, node = (queue or {}).get(self._batch(record), ("", ""))
            if queue is not None and not state:
                self._forgotten += 1
                return None
            if came(state):
                return node
            if state == _PENDING:
                self._cluster.release(record["native"])
            time.sleep(0.5)
        self._wrong.append(f"job {record['native']} did not come to its end")
        return None

    def _resume(self, number: int, campaign: str) -> None:
        words = ["--resume", campaign, "--on", "slurm", "--submit-only", "--json"]
        record = self._rooftop("compare", *words, job=f"resumed{number}")
        if record is not None:
            self._until(record, lambda state: state in _DONE)

    def _collect(self) -> list[str]:
        """Collect all jobs; return the interrupted campaigns."""
        end = time.monotonic() + 120
        while time.monotonic() < end:  # an answer may be ten seconds old
            document = self._rooftop("collect", "--json")
            if document is None or not document["not_ended"]:
                break
            time.sleep(3)
        else:
            self._wrong.append(f"not ended: {document['not_ended']}")
        listed = self._rooftop("list", "--campaigns", "--json")
        return [one["id"] for one in (listed or {"campaigns": []})["campaigns"] if one["state"] == "interrupted"]

    def _found(self, resumed: int) -> Found:
        files = tuple(sorted(self._files()))  # before they are read: who only reads a store leaves its shared memory
        jobs = sorted((self._home / "jobs").glob("*/job.json"))
        records = [json.loads(file.read_text(encoding="utf-8")) for file in jobs]
        measured: set[tuple[str, str, int]] = set()
        second = 0
        for file in jobs:
            store = file.parent / "home" / "store.sqlite"
            measured |= set(_rows(store, _SAMPLES))
            second += max(0, len(_rows(store, "SELECT id FROM campaign")) - 1)
        store = self._home / "store.sqlite"
        kept = Counter(_rows(store, _SAMPLES))
        campaigns = _rows(store, "SELECT id, finished FROM campaign")
        messages = [file.with_name("messages.txt") for file in jobs]
        told = [file.read_text(encoding="utf-8") for file in messages if file.is_file()]
        self._wrong += [text[-400:] for text in told if "Traceback" in text]
        self._wrong += [f"job {one['native']} was not collected" for one in records if one["collected"] is None]
        again = self._cluster.program("squeue", "-h", "-t", "all", "-O", "JobID,RestartCnt")
        restarts = {line.split()[0]: int(line.split()[1]) for line in again.splitlines()}
        return Found(
            self.name,
            self._disturbed,
            sum(restarts.get(native, 0) for native in {one["native"] for one in records}),
            resumed,
            len(campaigns),
            sum(finished is not None for _, finished in campaigns),
            len(measured),
            len(measured - set(kept)),
            sum(count - 1 for count in kept.values()),
            second,
            self._orphans(),
            files,
            tuple(self._wrong),
            self._forgotten,
        )

    def _orphans(self) -> int:
        """Return how many processes are left, once there was time to end."""
        end = time.monotonic() + _LEFT_S
        while (left := [one for one in psutil.process_iter() if self._is_own(one)]) and time.monotonic() < end:
            time.sleep(0.5)
        for one in left:
            self._wrong.append(f"left: {one.cmdline()}")
            one.kill()
        return len(left)

    def _is_own(self, process: psutil.Process) -> bool:
        try:
            return process.environ().get("TMPDIR") == str(self._tmp) and process.status() != psutil.STATUS_ZOMBIE
        except psutil.Error:
            return False

    def _files(self) -> set[str]:
        """Return the files that do not belong into a home, a job's folder, or where the campaigns were started."""
        left = {f"tmp/{file.name}" for file in self._tmp.iterdir()}
        left |= {f"work/{file.name}" for file in self._work.iterdir()}
        left |= {f"home/{file.name}" for file in self._home.iterdir() if file.name not in _OF_HOME}
        for job in (self._home / "jobs").iterdir():
            if job.name not in ("asked", "psij"):
                left |= {f"job/{file.name}" for file in job.iterdir() if file.name not in _OF_JOB}
                left |= {f"job/home/{file.name}" for file in (job / "home").iterdir() if file.name not in _OF_HOME}
        return left


def _has_campaign(store: Path) -> bool:
    """Return whether a job has begun its campaign, whose store is written meanwhile."""
    try:
        return bool(_rows(store, "SELECT id FROM campaign"))
    except sqlite3.Error:
        return False


def _rows(store: Path, query: str) -> list[Any]:
    if not store.is_file():
        return []
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


def keep_wrong(found: Found, folder: Path, to: Path | None) -> None:
    """Keep the homes where something is not as it must be, for whoever looks into it."""
    if to is not None and not found.right:
        shutil.copytree(folder, to, dirs_exist_ok=True, symlinks=True, ignore=shutil.ignore_patterns("*.socket"))


def load() -> str:
    """Return how busy the machine was."""
    return f"load average {os.getloadavg()[2]:.1f}"
