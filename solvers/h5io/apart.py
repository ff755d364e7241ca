"""Run a call that reads a user's file in a forked copy of this process.

The HDF5 library crashes on some damaged files, hangs on others, and asks for any amount of memory. The copy ends then,
and this process tells which file it was.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar, cast

from rooftop.errors import RooftopError
from rooftop.interrupts import uninterrupted
from rooftop.solvers.h5io.library import H5FileError
from rooftop.text.quantities import size

T = TypeVar("T")
Tell = Callable[[str, Any], None]

_ROOM_BYTES = 8 << 30
_LEAST_S = 300.0
_BYTES_IN_1_S = 1 << 20  # of a file that has little but structure
_PR_SET_PDEATHSIG = 1


def apart(
    file: Path,
    call: Callable[[Tell], T],
    heard: Tell = lambda word, value: None,
    *,
    begun: str | None = None,
    room_bytes: int = _ROOM_BYTES,
) -> T:
    """Return what a call returns, or raise what it raises, run in a copy of this process.

    file        that it reads, for messages and for the time that this may take
    call        gets a function whose words reach `heard` in this process
    begun       the word from which on only the time between two words is limited; None: all of it is
    room_bytes  maximum memory that it may take beside what this process has

    Raises H5FileError if the copy crashes, takes longer, or needs more memory.
    """
    context = get_context("fork")  # what is loaded need not be loaded again
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(theirs, file, call, room_bytes))
    limit_s = _LEAST_S + (file.stat().st_size / _BYTES_IN_1_S if file.exists() else 0)
    until, has_begun = time.monotonic() + limit_s, False
    try:
        with uninterrupted():  # what came meanwhile is raised here, and the copy is there
            process.start()
            theirs.close()
        while ours.poll(max(until - time.monotonic(), 0)):
            try:
                word, value = ours.recv()
            except (EOFError, OSError):
                process.join()
                raise H5FileError(f"{file}: {_ending(process.exitcode)}") from None
            if word == "returned":
                return cast(T, value)
            if word == "raised":
                raise value
            has_begun = has_begun or word == begun
            if has_begun:
                until = time.monotonic() + limit_s
            heard(word, value)
        late = "came no further" if has_begun else "did not finish"
        raise H5FileError(f"{file}: the HDF5 library {late} within {limit_s:.0f} s: is it damaged?")
    finally:
        _end(process)
        ours.close()


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        return f"the HDF5 library crashed on it ({signal.Signals(-code).name}): it is damaged"
    return "the process that reads it ended without an answer: is it damaged?"


def _end(process: Any) -> None:
    """End a copy. One that is still there is killed: what waits in the library hears no other signal."""
    with uninterrupted():
        if process.pid is not None:
            process.kill()
            process.join()
        process.close()


def _run(pipe: Connection, file: Path, call: Callable[[Tell], object], room_bytes: int) -> None:
    """Answer, and end without what this process's own end would do, such as the library's."""
    try:
        for number in (signal.SIGINT, signal.SIGTERM):  # of a terminal, or of a batch system that ends all of a job
            signal.signal(number, signal.SIG_IGN)  # its parent has them too, and ends it
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        _bound(resource.RLIMIT_CORE, 0)
        _bound(resource.RLIMIT_DATA, _data_bytes() + room_bytes)
        answer = _answer(pipe, file, call, room_bytes)
        with suppress(OSError):  # the parent has ended
            pipe.send(answer)
    finally:
        os._exit(0)


def _answer(pipe: Connection, file: Path, call: Callable[[Tell], object], room_bytes: int) -> tuple[str, object]:
    try:
        return "returned", call(lambda word, value: pipe.send((word, value)))
    except MemoryError:
        return "raised", H5FileError(f"{file}: takes more than {size(room_bytes)} of memory: is it damaged?")
    except (RooftopError, OSError, ValueError, TypeError, RuntimeError) as error:
        return "raised", error
    except BaseException as error:  # perhaps of a class that is not known when it is received
        return "raised", RuntimeError(f"{type(error).__name__}: {error}")


def _data_bytes() -> int:
    """Return the memory of this process that counts for the limit."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * resource.getpagesize()


def _bound(kind: int, most: int) -> None:
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
