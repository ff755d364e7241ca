"""Problems from mesh files and decks, with supports, loads and materials."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.box.faces import clamped, symmetric, traction
from rooftop.solvers.elasticity.box.problem import BoxProblem
from rooftop.solvers.elasticity.deck.model import Deck
from rooftop.solvers.elasticity.deck.problem import contents_of_deck, deck_name, step_of_deck
from rooftop.solvers.elasticity.deck.reading import read_deck
from rooftop.solvers.elasticity.files.contents import Contents, material_of, read_contents
from rooftop.solvers.elasticity.mesh.arguments import Array, Mesh
from rooftop.solvers.elasticity.mesh.element_checks import coincident, sound
from rooftop.solvers.elasticity.mesh.logical_box import LogicalBox, NoBoxError, along_axes, logical_box
from rooftop.solvers.elasticity.mesh.named_surfaces import NamedSurfaces, Pull, face_of
from rooftop.solvers.elasticity.mesh.problem import MeshProblem
from rooftop.solvers.elasticity.problem import Problem, require_memory

_FROM_VTK = [0, 1, 3, 2, 4, 5, 7, 6]  # from VTK's order, around each of two faces, to x + 2 y + 4 z


def _box(contents: Contents) -> LogicalBox | None:
    """Return the box that the elements form; None if they form none."""
    if set(contents.elements) != {"hexahedron"}:
        return None
    try:
        found = logical_box(contents.elements["hexahedron"][:, _FROM_VTK], len(contents.places))
    except NoBoxError:
        return None
    return along_axes(found, contents.places)


def _of_box(values: Array, box: LogicalBox) -> Array:
    """Return values of elements in the box's order."""
    return values if values.size == 1 else np.ascontiguousarray(values[box.elements].reshape(-1))


def _box_problem(
    contents: Contents,
    box: LogicalBox,
    clamps: Sequence[str],
    symmetries: Sequence[str],
    pulls: Sequence[Pull],
    young: Array,
    poisson: Array,
) -> BoxProblem:
    """Return the problem of a box, whose faces need not be plane. Groups of the file take precedence over faces."""
    surfaces = NamedSurfaces(contents)
    nz, ny, nx = box.numbers.shape
    nodes = (nx, ny, nz)
    coordinates = np.ascontiguousarray(contents.places[box.numbers])
    is_group = surfaces.is_group
    of_groups = surfaces.held([n for n in clamps if is_group(n)], [n for n in symmetries if is_group(n)])
    held = of_groups[box.numbers]
    load = surfaces.load([pull for pull in pulls if is_group(pull[0])])[box.numbers]
    for name in clamps:
        if not is_group(name) and (face := face_of(name)):
            held |= clamped(nodes, face)
    for name in symmetries:
        if not is_group(name) and (face := face_of(name)):
            held |= symmetric(nodes, face)
    for name, vector in pulls:
        if not is_group(name) and (face := face_of(name)):
            load += traction(coordinates, face, vector)
    return BoxProblem(
        name=contents.path.name,
        nodes=nodes,
        coordinates=coordinates,
        young=_of_box(young, box),
        poisson=_of_box(poisson, box),
        load=load,
        held=held,
        numbers=box.numbers,
        elements=box.elements,
        remarks=contents.remarks,
    )


def _mesh_problem(
    contents: Contents,
    clamps: Sequence[str],
    symmetries: Sequence[str],
    pulls: Sequence[Pull],
    young: Array,
    poisson: Array,
) -> MeshProblem:
    surfaces = NamedSurfaces(contents)
    again = coincident(contents.places)
    return MeshProblem(
        name=contents.path.name,
        mesh=Mesh(np.ascontiguousarray(contents.places), contents.elements),
        young=young,
        poisson=poisson,
        load=surfaces.load(pulls),
        held=surfaces.held(clamps, symmetries),
        remarks=[*contents.remarks, *([f"{contents.path}: {again}, unless they form a gap"] if again else [])],
        hint=f". {again}" if again else "",
    )


def read_mesh_file(
    path: Path,
    clamps: Sequence[str],
    symmetries: Sequence[str],
    pulls: Sequence[Pull],
    young: float | str,
    poisson: float | str,
    available: int,
    *,
    unstructured: bool = False,
) -> Problem:
    """Return the problem of a mesh file with supports and tractions on named faces.

    clamps, symmetries  names of faces, or of groups of the file
    pulls               names of faces or groups, and the tractions on them
    young, poisson      a number, or the name of cell data
    available           available memory in bytes
    unstructured        whether a box is solved as an unstructured mesh

    Raises Misuse unless the file is a mesh of valid solids, and for unknown names.
    """
    if path.suffix.lower() == ".inp":
        return problem_of_mesh_deck(
            read_deck(path), clamps, symmetries, pulls, young, poisson, available, unstructured=unstructured
        )
    contents = read_contents(path)
    materials = material_of(contents, "--young", young), material_of(contents, "--poisson", poisson)
    return problem_of_contents(contents, clamps, symmetries, pulls, materials, available, unstructured=unstructured)


def problem_of_mesh_deck(
    deck: Deck,
    clamps: Sequence[str],
    symmetries: Sequence[str],
    pulls: Sequence[Pull],
    young: float | str | None,
    poisson: float | str | None,
    available: int,
    *,
    unstructured: bool = False,
) -> Problem:
    """Return the problem of a deck without a step; arguments as for `read_mesh_file`. Raises Misuse.

    young, poisson  None: those of the deck or, if it has no material, 1 and 0.3
    """
    contents, materials = contents_of_deck(deck)
    if not pulls or not (clamps or symmetries or contents.held is not None):
        option, what = ("--traction FACE=X,Y,Z", "load") if not pulls else ("--clamp FACE", "supports")
        raise Misuse(f"{contents.path}: it has no *STEP and the body has no {what}; expected a *STEP, or {option}")
    if materials is None:
        materials = (
            material_of(contents, "--young", 1.0 if young is None else young),
            material_of(contents, "--poisson", 0.3 if poisson is None else poisson),
        )
    elif young is not None or poisson is not None:
        option = "--young" if young is not None else "--poisson"
        raise Misuse(f"{contents.path}: {option} is given, but the deck defines materials; expected only one of them")
    return problem_of_contents(
        contents,
        [deck_name(contents, name) for name in clamps],
        [deck_name(contents, name) for name in symmetries],
        [(deck_name(contents, name), vector) for name, vector in pulls],
        materials,
        available,
        unstructured=unstructured,
    )


def problem_of_step(deck: Deck, available: int, *, unstructured: bool) -> Problem:
    """Return the problem of a deck's first step. Raises Misuse."""
    found = step_of_deck(deck, available)
    contents, asked = found.contents, found.asked
    made = found.made
    boxes = not unstructured and asked.constraints is None and made.stiffness is None
    box = _box(contents) if boxes else None
    if box is not None:
        nz, ny, nx = box.numbers.shape
        initial = found.initial
        return BoxProblem(
            name=contents.path.name,
            nodes=(nx, ny, nz),
            coordinates=np.ascontiguousarray(contents.places[box.numbers]),
            young=_of_box(made.young, box),
            poisson=_of_box(made.poisson, box),
            initial=None if initial is None else initial[box.elements].reshape(-1, 3, 3),
            load=asked.forces[box.numbers],
            held=asked.held[box.numbers],
            prescribed=None if asked.prescribed is None else asked.prescribed[box.numbers],
            numbers=box.numbers,
            elements=box.elements,
            remarks=contents.remarks,
        )
    again = coincident(contents.places)
    return MeshProblem(
        name=contents.path.name,
        mesh=Mesh(np.concatenate([contents.places, asked.others]), contents.elements),
        constraints=asked.constraints,
        others=len(asked.others),
        young=made.young,
        poisson=made.poisson,
        stiffness=made.stiffness,
        initial=found.initial,
        load=asked.forces,
        held=asked.held,
        prescribed=asked.prescribed,
        remarks=contents.remarks,
        hint=f". {again}" if again else "",
    )


def problem_of_contents(
    contents: Contents,
    clamps: Sequence[str],
    symmetries: Sequence[str],
    pulls: Sequence[Pull],
    materials: tuple[Array, Array],
    available: int,
    *,
    unstructured: bool,
) -> Problem:
    """Return the problem of a mesh file's contents; arguments as for `read_mesh_file`. Raises Misuse."""
    path = contents.path
    for option, names in (("--clamp", clamps), ("--symmetry", symmetries), ("--traction", [n for n, _ in pulls])):
        for name in names:
            NamedSurfaces(contents).require_known(option, name)
    moduli, ratios = materials
    contents = sound(contents)
    count = len(contents.places)
    require_memory(str(path), f"{count} nodes", count, available, coordinates=True)
    box = None if unstructured else _box(contents)
    if box is not None:
        return _box_problem(contents, box, clamps, symmetries, pulls, moduli, ratios)
    return _mesh_problem(contents, clamps, symmetries, pulls, moduli, ratios)
