"""Feed every fuzzer its inputs and write docs/results/fuzzing.md."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.fuzzing.fed_runs import KEPT, PAGE, ROOT, Run, keep_run, read_runs
from rooftop.files.atomic import write_whole
from rooftop.machine.processor import processor
from rooftop.machine.system_files import SystemFiles

FUZZERS = ROOT / "build" / "fuzz" / "fuzzers"
LONGEST_INPUT_S = 10
MOST_MIB = 2048
_INTERRUPTED = 72  # libFuzzer's exit code after SIGINT
_BROKEN = re.compile(r"^stat::inputs_that_broke_the_library:\s+(\d+)$", re.MULTILINE)
_EXECUTED = re.compile(r"^stat::number_of_executed_units:\s+(\d+)$", re.MULTILINE)
_PAGE = """\
# Fuzzing: inputs fed, and what they found

Written by `python benchmarks fuzzing` on {date}. One core each of: {processors}.

Every native reader and every C interface is a function of bytes that libFuzzer mutates, with the address and the
undefined-behaviour sanitizers. A finding is a crash, a leak, a broken promise, more than {mib} MiB, or an input that
takes more than {longest} s. Each was mended, and lies in the fuzzer's corpus, which tests replay.

| fuzzer | inputs | seconds | kept | findings | in HDF5 |
|---|---|---|---|---|---|
{rows}

*Kept*: the inputs that reach code that no other does. *Seconds*: of the whole process, beside whatever else ran.
*In HDF5*: inputs at which the HDF5 library itself, Debian's 1.10.8, crashed or hung, by the stack; they were tried in a
process of their own, and are no findings.
*Library as released*: sanitizers saw the fuzzer and its arrays, not the inside of the library.

`mesh_files` are the readers of decks and of Gmsh's files, in Python: they are fed changed fields, lines and blocks of
lines of good files, without sanitizers. Anything but a body or one line of misuse is a finding, and so is a warning of
NumPy. *Kept* are the good files.
"""


def counted(log: str, count: re.Pattern[str] = _EXECUTED) -> int:
    """Return how many inputs a fuzzer's log counts; 0 where it was killed before it told."""
    found = count.search(log)
    return int(found.group(1)) if found else 0


def rows(runs: Sequence[Run]) -> list[str]:
    """Return a line of the page for each fuzzer."""
    lines = []
    for fuzzer in sorted({run.fuzzer for run in runs}):
        own = [run for run in runs if run.fuzzer == fuzzer]
        inputs, seconds = sum(run.inputs for run in own), sum(run.seconds for run in own)
        findings, broken = sum(bool(run.finding) for run in own), sum(run.broken for run in own)
        count = f"{inputs:,}".replace(",", " ")
        lines.append(
            f"| `{fuzzer}` | {count} | {seconds:.0f} | {own[-1].kept} | {findings or 'none'} | {broken or ''} |"
        )
    return lines


def seed(folder: Path, seeds: Path) -> None:
    """Fill a fuzzer's folder with its corpus, or with the lines of a file of cases."""
    folder.mkdir(parents=True, exist_ok=True)
    if seeds.is_dir():
        for file in seeds.iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
    elif seeds.is_file():
        for number, line in enumerate(seeds.read_text().splitlines()):
            (folder / f"case-{number}").write_text(line)


def feed(fuzzer: Path, inputs: int, seconds: int, longest: int) -> Run:
    """Run one fuzzer on at most so many inputs, for at most so many seconds."""
    known = json.loads(fuzzer.with_name(f"{fuzzer.name}.json").read_text())
    folder, finds = KEPT / fuzzer.name, KEPT / f"{fuzzer.name}-found"
    seed(folder, Path(known["seeds"]))
    finds.mkdir(exist_ok=True)
    before = set(finds.iterdir())
    command = [str(fuzzer), f"-runs={inputs}", f"-max_total_time={seconds}", f"-max_len={longest}", "-verbosity=0"]
    command += [f"-timeout={LONGEST_INPUT_S}", f"-rss_limit_mb={MOST_MIB}", "-print_final_stats=1", "-reload=0"]
    command += [f"-artifact_prefix={finds}/", *([f"-dict={known['words']}"] if known["words"] else []), str(folder)]
    began = time.monotonic()
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, "OMP_THREAD_LIMIT": "4"},
        check=False,
    )
    took = time.monotonic() - began
    found = sorted(set(finds.iterdir()) - before)
    if done.returncode != 0:
        print(done.stderr[-6000:], file=sys.stderr)
    finding = (
        found[0].name if found else ("" if done.returncode in (0, _INTERRUPTED) else f"exit code {done.returncode}")
    )
    kept = len(list(folder.iterdir()))
    return Run(
        fuzzer.name,
        counted(done.stderr),
        round(took, 1),
        kept,
        finding,
        processor(SystemFiles()).name,
        counted(done.stderr, _BROKEN),
    )


def main(
    only: Annotated[list[str] | None, typer.Option(help="A fuzzer's name; all of them by default.")] = None,
    inputs: Annotated[
        int, typer.Option(min=0, help="How many each fuzzer is fed in all, earlier calls included.")
    ] = 1_000_000,
    seconds: Annotated[int, typer.Option(min=1, help="The most that one fuzzer takes in this call.")] = 3600,
    longest: Annotated[int, typer.Option(min=1, help="Bytes of the longest input.")] = 1024,
) -> None:
    """Feed every fuzzer and write the page."""
    programs = [file for file in sorted(FUZZERS.glob("*")) if file.suffix != ".json" and os.access(file, os.X_OK)]
    if not programs:
        raise typer.BadParameter(f"{FUZZERS} holds no fuzzer; expected what `packages/build fuzz fuzzers` builds")
    unknown = set(only or ()) - {program.name for program in programs}
    if unknown:
        names = ", ".join(program.name for program in programs)
        raise typer.BadParameter(f"{sorted(unknown)[0]!r} is no fuzzer; expected one of {names}")
    found = False
    KEPT.mkdir(parents=True, exist_ok=True)
    for program in programs:
        if only and program.name not in only:
            continue
        left = inputs - sum(run.inputs for run in read_runs() if run.fuzzer == program.name)
        if left <= 0:
            continue
        run = feed(program, left, seconds, longest)
        keep_run(run)
        print(f"{run.fuzzer}: {run.inputs} inputs in {run.seconds} s, {run.finding or 'nothing found'}", flush=True)
        found = found or bool(run.finding)
    text = _PAGE.format(
        date=datetime.now(UTC).date(),
        processors="; ".join(sorted({name for run in read_runs() for name in run.processor.split("; ") if name})),
        mib=MOST_MIB,
        longest=LONGEST_INPUT_S,
        rows="\n".join(rows(read_runs())),
    )
    write_whole(PAGE, text)
    raise typer.Exit(1 if found else 0)
