"""What processes are that did not end when a test expected it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import psutil

_LINES = ("State", "PPid", "Threads", "SigPnd", "ShdPnd", "SigBlk", "SigIgn")  # of proc(5), status
_STACK_LINES = 4


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:  # it has ended, or the kernel does not tell
        return error.strerror or str(error)


def _thread(folder: Path) -> str:
    status = dict(line.split(":", 1) for line in _read(folder / "status").splitlines() if ":" in line)
    stack = [line.split()[-1] for line in _read(folder / "stack").splitlines()[:_STACK_LINES]]
    return (
        f"    thread {folder.name}: {status.get('State', '').strip()} in {_read(folder / 'wchan')}, {' < '.join(stack)}"
    )


def states(pids: Iterable[int]) -> str:
    """Return lines about each of these processes and their threads: states, where they wait, and pending signals."""
    told = []
    for pid in pids:
        folder = Path(f"/proc/{pid}")
        words = _read(folder / "cmdline").replace("\0", " ").strip() or _read(folder / "comm").strip()
        status = [line.replace("\t", " ") for line in _read(folder / "status").splitlines()]
        told.append(f"process {pid}: {words}: {', '.join(line for line in status if line.split(':')[0] in _LINES)}")
        told += [_thread(thread) for thread in sorted(folder.glob("task/*"))]
    return "\n".join(told)


def family(pid: int) -> list[psutil.Process]:
    """Return a process and its descendants; none where it has ended."""
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []
