"""Drop files from the page cache."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

Means = Literal["posix_fadvise", "drop_caches"]
_DROP_CACHES = Path("/proc/sys/vm/drop_caches")
_PAGES_AND_NOTHING_ELSE = "1"
_PAGE_BYTES = 4096
_LOOKS = 16


def _forget(path: str) -> None:
    """Sync a file, then ask the system to drop its pages. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fdatasync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(descriptor)


def _forget_all(path: str) -> None:
    """Drop the pages of all files. Raises OSError without the permission to do so."""
    _forget(path)
    _DROP_CACHES.write_text(_PAGES_AND_NOTHING_ELSE, encoding="ascii")


def is_held(path: str) -> bool:
    """Return whether more than half of the sampled pages of a file are in the page cache.

    The sampled pages are in the cache afterwards. A file system that cannot tell counts as not caching.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)  # no read-ahead while sampling
        pages = -(-os.fstat(descriptor).st_size // _PAGE_BYTES)
        looks, held = min(_LOOKS, pages), 0
        for look in range(looks):
            place = pages * look // looks * _PAGE_BYTES
            try:
                held += bool(os.preadv(descriptor, [bytearray(_PAGE_BYTES)], place, os.RWF_NOWAIT))
            except OSError:
                continue
        return held > looks // 2
    finally:
        os.close(descriptor)


def means_of_dropping(path: str) -> Means | None:
    """Return how a file can be dropped from the page cache; None if it cannot, as on tmpfs."""
    _forget(path)
    if not is_held(path):
        return "posix_fadvise"
    try:
        _forget_all(path)
    except OSError:
        return None
    return None if is_held(path) else "drop_caches"


def dropping(paths: Sequence[str], means: Means | None) -> Callable[[], None]:
    """Return a function that drops files from the page cache in this way; with None, it does nothing."""
    forget = _forget_all if means == "drop_caches" else _forget

    def drop() -> None:
        for path in paths:
            forget(path)

    return drop if means is not None else lambda: None
