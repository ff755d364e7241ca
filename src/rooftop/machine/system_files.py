"""Read small files of /proc, /sys and /etc, of this system or from a recorded tree, and the processes in /proc."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_LONGEST = 1 << 16


@dataclass(frozen=True)
class SystemFiles:
    """A tree with proc/, sys/ and etc/ below ``root``. Unreadable files are returned as None."""

    root: Path = Path("/")

    def path(self, name: str) -> Path:
        """Return the path in this tree for an absolute path of the system."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str | None:
        """Return the file's text, stripped."""
        try:
            return self.path(name).read_text(encoding="utf-8", errors="replace").strip()
        except (OSError, ValueError):
            return None

    def number(self, name: str) -> int | None:
        """Return the file's content as an integer; None if it is something else, such as "max"."""
        try:
            return int(self.text(name) or "")
        except ValueError:
            return None

    def names(self, folder: str) -> list[str]:
        """Return the sorted names in a folder; empty if it does not exist."""
        try:
            return sorted(entry.name for entry in self.path(folder).iterdir())
        except OSError:
            return []


class Processes:
    """The processes of a machine, described by the tree at `root`."""

    def __init__(self, root: str = "/proc") -> None:
        self.root = root

    def content(self, name: str) -> bytes:
        """Return the content of an entry. Raises OSError."""
        file = os.open(f"{self.root}/{name}", os.O_RDONLY)
        try:
            content = b""
            while chunk := os.read(file, _LONGEST):
                content += chunk
            return content
        finally:
            os.close(file)

    def text(self, name: str) -> str:
        """Return the content of an entry as text. Raises OSError."""
        return self.content(name).decode("utf-8", "replace")

    def numbers(self, folder: str) -> list[int]:
        """Return the names in a folder that are numbers; empty if the folder is gone."""
        try:
            with os.scandir(f"{self.root}/{folder}") as entries:
                return [int(entry.name) for entry in entries if entry.name.isdecimal()]
        except OSError:
            return []

    def all_below(self, roots: Iterable[int]) -> list[int]:
        """Return these processes and all their descendants."""
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
