"""Sees which files a command's processes execute and map while it runs; see Observer."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from rooftop.machine.processes import Processes

_FIRST_S, _LONGEST_S, _GROWTH = 0.002, 0.5, 1.2
_MOST_PROCESSES = 100
_EXECUTABLE = re.compile(rb"^[0-9a-f]+-[0-9a-f]+ ..x. \S+ \S+ \S+ +(/.*)$", re.MULTILINE)
_DELETED = b" (deleted)"
_NOT_FILES = (b"/dev/", b"/proc/", b"/memfd:", b"/SYSV")


class SeenFiles:
    """What was seen of the processes of one run.

    mapped  files whose code they have mapped: programs and libraries, those of dlopen(3), too
    begun   the command lines of their programs, each with the folder it was in
    """

    def __init__(self, processes: Processes | None = None) -> None:
        self._processes = processes or Processes()
        self.interval_s = _FIRST_S
        self.mapped: dict[Path, None] = {}
        self.begun: dict[tuple[Path, tuple[str, ...]], None] = {}

    def look(self, roots: Iterable[int]) -> None:
        """See Observer."""
        for pid in self._processes.all_below(roots)[:_MOST_PROCESSES]:
            try:
                maps = self._processes.content(f"{pid}/maps")
                words = self._processes.content(f"{pid}/cmdline").split(b"\0")[:-1]
                folder = Path(f"{self._processes.root}/{pid}/cwd").readlink()
            except OSError:  # it has ended, or is another user's
                continue
            for found in _EXECUTABLE.findall(maps):
                if not found.endswith(_DELETED) and not found.startswith(_NOT_FILES):
                    self.mapped[Path(os.fsdecode(found))] = None
            if len(self.begun) < _MOST_PROCESSES:
                self.begun[folder, tuple(map(os.fsdecode, words))] = None
        self.interval_s = min(self.interval_s * _GROWTH, _LONGEST_S)
