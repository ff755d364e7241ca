"""Runs one command to its end, and leaves nothing of it behind.

The bench adopts orphans (PR_SET_CHILD_SUBREAPER), so that children which left their session are found and ended too.
Output goes to the null device, or through a pipe of which only so much is kept; a program that prints megabytes neither
blocks nor fills a disk.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

_PR_SET_CHILD_SUBREAPER = 36
_GRACE_S = 1.0  # between asking a command to leave and killing it
_READ_BYTES = 1 << 16
_LONGEST_POLL_S = 3600.0
_ERROR_TAIL = 300


@dataclass(frozen=True)
class Limits:
    """What one run may take.

    timeout_s     wall time, after which it is asked to leave and then killed
    memory_bytes  private memory of each of its processes (RLIMIT_DATA); None: no limit
    output_bytes  of its standard output that is kept
    """

    timeout_s: float = 3600.0
    memory_bytes: int | None = None
    output_bytes: int = 16 << 20


@dataclass(frozen=True)
class Finished:
    """A run that has ended.

    elapsed_ns     from before it was started until it had ended, wall time
    user_s, system_s  processor time, with that of children that it waited for
    max_rss_bytes  of its largest process
    status         its exit code, or minus the signal that ended it
    output         what it printed, as far as it was kept; empty where nothing was asked for
    said           the end of its standard error, on one line
    timed_out      whether it was ended for taking too long
    truncated      whether it printed more than was kept
    """

    elapsed_ns: int
    user_s: float
    system_s: float
    max_rss_bytes: int
    status: int
    output: bytes = b""
    said: str = ""
    timed_out: bool = False
    truncated: bool = False


@cache
def _adopt_orphans() -> None:
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children() -> list[int]:
    """Give this process's children, adopted ones too."""
    found: list[int] = []
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError, ValueError):
            found += [int(pid) for pid in (thread / "children").read_text(encoding="ascii").split()]
    return found


class _Pipe:
    """What a command writes: the first `most` bytes of it are kept, or the last ones."""

    def __init__(self, stream: IO[bytes], most: int, *, last: bool) -> None:
        self.stream = stream
        self.most = most
        self.last = last
        self.kept = bytearray()
        self.truncated = False
        os.set_blocking(stream.fileno(), False)

    def read(self) -> bool:
        """Take what is there; False at the end of the file."""
        try:
            chunk = os.read(self.stream.fileno(), _READ_BYTES)
        except BlockingIOError:
            return True
        self.kept += chunk
        if len(self.kept) > self.most:
            self.truncated = True
            del self.kept[slice(0, -self.most) if self.last else slice(self.most, None)]
        return bool(chunk)

    def drain(self) -> None:
        """Take what is left, without waiting for anyone who still holds the other end."""
        file = self.stream.fileno()
        while select.select([file], [], [], 0)[0] and self.read():
            pass
        self.stream.close()


def _wait(process_file: int, pipes: Sequence[_Pipe], seconds: float) -> int | None:
    """Read what a command prints until it has ended; give the moment in ns, or None when the time is over."""
    poll = select.poll()
    poll.register(process_file, select.POLLIN)
    by_file = {pipe.stream.fileno(): pipe for pipe in pipes}
    for file in by_file:
        poll.register(file, select.POLLIN | select.POLLHUP)
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        ready = {file for file, _ in poll.poll(min(left, _LONGEST_POLL_S) * 1000)}
        now_ns = time.perf_counter_ns()
        if process_file in ready:
            return now_ns
        for file in ready:
            if not by_file[file].read():
                poll.unregister(file)
    return None


def _signal(session: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(session, number)


def _end_orphans(before: frozenset[int]) -> None:
    """Kill all adopted children, and theirs as they are adopted in turn."""
    deadline = time.monotonic() + _GRACE_S
    while (left := set(_children()) - before) and time.monotonic() < deadline:
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def run(
    words: Sequence[str],
    limits: Limits,
    *,
    capture: bool = False,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Finished:
    """Run a command to its end. Raises OSError where it cannot be started.

    capture  keep its standard output; otherwise it goes to the null device, where printing costs the program least
    folder   that it runs in; None: the present one
    """
    _adopt_orphans()
    before = frozenset(_children())
    began_ns = time.perf_counter_ns()
    process = subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if capture else subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=None if environment is None else dict(environment),
        cwd=folder,
        bufsize=0,
        start_new_session=True,
    )
    if limits.memory_bytes is not None:
        with contextlib.suppress(OSError):
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (limits.memory_bytes, limits.memory_bytes))
    assert process.stderr is not None
    errors = _Pipe(process.stderr, _ERROR_TAIL, last=True)
    output = _Pipe(process.stdout, limits.output_bytes, last=False) if process.stdout is not None else None
    pipes = [errors] if output is None else [errors, output]
    process_file = os.pidfd_open(process.pid)
    ended_ns = None
    timed_out = False
    try:
        ended_ns = _wait(process_file, pipes, limits.timeout_s)
        if ended_ns is None:
            timed_out = True
            _signal(process.pid, signal.SIGTERM)
            _wait(process_file, pipes, _GRACE_S)
    finally:
        # Before it is waited for, while its number cannot be another's.
        _signal(process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        os.close(process_file)
        _end_orphans(before)
        for pipe in pipes:
            pipe.drain()
    return Finished(
        elapsed_ns=(ended_ns or time.perf_counter_ns()) - began_ns,
        user_s=usage.ru_utime,
        system_s=usage.ru_stime,
        max_rss_bytes=usage.ru_maxrss * 1024,
        status=process.returncode,
        output=bytes(output.kept) if output is not None else b"",
        said=" ".join(errors.kept.decode("utf-8", "replace").split()),
        timed_out=timed_out,
        truncated=output is not None and output.truncated,
    )
