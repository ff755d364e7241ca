"""How long threads of a solver's library spin before they sleep.

GNU's OpenMP spins for 300 000 rounds, 7 ms on an EPYC, at every barrier and after every call, unless it has more
threads than there are processors. Where another program takes a processor, the thread that all wait for has none until
those that spin have lost theirs: a transform of 0.2 ms took 20 times as long on average, and on a busy machine 200 ms.
A thread that sleeps leaves its processor to the one that is waited for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

ROUNDS = 1000  # 25 µs on an EPYC: longer than threads wait for each other when each has a processor
_ROUNDS_NAME = "GOMP_SPINCOUNT"
_USERS_CHOICE = ("OMP_WAIT_POLICY", _ROUNDS_NAME)


@contextmanager
def brief_spinning() -> Iterator[None]:
    """Let the OpenMP library that is loaded meanwhile spin briefly, unless the user has chosen how it waits.

    It reads its environment once, as it is loaded. What the process's children inherit stays as it was.
    """
    if any(name in os.environ for name in _USERS_CHOICE):
        yield
        return
    os.environ[_ROUNDS_NAME] = str(ROUNDS)
    try:
        yield
    finally:
        os.environ.pop(_ROUNDS_NAME, None)
