"""End a run after the bench was killed with SIGKILL, which leaves the bench no time to do so itself.

The guardian is a separate process that imports nothing of the bench and sleeps until the pipe on its standard input
closes, which happens when the bench ends. A page of shared memory then tells whether a run was under way; nothing is
sent while a run is measured. If the bench is killed after it starts a command and before it names the session, the
command is known by the pipe on its standard error. A death signal on the command itself (PR_SET_PDEATHSIG) would need
code between fork and exec, which makes every run start slowly.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

_ENDING_S = 2.0


class Guardian:
    """The bench's end: the guardian reads what it is told only after the bench has ended."""

    def __init__(self) -> None:
        file = os.memfd_create("rooftop-run")
        os.ftruncate(file, mmap.PAGESIZE)
        self._page = mmap.mmap(file, mmap.PAGESIZE)
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, str(file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[file],
            start_new_session=True,  # an interrupt at the terminal is not for it
        )
        os.close(file)

    def expect(self, pipe: int) -> None:
        """Announce a run by the inode of the pipe that will be its standard error."""
        self._page[8:16] = pipe.to_bytes(8, "little")

    def watch(self, session: int) -> None:
        """Name the session of the current run; 0 if there is none and none is about to start."""
        self._page[:8] = session.to_bytes(8, "little")
        self._page[8:16] = bytes(8)


@cache
def guardian() -> Guardian:
    """Return this process's guardian, started on the first call."""
    return Guardian()


def _parent(pid: int) -> int:
    """Return a process's parent; 0 where it has ended."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        # The name in parentheses may hold anything.
        return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])
    return 0


def _members(session: int) -> set[int]:
    """Return the processes of a session and their descendants."""
    everyone = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    found: set[int] = set()
    for pid in everyone:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getsid(pid) == session:
                found.add(pid)
    parents = {pid: _parent(pid) for pid in everyone}
    while grown := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= grown
    return found


def end_session(session: int) -> None:
    """Kill the processes of a session and their descendants until none is left."""
    deadline = time.monotonic() + _ENDING_S
    while left := _members(session):
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline:
            return
        time.sleep(0.01)


def _holders(pipe: int) -> set[int]:
    """Return the processes whose standard error is the pipe with this inode."""
    found: set[int] = set()
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and (entry / "fd" / "2").readlink() == Path(f"pipe:[{pipe}]"):
                found.add(int(entry.name))
    return found


def end_holders(pipe: int) -> None:
    """Kill the sessions led by processes whose standard error is this pipe.

    A process that leads no session yet is still in the session of the bench or of the shell, and is left alone.
    """
    deadline = time.monotonic() + _ENDING_S
    while holders := _holders(pipe):
        for pid in holders:
            end_session(pid)
        if time.monotonic() > deadline:
            return
        time.sleep(0.01)


def main() -> None:
    """Wait for the bench to end, then end its unfinished run."""
    os.read(sys.stdin.fileno(), 1)
    page = os.pread(int(sys.argv[1]), 16, 0)
    session, pipe = (int.from_bytes(page[at : at + 8], "little") for at in (0, 8))
    if pipe:
        end_holders(pipe)
    elif session:
        end_session(session)


if __name__ == "__main__":
    main()
