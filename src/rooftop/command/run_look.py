"""Looks at the files of one run of a command, before it is prepared and after it has ended: see `measured_files.py`."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from rooftop.command.files import FileSearch, files_of
from rooftop.command.measured_files import MeasuredFiles
from rooftop.command.spec import Spec
from rooftop.files.contents import state_of
from rooftop.machine.system_files import Processes

_MOST_PROCESSES = 100
_EXECUTABLE = re.compile(rb"^[0-9a-f]+-[0-9a-f]+ ..x. \S+ \S+ \S+ +(/.*)$", re.MULTILINE)
_DELETED = b" (deleted)"
_NOT_FILES = (b"/dev/", b"/proc/", b"/memfd:", b"/SYSV")


def key_of(spec: Spec) -> object:
    """Return what tells a command's files from another's."""
    return spec.command.words, spec.folder, tuple(sorted((spec.environment or {}).items()))


class RunLook:
    """A look at one run. `files` is None where nobody asks; `observed`: the run is not timed, and may be looked at."""

    def __init__(
        self, files: MeasuredFiles | None, spec: Spec, environment: Mapping[str, str], *, observed: bool
    ) -> None:
        self._files, self._spec, self._environment = files, spec, environment
        self._before = files.begin(key_of(spec), self._told) if files is not None else None
        self._began_ns = time.time_ns()
        self.observer = SeenFiles() if observed and self._before is not None else None

    def end(self) -> None:
        """Take up what the run has shown."""
        if self._files is not None and self._before is not None:
            self._files.end(key_of(self._spec), self._before, self._seen())

    def _told(self) -> list[Path]:
        """Return the files that the command's words tell, and those of what prepares and judges its runs."""
        spec = self._spec
        search = FileSearch(spec.folder, self._environment)
        for line in (spec.command, spec.setup, spec.prepare, spec.judge):
            if line is not None:
                search.command(line.words)
        if spec.input is not None:
            search.command([str(spec.input)])
        return list(search.found)

    def _seen(self) -> Iterator[Path]:
        """Yield the files that were seen. What was written since the run began is its own work."""
        if self.observer is None:
            return
        found = dict(self.observer.mapped)
        for folder, words in self.observer.begun:
            found |= dict.fromkeys(files_of(words, folder, self._environment))
        for file in found:
            state = state_of(file)
            if state is not None and max(state.written_ns, state.changed_ns) < self._began_ns:
                yield file


_FIRST_S, _LONGEST_S, _GROWTH = 0.002, 0.5, 1.2


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
