"""Looks at the files of one run of a command, before it is prepared and after it has ended: see `measured_files.py`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from rooftop.command.files import FileSearch, files_of
from rooftop.command.loaded_files import SeenFiles
from rooftop.command.measured_files import MeasuredFiles
from rooftop.command.spec import Spec
from rooftop.files.contents import state_of


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
