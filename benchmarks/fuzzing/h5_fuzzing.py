"""Feed `rooftop h5` files that are damaged: each gives its result, or one line and exit code 2."""

from __future__ import annotations

import faulthandler
import importlib
import os
import random
import resource
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.form import PageOption
from benchmarks.fuzzing.fed_runs import KEPT, Run, keep_run, read_record
from benchmarks.fuzzing.fuzzing import PAGE
from benchmarks.fuzzing.fuzzing_page import write_fuzzing
from benchmarks.fuzzing.h5_seeds import READ, package_seeds, write_seeds
from rooftop.campaign import run
from rooftop.cli.app import main as rooftop
from rooftop.errors import FINE, MISUSE
from rooftop.machine.processor import processor
from rooftop.machine.system_files import SystemFiles
from rooftop.solvers.h5io import apart

COMMANDS = ("repack", "advise")
_LONGEST_S = 60  # of one input
_LIBRARY_S = 20.0  # until the command itself gives up
_MOST_BYTES = 2 << 30  # that a process may take; a user's may take more
_IN_MEMORY = Path("/dev/shm")  # on a disk, most of the time goes to waiting for it
_OF_PACKAGES = 0.7  # of the inputs are made of packages' files
_BROKEN = tuple(f"the HDF5 library {one}" for one in ("crashed", "did not finish", "came no further"))
_REPORT_EVERY = 200
_LAYOUT = ("--chunks", "4x4", "--filter", "none")
_NUMBERS = (0, 1, 2, 8, 127, 128, 255, 256, 0xFFFF, 1 << 16, 1 << 31, 0xFFFFFFFF, 1 << 32, 1 << 62, (1 << 64) - 1)


_IMPORTED = (
    "hdf5plugin",
    "rich.table",
    "rooftop.probe.measure",
    "rooftop.schedulers.executors",
    "rooftop.solvers.h5io.advice.run",
    "rooftop.solvers.h5io.repack.bar",
    "rooftop.solvers.h5io.repack.command",
    "rooftop.solvers.h5io.repack.lines",
    "rooftop.solvers.h5io.tool",
    "rooftop.solvers.running.report",
    "rooftop.terminal.jobs",
    "rooftop.terminal.resume",
)


def mutated(random_: random.Random, seed: bytes) -> bytes:
    """Return a file with one to six changes: of a bit, a number, a block, or its length."""
    file = bytearray(seed)
    for _ in range(random_.choice([1, 1, 2, 3, 6])):
        at, kind = random_.randrange(len(file)), random_.randrange(8)
        if kind < 3:
            file[at] ^= 1 << random_.randrange(8)
        elif kind < 6:
            width = random_.choice([1, 2, 4, 8])
            number = random_.choice([*_NUMBERS, len(file), random_.randrange(len(file))])
            file[at : at + width] = (number % (1 << 8 * width)).to_bytes(width, "little")
        elif kind == 6:
            length, other = random_.choice([4, 8, 16, 64]), random_.randrange(len(file))
            file[at : at + length] = file[other : other + length]
        else:
            del file[random_.randrange(len(file) // 2, len(file)) :]
    return bytes(file)


@dataclass(frozen=True)
class Ending:
    """How a call ended: its exit code or, below 0, the signal; what it said; the bytes that it had in memory."""

    code: int
    said: str
    shown: str
    memory_bytes: int


def _only_prepared(bench: Any, kind: Any, asked: Any, **_: Any) -> Any:
    """Stand for a campaign: what reads a user's file comes before it. To measure takes seconds."""
    kind.prepared(asked)
    raise typer.Exit(FINE)


def called(words: list[str], folder: Path) -> Ending:
    """Call the command line in a copy of this process."""
    told, shown = folder / "stderr", folder / "stdout"
    process = os.fork()
    if process == 0:
        _call(words, told, shown)
    until = time.monotonic() + _LONGEST_S
    while (ended := os.wait4(process, os.WNOHANG))[0] == 0:
        if time.monotonic() > until:
            os.kill(process, signal.SIGKILL)
            ended = os.wait4(process, 0)
            break
        time.sleep(0.002)
    said, printed = (file.read_text(encoding="utf-8", errors="replace") for file in (told, shown))
    return Ending(os.waitstatus_to_exitcode(ended[1]), said, printed, ended[2].ru_maxrss * 1024)


def _call(words: list[str], told: Path, shown: Path) -> None:
    code = 70
    try:
        os.setsid()
        faulthandler.disable()  # its traces of crashes in copies are no words of the command
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (_MOST_BYTES, _MOST_BYTES))
        for file, descriptor in ((shown, 1), (told, 2)):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
        sys.stdout, sys.stderr = (os.fdopen(one, "w", encoding="utf-8", closefd=False) for one in (1, 2))
        run.run_campaign, apart._LEAST_S = _only_prepared, _LIBRARY_S
        code = rooftop(words)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def finding(ending: Ending) -> str:
    """Return what is wrong with how a call ended; "" where nothing is."""
    lines = ending.said.splitlines()
    if ending.code not in (FINE, MISUSE):
        return f"exit code {ending.code}: {ending.said[-300:]}"
    if ending.code == MISUSE and len(lines) != 1:
        return f"{len(lines)} lines: {ending.said[:300]}"
    if "Traceback" in ending.said:
        return ending.said[-300:]
    if ending.memory_bytes > _MOST_BYTES:
        return f"{ending.memory_bytes >> 20} MiB of memory"
    return ""


def tried(command: str, content: bytes, name: str, folder: Path) -> tuple[Ending, str]:
    """Write a file and call a command with it. Return how that ended, and what is wrong with it.

    name  of the dataset that advice is asked about; "": any
    """
    path = folder / "files" / "run.h5"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    words = ["h5", command, str(path)]
    if command == "repack":
        words += _LAYOUT
    elif name:
        words += ["--dataset", name]
    ending = called(words, folder)
    wrong = finding(ending)
    left = sorted(one.name for one in path.parent.iterdir() if one.name not in ("run.h5", "raw.bin", "other.h5"))
    if not wrong and left:
        wrong = f"left behind: {', '.join(left)}"
    if not wrong and (ending.code == MISUSE or command == "advise") and path.read_bytes() != content:
        wrong = "the file was changed"
    for one in left:
        (path.parent / one).unlink()
    return ending, wrong


def load() -> None:
    """Import what the commands import: once, and not in each copy of this process."""
    for name in _IMPORTED:
        importlib.import_module(name)


def main(
    command: Annotated[str, typer.Argument(help="repack or advise.")] = "repack",
    inputs: Annotated[int, typer.Option(min=1)] = 3000,
    seed: Annotated[int, typer.Option()] = 1,
    seconds: Annotated[int, typer.Option(min=1, help="The most that it takes.")] = 3600,
    packages: Annotated[bool, typer.Option(help="Change files of packages, too, which are fetched.")] = True,
    to: PageOption = PAGE,
) -> None:
    """Feed so many inputs, keep those with a finding, and write the page."""
    if command not in COMMANDS:
        raise typer.BadParameter(f"{command!r} is no command that is fed; expected repack or advise")
    name = f"h5_files.{command}"
    finds = KEPT / f"{name}-found"
    finds.mkdir(parents=True, exist_ok=True)
    random_ = random.Random(seed + 1_000_003 * read_record().inputs(name))
    began, fed, broken, found = time.monotonic(), 0, 0, ""
    where = _IN_MEMORY if _IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="rooftop-h5-fuzzing-", dir=where) as place:
        folder = Path(place)
        os.environ["ROOFTOP_HOME"] = str(folder / "home")
        load()
        own = [file.read_bytes() for file in write_seeds(folder / "files")]
        for one in (folder / "files").glob("*.h5"):
            one.unlink()
        others = package_seeds() if packages else []
        seeds = own + others
        while fed < inputs and time.monotonic() - began < seconds:
            of_package = bool(others) and random_.random() < _OF_PACKAGES
            content = mutated(random_, random_.choice(others if of_package else own))
            ending, wrong = tried(command, content, "" if of_package else random_.choice(READ), folder)
            fed += 1
            broken += any(one in ending.said for one in _BROKEN)
            if wrong:
                found = f"{seed}-{fed}.h5"
                (finds / found).write_bytes(content)
                print(f"{found}: {wrong}", file=sys.stderr, flush=True)
            if fed % _REPORT_EVERY == 0:
                print(f"{fed} inputs in {time.monotonic() - began:.0f} s, {broken} broke the library", flush=True)
    took = round(time.monotonic() - began, 1)
    keep_run(Run(name, fed, took, len(seeds), found, processor(SystemFiles()).name, broken))
    write_fuzzing(to, read_record())
    print(f"{name}: {fed} inputs in {took} s, {found or 'nothing found'}")
    raise typer.Exit(1 if found else 0)
