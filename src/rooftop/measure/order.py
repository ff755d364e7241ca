"""The order within a block: fresh at random, and balanced over each two blocks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def block_order(tasks: Iterable[T], seed: int, case: str, block: int) -> list[T]:
    """Return the order of `tasks` in a block, the same for the same arguments.

    Each two blocks share one random order, and the second takes it backwards, so that of any two tasks each goes first
    equally often. A task keeps its place when others retire.
    """

    def key(task: T) -> bytes:
        return hashlib.sha256(f"{seed}/{case}/{block // 2}/{task}".encode()).digest()

    ordered = sorted(tasks, key=key)
    forward_first = hashlib.sha256(f"{seed}/{case}/{block // 2}".encode()).digest()[0] & 1
    return ordered if block % 2 == forward_first else ordered[::-1]
