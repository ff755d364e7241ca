"""Options that the commands of several solvers have, and the checks of their values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rooftop.errors import Misuse
from rooftop.terminal.output import check_writable
from rooftop.text.durations import parse_budget

TIME = "10s"
WORKERS_MAX = 4096  # threads or ranks
PICTURES = (".svg", ".png", ".html")

TimeOption = Annotated[
    str | None, typer.Option("--time", help=f"Time limit, including reading, such as 2m (default: {TIME}).")
]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of the random numbers.")]
ThreadsOption = Annotated[int | None, typer.Option("--threads", help="Number of threads (default: usable cores).")]
RankThreadsOption = Annotated[
    int | None, typer.Option("--threads", help="Threads per rank (default: usable cores / ranks).")
]


def within(option: str, value: int, least: int = 1, most: int = WORKERS_MAX) -> int:
    """Return a whole number. Raises Misuse where it is out of range."""
    if not least <= value <= most:
        raise Misuse(f"{option} is {value}, expected a whole number from {least} to {most}")
    return value


def one_of(option: str, value: str, choices: tuple[str, ...]) -> str:
    """Return a word. Raises Misuse for one that is not among the choices."""
    if value not in choices:
        raise Misuse(f"{option} is '{value}', expected one of {', '.join(choices)}")
    return value


def search_seconds(time: str | None, iterations: int | None) -> float:
    """Return the seconds of --time, 10 if neither it nor --iterations is given. Raises Misuse."""
    if time is not None and iterations is not None:
        raise Misuse(f"--time is {time} and --iterations is {iterations}: expected one of them")
    if iterations is not None and iterations < 1:
        raise Misuse(f"--iterations is {iterations}, expected a whole number from 1 on")
    return parse_budget(time or TIME, "--time")


def require_seed_and_threads(seed: int, threads: int | None) -> None:
    """Raise Misuse for a seed of more than 64 bits, or for a number of threads out of range."""
    if not -(1 << 63) <= seed < 1 << 63:
        raise Misuse(f"--seed is {seed}, expected a whole number of at most 63 bits")
    if threads is not None:
        within("--threads", threads)


def require_outputs(out: Path | None, plot: Path | None, *read: Path) -> None:
    """Raise Misuse, before the solver runs, for files of --out and --plot that cannot be written or are inputs."""
    if plot is not None and plot.suffix.lower() not in PICTURES:
        raise Misuse(f"--plot is {plot}, expected a name that ends in {', '.join(PICTURES)}")
    check_writable("--out", out, *read)
    check_writable("--plot", plot, *read)
