"""The options that commands of searching solvers have in common: how long, from which seed, on how many threads."""

from __future__ import annotations

from rooftop.durations import parse_budget
from rooftop.errors import Misuse

TIME = "10s"
THREADS_MAX = 4096


def read_time(time: str | None, iterations: int | None) -> float:
    """Return the seconds of --time, 10 where neither it nor --iterations is given. Raises Misuse."""
    if time is not None and iterations is not None:
        raise Misuse(f"--time is {time} and --iterations is {iterations}: expected one of them")
    if iterations is not None and iterations < 1:
        raise Misuse(f"--iterations is {iterations}, expected a whole number from 1 on")
    return parse_budget(time or TIME, "--time")


def require_seed_and_threads(seed: int, threads: int | None) -> None:
    """Raise Misuse for a seed that is no number of 64 bits, or for threads that cannot be."""
    if not -(1 << 63) <= seed < 1 << 63:
        raise Misuse(f"--seed is {seed}, expected a whole number of at most 63 bits")
    if threads is not None and not 1 <= threads <= THREADS_MAX:
        raise Misuse(f"--threads is {threads}, expected a whole number from 1 to {THREADS_MAX}")
