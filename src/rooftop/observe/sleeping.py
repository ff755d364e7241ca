"""What a sleeping thread waits for, by the system call that it sleeps in."""

from __future__ import annotations

import platform
from collections.abc import Mapping

from rooftop.observe.proc_lines import Wait

LOCK, IO, NETWORK, SLEEP, CHILD, OTHER = "lock", "input or output", "messages", "sleep", "another process", "other"

# Numbers of system calls: Linux, arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
_X86_64 = {
    LOCK: (202, 449),  # futex, futex_waitv
    IO: (0, 1, 17, 18, 19, 20, 74, 75, 162, 295, 296, 208),  # read, write, pread, …, fsync, io_getevents
    NETWORK: (7, 23, 42, 43, 44, 45, 46, 47, 232, 270, 271, 281, 288, 299, 307),  # poll, select, recv, epoll_wait, …
    SLEEP: (24, 34, 35, 230),  # sched_yield, pause, nanosleep, clock_nanosleep
    CHILD: (61, 247),  # wait4, waitid
}
_AARCH64 = {
    LOCK: (98, 449),
    IO: (63, 64, 65, 66, 67, 68, 69, 70, 81, 82, 83, 4),
    NETWORK: (22, 72, 73, 202, 203, 206, 207, 211, 212, 242, 243, 269),
    SLEEP: (101, 115, 124),
    CHILD: (95, 260),
}
_BY_MACHINE = {"x86_64": _X86_64, "aarch64": _AARCH64}


def kinds_of(machine: str) -> Mapping[int, str]:
    """Return what each system call waits for, by its number; empty for an architecture that is not known."""
    return {number: kind for kind, numbers in _BY_MACHINE.get(machine, {}).items() for number in numbers}


_KINDS = kinds_of(platform.machine())


def kind_of(wait: Wait | None) -> str:
    """Return what a sleeping thread waits for."""
    return OTHER if wait is None else _KINDS.get(wait.call, OTHER)
