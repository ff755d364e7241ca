"""Parse and check the options that describe a problem: file, supports, loads, materials."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rooftop.driver.memory import available_bytes
from rooftop.errors import Misuse
from rooftop.solvers.elasticity import PRECONDITIONERS, Preconditioner
from rooftop.solvers.elasticity.box.shapes import DISTORTION_BELOW
from rooftop.solvers.elasticity.deck.reading import read_deck
from rooftop.solvers.elasticity.files.contents import FORMATS
from rooftop.solvers.elasticity.files.mesh_file import problem_of_mesh_deck, problem_of_step, read_mesh_file
from rooftop.solvers.elasticity.files.mesh_inp import problem_of
from rooftop.solvers.elasticity.mesh.named_surfaces import Pull
from rooftop.solvers.elasticity.mesh.problem import MeshProblem
from rooftop.solvers.elasticity.problem import Problem

_GRADE_MAX = 1e6
_LOOK = 4096  # bytes at the start of a file in which its first word must be


def preconditioner_named(name: str) -> Preconditioner:
    """Return the preconditioner of this name. Raises Misuse if there is none."""
    for one in PRECONDITIONERS:
        if one == name:
            return one
    raise Misuse(f"--preconditioner is {name!r}, expected one of {', '.join(PRECONDITIONERS)}")


def checked_tolerance(value: float) -> float:
    """Return the tolerance. Raises Misuse unless it is above 0 and below 1."""
    if not 0 < value < 1:
        raise Misuse(f"--tolerance is {value:g}, expected a number above 0 and below 1, such as 1e-8")
    return value


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def parse_traction(text: str) -> Pull:
    """Parse a traction such as ``z-max=0,0,1``. Return the face's name and the vector. Raises Misuse."""
    face, equals, vector = text.rpartition("=")
    numbers = [_number(word) for word in vector.split(",")]
    if not equals or len(numbers) != 3 or None in numbers:
        raise Misuse(f"--traction is {text!r}, expected a face and three numbers, such as z-max=0,0,1")
    x, y, z = (float(one or 0) for one in numbers)
    return face.strip(), (x, y, z)


def parse_grade(text: str) -> float:
    """Parse a grading such as ``1:10``. Return the ratio of the last edge to the first. Raises Misuse."""
    first, _, last = text.partition(":")
    numbers = _number(first), _number(last)
    if numbers[0] is None or numbers[1] is None or min(numbers[0], numbers[1]) <= 0:
        raise Misuse(f"--grade is {text!r}, expected the lengths of the first and the last edge, such as 1:10")
    ratio = numbers[1] / numbers[0]
    if not 1 / _GRADE_MAX <= ratio <= _GRADE_MAX:
        raise Misuse(f"--grade is {text!r}, expected a ratio between {1 / _GRADE_MAX:g} and {_GRADE_MAX:g}")
    return ratio


def _modulus(text: str) -> float | str:
    """Return Young's modulus, or the name of cell data. Raises Misuse for a number of 0 or less."""
    value = _number(text)
    if value is None:
        return text
    if value <= 0:
        raise Misuse(f"--young is {text}, expected a number above 0")
    return value


def _ratio(text: str) -> float | str:
    """Return Poisson's ratio, or the name of cell data. Raises Misuse for a number outside (-1, 0.5)."""
    value = _number(text)
    if value is None:
        return text
    if not -1 < value < 0.5:
        raise Misuse(f"--poisson is {text}, expected a number above -1 and below 0.5")
    return value


def _is_mesh_inp(file: Path) -> bool:
    """Whether a file is a mesh.inp and not a deck: a deck, with the same suffix, begins with a ``*``. Raises Misuse."""
    suffix = file.suffix.lower()
    if suffix not in FORMATS:
        endings = ", ".join(FORMATS)
        raise Misuse(f"{file}: its suffix is not supported; expected mesh.inp, or a mesh file that ends in {endings}")
    try:
        with file.open("rb") as opened:
            start = opened.read(_LOOK)
    except OSError as error:
        raise Misuse(f"{file}: {error.strerror or error}") from error
    return suffix == ".inp" and not start.lstrip().startswith(b"*")


@dataclass(frozen=True)
class Request:
    """Parsed options that describe a problem."""

    file: Path
    is_mesh_inp: bool
    clamps: list[str]
    symmetries: list[str]
    pulls: list[Pull]
    young: float | str | None
    poisson: float | str | None
    grade: float
    distort: float
    seed: int
    unstructured: bool

    @classmethod
    def read(
        cls,
        file: Path,
        clamps: Sequence[str],
        symmetries: Sequence[str],
        tractions: Sequence[str],
        young: str | None,
        poisson: str | None,
        grade: str | None,
        distort: float,
        seed: int,
        unstructured: bool,
    ) -> Request:
        """Return the parsed options. Raises Misuse for invalid values and for options that do not suit the file."""
        request = cls(
            file,
            _is_mesh_inp(file),
            [*clamps],
            [*symmetries],
            [parse_traction(one) for one in tractions],
            None if young is None else _modulus(young),
            None if poisson is None else _ratio(poisson),
            1.0 if grade is None else parse_grade(grade),
            distort,
            seed,
            unstructured,
        )
        if not 0 <= distort < DISTORTION_BELOW:
            raise Misuse(f"--distort is {distort:g}, expected a number from 0 to below {DISTORTION_BELOW}")
        request._require_sense()
        return request

    def _require_sense(self) -> None:
        if self.is_mesh_inp:
            for option, given in (
                ("--clamp", self.clamps),
                ("--symmetry", self.symmetries),
                ("--traction", self.pulls),
            ):
                if given:
                    raise Misuse(
                        f"{option} is for mesh files, but {self.file} defines its own supports and loads; "
                        f"expected no {option}"
                    )
            for option, value in (("--young", self.young), ("--poisson", self.poisson)):
                if isinstance(value, str):
                    raise Misuse(f"{option} is {value!r}, expected a number: {self.file} has no cell data")
            return
        if self.grade != 1 or self.distort != 0:
            option = "--grade" if self.grade != 1 else "--distort"
            raise Misuse(
                f"{option} is for the box of a mesh.inp, but {self.file} defines its own nodes; expected no {option}"
            )
        if self.is_deck:
            return  # its supports and loads are known only after it has been read
        if not self.clamps and not self.symmetries:
            raise Misuse(
                f"{self.file}: the body has no supports, so it is free to move; expected --clamp FACE, such as x-min"
            )
        if not self.pulls:
            raise Misuse(f"{self.file}: the body has no load; expected --traction FACE=X,Y,Z, such as z-max=0,0,1")

    def _require_no_options(self) -> None:
        """Raise Misuse for options that set what a deck's step already defines."""
        for option, given in (
            ("--clamp", self.clamps),
            ("--symmetry", self.symmetries),
            ("--traction", self.pulls),
            ("--young", self.young),
            ("--poisson", self.poisson),
        ):
            if given:
                raise Misuse(
                    f"{option} is for meshes, but {self.file} has a *STEP that defines supports, loads and "
                    f"materials; expected no {option}, or a deck without *STEP"
                )

    def _problem_of_deck(self, available: int) -> Problem:
        """Return the problem of the first step or, without a step, that of the mesh and the options."""
        deck = read_deck(self.file)
        if deck.steps:
            self._require_no_options()
            return problem_of_step(deck, available, unstructured=self.unstructured)
        return problem_of_mesh_deck(
            deck,
            self.clamps,
            self.symmetries,
            self.pulls,
            self.young,
            self.poisson,
            available,
            unstructured=self.unstructured,
        )

    @property
    def is_deck(self) -> bool:
        """Whether the file is an input deck of Abaqus or CalculiX."""
        return self.file.suffix.lower() == ".inp" and not self.is_mesh_inp

    @property
    def _young(self) -> float | str:
        return 1.0 if self.young is None else self.young

    @property
    def _poisson(self) -> float | str:
        return 0.3 if self.poisson is None else self.poisson

    def problem(self) -> Problem:
        """Read the file and return the problem. Raises Misuse."""
        available = available_bytes()
        if self.is_mesh_inp:
            young, poisson = self._young, self._poisson
            assert isinstance(young, float)
            assert isinstance(poisson, float)
            box = problem_of(self.file, young, poisson, self.grade, self.distort, self.seed, available)
            return MeshProblem.of_box(box) if self.unstructured else box
        if self.is_deck:
            return self._problem_of_deck(available)
        return read_mesh_file(
            self.file,
            self.clamps,
            self.symmetries,
            self.pulls,
            self._young,
            self._poisson,
            available,
            unstructured=self.unstructured,
        )
