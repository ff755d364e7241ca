"""Measures all configurations of the blocked product: `record.py FILE [--rounds 9]`. See README.md."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path
from subprocess import run as run_process
from typing import Annotated

import typer

from rooftop.command import process
from rooftop.command.process import Limits
from rooftop.tune.launch import launch
from rooftop.tune.parameters import Parameter, Space, label
from rooftop.tune.recorded import Recorded

SIZE = 384
BLOCKS = (4, 8, 16, 32, 64, 128, 384)
EXPECTED = b"sum "


def space() -> Space:
    """Give the program's space: blocks of the outer loops and threads, the plain loops on one thread first."""
    blocks = tuple(reversed(BLOCKS))
    names = [Parameter(name, "param", blocks) for name in ("BI", "BJ", "BK")]
    return Space([*names, Parameter("threads", "threads", (1, 2))])


def record(file: Path, rounds: Annotated[int, typer.Option("--rounds")] = 9) -> None:
    """Write the space, and of every run its turn and its milliseconds."""
    searched = space()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "blocked_product"
        source = Path(__file__).with_name("blocked_product.c")
        run_process(["cc", "-O3", "-march=native", "-fopenmp", "-o", program, source], check=True)
        words = [str(program), str(SIZE), "{BI}", "{BJ}", "{BK}"]
        times: dict[str, list[tuple[int, float]]] = {label(one): [] for one in searched.configurations}
        sums = set()
        for number in range(rounds):
            print(f"round {number + 1} of {rounds}", file=sys.stderr)
            for turn, one in enumerate(random.sample(searched.configurations, len(searched))):
                started = launch(searched, one, words, None)
                finished = process.run(
                    started.words, Limits(60), capture=True, environment={**os.environ, **started.environment}
                )
                sums.add(finished.output)
                moment = number * len(searched) + turn
                times[label(one)].append((moment, round(finished.elapsed_ns * 1e-6, 3)))
    if len(sums) != 1 or not next(iter(sums)).startswith(EXPECTED):
        raise SystemExit(f"the results differ: {sums}")
    Recorded(searched, times).write(file)


if __name__ == "__main__":
    typer.run(record)
