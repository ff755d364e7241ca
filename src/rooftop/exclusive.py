"""Keeps two measurements from disturbing each other."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rooftop.errors import Busy, StoreError


@contextmanager
def machine_to_itself(home: Path) -> Iterator[None]:
    """Hold the lock that every measurement takes. Raises Busy, and StoreError where nothing can be kept here."""
    try:
        home.mkdir(parents=True, exist_ok=True)
        file = (home / "climb.lock").open("a+")
    except OSError as error:
        advice = "set ROOFTOP_HOME to a folder that can be written"
        raise StoreError(f"nothing can be kept in {home}: {error.strerror or error}; {advice}") from error
    with file as lock:
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
