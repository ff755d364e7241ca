"""What jobs cost the bench itself in processor time: many are submitted, looked at and collected by its commands."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.form import ROOT, Asked
from benchmarks.jobs.disturbances import Cluster

MOST_S = 5.0  # of processor time for each hundred jobs
POLL_S = 10.0
_LONGEST_S = 3600.0
_WORDS = ["--budget", "2s", "--max-pairs", "6", "--", "true", ":::", "true"]
# In the place of a campaign: the store of one that was measured before, under another name.
_COPY = """\
import shutil, sqlite3, sys
shutil.copy(sys.argv[1], sys.argv[2] + "/home/store.sqlite")
store = sqlite3.connect(sys.argv[2] + "/home/store.sqlite")
name = sys.argv[2].rpartition("/")[2]
store.execute("UPDATE campaign SET id = ?", [name])
for table in ("session", '"case"', "roof", "file"):
    store.execute(f"UPDATE {table} SET campaign = ?", [name])
store.commit()
store.close()
open(sys.argv[2] + "/exit", "w").write("0")
"""
_BATCH = """\
#!/bin/sh
#SBATCH --output=/dev/null
# {{{{#psij.launch_command}}}}{{{{.}}}} {{{{/psij.launch_command}}}}
exec {python} -S -I {copy} {store} "$(dirname {{{{psij.script_dir}}}})"
"""


# Runs the bench, and says at its end how much processor time the programs have taken that it has started.
_TELLING = """\
import atexit, resource, runpy, sys
file = sys.argv.pop(1)
def tell():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    open(file, "w").write(str(used.ru_utime + used.ru_stime))
atexit.register(tell)
runpy.run_module("rooftop", run_name="__main__", alter_sys=True)
"""


@dataclass(frozen=True)
class Costs:
    """Processor time of commands, without that of Slurm's programs, and what was asked of the scheduler.

    submit_s    of one command that submits all jobs
    collect_s   of one that collects them
    status_s    of one that lists them
    one_s       of one that submits one job
    floor_s     of an interpreter that imports typer
    asked       how often squeue was started while jobs were there
    took_s      for how long that was
    collected   jobs whose campaign is in the user's store
    """

    jobs: int
    submit_s: float
    collect_s: float
    status_s: float
    one_s: float
    floor_s: float
    asked: int
    took_s: float
    collected: int

    @property
    def lines(self) -> list[Asked]:
        """What was asked beside what was reached."""
        hundred = (self.submit_s + self.collect_s) / self.jobs * 100
        most = int(self.took_s / POLL_S) + 1
        return [
            Asked("jobs submitted and collected", f"{self.jobs}", f"{self.collected}", self.collected == self.jobs),
            Asked.at_most("processor time of 'rooftop submit' and 'collect' for 100 jobs", MOST_S, hundred, "s"),
            Asked("of it, to submit", "", f"{self.submit_s / self.jobs * 100:.2f} s", None),
            Asked("of 'rooftop status' of all jobs", "", f"{self.status_s:.2f} s", None),
            Asked("of one 'rooftop compare --on slurm --submit-only'", "", f"{self.one_s:.2f} s", None),
            Asked("of a Python that imports typer, and nothing else", "", f"{self.floor_s:.2f} s", None),
            Asked.at_most(f"squeue started in {self.took_s:.0f} s, by all commands", most, self.asked),
        ]


@contextmanager
def _counted(folder: Path) -> Iterator[Path]:
    """Put a squeue before Slurm's that counts how often it is started."""
    real = shutil.which("squeue")
    count = folder / "asked"
    count.write_text("", encoding="ascii")
    own = folder / "bin"
    own.mkdir()
    (own / "squeue").write_text(f'#!/bin/sh\necho >> {count}\nexec {real} "$@"\n', encoding="ascii")
    (own / "squeue").chmod(0o755)
    before = os.environ["PATH"]
    os.environ["PATH"] = f"{own}:{before}"
    try:
        yield count
    finally:
        os.environ["PATH"] = before


def processor_s(words: Sequence[str], environment: dict[str, str], out: Path) -> float:
    """Run a program; return the processor time of it and of the programs that it has started. Output goes to `out`."""
    with out.open("wb") as file:
        process = subprocess.Popen(words, env=environment, stdout=file, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{shlex.join(words)}: exit code {process.returncode}")
    return used.ru_utime + used.ru_stime


def _alone(words: Sequence[str], folder: Path, home: str = "home") -> tuple[float, str]:
    """Run a command of the bench; return its own processor time, and its output."""
    environment = os.environ | {"ROOFTOP_HOME": str(folder / home), "PYTHONPATH": str(ROOT / "src")}
    told, out = folder / f"told-{words[0]}", folder / f"out-{words[0]}"
    all_s = processor_s([sys.executable, "-P", "-c", _TELLING, str(told), *words], environment, out)
    return all_s - float(told.read_text(encoding="ascii")), out.read_text(encoding="utf-8")


def costs(cluster: Cluster, folder: Path, count: int) -> Costs:
    """Submit so many jobs, look at them now and then, and collect them."""
    folder.mkdir(parents=True)
    os.environ |= {"SLURM_CONF": cluster.environment["SLURM_CONF"], "ROOFTOP_LOCKS": str(folder / "locks")}
    _alone(["compare", *_WORDS], folder, "first")
    (folder / "copy.py").write_text(_COPY, encoding="ascii")
    batch = folder / "batch.mustache"
    store = folder / "first" / "store.sqlite"
    batch.write_text(_BATCH.format(python=sys.executable, copy=folder / "copy.py", store=store), encoding="ascii")
    lines = folder / "lines.txt"
    lines.write_text(f"compare {shlex.join(_WORDS)}\n" * count, encoding="ascii")
    options = ["--on", "slurm", "--partition", "all", "--template", str(batch)]
    with _counted(folder) as count_of:
        began_s = time.monotonic()
        with ThreadPoolExecutor(1) as pool:
            submission = pool.submit(_alone, ["submit", *options, str(lines)], folder)
            while not submission.done():
                _alone(["status"], folder)
                time.sleep(1)
        submit_s, _ = submission.result()
        status_s, _ = _alone(["status"], folder)
        while len(list((folder / "home" / "jobs").glob("*/exit"))) < count and time.monotonic() - began_s < _LONGEST_S:
            _alone(["status"], folder)
            time.sleep(1)
        collect_s, _ = _alone(["collect"], folder)
        took_s, times = time.monotonic() - began_s, len(count_of.read_text(encoding="ascii"))
    one_s, _ = _alone(["compare", *options, "--submit-only", *_WORDS], folder, "alone")
    floor_s = processor_s([sys.executable, "-P", "-c", "import typer"], dict(os.environ), folder / "out")
    there = json.loads(_alone(["list", "--campaigns", "--json"], folder)[1])["campaigns"]
    return Costs(count, submit_s, collect_s, status_s, one_s, floor_s, times, took_s, len(there))
