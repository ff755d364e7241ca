"""End a launcher that does not end although its ranks have.

Open MPI 4's mpirun sometimes waits for ever for a lock in PMIx_server_finalize after a rank was killed while it
started. Its standard output stays open, so that whoever reads it would wait too.
"""

from __future__ import annotations

import fcntl
import subprocess
import termios
import threading
import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from rooftop.command.guardian import end_session

GRACE_S = 5.0  # an mpirun whose ranks have ended takes some hundredths
_LOOK_S = 0.25
_FIRST_LOOK_S = 0.02  # a rank that fails at once lives for some hundredths
_NAME_LENGTH = 15  # what the kernel keeps of a program's name
_OTHER_HOSTS = frozenset({"ssh", "rsh", "qrsh", "srun"})  # they start ranks that are nobody's children here


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


def _name(pid: int) -> str:
    """Return the name of a process's program, cut as the kernel does, also after its end; nothing where it is gone."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text(errors="replace").rstrip("\n")
    return ""


class Idleness:
    """How long a launcher whose ranks have begun has had none at work.

    began  whether they have, so far
    """

    def __init__(self, now_s: float) -> None:
        self.began = False
        self._looked_s = self._since_s = now_s

    def is_too_long(self, now_s: float, *, began: bool, at_work: bool) -> bool:
        """Take what a look shows, and return whether to end the launcher."""
        # A process that was stopped, as by Ctrl-Z, has not seen what its launcher did, nor read what it wrote.
        late = now_s - self._looked_s > GRACE_S / 2
        self._looked_s = now_s
        self.began = self.began or began
        if at_work or late or not self.began:
            self._since_s = now_s
        return now_s - self._since_s > GRACE_S


class HungLauncher:
    """Whether a launcher, which leads a session, had to be ended.

    It is ended only after ranks on this host were seen, or after it has left its output to others: whether ranks on
    other hosts are at work cannot be seen here.
    """

    def __init__(self, process: subprocess.Popen[bytes], program: str) -> None:
        """Take the launcher's process and its ranks' program."""
        self.was_ended = False
        self._process = process
        self._name = Path(program).name[:_NAME_LENGTH]
        self._over = threading.Event()

    def _has_unread_output(self) -> bool:
        """Return whether there is output in the pipe, for whose reader the launcher may be waiting."""
        count = array("i", [0])
        with suppress(OSError, ValueError):  # the reader has closed it
            if self._process.stdout is not None:
                fcntl.ioctl(self._process.stdout.fileno(), termios.FIONREAD, count)
        return count[0] > 0

    def _watch(self) -> None:
        idle, look_s = Idleness(time.monotonic()), min(_FIRST_LOOK_S, _LOOK_S)
        while not self._over.wait(look_s):
            children = _children(self._process.pid)
            names = {_name(child) for child in children or ()}
            if names & _OTHER_HOSTS:
                return
            began = self._name in names or not _is_at_work(self._process.pid)
            at_work = children is None or any(map(_is_at_work, children)) or self._has_unread_output()
            if idle.is_too_long(time.monotonic(), began=began, at_work=at_work):
                self.was_ended = _is_at_work(self._process.pid)  # or what it left behind holds its output
                if self._process.returncode is None:
                    end_session(self._process.pid)
                return
            look_s = _LOOK_S if idle.began else min(_LOOK_S, 1.1 * look_s)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look at the launcher within the block, which reads its output and waits for its end."""
        thread = threading.Thread(target=self._watch, name="hung launcher", daemon=True)
        try:
            thread.start()
            yield
        finally:
            self._over.set()
            if thread.is_alive():
                thread.join()
