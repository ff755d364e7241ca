"""Meshes and decks of packages that make and solve them: each under a load, or as it is written."""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpora.corpus_packages import Fetched, Packages
from benchmarks.corpora.corpus_steps import Input, LeftOut, Refused, Step, Wrong
from benchmarks.corpora.mesh_deck_kinds import kind_of_deck
from benchmarks.corpora.mesh_references import (
    POISSON,
    PRINTED,
    TOLERANCE,
    YOUNG,
    by_calculix,
    by_scikit_fem,
    deck_of,
    require_near,
)
from rooftop.errors import Misuse
from rooftop.solvers import elasticity
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.problem import contents_of_deck
from rooftop.solvers.elasticity.deck.reading import read_deck
from rooftop.solvers.elasticity.deck.solids import solids_of
from rooftop.solvers.elasticity.files.contents import Contents, read_contents
from rooftop.solvers.elasticity.files.mesh_file import problem_of_step
from rooftop.solvers.elasticity.mesh.element_checks import sound
from rooftop.solvers.elasticity.mesh.problem import MeshProblem
from rooftop.solvers.elasticity.problem import Problem

TITLE = "Meshes and decks of other people's packages"
TEXT = """\
Every mesh in these packages that is in a `.vtu`, `.vtk`, `.msh` or `.inp` file is read and solved: its nodes in the
lowest tenth along its longest side are clamped (more, if these lie on a line), and a force per volume acts on it.
Tetrahedra and hexahedra of first order are held against scikit-fem, all others against CalculiX 2.20. Every deck with a
`*STEP` is solved as it is written, and held against CalculiX. Largest difference that is right: 1e-6 of the largest
displacement, and for CalculiX half of the seventh digit, the last that it prints.

Decks are counted apart: those whose first step is linear and static on solids, and those that are another kind of
analysis (nonlinear, of frequencies, of heat, of fluids, of shells and beams), which are to be refused.

Asked: no value is wrong in silence, nothing crashes or hangs, and at most 15 % of the linear static decks of solids are
refused, each by its keyword. Meshes without solids, of more than 8000 nodes, and what neither reference can solve are
left out."""
# gmsh has wheels alone, the wheel of mfem has its data, and the source package of sfepy is built before it is had.
PACKAGES = Packages(
    sdists=("scikit-fem", "pyvista", "meshio"),
    wheels=("mfem", "pyvista", "gmsh"),
    binary=("calculix-ccx-test", "python3-sfepy"),
)
LIMIT_S = 100.0
LINEAR, OTHER, MESH = "linear static deck of solids", "deck of another kind", "mesh"
MOST_REFUSED: Mapping[str, float] = {LINEAR: 0.15}

_SUFFIXES = (".vtu", ".vtk", ".msh", ".inp")
_INCLUDED = (".inp", ".msh", ".inc", ".txt", ".frd")
_MOST_NODES = 8_000
_MOST_BYTES = 64 << 20
_ROOM = 8 << 30
_AS_ROUNDED = 3  # times what rounding to the digits that CalculiX prints makes of a residual
_NEAR = 1e-9  # residuals, of the load's norm


def inputs(packages: Sequence[Fetched], work: Path) -> list[Input]:
    """Return all meshes and decks, each content once."""
    found: list[Input] = []
    seen: set[bytes] = set()
    for package in packages:
        if package.folder is None:
            continue
        for path in sorted([*package.folder.rglob("*"), *_unpacked(package, work)]):
            if path.suffix.lower() not in _SUFFIXES or not path.is_file() or path.stat().st_size > _MOST_BYTES:
                continue
            content = path.read_bytes()
            if content not in seen:
                seen.add(content)
                found.append(Input(f"{package.name} ({package.kind}): {_short(package.folder, path)}", path))
    return found


def _short(folder: Path, path: Path) -> str:
    """Return a path without the folder that has the package's version in its name."""
    within = "/".join(path.relative_to(folder).parts[1:]) if path.is_relative_to(folder) else path.name
    return within.removeprefix("share/doc/calculix-ccx-test/examples/test/") or path.name


def _unpacked(package: Fetched, work: Path) -> list[Path]:
    """Return what Debian has compressed, and what lies beside it, so that includes are found."""
    if package.name != "calculix-ccx-test" or package.folder is None:
        return []
    into = work / package.name
    into.mkdir(parents=True, exist_ok=True)
    found = []
    for path in package.folder.rglob("*.inp*"):
        if path.suffix == ".gz":
            (into / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
        else:
            shutil.copy(path, into)
        found.append(into / path.name.removesuffix(".gz"))
    return found


def steps(given: Input, scratch: Path) -> Iterator[Step]:
    """Yield what is done with one file."""
    path = given.path
    if path.suffix.lower() == ".inp" and (kind := kind_of_deck(path)) is not None:
        yield Step(LINEAR if kind == "" else OTHER, kind, lambda: _solve_deck(path, scratch))
    else:
        yield Step(MESH, "", lambda: _solve_mesh(path, scratch))


def _solve_deck(path: Path, scratch: Path) -> None:
    try:
        deck = read_deck(path)
        problem = problem_of_step(deck, _ROOM, unstructured=False)
        if problem.nodes_count > _MOST_NODES:
            raise LeftOut(f"it has {problem.nodes_count} nodes")
        solution = problem.solved(tolerance=1e-11)
    except (Misuse, elasticity.ElasticityArgumentError) as error:
        raise Refused(str(error)) from error
    if not solution.residual <= _NEAR:  # which the command tells, with exit code 1
        raise Refused(f"it has not converged, and says so: {solution.outcome}")
    if not problem.true_residual(solution.displacement, None).residual <= 2 * _NEAR:
        raise Wrong(f"the true residual is not that of {solution.residual:.3g} which it tells")
    body = Body(deck)
    labels = body.node_labels()[solids_of(body).nodes]  # of the deck: nodes that constraints add come behind these
    for file in path.parent.glob("*"):
        if (
            file.is_file()
            and file.stat().st_size < _MOST_BYTES
            and file.suffix in (".inp", ".msh", ".inc", ".txt", ".frd")
        ):
            shutil.copy(file, scratch / file.name)
    text = path.read_text(encoding="utf-8", errors="replace")
    expected = by_calculix(scratch, text, [int(one) for one in labels])
    try:
        require_near(problem.by_node(solution.displacement)[: len(labels)], expected, TOLERANCE + PRINTED, "CalculiX")
    except Wrong as error:
        if _solves(problem, solution.displacement, expected):
            raise LeftOut(f"it has no single solution, for CalculiX's solves the same equations: {error}") from error
        raise


def _solves(problem: Problem, found: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Return whether another displacement has a residual no larger than its seven digits make, as with energy none.

    Reduced elements in a row deform without energy, and what a solver then finds is one displacement of many.
    """
    if not isinstance(problem, MeshProblem):
        return False

    def residual(nodes: NDArray[np.float64]) -> float:
        whole = found.copy()
        whole[: len(nodes)] = nodes
        if problem.dependences is not None:
            whole = problem.dependences.expanded(whole)
        return problem.true_residual(whole, None).residual

    signs = np.random.default_rng(1).choice([-1.0, 1.0], other.shape)
    rounded = residual(found[: len(other)] + PRINTED * signs * other)
    return residual(other) <= _AS_ROUNDED * rounded


def _contents(path: Path) -> Contents:
    try:
        return sound(contents_of_deck(read_deck(path))[0] if path.suffix.lower() == ".inp" else read_contents(path))
    except Misuse as error:
        if "expected tetrahedra with" in str(error) and "it has no" in str(error):
            raise LeftOut("it has no solids") from error
        if "it has no solid elements" in str(error):
            raise LeftOut("it has no solids") from error
        raise Refused(str(error)) from error


def _clamped(places: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return the nodes of the lowest tenth along the longest side; more where those lie on a line."""
    longest = int(np.argmax(np.ptp(places, axis=0)))
    along = places[:, longest]
    held = np.zeros((len(places), 3), dtype=np.bool_)
    for share in (0.1, 0.3, 0.5, 0.7):
        held[along <= along.min() + share * np.ptp(along)] = True
        there = places[held[:, 0]]
        if np.linalg.matrix_rank(there - there[0], tol=1e-6 * np.ptp(along)) >= 2:
            break
    return held


def _solve_mesh(path: Path, scratch: Path) -> None:
    contents = _contents(path)
    places, elements = contents.places, contents.elements
    if len(places) > _MOST_NODES:
        raise LeftOut(f"it has {len(places)} nodes")
    held = _clamped(places)
    load = elasticity.mesh_body_force(places, elements, (1.0, 2.0, 3.0))
    try:
        solution = elasticity.solve_mesh(
            places, elements=elements, young=YOUNG, poisson=POISSON, load=load, held=held, tolerance=1e-11
        )
    except elasticity.ElasticityArgumentError as error:
        raise Refused(str(error)) from error
    if not solution.residual <= _NEAR:
        raise Refused(f"it has not converged, and says so: {solution.outcome}")
    if set(elements) <= {"tetrahedron", "hexahedron"}:
        expected, room, by = by_scikit_fem(places, elements, load, held), TOLERANCE, "scikit-fem"
    else:
        text = deck_of(places, elements, load, held)
        expected, room = by_calculix(scratch, text, range(1, len(places) + 1)), TOLERANCE + PRINTED
        by = "CalculiX"
    require_near(solution.displacement, expected, room, by)


def reason_group(reason: str) -> str:
    """Return a reason without paths, names and numbers."""
    text = re.sub(r"(?:/[^\s:,'\"]+)+(?::\d+)?: ", "", reason)
    text = re.sub(r"(?:/[^\s:,'\"]+)+", "PATH", text)
    text = re.sub(r"'[^']*'", "NAME", text) if "*" not in text else text
    return re.sub(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?", "N", text)[:160] if not text.startswith("*") else text[:160]
