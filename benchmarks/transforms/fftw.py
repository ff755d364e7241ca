"""FFTW's plans, through its C functions."""

from __future__ import annotations

import ctypes
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.transforms.cells import Cell

MEASURE, DESTROY_INPUT = 0, 1
FORWARD = -1
PLANNING_S = 5.0  # for one plan; it keeps the best that it found


class Fftw:
    """FFTW in one precision: libfftw3 and its threads, of the system or of pyFFTW's wheel."""

    def __init__(self, library: ctypes.CDLL, threads: ctypes.CDLL, single: bool) -> None:
        self._start = "fftwf" if single else "fftw"
        self._library, self._threads = library, threads
        self.version = ctypes.c_char.in_dll(library, f"{self._start}_version")
        self.name = ctypes.string_at(ctypes.addressof(self.version)).decode()
        for suffix in ("many_dft", "many_dft_r2c", "many_dft_c2r"):
            self._function(f"plan_{suffix}").restype = ctypes.c_void_p
        self.execute = self._function("execute")
        self.execute.argtypes = [ctypes.c_void_p]
        self._function("destroy_plan").argtypes = [ctypes.c_void_p]
        self._function("set_timelimit").argtypes = [ctypes.c_double]
        getattr(threads, f"{self._start}_init_threads")()

    def _function(self, name: str) -> Any:
        return getattr(self._library, f"{self._start}_{name}")

    def plan(self, cell: Cell, values: NDArray[Any], out: NDArray[Any]) -> int:
        """Return a plan by FFTW_MEASURE, which overwrites both arrays. A backward real one overwrites its input."""
        lengths = (ctypes.c_int * cell.axes)(*cell.shape[-cell.axes :])
        many = int(np.prod(cell.shape[: -cell.axes], dtype=np.int64))
        between = [array.size // many for array in (values, out)]
        getattr(self._threads, f"{self._start}_plan_with_nthreads")(cell.threads)
        self._function("set_timelimit")(PLANNING_S)
        ends: tuple[Any, ...] = ()
        for array, step in zip((values, out), between, strict=True):
            ends += (ctypes.c_void_p(array.ctypes.data), None, 1, step)
        name = {"complex": "many_dft", "from real": "many_dft_r2c", "to real": "many_dft_c2r"}[cell.kind]
        sign = (FORWARD,) if cell.kind == "complex" else ()
        flags = ctypes.c_uint(MEASURE | (DESTROY_INPUT if cell.kind == "to real" else 0))
        made = self._function(f"plan_{name}")(cell.axes, lengths, many, *ends, *sign, flags)
        if not made:
            raise RuntimeError(f"{self.name} has no plan of {cell}")
        return int(made)

    def destroy(self, plan: int) -> None:
        """Destroy a plan."""
        self._function("destroy_plan")(plan)


def of_the_system(single: bool) -> Fftw | None:
    """Return Debian's FFTW; None where it is not installed."""
    name = "fftw3f" if single else "fftw3"
    try:
        return Fftw(ctypes.CDLL(f"lib{name}.so.3"), ctypes.CDLL(f"lib{name}_omp.so.3"), single)
    except OSError:
        return None


def of_pyfftw(single: bool) -> Fftw | None:
    """Return the FFTW in pyFFTW's wheel; None where it is not installed."""
    spec = importlib.util.find_spec("pyfftw")
    if spec is None or spec.origin is None:
        return None
    name, folder = "fftw3f" if single else "fftw3", Path(spec.origin).parents[1] / "pyfftw.libs"
    # In this order: what one needs of the others is found among what is loaded.
    files = [_in_wheel(folder, one) for one in ("gomp", name, f"{name}_omp")]
    if None in files:
        return None
    _, own, threads = (ctypes.CDLL(file) for file in files)
    return Fftw(own, threads, single)


def _in_wheel(folder: Path, name: str) -> str | None:
    return next((str(path) for path in sorted(folder.glob(f"lib{name}-*.so*"))), None)
