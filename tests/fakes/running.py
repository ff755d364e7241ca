"""Whether a process, given by its number, is still running."""

from __future__ import annotations

import contextlib

import psutil


def runs(pid: int) -> bool:
    """Return whether it has not ended; one that has but was not waited for has ended."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False
