"""The files that a campaign's samples depend on, by their contents: notice when one of them changes.

Output of the command itself is not a change: files that differ after each of its first two runs are left out. Files are
never read while a run is timed.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rooftop.command.files import FileSearch, files_of
from rooftop.command.spec import Spec
from rooftop.files.contents import FileState, contents_of, state_of
from rooftop.machine.system_files import Processes

_RUNS = 2  # of a command, until its own work is known
_BETWEEN_LOOKS_S = 1.0


@dataclass
class _Command:
    """The files of a command, and those that its first run changed."""

    files: dict[Path, None] = field(default_factory=dict)
    runs: int = 0
    restless: set[Path] = field(default_factory=set)


class MeasuredFiles:
    """The files of one campaign.

    kept     contents by path when the campaign first saw them
    changed  changed files, in the order in which the changes were noticed
    """

    def __init__(
        self,
        kept: Mapping[Path, str] | None = None,
        keep: Callable[[Mapping[Path, str | None]], None] = lambda files: None,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start from the contents that an earlier session kept. `keep` stores contents by path; None deletes them."""
        self.kept = dict(kept or {})
        self.changed: dict[Path, None] = {}
        self._keep = keep
        self._now_s = now_s
        self._looked_s = now_s()
        self._states: dict[Path, FileState | None] = {}
        self._met: dict[Path, str] = {}
        self._own_work: set[Path] = set()
        self._commands: dict[Hashable, _Command] = {}

    def meet(self, files: Iterable[Path]) -> None:
        """Add files that no run changes, including missing ones."""
        files = list(files)
        self._look(files)
        self._meet(files, missing=True)
        self._keep_met(files)

    def begin(self, command: Hashable, files: Callable[[], Iterable[Path]]) -> dict[Path, FileState | None] | None:
        """Return the states of a command's files before a run; None after its first runs.

        files  returns the files that its words name
        """
        known = self._commands.setdefault(command, _Command())
        if known.runs >= _RUNS:
            return None
        self._take_up(known, files())
        return {file: state_of(file) for file in known.files}

    def end(self, command: Hashable, before: Mapping[Path, FileState | None], seen: Iterable[Path] = ()) -> None:
        """Record the files that a run changed, and those that it was observed to use."""
        known = self._commands[command]
        known.runs += 1
        changed = {file for file, state in before.items() if self._differs(file, state)}
        if known.runs < _RUNS:
            known.restless = changed
            for file in changed - set(self.kept):
                self._met[file], self._states[file] = contents_of(file), state_of(file)
            met = {state[:2] for state in self._states.values() if state is not None}
            # What is mapped is seen by the name that no link is in: that of a link is known, and may lead elsewhere.
            others = [file for file in seen if (state := state_of(file)) is not None and state[:2] not in met]
            self._take_up(known, others)
            return
        self._own_work |= changed & known.restless
        self._keep_met(known.files)
        if forgotten := [file for file in self._own_work if self.kept.pop(file, None) is not None]:
            self._keep(dict.fromkeys(forgotten))
        for file in self._own_work:
            self.changed.pop(file, None)

    def glance(self, command: Hashable) -> None:
        """Check a command's files, at most once a second."""
        if self._now_s() >= self._looked_s + _BETWEEN_LOOKS_S and command in self._commands:
            self._look(self._commands[command].files)

    def look(self) -> None:
        """Check all files for changed contents."""
        self._look(self.kept)

    def _look(self, files: Iterable[Path]) -> None:
        for file in files:
            if file not in self.kept or file in self.changed:
                continue
            if (state := state_of(file)) is None or state != self._states.get(file):
                self._states[file] = state
                if contents_of(file) != self.kept[file]:
                    self.changed[file] = None
        self._looked_s = self._now_s()

    def _take_up(self, known: _Command, files: Iterable[Path]) -> None:
        """Add to a command's files. Files that are new after its first run may be its output."""
        more = [file for file in files if file not in known.files]
        self._meet(more)
        known.files |= dict.fromkeys(more)
        if known.runs:
            known.restless |= set(more)

    def _meet(self, files: Iterable[Path], *, missing: bool = False) -> None:
        for file in files:
            state = state_of(file)
            if file in self._states or (state is None and not missing) or (state is not None and _is_ours(state)):
                continue
            self._states[file], self._met[file] = state, contents_of(file)
            if self.kept.get(file, self._met[file]) != self._met[file]:
                self.changed[file] = None

    def _keep_met(self, files: Iterable[Path]) -> None:
        new = {
            file: self._met[file]
            for file in files
            if file in self._met and file not in self.kept and file not in self._own_work
        }
        if new:
            self.kept |= new
            self._keep(new)

    def _differs(self, file: Path, before: FileState | None) -> bool:
        return state_of(file) != before and contents_of(file) != self._met.get(file)


def _is_ours(state: FileState) -> bool:
    """Return whether the bench itself writes its output to the file."""
    for stream in (1, 2):
        with contextlib.suppress(OSError):
            found = os.fstat(stream)
            if (found.st_dev, found.st_ino) == (state.device, state.inode):
                return True
    return False


_MOST_PROCESSES = 100
_EXECUTABLE = re.compile(rb"^[0-9a-f]+-[0-9a-f]+ ..x. \S+ \S+ \S+ +(/.*)$", re.MULTILINE)
_DELETED = b" (deleted)"
_NOT_FILES = (b"/dev/", b"/proc/", b"/memfd:", b"/SYSV")


def key_of(spec: Spec) -> object:
    """Return the key under which the files of a command are kept."""
    return spec.command.words, spec.folder, tuple(sorted((spec.environment or {}).items()))


class RunLook:
    """A look at the files of one run, before and after it. `observed`: also during the run, which is not timed."""

    def __init__(
        self, files: MeasuredFiles | None, spec: Spec, environment: Mapping[str, str], *, observed: bool
    ) -> None:
        self._files, self._spec, self._environment = files, spec, environment
        self._before = files.begin(key_of(spec), self._told) if files is not None else None
        self._began_ns = time.time_ns()
        self.observer = SeenFiles() if observed and self._before is not None else None

    def end(self) -> None:
        """Record what the run used and changed."""
        if self._files is not None and self._before is not None:
            self._files.end(key_of(self._spec), self._before, self._seen())

    def _told(self) -> list[Path]:
        """Return the files named by the command and by the commands that set up, prepare and check its runs."""
        spec = self._spec
        search = FileSearch(spec.folder, self._environment)
        for line in (spec.command, spec.setup, spec.prepare, spec.judge):
            if line is not None:
                search.command(line.words)
        if spec.input is not None:
            search.command([str(spec.input)])
        return list(search.found)

    def _seen(self) -> Iterator[Path]:
        """Yield the observed files, except those written since the run began, which are its output."""
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
    """Observes the processes of one run.

    mapped  programs and libraries whose code is mapped, including those opened with dlopen(3)
    begun   command lines of the processes, each with its folder
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
