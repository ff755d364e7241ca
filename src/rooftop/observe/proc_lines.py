"""Parse the files of /proc about threads.

Sources: proc(5), and Documentation/scheduler/sched-stats.rst of Linux.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rooftop.launchers import launchers
from rooftop.machine.processor import parse_cpu_list

# Places after the name's closing parenthesis.
_STATE, _MINOR, _MAJOR, _USER, _SYSTEM, _STARTED, _LAST_CPU = 0, 7, 9, 11, 12, 19, 36
_OPENMP = ("libgomp", "libomp", "libiomp")


@dataclass(frozen=True)
class Stat:
    """The line of /proc/PID/task/TID/stat.

    ticks    CPU time, user and system, in clock ticks
    system   the part of it in the kernel
    faults   page faults, with and without reading from a device
    started  clock ticks after boot; identifies the thread together with pid and tid
    cpu      where it ran last, or waits to run
    """

    comm: str
    state: str
    ticks: int
    system: int
    faults: int
    started: int
    cpu: int


class Wait(NamedTuple):
    """What a sleeping thread waits in: a system call's number, and its first argument, such as a futex's address."""

    call: int
    argument: int


@dataclass(frozen=True)
class Status:
    """From /proc/PID/task/TID/status: CPUs on which the thread may run, and its context switches so far."""

    allowed: frozenset[int]
    voluntary: int
    involuntary: int


def parse_stat(line: str) -> Stat:
    """Parse a line of stat, whose name may contain blanks and parentheses. Raises ValueError."""
    _, opened, rest = line.partition("(")
    comm, closed, fields_text = rest.rpartition(")")
    fields = fields_text.split()
    if not opened or not closed or len(fields) <= _LAST_CPU:
        raise ValueError(f"the stat line is {line[:60]!r}, expected one with 39 fields or more")
    return Stat(
        comm=comm,
        state=fields[_STATE],
        ticks=int(fields[_USER]) + int(fields[_SYSTEM]),
        system=int(fields[_SYSTEM]),
        faults=int(fields[_MINOR]) + int(fields[_MAJOR]),
        started=int(fields[_STARTED]),
        cpu=int(fields[_LAST_CPU]),
    )


def parse_schedstat(line: str) -> tuple[int, int]:
    """Parse "RUN WAIT SLICES". Return ns on a CPU, and ns ready to run without one. Raises ValueError."""
    fields = line.split()
    if len(fields) < 2:
        raise ValueError(f"the schedstat line is {line[:60]!r}, expected three numbers")
    return int(fields[0]), int(fields[1])


def parse_syscall(line: str) -> Wait | None:
    """Parse a line of syscall; None for a thread that is running, or that waits outside of a system call."""
    fields = line.split()
    try:
        call, argument = int(fields[0]), int(fields[1], 16)
    except (IndexError, ValueError):
        return None
    return Wait(call, argument) if call >= 0 else None


def parse_status(text: str) -> Status:
    """Parse the used fields of status. Raises ValueError."""
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    try:
        return Status(
            allowed=frozenset(parse_cpu_list(fields["Cpus_allowed_list"])),
            voluntary=int(fields["voluntary_ctxt_switches"]),
            involuntary=int(fields["nonvoluntary_ctxt_switches"]),
        )
    except KeyError as error:
        raise ValueError(f"the status has no {error.args[0]}") from None


def parse_migrations(text: str) -> int | None:
    """Parse the kernel's count of migrations from sched; None if the kernel does not count them."""
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "se.nr_migrations" and value.strip().isdecimal():
            return int(value)
    return None


def parse_cpu_times(text: str) -> dict[int, tuple[int, int]]:
    """Parse /proc/stat. Return the clock ticks (idle, total) so far by CPU; iowait is idle. Raises ValueError."""
    found: dict[int, tuple[int, int]] = {}
    for line in text.splitlines():
        name, *fields = line.split() or [""]
        if name.startswith("cpu") and name[3:].isdecimal() and len(fields) >= 8:
            ticks = [int(field) for field in fields[:8]]  # the others, guest times, are included in the first two
            found[int(name[3:])] = (ticks[3] + ticks[4], sum(ticks))
    return found


def variables(environ: bytes) -> dict[str, str]:
    """Parse /proc/PID/environ."""
    pairs = (one.decode("utf-8", "replace").partition("=") for one in environ.split(b"\0"))
    return {name: value for name, equals, value in pairs if equals}


def rank_of(environment: dict[str, str], surrounding: dict[str, str]) -> tuple[str, int] | None:
    """Return the launcher that started a process, and the process's rank; None if it is not a rank.

    The first launcher whose variable is set is taken: a launcher of an MPI library leaves a batch job's variable set.

    surrounding  the bench's own environment: variables inherited from it, such as a job script's, do not count
    """
    for launcher in launchers():
        value = environment.get(launcher.rank_variables[0], "")
        if not (value.isdecimal() and value.isascii()):
            continue
        if any(environment.get(one) != surrounding.get(one) for one in launcher.rank_variables):
            return launcher.name, int(value)
    return None


def has_hdf5(maps: str) -> bool:
    """Return whether /proc/PID/maps lists a library of HDF5."""
    return "libhdf5" in maps


def has_openmp(maps: str) -> bool:
    """Return whether /proc/PID/maps lists an OpenMP library."""
    return any(name in maps for name in _OPENMP)
