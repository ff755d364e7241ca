"""Hold what the probe of file systems measures against fio, in turns: the same jobs on a file of the same size."""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer

from benchmarks.form import Asked, asked_table, write_page
from rooftop.documents import Roof
from rooftop.errors import NothingMeasured
from rooftop.machine import cores_now
from rooftop.machine.file_system import DROP_CACHES, drops_caches, file_system_of
from rooftop.measure.compare import spread
from rooftop.probe.device import FOLDER
from rooftop.probe.launch import run_probe
from rooftop.settings import Settings
from rooftop.text.quantities import quantity

LEAST, MOST = 0.9, 1.1
CACHED_WRITE_BYTES = 64 << 20  # as the probe
PROBE_LIMIT_S = 60.0
LOOKS = 3  # of fio, as many as the probe's

Fact = tuple[str, str, int]  # metric, level, threads


@dataclass(frozen=True)
class Job:
    """What fio does for one of the probe's figures.

    options  beside those that all jobs have
    cached   the file is read before, and stays in the cache
    """

    metric: str
    level: str
    title: str
    options: tuple[str, ...]
    cached: bool = False

    @property
    def reads(self) -> bool:
        """Whether it reads."""
        return "read" in self.metric


_IN_ORDER = ("--bs=1M", "--rw=read")
_AT_RANDOM = ("--bs=4k", "--rw=randread")
_WRITE = ("--bs=1M", "--rw=write", "--overwrite=1")
_DIRECT = ("--direct=1",)
# From the cache some milliseconds are enough to read all of a file, which is no time to fio: it goes on for longer.
_FOR_LONG = ("--invalidate=0", "--time_based", "--runtime=250ms")
_SHORT = ("--runtime=250ms",)
JOBS = (
    Job("file_read", "page cache", "read from the cache", _IN_ORDER + _FOR_LONG, cached=True),
    Job("file_read", "device", "read, cache dropped", _IN_ORDER + _SHORT),
    Job("file_read_direct", "device", "read, O_DIRECT", _IN_ORDER + _SHORT + _DIRECT),
    Job("file_random_read", "page cache", "4 KiB at random from the cache", _AT_RANDOM + _FOR_LONG, cached=True),
    Job("file_random_read", "device", "4 KiB at random, cache dropped", _AT_RANDOM + _SHORT),
    Job("file_random_read_direct", "device", "4 KiB at random, O_DIRECT", _AT_RANDOM + _SHORT + _DIRECT),
    Job("file_write", "page cache", "write into the cache", (*_WRITE, "--invalidate=0"), cached=True),
    Job("file_write", "device", "write and fsync", (*_WRITE, *_SHORT, "--end_fsync=1")),
    Job("file_write_direct", "device", "write, O_DIRECT", (*_WRITE, *_SHORT, *_DIRECT, "--end_fsync=1")),
)


def words(job: Job, file: Path, file_bytes: int, threads: int) -> list[str]:
    """Return fio's command line: each thread has a part of the file."""
    whole = min(file_bytes, CACHED_WRITE_BYTES) if job.cached and not job.reads else file_bytes
    part = whole // threads >> 20 << 20
    return [
        "fio",
        f"--name={job.metric}",
        f"--filename={file}",
        f"--size={part}",
        f"--offset_increment={part}",
        f"--numjobs={threads}",
        "--thread",
        "--group_reporting",
        "--ioengine=psync",
        "--gtod_reduce=1",  # its own clock would be a part of a read from the cache
        "--output-format=json",
        *job.options,
    ]


def told(output: str, job: Job) -> float:
    """Return the rate in fio's JSON: bytes/s, or reads/s of random reads."""
    done: dict[str, Any] = json.loads(output[output.index("{") :])["jobs"][0]["read" if job.reads else "write"]
    return float(done["iops"] if "random" in job.metric else done["bw_bytes"])


def drop_caches(file: Path) -> None:
    """Drop the system's cache, or the file's pages where that is not permitted."""
    if drops_caches():
        Path(DROP_CACHES).write_text("1", encoding="ascii")
        return
    with file.open("rb") as stream:
        os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def run_fio(job: Job, file: Path, file_bytes: int, threads: int) -> float | None:
    """Run one job; None where fio fails, as with O_DIRECT where the file system does not take it."""
    os.sync()  # what is still to be written would slow down what comes next
    if job.cached:
        file.read_bytes()
    else:
        drop_caches(file)
    done = subprocess.run(words(job, file, file_bytes, threads), capture_output=True, text=True, check=False)
    return told(done.stdout, job) if done.returncode == 0 else None


def medians(roofs: Sequence[Roof]) -> dict[Fact, float]:
    """Return the median look of each figure of one run of the probe."""
    looks: dict[Fact, list[float]] = {}
    for roof in roofs:
        looks.setdefault((roof.metric, roof.level or "", roof.threads), []).append(roof.value)
    return {fact: median(values) for fact, values in looks.items()}


Round = Mapping[Fact, tuple[float, float]]  # the probe's figure and fio's


def one_round(probe: Path, folder: Path, file: Path, file_bytes: int, threads: int) -> Round:
    """Measure everything once by each of the two, in a random order."""
    teams = (1,) if threads == 1 else (1, threads)
    jobs = [(job, team) for job in JOBS for team in teams]
    random.shuffle(jobs)
    ours: dict[Fact, float] = {}
    theirs: dict[Fact, float] = {}

    def by_probe() -> None:
        options = ["--folder", str(folder), "--threads", str(threads)]
        ours.update(medians(run_probe(probe, options, PROBE_LIMIT_S).roofs))

    def by_fio() -> None:
        rates: dict[Fact, list[float]] = {}
        for job, team in jobs * LOOKS:
            if (rate := run_fio(job, file, file_bytes, team)) is not None:
                rates.setdefault((job.metric, job.level, team), []).append(rate)
        theirs.update({fact: median(looks) for fact, looks in rates.items()})

    for measure in random.sample((by_probe, by_fio), 2):
        measure()
    return {fact: (ours[fact], theirs[fact]) for fact in theirs if fact in ours}


def line(job: Job, threads: int, pairs: Sequence[tuple[float, float]]) -> Asked:
    """Return the line of one figure: the probe's over fio's, as the median of the pairs' ratios."""
    found = spread([math.log(ours / theirs) for ours, theirs in pairs])
    assert found is not None
    ratio, lo, hi = (math.exp(value) for value in (found.median, found.lo, found.hi))
    unit = "reads/s" if "random" in job.metric else "byte/s"
    ours, theirs = (quantity(median(values), unit) for values in zip(*pairs, strict=True))
    reached = f"{ratio:.2f} [{lo:.2f}, {hi:.2f}], {found.count} pairs: {ours}, fio {theirs}"
    named = "1 thread" if threads == 1 else f"{threads} threads"
    return Asked(f"{job.title}, {named}", f"{LEAST} to {MOST}", reached, LEAST <= ratio <= MOST)


def lines(rounds: Sequence[Round]) -> list[Asked]:
    """Return one line for each figure that both have measured."""
    facts = {fact for one in rounds for fact in one}
    return [
        line(job, fact[2], [one[fact] for one in rounds if fact in one])
        for job in JOBS
        for fact in sorted(facts)
        if fact[:2] == (job.metric, job.level)
    ]


def main(
    folder: Annotated[Path | None, typer.Option(help="On the file system that is to be measured.")] = None,
    rounds: Annotated[int, typer.Option(help="Pairs of each figure.")] = 8,
    page: Annotated[Path | None, typer.Option(help="Write what came out beside what was asked.")] = None,
) -> None:
    """Measure in turns by the probe and by fio, and print the ratios."""
    folder = folder or Path(tempfile.gettempdir())
    probe, threads = Settings().build_folder / FOLDER / "device", cores_now()
    with tempfile.TemporaryDirectory(dir=folder) as own:
        looked = run_probe(probe, ["--folder", str(folder), "--threads", "1"], PROBE_LIMIT_S)
        sizes = [roof.bytes for roof in looked.roofs if roof.bytes]
        if not sizes:
            raise NothingMeasured("; ".join(looked.missing))
        file = Path(own) / "fio"
        file.write_bytes(os.urandom(max(sizes)))
        found = [one_round(probe, folder, file, max(sizes), threads) for _ in range(rounds)]
    answers = lines(found)
    for answer in answers:
        print(answer.row)
    if page is not None:
        dropped = "/proc/sys/vm/drop_caches" if drops_caches() else "posix_fadvise"
        about = f"""\
`rooftop probe --device` beside fio on {file_system_of(folder).type}: files of {max(sizes) >> 20} MiB, one call at a
time for each thread (psync), 1 MiB in order or 4 KiB at random. Each ratio is the probe's figure over fio's, the median
of rounds in which both did everything {LOOKS} times, of which the median counts, in a random order. Looks of both end
after 0.25 s. The cache was dropped by {dropped}."""
        title = "The probe of file systems, held against fio"
        write_page(page, title, "device --page", asked_table(answers), about)
