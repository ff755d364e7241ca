"""What asks a scheduler for the states of jobs, for one test: psij's thread would go on, against the next test's."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from rooftop.schedulers import queue

POLL_S = 0.3


@contextmanager
def asked_for_one_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ask often, and stop at the end of the block."""
    monkeypatch.setattr(queue, "POLL_S", POLL_S)
    cached = queue._executor
    cached.cache_clear()
    before = set(threading.enumerate())
    try:
        yield
    finally:
        cached.cache_clear()
        asking = [one for one in threading.enumerate() if one not in before and hasattr(one, "register_job")]
        for thread in asking:
            thread.done = True  # type: ignore[attr-defined]
        while any(thread.ident in sys._current_frames() for thread in asking):  # psij's threads cannot be joined
            time.sleep(POLL_S / 10)
