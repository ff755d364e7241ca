"""How long the smallest call of each solver's functions takes besides the C function."""

from __future__ import annotations

import ctypes
import importlib
import math
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import numpy as np
import typer

from benchmarks.form import RESULTS, Asked, PageOption, asked_table, table, write_page
from rooftop.solvers import conv, elasticity, fft, network, routing
from rooftop.solvers.c_interface import python_functions
from rooftop.solvers.conv import plan as conv_plan
from rooftop.solvers.fft import plan as fft_plan
from rooftop.solvers.fft import real_plan
from rooftop.solvers.network.model import Model

PAGE = RESULTS / "call-floor.md"
MOST_US = 3.0
_LOOP = 100  # calls between two looks at the clock
_ABOUT = """\
Microseconds a call: the fastest of {rounds} loops of {loop} calls, all functions in turn, on one thread.
*C function*: with the arguments that the Python function passes, called through ctypes, less a C function without
work that is called alike. *Besides*: what is left of the call from Python: checks, new arrays (each takes as long as
numpy.empty), the objects of the result, and the C functions that read and destroy a solution.
{ways}"""
_EXTENSIONS = "All functions are asked of an extension first, which answers brief calls."
_NO_EXTENSIONS = (
    "Without Python's headers when it was built, {missing} has no extension, and goes through ctypes. That takes 2 to "
    "60 µs: 1 µs for each array to check and each structure to fill, and 0.15 µs for each field of a result."
)

Call = Callable[[], Any]
Fresh = Callable[..., Any]


def _nothing(*_: Any) -> None:
    """Leave the arguments as they are."""


def _at_rest(*arguments: Any) -> None:
    """Set the displacement that a solver of elasticity starts from to zero: it has its last result."""
    ctypes.memset(arguments[2], 0, 3 * math.prod(_NODES) * ctypes.sizeof(ctypes.c_double))


_NODES = (2, 2, 2)


@dataclass(frozen=True)
class Face:
    """A function of a solver.

    what     what is called, and with what
    call     the call
    library  the solver's C library
    c_name   the C function that it calls
    fresh    makes the C function's arguments what they were before its last call
    """

    what: str
    call: Call
    library: Any
    c_name: str
    fresh: Fresh = _nothing


@dataclass
class Row:
    """The fastest call of a face, of its C function, and of a C function without work, in µs."""

    call: float = math.inf
    c_call: float = math.inf
    empty: float = math.inf

    @property
    def c_function(self) -> float:
        """What the C function takes."""
        return max(0.0, self.c_call - self.empty)

    @property
    def besides(self) -> float:
        """What the call takes besides."""
        return self.call - self.c_function


def one_arc() -> Model:
    """Return the smallest network: an arc that carries a tonne."""
    first, second, ones = np.zeros(1, np.int32), np.ones(1, np.int32), np.ones((3, 1))
    return Model(
        nodes=2,
        tail=first,
        head=second,
        link=first,
        capacity_kg=np.array([2000]),
        payload_kg=1000,
        per_vehicle=ones,
        per_kg=ones,
        month=first,
        origin=first,
        destination=second,
        kg=np.array([1000]),
        months=(1,),
    )


def faces() -> list[Face]:
    """Return the smallest calls of the solvers' functions."""
    a, real, out = np.ones(64, complex), np.ones(64), np.empty(64, complex)
    x, w, bias = np.ones((1, 1, 3, 3), np.float32), np.ones((1, 1, 3, 3), np.float32), np.ones(1, np.float32)
    of_real = fft.RealFourierPlan((64,), threads=1)
    transform, layer = fft.FourierPlan((64,), threads=1), conv.ConvPlan(1, 1, 3, 3, 1, threads=1)
    filters = layer.transform_filter(w)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", routing.RoundedDistances)
        cities = routing.Problem.in_plane(np.random.default_rng(1).uniform(0, 1e4, (5, 2)))
    order = np.arange(5, dtype=np.int32)
    model = one_arc()
    held = elasticity.symmetric(_NODES, "x-min", "y-min", "z-min")
    load = elasticity.traction(_NODES, "z-max", (0, 0, 1))
    of_fft, of_conv, of_routing, of_network, of_elasticity = (
        importlib.import_module(f"rooftop.solvers.{name}.library").load()
        for name in ("fft", "conv", "routing", "network", "elasticity")
    )
    run, run_real = "rooftop_fft_run", "rooftop_fft_real_run_stoppable"
    convolve, with_bias = "rooftop_conv_run", "rooftop_conv_run_with_bias"
    return [
        Face("fft.FourierPlan.forward, 64", lambda: transform.forward(a), of_fft, run),
        Face("fft.FourierPlan.forward, out", lambda: transform.forward(a, out), of_fft, run),
        Face("fft.fftn, 64", lambda: fft.fftn(a, threads=1), of_fft, run),
        Face("fft.ifftn, 64", lambda: fft.ifftn(a, threads=1), of_fft, run),
        Face("fft.RealFourierPlan.forward, 64", lambda: of_real.forward(real), of_fft, run_real),
        Face("fft.rfftn, 64", lambda: fft.rfftn(real, threads=1), of_fft, run_real),
        Face("fft.fftn, 64 real", lambda: fft.fftn(real, threads=1), of_fft, run),
        Face("conv.ConvPlan.run, 3x3", lambda: layer.run(x, filters), of_conv, convolve),
        Face("conv.conv2d, 3x3", lambda: conv.conv2d(x, w, threads=1), of_conv, convolve),
        Face("conv.conv2d, 3x3, bias", lambda: conv.conv2d(x, w, bias, threads=1), of_conv, with_bias),
        Face("routing.Problem.length, 5", lambda: cities.length(order), of_routing, "rooftop_routing_problem_length"),
        Face(
            "routing.Problem.solve, 5",
            lambda: cities.solve(iterations=1, threads=1),
            of_routing,
            "rooftop_routing_solve",
        ),
        Face(
            "network.solve, one arc",
            lambda: network.solve(model, iterations=1, threads=1),
            of_network,
            "rooftop_network_solve",
        ),
        Face(
            "elasticity.solve, 2x2x2",
            lambda: elasticity.solve(_NODES, load=load, held=held, threads=1, preconditioner="none", iterations=20),
            of_elasticity,
            "rooftop_elasticity_solve",
            _at_rest,
        ),
    ]


def others() -> dict[str, Call]:
    """Return the functions of others that these are beside."""
    a = np.ones(64, complex)
    calls: dict[str, Call] = {
        "numpy.negative, 64": lambda: np.negative(a),
        "numpy.empty, 64": lambda: np.empty(64, complex),
        "numpy.fft.fft, 64": lambda: np.fft.fft(a),
    }
    for module, function in (("scipy.fft", "fft"), ("ducc0.fft", "c2c"), ("mkl_fft", "fft")):
        try:
            transform = getattr(importlib.import_module(module), function)
        except ImportError:
            continue
        calls[f"{module}.{function}, 64"] = partial(transform, a)
    return calls


def fastest(call: Call, loop: int) -> float:
    """Return the µs of a call in one loop."""
    every = range(loop)
    began = time.perf_counter()
    for _ in every:
        call()
    return (time.perf_counter() - began) / loop * 1e6


class TimedInside:
    """A C function that is timed with the arguments of each of its calls, for the row that `into` is."""

    def __init__(self, registered: Any, nothing: Any) -> None:
        self._function, self._nothing = registered.__wrapped__, nothing
        nothing.argtypes, nothing.restype = self._function.argtypes, self._function.restype
        self.into, self.fresh = Row(), _nothing

    def __call__(self, *arguments: Any) -> Any:
        """Call it many times, and a C function that does nothing, too."""
        function, nothing, fresh, row = self._function, self._nothing, self.fresh, self.into
        row.c_call = min(row.c_call, fastest(lambda: (fresh(*arguments), function(*arguments)), _LOOP))
        row.empty = min(row.empty, fastest(lambda: (fresh(*arguments), nothing(*arguments)), _LOOP))
        fresh(*arguments)
        return function(*arguments)


@contextmanager
def timed_inside(names: dict[str, Any]) -> Iterator[dict[str, TimedInside]]:
    """Let C functions, by name with their libraries, be timed within the block, of plans that are made in it."""
    registered = {name: getattr(library, name) for name, library in names.items()}
    timed = {
        name: TimedInside(registered[name], library["_".join([*name.split("_")[:2], "abi_version"])])
        for name, library in names.items()
    }
    forget_plans()
    for name, library in names.items():
        setattr(library, name, timed[name])
    try:
        with python_functions.left_out():  # these do not call what is timed
            yield timed
    finally:
        for name, library in names.items():
            setattr(library, name, registered[name])
        forget_plans()


def forget_plans() -> None:
    """Let plans that were kept be made again."""
    fft_plan.kept_plan.cache_clear()
    real_plan.kept_real_plan.cache_clear()
    conv_plan.kept_plan.cache_clear()
    fft.forget_brief_calls()


def measured(rounds: int) -> tuple[dict[str, Row], dict[str, float]]:
    """Return what faces and others take."""
    all_faces, all_others = faces(), others()
    rows = {face.what: Row() for face in all_faces}
    beside = dict.fromkeys(all_others, math.inf)
    with timed_inside({face.c_name: face.library for face in all_faces}) as timed:
        for face in faces():
            timed[face.c_name].into, timed[face.c_name].fresh = rows[face.what], face.fresh
            for _ in range(rounds):
                face.call()
    for _ in range(rounds):
        for face in all_faces:
            row = rows[face.what]
            row.call = min(row.call, fastest(face.call, _LOOP))
        for name, call in all_others.items():
            beside[name] = min(beside[name], fastest(call, _LOOP))
    return rows, beside


def ways() -> str:
    """Return whether calls take the short way of functions of Python's own, or which do not."""
    libraries = {face.c_name.split("_")[1]: face.library for face in faces()}
    missing = [name for name, library in libraries.items() if python_functions.beside(library, name) is None]
    return _NO_EXTENSIONS.format(missing=", ".join(missing)) if missing else _EXTENSIONS


def asked(rows: dict[str, Row]) -> list[Asked]:
    """Return the figures reached beside those asked."""
    return [Asked.at_most(f"{what}: besides the C function", MOST_US, row.besides, "µs") for what, row in rows.items()]


def tables(rows: dict[str, Row], beside: dict[str, float]) -> tuple[str, str]:
    """Return the tables of the solvers' functions and of others."""
    ours = [
        (what, *(f"{value:.2f}" for value in (row.call, row.c_function, row.besides))) for what, row in rows.items()
    ]
    return (
        table(["call", "µs", "C function, µs", "besides, µs"], ours),
        table(["for comparison", "µs"], [(name, f"{value:.2f}") for name, value in beside.items()]),
    )


def main(
    rounds: Annotated[int, typer.Option(min=1, help="How many times everything is measured, in turn.")] = 200,
    to: PageOption = PAGE,
) -> None:
    """Measure, and write docs/results/call-floor.md."""
    rows, beside = measured(rounds)
    about = _ABOUT.format(rounds=rounds, loop=_LOOP, ways=ways())
    title = "What a small call takes besides the C function"
    write_page(to, title, "call_floor", asked_table(asked(rows)), *tables(rows, beside), about)
