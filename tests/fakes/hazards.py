"""Programs that a bench must survive: python -I -S hazards.py KIND FOLDER.

Every process that one starts leaves a file named after its pid in FOLDER, so that a test can see whether it lives.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable

KIND, FOLDER = sys.argv[1], sys.argv[2]


def note() -> None:
    with open(f"{FOLDER}/{os.getpid()}", "w", encoding="ascii") as file:  # noqa: PTH123
        file.write(KIND)


def child(*, leave_session: bool = False, ignoring: bool = False) -> None:
    """Start a child that sleeps, holding all pipes, and go on when it is on its way."""
    ready, told = os.pipe()
    if os.fork() == 0:
        if leave_session:
            os.setsid()
        if ignoring:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
        note()
        os.write(told, b"x")
        time.sleep(600)
        os._exit(0)
    os.read(ready, 1)


def fine() -> None:
    time.sleep(0.005)


def segfault() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal.SIGSEGV)


def hang() -> None:
    child(ignoring=True)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)


def stop() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def disk() -> None:
    with open("/dev/full", "wb") as file:  # noqa: PTH123
        file.write(b"x" * 8192)


def file_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with open(f"{FOLDER}/0", "wb") as file:  # noqa: PTH123
        file.write(b"x" * 65536)


def daemon() -> None:
    if os.fork() == 0:
        os.setsid()
        child(leave_session=True, ignoring=True)
        os._exit(0)
    os.wait()


def brood() -> None:
    for number in range(200):
        if os.fork() == 0:
            if number % 2:
                os.setsid()
            note()
            time.sleep(600)
            os._exit(0)
    while len(os.listdir(FOLDER)) < 200:  # noqa: PTH208
        time.sleep(0.005)


def loud() -> None:
    line = b"megabytes of nothing".ljust(1 << 16, b".")
    if os.fork() == 0:
        for _ in range(800):
            os.write(2, line)
        os._exit(0)
    for _ in range(800):
        os.write(1, line)
    os.wait()


def memory() -> None:
    bytearray(1 << 30)


def folder() -> None:
    shutil.rmtree(os.getcwd())  # noqa: PTH109


KINDS: dict[str, Callable[[], None]] = {
    one.__name__: one for one in (fine, segfault, hang, stop, disk, file_size, daemon, brood, loud, memory, folder)
}

if __name__ == "__main__":
    note()
    KINDS[KIND]()
