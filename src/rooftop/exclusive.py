"""Keeps two measurements from disturbing each other."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rooftop.errors import Busy


@contextmanager
def machine_to_itself(home: Path) -> Iterator[None]:
    """Hold the lock that every measurement takes. Raises Busy."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / "climb.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            raise Busy(f"another campaign is running here (process {holder}): wait for it, or stop it") from error
        lock.seek(0)
        lock.truncate()
        lock.write(str(os.getpid()))
        lock.flush()
        yield
