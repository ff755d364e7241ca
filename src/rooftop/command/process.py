"""Runs one command to its end, and leaves nothing of it behind.

The bench adopts orphans (PR_SET_CHILD_SUBREAPER), so that children which left their session are found and ended too.
Output goes to the null device or where the user wants it, or through a pipe of which only so much is kept; a program
that prints megabytes neither blocks nor fills a disk. Should the bench itself be killed, its guardian ends the run.
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
    """What one run may take.

    timeout_s     wall time, after which it is asked to leave and then killed
    memory_bytes  private memory of each of its processes (RLIMIT_DATA); None: no limit
    output_bytes  of its standard output that is kept: the first ones, or the last
    """

    timeout_s: float = 3600.0
    memory_bytes: int | None = None
    output_bytes: int = 16 << 20


@dataclass(frozen=True)
class Usage:
    """What processes took together, and the peak memory of the largest of them."""

    user_s: float = 0.0
    system_s: float = 0.0
    max_rss_bytes: int = 0

    def with_(self, usage: resource.struct_rusage) -> Usage:
        """Return it with one more process."""
        peak_bytes = max(self.max_rss_bytes, usage.ru_maxrss * 1024)
        return Usage(self.user_s + usage.ru_utime, self.system_s + usage.ru_stime, peak_bytes)


@dataclass(frozen=True)
class Finished:
    """A run that has ended.

    elapsed_ns     from before it was started until it had ended, wall time
    user_s, system_s  processor time, with that of children, whether it waited for them or not
    max_rss_bytes  of its largest process; None where the bench's own peak hides it, see peak.py
    status         its exit code, or minus the signal that ended it
    output         what it printed, as far as it was kept; empty where nothing was asked for
    errors         the end of what it wrote to its standard error
    timed_out      whether it was ended for taking too long
    truncated      whether it printed more than was kept
    left           names of processes that it left at work when it ended, which were then ended too
    orphans        the share of processes that it did not wait for, which is in all of these figures
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
        """The last words on its standard error, on one line."""
        return last_words(self.errors)


def left_behind(program: str, names: Sequence[str]) -> str:
    """Return the sentence about the processes that a program left running."""
    number = "a process" if len(names) == 1 else f"{len(names)} processes"
    told = ", ".join(dict.fromkeys(names))
    return f"{program} left {number} running when it ended ({told}); they were ended: let it wait for what it starts"


class Observer(Protocol):
    """Looks at a command while it runs: at once, then every `interval_s` seconds, which may change from look to look.

    It looks between two readings of the command's pipes: a look that takes long lets the command wait to print.
    """

    interval_s: float

    def look(self, roots: Iterable[int]) -> None:
        """Look at these processes, and at those below them if it likes."""
        ...


@cache
def _adopt_orphans() -> None:
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children() -> list[int]:
    """Return this process's children, adopted ones too."""
    found: list[int] = []
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError, ValueError):
            found += [int(pid) for pid in (thread / "children").read_text(encoding="ascii").split()]
    return found


class _Pipe:
    """What a command writes: the first `most` bytes of it are kept, or the last ones; all are passed `on` to a file."""

    def __init__(self, stream: IO[bytes], most: int, *, last: bool, on: int | None = None) -> None:
        self.stream = stream
        self.on = on
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
        if self.on is not None:
            os.write(self.on, chunk)
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


class _Looking:
    """When an observer looks, and at what."""

    def __init__(self, observer: Observer, roots: Callable[[], Iterable[int]]) -> None:
        self._observer = observer
        self._roots = roots
        self._next = time.monotonic()

    def left_s(self) -> float:
        """Look if it is time to; give the seconds until the next look."""
        now = time.monotonic()
        if now >= self._next:
            self._observer.look(self._roots())
            now = time.monotonic()
            self._next = now + self._observer.interval_s
        return self._next - now


def _wait(process_file: int, pipes: Sequence[_Pipe], seconds: float, looking: _Looking | None = None) -> int | None:
    """Read what a command prints until it has ended; give the moment in ns, or None when the time is over."""
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
    """Return a process's name; None where it has ended, or is about to."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        head, _, rest = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")
        fields = rest.split()
        if fields[0] not in (b"Z", b"X") and not int(fields[6]) & _PF_EXITING:
            return head.partition(b"(")[2].decode("utf-8", "replace")
    return None


def _left_at_work(known: frozenset[int]) -> tuple[str, ...]:
    """Return the names of adopted children that are at work, and still are a moment later."""
    if not any(map(_at_work, set(_children()) - known)):
        return ()
    time.sleep(_MOMENT_S)
    return tuple(name for pid in sorted(set(_children()) - known) if (name := _at_work(pid)) is not None)


def _end_orphans(before: frozenset[int]) -> Usage:
    """Kill all adopted children, and theirs as they are adopted in turn; give what they took until then."""
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
    """Return the words that set the limit of memory and then become the command, which so cannot have begun before it.

    A command that is found from its own folder only, or no util-linux: the words as they are, limited by _limit().
    """
    setter = shutil.which("prlimit")
    found = shutil.which(words[0], path=environment.get("PATH"))
    if limits.memory_bytes is None or setter is None or found is None:
        return list(words)
    return [setter, f"--data={limits.memory_bytes}:{limits.memory_bytes}", "--", *words]


def _limit(process: int, limits: Limits) -> None:
    """Set the limit of memory of a process that has just begun."""
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
    """Run a command to its end. Raises OSError where it cannot be started, or `given` or `output` not be opened.

    capture      the end of its standard output that is kept where it prints too much; None: nothing of it is kept
    environment  all of its variables; None: the user's own
    folder       that it runs in; None: the present one
    observer     looks on: at the command, and at children of it that have lost their parents
    given        its standard input, from a file: whether and how fast it reads is its own affair
    output       where its standard output goes if nothing of it is kept. To the null device printing costs least, and
                 some programs notice it and do less. "pipe": it is read and thrown away; "inherit": it is the bench's
                 own, and standard error is passed on; a file is written anew by each run
    """
    with contextlib.ExitStack() as stack:
        stdin = subprocess.DEVNULL
        stdout: int | None = subprocess.DEVNULL
        if isinstance(given, Path):
            if given.is_fifo():
                raise OSError(errno.EINVAL, "it is a pipe, expected a file that every run can read", str(given))
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
                raise OSError(errno.EINVAL, "it is the input of the command, too, and would be emptied", str(output))
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
