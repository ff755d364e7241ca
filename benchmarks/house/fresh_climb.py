"""Run the commands of `make climb` in a fresh clone without caches, and record what each takes.

The record is what `python benchmarks house --climb` reads. Packages of the system that are installed already are not
installed again.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import ROOT, Asked, machine
from benchmarks.test_run.test_run import caches
from rooftop.files.atomic import write_whole

ASKED_WALL_S = 8 * 60.0
ASKED_COMPILE_CPU_S = 450.0
BUILD = "packages/build"


@dataclass(frozen=True)
class Ran:
    """A command of `make climb`, its wall and CPU seconds, and its exit code."""

    command: str
    wall_s: float
    cpu_s: float
    exit_code: int


def commands(tree: Path) -> list[str]:
    """Return the commands that `make climb` runs, in order."""
    listed = subprocess.run(["make", "-n", "climb"], cwd=tree, capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.splitlines() if line.strip()]


def run(command: str, tree: Path, environment: dict[str, str]) -> Ran:
    """Run a command in a tree."""
    print(f"== {command}", flush=True)
    used, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    code = subprocess.run(["sh", "-c", command], cwd=tree, env=environment, check=False).returncode
    wall_s, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Ran(command, wall_s, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime, code)


def read(file: Path) -> list[Ran]:
    """Return what was recorded."""
    return [Ran(**one) for one in json.loads(file.read_text(encoding="utf-8"))["commands"]]


def asked(ran: list[Ran]) -> list[Asked]:
    """Return what was asked beside what was reached."""
    built = [one for one in ran if one.command.startswith(BUILD)]
    failed = [one.command for one in ran if one.exit_code]
    lines = [
        Asked.at_most("`make climb` in a fresh clone: minutes", ASKED_WALL_S / 60, sum(r.wall_s for r in ran) / 60),
        Asked.at_most("of which compiling: CPU s", ASKED_COMPILE_CPU_S, sum(one.cpu_s for one in built), "", ".0f"),
    ]
    return lines + [Asked("every command of `make climb`", "ends with 0", f"failed: {one}", False) for one in failed]


def main(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="Where the record goes, a JSON file.")],
    tree: Annotated[Path, typer.Option(help="The checkout whose committed state is cloned.")] = ROOT,
) -> int:
    """Clone the tree, run the commands of `make climb` there one after the other, and record what each takes.

    Compilers, pip and the probe find no caches. Exit code 1 where a command failed.
    """
    with tempfile.TemporaryDirectory(prefix="rooftop-fresh-climb-") as name:
        folder = Path(name)
        there = folder / "rooftop"
        subprocess.run(["git", "clone", "--quiet", str(tree.resolve()), str(there)], check=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("ROOFTOP_", "CCACHE_"))}
        environment = kept | {name: value for name, value in caches(folder).items() if name != "CI"}
        ran: list[Ran] = []
        for command in commands(there):
            ran.append(run(command, there, environment))
            record = {"machine": machine(), "commands": [asdict(one) for one in ran]}
            write_whole(to, json.dumps(record, indent=1) + "\n")
            if ran[-1].exit_code:
                break
    for one in ran:
        print(f"{one.wall_s:7.0f} s {one.cpu_s:7.0f} CPU s  {one.command}")
    return int(any(one.exit_code for one in ran))
