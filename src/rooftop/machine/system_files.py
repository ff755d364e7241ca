"""Reads small files of /proc, /sys and /etc, from the real root or from a recorded tree."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class SystemFiles:
    """A tree with proc/, sys/ and etc/ below ``root``. A file that cannot be read is None, never an error."""

    root: Path = Path("/")

    def path(self, name: str) -> Path:
        """Return where an absolute path of the system lies in this tree."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str | None:
        """Return the file's text without surrounding blanks."""
        try:
            return self.path(name).read_text(encoding="utf-8", errors="replace").strip()
        except (OSError, ValueError):
            return None

    def number(self, name: str) -> int | None:
        """Return the file's text as a whole number; None where it is something else, such as "max"."""
        try:
            return int(self.text(name) or "")
        except ValueError:
            return None

    def names(self, folder: str) -> list[str]:
        """Return the names in a folder in order; none where there is no such folder."""
        try:
            return sorted(entry.name for entry in self.path(folder).iterdir())
        except OSError:
            return []
