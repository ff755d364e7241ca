"""The calls that are made ten thousand times: every Python function of the solvers, and ways in which they fail."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from rooftop.errors import Misuse, NotBuilt
from rooftop.solvers import conv, elasticity, fft, h5io, network, routing
from rooftop.solvers.conv import library as conv_library
from rooftop.solvers.elasticity import library as elasticity_library
from rooftop.solvers.fft import library as fft_library
from rooftop.solvers.h5io import library as h5io_library
from rooftop.solvers.network import library as network_library
from rooftop.solvers.network.model import make_model
from rooftop.solvers.network.tables import read_network
from rooftop.solvers.routing import Problem
from rooftop.solvers.routing import library as routing_library

ROOT = Path(__file__).resolve().parents[2]
CITIES = 12  # of more than eight not every tour is tried
TSP = "NAME: t\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 30 0\n3 0 40\nEOF\n"

Call = Callable[[], object]


def refused(call: Call, error: type[BaseException] = Misuse) -> Call:
    """Return a call that must fail."""

    def tried() -> None:
        try:
            call()
        except error:
            return
        raise AssertionError("it was not refused")

    return tried


def _raise(*_: object) -> None:
    raise KeyError("enough")


def fft_calls(_: Path) -> Iterator[tuple[str, Call]]:
    """Transforms, plans, and what they refuse."""
    a, out = np.ones((8, 12), dtype=complex), np.empty((8, 12), dtype=complex)
    single = a.astype(np.complex64)
    plan = fft.FourierPlan((8, 12), threads=1)
    lengths = cycle(range(3, 60))  # more than plans are kept
    yield "fftn", lambda: fft.fftn(a, threads=1)
    real, modes = np.ones((8, 12)), np.empty((8, 7), dtype=complex)
    real_plan = fft.RealFourierPlan((8, 12), threads=1)
    yield "rfftn", lambda: fft.rfftn(real, threads=1)
    yield "rfftn, float32, an odd length", lambda: fft.rfftn(np.ones((3, 11), np.float32), threads=1)
    yield "irfftn", lambda: fft.irfftn(modes, threads=1)
    yield "RealFourierPlan", lambda: fft.RealFourierPlan((7, 11), threads=1)
    yield "RealFourierPlan.forward", lambda: real_plan.forward(real, out=modes)
    yield "RealFourierPlan.backward", lambda: real_plan.backward(modes)
    for_two = np.ones((128, 128), dtype=complex)
    yield "fftn, two threads", lambda: fft.fftn(for_two, threads=2)
    yield "fftn, complex64", lambda: fft.fftn(single, threads=1)
    yield "fftn, ever another length", lambda: fft.fftn(np.ones(next(lengths)), threads=1)
    yield "fftn, refused", refused(lambda: fft.fftn(a, out=a[:, ::-1]))
    yield "ifftn", lambda: fft.ifftn(a, threads=1, out=out)
    yield "FourierPlan", lambda: fft.FourierPlan((7, 11), threads=1)
    yield "FourierPlan, refused", refused(lambda: fft.FourierPlan((1 << 25,)))
    yield "FourierPlan.forward", lambda: plan.forward(a, out=out)
    yield "FourierPlan.backward", lambda: plan.backward(a, factors=[np.ones(8), np.ones(12)])
    yield "FourierPlan, copied", lambda: (copy.copy(plan), copy.deepcopy(plan))
    yield "FourierPlan, pickled", lambda: pickle.loads(pickle.dumps(plan))


def conv_calls(_: Path) -> Iterator[tuple[str, Call]]:
    """Convolutions, plans, layouts, and what they refuse."""
    x, w = np.ones((1, 4, 8, 8), dtype=np.float32), np.ones((4, 4, 3, 3), dtype=np.float32)
    bias = np.ones(4, dtype=np.float32)
    plan = conv.ConvPlan(1, 4, 8, 8, 4, threads=1)
    transformed, out = plan.transform_filter(w), conv.empty(plan.output_shape)
    blocked = conv.to_blocked(x)
    yield "conv2d", lambda: conv.conv2d(x, w, threads=1)
    yield "conv2d, two threads", lambda: conv.conv2d(x, w, threads=2)
    yield "conv2d, padded in a copy, with a bias", lambda: conv.conv2d(x, w, bias, padding=(2, 0), threads=1)
    yield "conv2d, refused", refused(lambda: conv.conv2d(x[:, :, :2], w))
    yield "ConvPlan", lambda: conv.ConvPlan(1, 4, 9, 9, 4, threads=1)
    yield "ConvPlan, refused", refused(lambda: conv.ConvPlan(1, 4, 1, 1, 4))
    yield "ConvPlan.transform_filter", lambda: plan.transform_filter(w)
    yield "ConvPlan.run", lambda: plan.run(x, transformed, out)
    yield "ConvPlan.bare", lambda: conv.ConvPlan(1, 4, 8, 8, 4, threads=1).bare()
    yield "ConvPlan, copied and pickled", lambda: (copy.copy(plan), pickle.loads(pickle.dumps(plan)))
    yield "to_blocked, from_blocked", lambda: (conv.to_blocked(x, threads=1), conv.from_blocked(blocked, 4, threads=1))


def routing_calls(folder: Path) -> Iterator[tuple[str, Call]]:
    """Problems, tours, callbacks, and what they refuse."""
    file, bad, out = folder / "t.tsp", folder / "bad.tsp", folder / "t.tour"
    file.write_text(TSP, encoding="utf-8")
    bad.write_text(TSP.replace("3 0 40", "3 0 x"), encoding="utf-8")
    places = np.random.default_rng(1).uniform(0, 1000, (CITIES, 2))
    matrix = np.random.default_rng(2).integers(1, 1000, (CITIES, CITIES))
    problem, order = Problem.in_plane(places), np.arange(CITIES)
    terms: dict[str, Any] = {"iterations": 1, "threads": 1}
    yield "solve_tsp", lambda: routing.solve_tsp(places, **terms)
    yield "solve_tsp, two threads", lambda: routing.solve_tsp(places, iterations=2, threads=2)
    yield "solve_tsp of a matrix", lambda: routing.solve_tsp(matrix, **terms)
    yield "solve_tsp, callback", lambda: routing.solve_tsp(places, callback=lambda _: None, **terms)
    yield "solve_tsp, callback that ends it", lambda: routing.solve_tsp(places, callback=lambda _: False, threads=1)
    yield (
        "solve_tsp, callback that raises",
        refused(lambda: routing.solve_tsp(places, callback=_raise, threads=1), KeyError),
    )
    yield "solve_tsp, refused", refused(lambda: routing.solve_tsp(places, iterations=-1))
    yield "Problem.solve, show", lambda: problem.solve(show=lambda *_: None, show_every_s=0, **terms)
    yield "Problem.solve, show that raises", refused(lambda: problem.solve(show=_raise, threads=1), KeyError)
    yield "Problem.solve, out", lambda: problem.solve(out=out, **terms)
    yield "Problem.solve, out refused", refused(lambda: problem.solve(out=folder / "none" / "t.tour", **terms))
    yield "Problem.read", lambda: Problem.read(file)
    yield "Problem.read, refused", refused(lambda: Problem.read(bad))
    yield "Problem.in_plane", lambda: Problem.in_plane(places).coordinates
    yield "Problem.in_plane, refused", refused(lambda: Problem.in_plane(places[:2]))
    yield "Problem.of_matrix", lambda: Problem.of_matrix(matrix)
    yield "Problem.of_matrix, refused", refused(lambda: Problem.of_matrix(matrix[:2, :2]))
    yield "Problem.length", lambda: problem.length(order)
    yield "Problem.length, refused", refused(lambda: problem.length(order + 1))
    yield "Problem, copied and pickled", lambda: (copy.copy(problem), pickle.loads(pickle.dumps(problem)))


def network_calls(folder: Path) -> Iterator[tuple[str, Call]]:
    """Tables, models, fronts, callbacks, and what they refuse."""
    tables = {
        "node": "node_id,node_type\nP,depot\nK,customer\n",
        "link": "link_id,from_node_id,to_node_id,directed,length,free_speed\na,P,K,true,9,50\nb,P,K,true,8,90\n",
        "demand": "demand_id,month,from_node_id,to_node_id,tonnes\nx,1,P,K,20\ny,1,P,K,9\n",
    }
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    model = make_model(read_network([folder]))
    terms: dict[str, Any] = {"iterations": 1, "threads": 1}
    yield "read_network, make_model", lambda: make_model(read_network([folder]))
    yield "network.solve", lambda: network.solve(model, **terms)
    yield "network.solve, two threads", lambda: network.solve(model, iterations=2, threads=2)
    yield "network.solve, weights", lambda: network.solve(model, weights=[1, 2, 3], **terms)
    yield "network.solve, callback", lambda: network.solve(model, callback=lambda _: None, **terms)
    yield (
        "network.solve, callback that raises",
        refused(lambda: network.solve(model, callback=_raise, threads=1), KeyError),
    )
    yield "network.solve, refused", refused(lambda: network.solve(model, plans=0, **terms))


def elasticity_calls(_: Path) -> Iterator[tuple[str, Call]]:
    """Boxes with and without a matrix, watchers, and what they refuse."""
    nodes = (4, 3, 5)
    places = elasticity.box(nodes, distortion=0.1)
    load, held = elasticity.traction(places, "z-max", (0, 0, 1)), elasticity.clamped(nodes, "z-min")
    body: dict[str, Any] = {"load": load, "held": held, "threads": 1}
    uneven = body | {"coordinates": places}
    yield "elasticity.solve", lambda: elasticity.solve(nodes, **body)
    yield "elasticity.solve, no preconditioner", lambda: elasticity.solve(nodes, **body, preconditioner="none")
    yield "elasticity.solve, a matrix", lambda: elasticity.solve(nodes, **uneven)
    yield "elasticity.solve, a matrix, bjacobi", lambda: elasticity.solve(nodes, **uneven, preconditioner="bjacobi")
    yield "elasticity.solve, a matrix, cheby", lambda: elasticity.solve(nodes, **uneven, preconditioner="cheby")
    yield "elasticity.solve, two threads", lambda: elasticity.solve(nodes, **(uneven | {"threads": 2}))
    yield "elasticity.solve, single_values", lambda: elasticity.solve(nodes, **uneven, single_values=True)
    yield "elasticity.solve, watch", lambda: elasticity.solve(nodes, **uneven, watch=lambda _: None)
    yield "elasticity.solve, refused", refused(lambda: elasticity.solve(nodes, **uneven, poisson=0.5))
    yield (
        "elasticity.solve, free to move",
        refused(lambda: elasticity.solve(nodes, **(uneven | {"held": np.zeros_like(held)}))),
    )
    yield from _mesh_calls()


def _mesh_calls() -> Iterator[tuple[str, Call]]:
    """A cube of six tetrahedra, with its preconditioners, and what is refused of it."""
    corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]
    places = np.array(corners, dtype=float)
    cells = np.array([[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]])
    held = np.repeat(elasticity.on_side(places, "z-min")[:, None], 3, axis=1)
    faces = elasticity.boundary({"tetrahedron": cells}).within(elasticity.on_side(places, "z-max"))
    load = elasticity.mesh_traction(places, faces, (0, 0, 1))
    body: dict[str, Any] = {"elements": {"tetrahedron": cells}, "load": load, "held": held, "threads": 1}
    for preconditioner in ("multigrid", "none", "bjacobi", "cheby"):
        solve = partial(elasticity.solve_mesh, places, **body, preconditioner=preconditioner)
        yield f"elasticity.solve_mesh, {preconditioner}", solve
    yield "elasticity.solve_mesh, watch", lambda: elasticity.solve_mesh(places, **body, watch=lambda _: None)
    yield (
        "elasticity.solve_mesh, inverted",
        refused(
            lambda: elasticity.solve_mesh(places, **(body | {"elements": {"tetrahedron": cells[:, [1, 0, 2, 3]]}}))
        ),
    )


def h5io_calls(folder: Path) -> Iterator[tuple[str, Call]]:
    """Files that are read and written, in every way, and what they refuse."""
    values = np.arange(2000, dtype="<f4").reshape(40, 50)
    file, new, bad = folder / "x.h5", folder / "new.h5", folder / "bad.h5"
    bad.write_bytes(b"no HDF5")
    with h5io.OutputFile(file) as output:
        for name, chunks, filters in (("whole", None, ()), ("chunks", (16, 16), ("shuffle", "deflate"))):
            output.dataset(name, values.shape, "<f4", chunks=chunks, filters=filters)[...] = values
    whole, chunked = h5io.File(file)["whole"], h5io.File(file)["chunks"]
    out = np.empty_like(values)

    def write(**layout: Any) -> None:
        with h5io.OutputFile(new, replace=True) as one:
            one.dataset("group/x", values.shape, "<f4", **layout).write(values, threads=1)

    def write_later() -> None:
        with h5io.OutputFile(new, replace=True) as one:
            one.dataset("x", values.shape, "<f4").write_later(values)

    yield "h5io.File", lambda: h5io.File(file).datasets()
    yield "h5io.File, refused", refused(lambda: h5io.File(bad))
    yield "h5io.File[…]", lambda: h5io.File(file)["chunks"].filters
    yield "h5io.File[…], refused", refused(lambda: h5io.File(file)["none"])
    yield "h5io.Dataset.read", lambda: whole.read(out=out, threads=1)
    yield "h5io.Dataset.read, gaps", lambda: whole.read(np.s_[:, ::3], threads=1)
    yield "h5io.Dataset.read, chunks", lambda: chunked.read(out=out, threads=1)
    yield "h5io.Dataset.read, two threads", lambda: chunked.read(np.s_[::2], threads=2)
    yield "h5io.Dataset.read, by_library", lambda: chunked.read(np.s_[3:30:2, 5:], by_library=True)
    yield "h5io.Dataset.read, refused", refused(lambda: chunked.read(np.s_[::-1]))
    yield "h5io.Dataset.read_later", lambda: chunked.read_later(out=out).wait()
    yield "h5io.Dataset.read_later, not waited for", chunked.read_later
    yield "h5io.Dataset.read_later, refused", refused(lambda: chunked.read_later(np.s_[::-1]))
    yield "h5io.Dataset.prefetch", lambda: whole.prefetch().wait()
    yield "h5io.Dataset.blocks", lambda: list(whole.blocks(7, ahead=2))
    yield "h5io.OutputFile", write
    yield "h5io.OutputDataset.write_later", write_later
    yield "h5io.OutputFile, chunks", lambda: write(chunks=(16, 16), filters=("shuffle", "deflate"))
    yield "h5io.OutputFile, refused", refused(lambda: write(chunks=(99, 99)))


SOLVERS: dict[str, tuple[Any, Callable[[Path], Iterator[tuple[str, Call]]]]] = {
    "fft": (fft_library, fft_calls),
    "conv": (conv_library, conv_calls),
    "elasticity": (elasticity_library, elasticity_calls),
    "routing": (routing_library, routing_calls),
    "network": (network_library, network_calls),
    "h5io": (h5io_library, h5io_calls),
}


def calls_of(solver: str, folder: Path) -> list[tuple[str, Call]]:
    """Return the calls of one solver by their names; none where it is not built."""
    library, calls = SOLVERS[solver]
    try:
        library.load()
    except NotBuilt:
        return []
    return list(calls(folder))
