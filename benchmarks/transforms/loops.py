"""Calls repeated between two looks at the clock: C functions by a loop in C, Python functions by one in Python."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import typer

Loop = Callable[[int], object]  # of so many calls

_SOURCE = Path(__file__).with_name("loops.c")


@cache
def _compiled() -> ctypes.CDLL:
    compiler = shutil.which("cc")
    if compiler is None:
        raise typer.BadParameter("cc is not installed: plans are called by a loop in C")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "loops.so"
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", str(made), str(_SOURCE)], check=True)
        loops = ctypes.CDLL(str(made))
    pointer = ctypes.c_void_p
    loops.run_plan.argtypes = [pointer, pointer, ctypes.c_int32, pointer, pointer, pointer, ctypes.c_int64]
    loops.execute_plan.argtypes = [pointer, pointer, ctypes.c_int64]
    return loops


def of_plan(run: Any, plan: int, direction: int, values: int, out: int, scratch: int) -> Loop:
    """Return a loop of a C function of the solver, with these addresses."""
    function, loop = ctypes.cast(run, ctypes.c_void_p), _compiled().run_plan
    return lambda count: loop(function, plan, direction, values, out, scratch, count)


def of_execute(execute: Any, plan: int) -> Loop:
    """Return a loop of FFTW's execute of a plan."""
    function, loop = ctypes.cast(execute, ctypes.c_void_p), _compiled().execute_plan
    return lambda count: loop(function, plan, count)


def of_python(call: Callable[[], Any]) -> Loop:
    """Return a loop of a function of Python."""

    def loop(count: int) -> None:
        for _ in range(count):
            call()

    return loop


def seconds(loop: Loop, count: int) -> float:
    """Return the seconds of a call in one loop of so many, after half as many that warm up caches and threads."""
    loop((count + 1) // 2)
    began = time.perf_counter()
    loop(count)
    return (time.perf_counter() - began) / count
