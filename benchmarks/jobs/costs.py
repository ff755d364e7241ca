"""What jobs cost the bench itself in processor time: many are submitted and collected by one process."""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.form import ROOT, Asked
from benchmarks.jobs.disturbances import Cluster
from rooftop.cli.app import main as rooftop
from rooftop.command.measurement import Measurement
from rooftop.compare.options import Options
from rooftop.compare.run import KIND
from rooftop.schedulers.options import JobOptions
from rooftop.schedulers.run import submitted
from rooftop.terminal.campaigns import bench_for
from rooftop.terminal.output import messages

MOST_S = 5.0  # of processor time for each hundred jobs
POLL_S = 10.0
_LONGEST_S = 3600.0
_BETWEEN_LOOKS = 20
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


@dataclass(frozen=True)
class Costs:
    """Processor time and what was asked of the scheduler.

    submit_s, collect_s, status_s  processor time of all submissions, the collection, and one list of all
    asked, took_s                  how often squeue was started while jobs were there, and for how long that was
    collected                      jobs whose campaign is in the user's store
    alone_s                        processor time of one submission by a command of its own, with Slurm's programs
    """

    jobs: int
    submit_s: float
    collect_s: float
    status_s: float
    asked: int
    took_s: float
    collected: int
    alone_s: float

    @property
    def lines(self) -> list[Asked]:
        """What was asked beside what was reached."""
        hundred = (self.submit_s + self.collect_s) / self.jobs * 100
        most = int(self.took_s / POLL_S) + 1
        return [
            Asked("jobs submitted and collected", f"{self.jobs}", f"{self.collected}", self.collected == self.jobs),
            Asked.at_most("processor time of the bench for 100 jobs", MOST_S, hundred, "s"),
            Asked("processor time of 'rooftop compare --submit-only' by itself", "", f"{self.alone_s:.2f} s", None),
            Asked("processor time of a status of all jobs, without its start", "", f"{self.status_s:.2f} s", None),
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


def _quiet(*words: str) -> tuple[float, str]:
    """Run a command in this process; return its processor time, without that of Slurm's programs, and its output."""
    began_s, out = time.process_time(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        rooftop(list(words))
    return time.process_time() - began_s, out.getvalue()


def _alone(words: list[str], folder: Path) -> float:
    """Return the processor time of a command that is started by itself."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"ROOFTOP_HOME": str(folder / "alone")}
    subprocess.run([str(ROOT / "rooftop"), *words], env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def costs(cluster: Cluster, folder: Path, count: int) -> Costs:
    """Submit so many jobs, look at them now and then, and collect them."""
    home = folder / "home"
    folder.mkdir(parents=True)
    os.environ |= {
        "SLURM_CONF": cluster.environment["SLURM_CONF"],
        "ROOFTOP_HOME": str(folder / "first"),
        "ROOFTOP_LOCKS": str(folder / "locks"),
    }
    _quiet("compare", *_WORDS)
    os.environ["ROOFTOP_HOME"] = str(home)
    (folder / "copy.py").write_text(_COPY, encoding="ascii")
    batch = folder / "batch.mustache"
    store = folder / "first" / "store.sqlite"
    batch.write_text(_BATCH.format(python=sys.executable, copy=folder / "copy.py", store=store), encoding="ascii")
    options = JobOptions(on="slurm", partition="all", template=str(batch))
    commands = tuple((words, " ".join(words)) for words in (("true",), ("true", "again")))
    asked = Options.of(Measurement(budget_s=2.0), commands=commands)
    submit_s = status_s = 0.0
    with _counted(folder) as count_of, bench_for(messages()) as bench:
        began_s = time.monotonic()
        for number in range(count):
            before_s = time.process_time()
            submitted(bench, KIND, asked, options, lambda _: _WORDS)
            submit_s += time.process_time() - before_s
            if number % _BETWEEN_LOOKS == 0:
                status_s = _quiet("status")[0]
        while len(list((home / "jobs").glob("*/exit"))) < count and time.monotonic() - began_s < _LONGEST_S:
            status_s = _quiet("status")[0]
            time.sleep(1)
        collect_s = _quiet("collect")[0]
        took_s, times = time.monotonic() - began_s, len(count_of.read_text(encoding="ascii"))
    alone = ["--on", "slurm", "--partition", "all", "--template", str(batch), "--submit-only"]
    alone_s = _alone(["compare", *alone, *_WORDS], folder)
    there = json.loads(_quiet("list", "--campaigns", "--json")[1])["campaigns"]
    return Costs(count, submit_s, collect_s, status_s, times, took_s, len(there), alone_s)
