"""End a launcher that does not end although its ranks have.

Open MPI 4's mpirun sometimes waits for ever for a lock in PMIx_server_finalize after a rank was killed while it
started. Its standard output stays open, so that whoever reads it would wait too.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from rooftop.command.guardian import end_session

GRACE_S = 5.0  # an mpirun whose ranks have ended takes some hundredths
START_S = 120.0  # until the first rank was seen: a launcher may wait for name servers
_LOOK_S = 0.25


def _is_at_work(pid: int) -> bool:
    with suppress(psutil.Error):
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    return False


def _children(pid: int) -> list[int] | None:
    """Return the children of a process, also those it has not waited for; None where the kernel does not tell."""
    try:
        # Without a look at all other processes, which would disturb the ranks.
        told = [(thread / "children").read_text() for thread in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return None if _is_at_work(pid) else []
    return [int(child) for children in told for child in children.split()]


class Idleness:
    """How long a launcher has had no child at work."""

    def __init__(self, now_s: float) -> None:
        self._seen, self._since_s = False, now_s

    def is_too_long(self, now_s: float, children: Collection[int] | None, *, at_work: bool) -> bool:
        """Take what was seen of its children, None where that is not known, and return whether to end it."""
        self._seen = self._seen or bool(children)
        if children is None or at_work:
            self._since_s = now_s
        return now_s - self._since_s > (GRACE_S if self._seen else START_S)


class HungLauncher:
    """Whether a launcher, which leads a session, had to be ended."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.was_ended = False
        self._process = process
        self._over = threading.Event()

    def _watch(self) -> None:
        idle = Idleness(time.monotonic())
        while not self._over.wait(_LOOK_S):
            children = _children(self._process.pid)
            if idle.is_too_long(time.monotonic(), children, at_work=any(map(_is_at_work, children or ()))):
                self.was_ended = _is_at_work(self._process.pid)  # or what it left behind holds its output
                if self._process.returncode is None:
                    end_session(self._process.pid)
                return

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look at the launcher within the block, which waits for its end."""
        thread = threading.Thread(target=self._watch, name="hung launcher", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()
