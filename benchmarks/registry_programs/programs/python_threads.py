"""Two threads of Python, each with a loop of its own; processes with `cured`: python_threads.py SCALE [cured]."""

import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

TURNS, WORKERS = 12_000_000, 2


def collatz_like(turns: int) -> int:
    value = 27
    for _ in range(turns):
        value = value // 2 if value % 2 == 0 else (3 * value + 1) % 1_000_003
    return value


if __name__ == "__main__":
    turns = int(TURNS * float(sys.argv[1]))
    pool = ProcessPoolExecutor if "cured" in sys.argv else ThreadPoolExecutor
    with pool(WORKERS) as workers:
        print(sum(workers.map(collatz_like, [turns] * WORKERS)))
