"""Measure the peak memory of a command: python -I -S peak.py FILE WORD...

Linux counts the memory of the starting process as the peak of the started program (fs/exec.c, setmax_mm_hiwater_rss),
and the bench is larger than most programs. This program is small, imports nothing of the bench, and starts the command
from a fork of itself, which counts only the pages it has written: some 6 MiB, the smallest peak that can be measured.
It writes five integers to FILE: the peak of the largest process in bytes, the smallest measurable peak in bytes, the
elapsed nanoseconds, and the user and system time in microseconds. It exits as the command did.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time


def _environment() -> dict[bytes, bytes]:
    """Return the original environment: Python adds variables to its own in the C locale."""
    with open("/proc/self/environ", "rb") as file:  # noqa: PTH123
        pairs = (one.partition(b"=") for one in file.read().split(b"\0") if one)
        return {name: value for name, _, value in pairs}


def _found(word: str, path: str) -> str:
    """Return the file of a program, or the word itself if there is none."""
    if "/" not in word:
        for folder in path.split(os.pathsep):
            file = os.path.join(folder or ".", word)  # noqa: PTH118
            if os.access(file, os.X_OK) and not os.path.isdir(file):  # noqa: PTH112
                return file
    return word


def _become(words: list[str], environment: dict[bytes, bytes], telling: int) -> None:
    """Write the peak so far and execute the command; if that fails, write the error number too."""
    program = _found(words[0], os.fsdecode(environment.get(b"PATH", os.fsencode(os.defpath))))
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and that is inherited
        signal.signal(number, signal.SIG_DFL)
    try:
        os.write(telling, b"%d" % (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024))
        os.execve(program, words, environment)
    except OSError as error:
        os.write(telling, b" %d" % (error.errno or 0))
    os._exit(127)


def main() -> None:
    """Start the command, wait for it, write its figures, and exit in the same way."""
    file, *words = sys.argv[1:]
    environment = _environment()
    told, telling = os.pipe()
    began_ns = time.perf_counter_ns()
    pid = os.fork()
    if pid == 0:
        _become(words, environment, telling)
    os.close(telling)
    said = b""
    while chunk := os.read(told, 64):  # ends when the command begins
        said += chunk
    _, status, usage = os.wait4(pid, 0)
    elapsed_ns = time.perf_counter_ns() - began_ns
    least, *failed = said.split()
    if failed:
        sys.exit(f"{words[0]} cannot be started: {os.strerror(int(failed[0]))}")
    figures = (usage.ru_maxrss * 1024, int(least), elapsed_ns, int(usage.ru_utime * 1e6), int(usage.ru_stime * 1e6))
    with open(file, "w", encoding="ascii") as out:  # noqa: PTH123
        out.write(" ".join(map(str, figures)))
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


if __name__ == "__main__":
    main()
