"""Feed every fuzzer its inputs and write docs/results/fuzzing.md."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import RESULTS, ROOT, PageOption
from benchmarks.fuzzing.fed_runs import KEPT, LONGEST_INPUT_S, MOST_MIB, Run, keep_run, read_record
from benchmarks.fuzzing.fuzzing_page import write_fuzzing
from rooftop.machine.processor import processor
from rooftop.machine.system_files import SystemFiles

PAGE = RESULTS / "fuzzing.md"
FUZZERS = ROOT / "build" / "fuzz" / "fuzzers"
_INTERRUPTED = 72  # libFuzzer's exit code after SIGINT
_BROKEN = re.compile(r"^stat::inputs_that_broke_the_library:\s+(\d+)$", re.MULTILINE)
_EXECUTED = re.compile(r"^stat::number_of_executed_units:\s+(\d+)$", re.MULTILINE)


def counted(log: str, count: re.Pattern[str] = _EXECUTED) -> int:
    """Return how many inputs a fuzzer's log counts; 0 where it was killed before it told."""
    found = count.search(log)
    return int(found.group(1)) if found else 0


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
    to: PageOption = PAGE,
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
        left = inputs - read_record().inputs(program.name)
        if left <= 0:
            continue
        run = feed(program, left, seconds, longest)
        keep_run(run)
        print(f"{run.fuzzer}: {run.inputs} inputs in {run.seconds} s, {run.finding or 'nothing found'}", flush=True)
        found = found or bool(run.finding)
    write_fuzzing(to, read_record())
    raise typer.Exit(1 if found else 0)
