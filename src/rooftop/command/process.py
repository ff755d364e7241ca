"""Run a command to its end and leave no process behind.

The bench adopts orphans (PR_SET_CHILD_SUBREAPER), so that it also finds and ends children that left the session.
Output goes to the null device, to a file, or through a pipe of which a limited part is kept: a program that prints
megabytes neither blocks nor fills a disk. If the bench itself is killed, its guardian ends the run.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Literal, Protocol

from rooftop.command.environment import own_environment
from rooftop.command.guardian import guardian
from rooftop.driver.error_output import KEPT_BYTES, last_words
from rooftop.files.atomic import same_file

_PR_SET_CHILD_SUBREAPER = 36
_GRACE_S = 1.0  # between asking a command to leave and killing it
_MOMENT_S = 0.001  # what a process that is leaving needs at most, where it gets a processor
_PF_EXITING = 0x4  # of the kernel's include/linux/sched.h
_READ_BYTES = 1 << 16
_LONGEST_POLL_S = 3600.0

Capture = Literal["first", "last"] | None  # which end of a standard output is kept
Output = Literal["null", "pipe", "inherit"] | Path  # where a standard output goes of which nothing is kept


@dataclass(frozen=True)
class Limits:
    """The limits of one run.

    timeout_s     wall time after which the run gets SIGTERM, then SIGKILL
    memory_bytes  private memory of each process (RLIMIT_DATA); None for no limit
    output_bytes  number of bytes of standard output to keep
    """

    timeout_s: float = 3600.0
    memory_bytes: int | None = None
    output_bytes: int = 16 << 20


@dataclass(frozen=True)
class Usage:
    """Total processor time of processes, and the peak memory of the largest."""

    user_s: float = 0.0
    system_s: float = 0.0
    max_rss_bytes: int = 0

    def with_(self, usage: resource.struct_rusage) -> Usage:
        """Return the usage with one more process."""
        peak_bytes = max(self.max_rss_bytes, usage.ru_maxrss * 1024)
        return Usage(self.user_s + usage.ru_utime, self.system_s + usage.ru_stime, peak_bytes)


@dataclass(frozen=True)
class Finished:
    """A finished run.

    elapsed_ns     wall time from before the start to the end
    user_s, system_s  processor time, including all children
    max_rss_bytes  peak of the largest process; None if the bench's own peak hides it, see peak.py
    status         exit code, or minus the number of the signal that ended the run
    output         the part of standard output that was kept; empty without `capture`
    errors         the end of standard error
    timed_out      whether the run exceeded its time limit
    truncated      whether more was printed than kept
    left           names of processes still running at the end, which were then killed
    orphans        usage of processes that were not waited for, included in the figures above
    """

    elapsed_ns: int
    user_s: float
    system_s: float
    max_rss_bytes: int | None
    status: int
    output: bytes = b""
    errors: bytes = b""
    timed_out: bool = False
    truncated: bool = False
    left: tuple[str, ...] = ()
    orphans: Usage = Usage()

    @property
    def said(self) -> str:
        """The end of standard error, on one line."""
        return last_words(self.errors)


def left_behind(program: str, names: Sequence[str]) -> str:
    """Return a sentence on the processes that a program left running."""
    number = "a process" if len(names) == 1 else f"{len(names)} processes"
    told = ", ".join(dict.fromkeys(names))
    return f"{program} left {number} running when it ended ({told}); they were ended: let it wait for what it starts"


class Observer(Protocol):
    """Observes a running command: at once, then every `interval_s` seconds, which may change between looks.

    The pipes of the command are not read during a look: a slow look can make the command wait.
    """

    interval_s: float

    def look(self, roots: Iterable[int]) -> None:
        """Look at these processes and, if wanted, at their descendants."""
        ...


@cache
def _adopt_orphans() -> None:
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children() -> list[int]:
    """Return the children of this process, including adopted ones."""
    found: list[int] = []
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError, ValueError):
            found += [int(pid) for pid in (thread / "children").read_text(encoding="ascii").split()]
    return found


class _Pipe:
    """A pipe of which the first or last `most` bytes are kept; `on`: file descriptor that gets a copy."""

    def __init__(self, stream: IO[bytes], most: int, *, last: bool, on: int | None = None) -> None:
        self.stream = stream
        self.on = on
        self.most = most
        self.last = last
        self.kept = bytearray()
        self.truncated = False
        os.set_blocking(stream.fileno(), False)

    def read(self) -> bool:
        """Read what is available. Return False at the end of the file."""
        try:
            chunk = os.read(self.stream.fileno(), _READ_BYTES)
        except BlockingIOError:
            return True
        self.kept += chunk
        if self.on is not None:
            os.write(self.on, chunk)
        if len(self.kept) > self.most:
            self.truncated = True
            del self.kept[slice(0, -self.most) if self.last else slice(self.most, None)]
        return bool(chunk)

    def drain(self) -> None:
        """Read the rest without waiting for processes that still hold the other end."""
        file = self.stream.fileno()
        while select.select([file], [], [], 0)[0] and self.read():
            pass
        self.stream.close()


class _Looking:
    """The schedule of an observer."""

    def __init__(self, observer: Observer, roots: Callable[[], Iterable[int]]) -> None:
        self._observer = observer
        self._roots = roots
        self._next = time.monotonic()

    def left_s(self) -> float:
        """Look if it is time to. Return the seconds until the next look."""
        now = time.monotonic()
        if now >= self._next:
            self._observer.look(self._roots())
            now = time.monotonic()
            self._next = now + self._observer.interval_s
        return self._next - now


def _wait(process_file: int, pipes: Sequence[_Pipe], seconds: float, looking: _Looking | None = None) -> int | None:
    """Read the pipes until the command ends. Return the end in ns, or None after `seconds`."""
    poll = select.poll()
    poll.register(process_file, select.POLLIN)
    by_file = {pipe.stream.fileno(): pipe for pipe in pipes}
    for file in by_file:
        poll.register(file, select.POLLIN | select.POLLHUP)
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        longest_s = min(left, _LONGEST_POLL_S) if looking is None else min(left, looking.left_s())
        ready = {file for file, _ in poll.poll(longest_s * 1000)}
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


def _at_work(pid: int) -> str | None:
    """Return the name of a process; None if it has ended or is exiting."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        head, _, rest = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")
        fields = rest.split()
        if fields[0] not in (b"Z", b"X") and not int(fields[6]) & _PF_EXITING:
            return head.partition(b"(")[2].decode("utf-8", "replace")
    return None


def _left_at_work(known: frozenset[int]) -> tuple[str, ...]:
    """Return the names of adopted children that are running and still are a moment later."""
    if not any(map(_at_work, set(_children()) - known)):
        return ()
    time.sleep(_MOMENT_S)
    return tuple(name for pid in sorted(set(_children()) - known) if (name := _at_work(pid)) is not None)


def _end_orphans(before: frozenset[int]) -> Usage:
    """Kill all adopted children, and their children as these are adopted. Return their usage."""
    taken = Usage()
    deadline = time.monotonic() + _GRACE_S
    while (left := set(_children()) - before) and time.monotonic() < deadline:
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                ended, _, usage = os.wait4(pid, os.WNOHANG)
                if ended == pid:
                    taken = taken.with_(usage)
    return taken


def _limited(words: Sequence[str], limits: Limits, environment: Mapping[str, str]) -> list[str]:
    """Return the words that set the memory limit and then execute the command.

    Without prlimit(1), or if the command is found only from its own folder, return the words unchanged: `_limit` then
    sets the limit.
    """
    setter = shutil.which("prlimit")
    found = shutil.which(words[0], path=environment.get("PATH"))
    if limits.memory_bytes is None or setter is None or found is None:
        return list(words)
    return [setter, f"--data={limits.memory_bytes}:{limits.memory_bytes}", "--", *words]


def _limit(process: int, limits: Limits) -> None:
    """Set the memory limit of a process that has just started."""
    if limits.memory_bytes is not None:
        with contextlib.suppress(OSError):
            resource.prlimit(process, resource.RLIMIT_DATA, (limits.memory_bytes, limits.memory_bytes))


def run(
    words: Sequence[str],
    limits: Limits,
    *,
    capture: Capture = None,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    observer: Observer | None = None,
    given: bytes | Path | None = None,
    output: Output = "null",
) -> Finished:
    """Run a command to its end. Raises OSError if the command, `given` or `output` cannot be started or opened.

    capture      the end of standard output to keep if it is too long; None to keep nothing
    environment  all variables; None for the user's own
    folder       working folder; None for the current one
    observer     observes the command and its orphaned children
    given        contents of standard input, or the file to read it from
    output       destination of standard output if nothing is kept. Printing to the null device is cheapest, and some
                 programs notice it and do less. "pipe" reads and discards; "inherit" uses the bench's own output and
                 passes standard error on; a file is overwritten by each run
    """
    with contextlib.ExitStack() as stack:
        stdin = subprocess.DEVNULL
        stdout: int | None = subprocess.DEVNULL
        if isinstance(given, Path):
            if given.is_fifo():
                raise OSError(errno.EINVAL, "it is a pipe: expected a file that every run can read", str(given))
            stdin = stack.enter_context(given.open("rb")).fileno()
        elif given is not None:
            file = stack.enter_context(tempfile.TemporaryFile())
            file.write(given)
            file.seek(0)
            stdin = file.fileno()
        if capture is not None or output == "pipe":
            stdout = subprocess.PIPE
        elif output == "inherit":
            stdout = None
        elif isinstance(output, Path):
            if isinstance(given, Path) and same_file(output, given):
                raise OSError(errno.EINVAL, "it is also the input of the command and would be overwritten", str(output))
            # Opening a pipe that nobody reads would wait for ever; this says so.
            waiting = os.O_NONBLOCK if output.is_fifo() else 0
            opened = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | waiting, 0o666)
            stdout = stack.enter_context(os.fdopen(opened, "wb")).fileno()
            os.set_blocking(stdout, True)
        variables = own_environment() if environment is None else dict(environment)
        return _run(words, limits, stdin, stdout, capture, variables, folder, observer)


def _run(
    words: Sequence[str],
    limits: Limits,
    stdin: int,
    stdout: int | None,
    capture: Capture,
    environment: dict[str, str],
    folder: Path | None,
    observer: Observer | None,
) -> Finished:
    _adopt_orphans()
    watching = guardian()
    before = frozenset(_children())
    ours, others = os.pipe()
    on = sys.stderr.fileno() if stdout is None else None
    errors = _Pipe(os.fdopen(ours, "rb", buffering=0), KEPT_BYTES, last=True, on=on)
    watching.expect(os.fstat(ours).st_ino)
    began_ns = time.perf_counter_ns()
    try:
        process = subprocess.Popen(
            _limited(words, limits, environment),
            stdin=stdin,
            stdout=stdout,
            stderr=others,
            env=environment,
            cwd=folder,
            bufsize=0,
            start_new_session=True,
        )
        watching.watch(process.pid)
        _limit(process.pid, limits)
        most = limits.output_bytes if capture is not None else 0
        output = _Pipe(process.stdout, most, last=capture == "last") if process.stdout is not None else None
        pipes = [errors] if output is None else [errors, output]
        process_file = os.pidfd_open(process.pid)
    except BaseException:
        _end_orphans(before)  # an interrupt may have come when it had begun already
        watching.watch(0)
        errors.stream.close()
        raise
    finally:
        os.close(others)
    looking = _Looking(observer, lambda: set(_children()) - before) if observer is not None else None
    ended_ns = None
    timed_out = False
    left: tuple[str, ...] = ()
    try:
        ended_ns = _wait(process_file, pipes, limits.timeout_s, looking)
        if ended_ns is None:
            timed_out = True
            _signal(process.pid, signal.SIGTERM)
            _wait(process_file, pipes, _GRACE_S)
        else:
            left = _left_at_work(before | {process.pid})
    finally:
        # Before it is waited for, while its number cannot be another's.
        _signal(process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        os.close(process_file)
        orphans = _end_orphans(before)
        watching.watch(0)
        for pipe in pipes:
            pipe.drain()
    own = resource.getrusage(resource.RUSAGE_SELF)
    total = orphans.with_(usage)
    return Finished(
        elapsed_ns=(ended_ns or time.perf_counter_ns()) - began_ns,
        user_s=total.user_s,
        system_s=total.system_s,
        max_rss_bytes=total.max_rss_bytes if total.max_rss_bytes > own.ru_maxrss * 1024 else None,
        status=process.returncode,
        output=bytes(output.kept) if output is not None else b"",
        errors=bytes(errors.kept),
        timed_out=timed_out,
        truncated=capture is not None and output is not None and output.truncated,
        left=left,
        orphans=orphans,
    )
