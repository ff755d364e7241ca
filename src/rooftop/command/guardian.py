"""Ends a run whose bench was killed: SIGKILL leaves the bench no time to do so itself.

A process of its own, which imports nothing of the bench and sleeps until the pipe on its standard input closes, which
happens when the bench has ended in whatever way. A page of shared memory then says whether a run was under way. Nothing
is sent to it while a run is measured. A bench that is killed after it has started a command and before it has named
its session has said by which pipe the command is known: the one that is its standard error. A death signal on the
command itself (PR_SET_PDEATHSIG) would need code between fork and exec, and with it a slow start of every run.
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
    """The bench's side: what it is told is seen only when the bench is gone."""

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
        """Name the pipe, by its inode, that will be the standard error of a run which is about to be started."""
        self._page[8:16] = pipe.to_bytes(8, "little")

    def watch(self, session: int) -> None:
        """Name the session of the run that is under way; 0: none is, and none is about to be started."""
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
    """Return the processes of a session, and all that descend from them."""
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
    """Return the processes whose standard error is a pipe, given by its inode."""
    found: set[int] = set()
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and (entry / "fd" / "2").readlink() == Path(f"pipe:[{pipe}]"):
                found.add(int(entry.name))
    return found


def end_holders(pipe: int) -> None:
    """Kill the sessions led by processes whose standard error is this pipe.

    One that leads none yet is still in the bench's session, or the user's shell's: that one is left alone.
    """
    deadline = time.monotonic() + _ENDING_S
    while holders := _holders(pipe):
        for pid in holders:
            end_session(pid)
        if time.monotonic() > deadline:
            return
        time.sleep(0.01)


def main() -> None:
    """Wait for the bench to end, then end the run that it has left."""
    os.read(sys.stdin.fileno(), 1)
    page = os.pread(int(sys.argv[1]), 16, 0)
    session, pipe = (int.from_bytes(page[at : at + 8], "little") for at in (0, 8))
    if pipe:
        end_holders(pipe)
    elif session:
        end_session(session)


if __name__ == "__main__":
    main()
