"""Schedulers that are asked often, for one test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from rooftop.schedulers import queue

POLL_S = 0.3


@contextmanager
def asked_for_one_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ask often; what speaks with a scheduler is made anew, since a test may have a cluster of its own."""
    monkeypatch.setattr(queue, "POLL_S", POLL_S)
    made = queue._executor
    made.cache_clear()
    try:
        yield
    finally:
        made.cache_clear()
