"""How fast transforms of many kinds and shapes are, beside FFTW's plans and what SciPy, MKL and DUCC do from Python."""

from __future__ import annotations

import importlib
import math
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np
import typer
from numpy.typing import NDArray

from benchmarks.form import RESULTS, Asked, PageOption, asked_table, machine, row, table, write_page
from benchmarks.transforms import fftw, loops
from benchmarks.transforms.cells import Cell, cells
from benchmarks.transforms.loops import Loop, seconds
from rooftop.machine.identity import cores_now
from rooftop.solvers import fft
from rooftop.solvers.c_interface.array_addresses import aligned
from rooftop.solvers.fft import library
from rooftop.solvers.fft.library import BACKWARD, FORWARD

PAGE = RESULTS / "transforms.md"
LEAST_RATIO = 0.9
MEAN_OF_PLANS, MEAN_OF_CALLS = 1.15, 1.3
LEAST_CELLS = 160
_LOOP_S = 2e-3  # of calls between two looks at the clock
_MOST_ERROR = {False: 1e-12, True: 1e-4}
_GETS = {"mkl_fft": "pip install mkl_fft mkl-service", "pyfftw": "pip install pyfftw", "ducc0": "pip install ducc0"}
_ABOUT = """\
Microseconds: the fastest of {rounds} loops of calls, all programs in turn. *Ratio*: the fastest peer's time over the
solver's, above 1 where the solver is faster. *Plans*: C functions of plans made before, by a loop in C, of arrays on
boundaries of 64 bytes; the solver plans {how}, FFTW with FFTW_MEASURE, {planning:g} s at most. FFTW's backward
real transforms overwrite their input, which the solver's leave. *Calls*: functions of Python that take arrays as NumPy
places them and return new ones. After a program with two threads the next one begins when its threads have stopped
looking for work."""

Call = Callable[[], Any]
Way = Literal["plans", "calls"]


@dataclass
class Row:
    """The fastest time of each program in a cell, in seconds, by way and program; the solver is called rooftop."""

    cell: Cell
    taken: dict[Way, dict[str, float]] = field(default_factory=lambda: {"plans": {}, "calls": {}})

    def best_peer(self, way: Way) -> str | None:
        """Return the fastest peer's name; None where there is none."""
        peers = {name: taken for name, taken in self.taken[way].items() if name != "rooftop"}
        return min(peers, key=lambda name: peers[name]) if peers else None

    def ratio(self, way: Way) -> float | None:
        """Return the fastest peer's time over the solver's."""
        best = self.best_peer(way)
        return None if best is None else self.taken[way][best] / self.taken[way]["rooftop"]

    def cells(self) -> list[str]:
        """Return its row of the table."""
        shown = [self.cell.kind, self.cell.name, "single" if self.cell.single else "double", str(self.cell.threads)]
        for way in self.taken:
            ratio, best = self.ratio(way), self.best_peer(way)
            shown.append(f"{1e6 * self.taken[way]['rooftop']:.3g}")
            if best is None or ratio is None:
                shown += ["–", "–"]
                continue
            text = f"{ratio:.2f}"
            shown += [f"{best} {1e6 * self.taken[way][best]:.3g}", f"**{text}**" if ratio < LEAST_RATIO else text]
        return shown


def on_boundary(array: NDArray[Any]) -> NDArray[Any]:
    """Return a copy on a boundary of 64 bytes, as programs in C place arrays for vectors."""
    copy, _ = aligned(array.shape, array.size, array.dtype)
    copy[...] = array
    return copy


class Plan:
    """A plan of the solver's C functions, and the run of them."""

    def __init__(self, cell: Cell, values: NDArray[Any], out: NDArray[Any], *, measured: bool = True) -> None:
        kind = fft.FourierPlan if cell.kind == "complex" else fft.RealFourierPlan
        self._plan = kind(
            cell.shape,
            axes=range(-cell.axes, 0),
            norm="backward" if cell.kind != "to real" else "forward",
            threads=cell.threads,
            dtype=cell.complex_dtype if cell.kind == "complex" else cell.real_dtype,
            measure=measured,
        )
        functions = library.plan_functions(single=cell.single, real=cell.kind != "complex")
        self._memory, scratch = aligned((self._plan.scratch_bytes,), self._plan.scratch_bytes, np.dtype(np.uint8))
        function = functions.run or functions.run_stoppable
        raw = getattr(function, "__wrapped__", function)
        direction = BACKWARD if cell.kind == "to real" else FORWARD
        places = (direction, values.ctypes.data, out.ctypes.data, scratch)
        self.loop = loops.of_plan(raw, self._plan._handle.address, *places)

    @property
    def instruction_set(self) -> str:
        """The SIMD target."""
        return self._plan.instruction_set


def python_calls(cell: Cell, values: NDArray[Any]) -> Iterator[tuple[str, Call]]:
    """Yield the functions that are called from Python, the solver's first."""
    axes, shape = tuple(range(-cell.axes, 0)), cell.shape[-cell.axes :]
    names = {"complex": "fftn", "from real": "rfftn", "to real": "irfftn"}
    backwards: dict[str, Any] = {"s": shape} if cell.kind == "to real" else {}
    own = getattr(fft, names[cell.kind])
    yield "rooftop", lambda: own(values, axes=axes, threads=cell.threads, **backwards)
    scipy_fft = getattr(importlib.import_module("scipy.fft"), names[cell.kind])
    yield "SciPy", lambda: scipy_fft(values, axes=axes, workers=cell.threads, **backwards)
    if (mkl_fft := _module("mkl_fft")) is not None and (mkl := _module("mkl")) is not None:
        mkl.set_num_threads(cell.threads)
        function = getattr(mkl_fft, names[cell.kind])
        yield "MKL", lambda: function(values, axes=axes, **backwards)
    if (ducc := _module("ducc0")) is not None:
        if cell.kind == "complex":
            yield "DUCC", lambda: ducc.fft.c2c(values, axes=axes, nthreads=cell.threads)
        elif cell.kind == "from real":
            yield "DUCC", lambda: ducc.fft.r2c(values, axes=axes, nthreads=cell.threads)
        else:
            inorm, last = 2, shape[-1]
            yield (
                "DUCC",
                lambda: ducc.fft.c2r(
                    values, axes=axes, lastsize=last, forward=False, inorm=inorm, nthreads=cell.threads
                ),
            )


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def check(cell: Cell, values: NDArray[Any], seen: NDArray[Any], scale: float) -> None:
    """Hold a result against NumPy's in double precision. Raises RuntimeError where it differs."""
    axes, lengths = tuple(range(-cell.axes, 0)), cell.shape[-cell.axes :]
    if cell.kind == "complex":
        exact: NDArray[Any] = np.fft.fftn(values, axes=axes)
    elif cell.kind == "from real":
        exact = np.fft.rfftn(values, axes=axes)
    else:
        exact = np.fft.irfftn(values, s=lengths, axes=axes)
    error = float(np.linalg.norm(seen * scale - exact) / np.linalg.norm(exact))
    if not error <= _MOST_ERROR[cell.single]:
        raise RuntimeError(f"{cell}: the result differs from NumPy's by {error:.2e}")


def rest(name: str, cell: Cell) -> None:
    """Wait until the threads of a program sleep. MKL's look for work for 200 ms, others for a few."""
    if cell.threads > 1:
        time.sleep(0.21 if name == "MKL" else 0.005)


def measure(cell: Cell, libraries: list[tuple[str, fftw.Fftw]], rounds: int, *, measured: bool = True) -> Row:
    """Plan, check and time every program in a cell, in turn."""
    values, out = cell.arrays()
    placed, placed_out = on_boundary(values), on_boundary(out)
    own = Plan(cell, placed, placed_out, measured=measured)
    own.loop(1)
    check(cell, values, placed_out, 1 / math.prod(cell.shape[-cell.axes :]) if cell.kind == "to real" else 1)
    planned = {"rooftop": own.loop}
    made = []
    for name, fftw_library in libraries:
        mine, result = on_boundary(values), on_boundary(out)
        plan = fftw_library.plan(cell, mine, result)
        mine[...] = values
        made.append((fftw_library, plan, mine, result))
        planned[name] = loops.of_execute(fftw_library.execute, plan)
    called = dict(python_calls(cell, values))
    check(cell, values, called["rooftop"](), 1)
    every: list[tuple[Way, str, Loop]] = [("plans", name, loop) for name, loop in planned.items()]
    every += [("calls", name, loops.of_python(call)) for name, call in called.items()]
    row = Row(cell)
    counts = []
    for _, name, loop in every:
        counts.append(max(1, int(_LOOP_S / max(seconds(loop, 1), seconds(loop, 1)))))
        rest(name, cell)
    for _ in range(rounds):
        for (way, name, loop), count in zip(every, counts, strict=True):
            taken = row.taken[way]
            taken[name] = min(taken.get(name, math.inf), seconds(loop, count))
            rest(name, cell)
    for fftw_library, plan, *_ in made:
        fftw_library.destroy(plan)
    return row


def asked_lines(rows: list[Row]) -> list[Asked]:
    """Return what was asked beside what was reached."""
    lines = [
        Asked("cells", f"at least {LEAST_CELLS}", str(len(rows)), len(rows) >= LEAST_CELLS),
    ]
    peers_of: dict[Way, tuple[float, str]] = {
        "plans": (MEAN_OF_PLANS, "the best planned FFTW"),
        "calls": (MEAN_OF_CALLS, "the best of SciPy, mkl_fft and ducc0"),
    }
    for way, (mean, peers) in peers_of.items():
        ratios = [ratio for one in rows if (ratio := one.ratio(way)) is not None]
        if not ratios:
            lines.append(Asked(f"{way}: ratio to {peers}", f"at least {LEAST_RATIO}", "no peer is installed", None))
            continue
        below = sum(ratio < LEAST_RATIO for ratio in ratios)
        reached = f"{len(ratios) - below} of {len(ratios)} cells; {min(ratios):.2f} at worst"
        lines.append(Asked(f"{way}: ratio to {peers}, in every cell", f"at least {LEAST_RATIO}", reached, below == 0))
        middle = statistics.geometric_mean(ratios)
        lines.append(Asked(f"{way}: the same, geometric mean", f"at least {mean}", f"{middle:.2f}", middle >= mean))
    return lines


def summary(rows: list[Row]) -> str:
    """Return the table of geometric means by kind, dimensions and threads."""
    groups: dict[tuple[str, str, int], list[Row]] = {}
    for one in rows:
        many = math.prod(one.cell.shape[: -one.cell.axes]) > 1
        what = f"{one.cell.axes} dimension{'s' if one.cell.axes > 1 else ''}{', batches' if many else ''}"
        groups.setdefault((one.cell.kind, what, one.cell.threads), []).append(one)
    lines = []
    for (kind, what, threads), some in sorted(groups.items()):
        means = []
        for way in ("plans", "calls"):
            ratios = [ratio for one in some if (ratio := one.ratio(way)) is not None]
            means.append(f"{statistics.geometric_mean(ratios):.2f}" if ratios else "–")
        lines.append([kind, what, threads, len(some), *means])
    return table(["kind", "transform", "threads", "cells", "plans: mean ratio", "calls: mean ratio"], lines)


def programs(libraries: list[tuple[str, fftw.Fftw]], instruction_set: str) -> str:
    """Return the table of programs, with their versions and instruction sets."""
    lines = [["rooftop", "", f"{instruction_set}, chosen as it runs"]]
    for name, one in libraries:
        lines.append([name, one.name.split("-")[1], f"chosen by measuring among {', '.join(one.name.split('-')[2:])}"])
    for name, module, sets in (
        ("SciPy", "scipy", "that of its wheel: SSE2 and up, as pocketfft's vectors were compiled"),
        ("MKL", "mkl_fft", "chosen as it runs: the processor's best"),
        ("DUCC", "ducc0", "that of its wheel"),
    ):
        found = _module(module)
        version = getattr(found, "__version__", "") if found is not None else f"not installed: {_GETS[module]}"
        lines.append([name, version, sets])
    return table(["program", "version", "instruction set"], lines)


def main(
    rounds: Annotated[int, typer.Option(min=1, help="How often each program is timed in a cell, in turn.")] = 7,
    shape: Annotated[str, typer.Option(help="Only cells of shapes with this name, such as 128x128x128.")] = "",
    by_size: Annotated[
        bool, typer.Option("--by-size", help="The solver plans by the size, without measuring.")
    ] = False,
    to: PageOption = PAGE,
) -> None:
    """Measure every cell, and write docs/results/transforms.md."""
    by_precision: dict[bool, list[tuple[str, fftw.Fftw]]] = {}
    for single in (False, True):
        found = (("FFTW", fftw.of_the_system(single)), ("pyFFTW", fftw.of_pyfftw(single)))
        by_precision[single] = [(name, one) for name, one in found if one is not None]
    threads = tuple(sorted({1, min(2, cores_now())}))
    rows = []
    for cell in cells(threads):
        if shape in ("", cell.name):
            rows.append(measure(cell, by_precision[cell.single], rounds, measured=not by_size))
            print(row(rows[-1].cells()), flush=True)
    instruction_set = fft.FourierPlan((8,), threads=1).instruction_set
    head = ("kind", "shape", "precision", "threads", "plan, µs", "best peer", "ratio", "call, µs", "best peer", "ratio")
    write_page(
        to,
        "Transforms of many kinds and shapes: asked and reached",
        "transforms --by-size" if by_size else "transforms",
        asked_table(asked_lines(rows)),
        summary(rows),
        _ABOUT.format(rounds=rounds, planning=fftw.PLANNING_S, how="by the size" if by_size else "with `measure`"),
        programs(by_precision[False], instruction_set),
        table(head, (one.cells() for one in rows)),
        on=machine(),
    )
