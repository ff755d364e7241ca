"""Reads what /proc says of running processes. Entries may vanish between two readings."""

from __future__ import annotations

import os
from collections.abc import Iterable

_LONGEST = 1 << 16


class Processes:
    """The processes of a machine. `root`: of the tree that describes them, /proc."""

    def __init__(self, root: str = "/proc") -> None:
        self.root = root

    def content(self, name: str) -> bytes:
        """Return what an entry holds. Raises OSError."""
        file = os.open(f"{self.root}/{name}", os.O_RDONLY)
        try:
            content = b""
            while chunk := os.read(file, _LONGEST):
                content += chunk
            return content
        finally:
            os.close(file)

    def text(self, name: str) -> str:
        """Return what an entry holds as text. Raises OSError."""
        return self.content(name).decode("utf-8", "replace")

    def numbers(self, folder: str) -> list[int]:
        """Return the names in a folder that are numbers; none where it is gone."""
        try:
            with os.scandir(f"{self.root}/{folder}") as entries:
                return [int(entry.name) for entry in entries if entry.name.isdecimal()]
        except OSError:
            return []

    def all_below(self, roots: Iterable[int]) -> list[int]:
        """Return these processes and all below them, each once."""
        found: dict[int, None] = {}
        waiting = list(roots)
        while waiting:
            pid = waiting.pop()
            if pid in found:
                continue
            found[pid] = None
            for tid in self.numbers(f"{pid}/task"):
                try:
                    waiting += map(int, self.text(f"{pid}/task/{tid}/children").split())
                except (OSError, ValueError):
                    continue
        return list(found)
