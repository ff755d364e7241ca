"""Finds the peak memory of a command: python -I -S peak.py FILE WORD...

Linux counts the memory of the process that starts a program as that program's own peak (fs/exec.c,
setmax_mm_hiwater_rss), and the bench is larger than most programs. This one is small (some 10 MiB, which is the least
that can be seen), imports nothing of the bench, starts the command, writes the peak in bytes of its largest process to
FILE, and leaves as the command did.
"""

from __future__ import annotations

import os
import resource
import signal
import sys


def main() -> None:
    """Start, wait, write, and leave in the same way."""
    file, *words = sys.argv[1:]
    try:
        pid = os.posix_spawnp(words[0], words, os.environ)
    except OSError as error:
        sys.exit(f"{words[0]} cannot be started: {error.strerror}")
    _, status, usage = os.wait4(pid, 0)
    with open(file, "w", encoding="ascii") as out:  # noqa: PTH123
        out.write(str(usage.ru_maxrss * 1024))
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


if __name__ == "__main__":
    main()
