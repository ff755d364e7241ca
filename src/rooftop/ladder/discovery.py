"""Finds experiments, their rungs and peers by their files, and what has been built of them.

A file's name is its identity: ``rungs/60-simd256.avx2.cpp`` is the rung ``60-simd256.avx2``, the ladder's order is its
number, and its first comment is its idea. A lab has one source, ``lab.cpp`` or ``lab.py``, whose last lines name its
rungs, the variants of one effect. Nothing is listed anywhere.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from dataclasses import dataclass, replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Literal

from rooftop.errors import Misuse, NotBuilt, RooftopError
from rooftop.ladder.experiment import Experiment
from rooftop.launchers.team import Team
from rooftop.text.nearest import nearest

_only_in: ContextVar[Path | None] = ContextVar("only_in", default=None)

SOURCE = "lab.cpp"
PYTHON_SOURCE = "lab.py"

_TEXTS = r'(?:"(?:[^"\\\n]|\\.)*"\s*)+'
_VARIANT = re.compile(rf'\bvariant<[^;"()]*>\(\s*(?P<name>{_TEXTS}),\s*(?P<idea>{_TEXTS})\)')
_PYTHON_VARIANT = re.compile(rf"\bvariant\(\s*(?P<name>{_TEXTS}),\s*(?P<idea>{_TEXTS}),\s*[^\s)]")
_SENTENCE = re.compile(r".+?[.!?](?=\s+[A-Z]|$)")
_RUNG = re.compile(r"(?P<order>\d+)-(?P<idea>[a-z0-9][a-z0-9_-]*)(\.(?P<isa>[a-z0-9_]+))?")
_SOURCES = (".cpp", ".cc", ".cxx", ".c", ".f90", ".py")
_RANKED = re.compile(r"^// needs:.*\bMPI\b", re.MULTILINE)
_NOT_IDEAS = re.compile(r"(needs|flags|SPDX-License-Identifier)\s*:|threads: none\b|clang-format\b|-\*-|\S*/bin/")
_REMEDY = "run 'make climb' in a checkout, or 'rooftop build'"
_TABLE = "ROOFTOP_LAB(LAB, variant<RUNG, LAB>(NAME, IDEA), …)"


@dataclass(frozen=True)
class Variant:
    """One rung of a lab's ladder: NN-idea[.isa], and the idea in a sentence."""

    name: str
    idea: str


def _text(literals: str) -> str:
    """Return what neighbouring literals say; C++ and Python join them alike."""
    return str(ast.literal_eval(f"({literals})"))


def read_variants(source: str) -> list[Variant]:
    """Return the variants that the text of a lab names, in its order, so that its ladder is known before it is built.

    A lab in C++ ends with ``ROOFTOP_LAB(LAB, variant<RUNG, LAB>(NAME, IDEA), …)`` (native/include/rooftop/lab.hpp), one
    in Python with ``VARIANTS = (variant(NAME, IDEA, RUNG), …)`` (src/rooftop/lab/in_python.py).
    """
    _, macro, table = source.rpartition("ROOFTOP_LAB(")
    rows = _VARIANT.finditer(table) if macro else _PYTHON_VARIANT.finditer(source.rpartition("\nVARIANTS = ")[2])
    return [Variant(_text(found["name"]), _text(found["idea"])) for found in rows]


Kind = Literal["rung", "peer"]
Status = Literal["built", "skipped", "not built"]


@dataclass(frozen=True)
class Module:
    """One rung or peer: its source, and what has been built of it.

    command  what runs its driver; the words ``describe`` or ``run`` follow
    reason   why it cannot be run, when status is not "built"
    ranked   whether it is an MPI program (``// needs: MPI``): its workers are ranks, not threads
    team     its workers, and then its name tells them; None: as many as the campaign has
    variant  its name in its lab, whose file holds all of them; None: it is no variant of a lab
    """

    name: str
    kind: Kind
    source: Path
    file: Path
    header: str
    isa: str | None
    status: Status
    command: tuple[str, ...]
    reason: str | None = None
    ranked: bool = False
    team: Team | None = None
    variant: str | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """What is run of it: its file, and the driver that loads a library."""
        return (self.file, Path(self.command[0])) if self.file.suffix == ".so" else (self.file,)

    @property
    def interpreted(self) -> bool:
        """Whether it runs as it is, so that nothing of it is built."""
        return self.file == self.source

    @property
    def idea(self) -> str:
        """The first line of the source's header; its first sentence where that goes on."""
        first = self.header.split("\n", 1)[0]
        whole = None if first.endswith((".", "!", "?")) else _SENTENCE.match(" ".join(self.header.split()))
        return whole[0] if whole is not None else first

    @property
    def program(self) -> tuple[Path, str | None]:
        """What it is, whatever its number of workers: its source, and in a lab its variant."""
        return self.source, self.variant

    @property
    def workers(self) -> int | None:
        """How many workers it has; None: as many as the campaign has."""
        return None if self.team is None else self.team.workers

    def team_in(self, campaign: Team) -> Team:
        """Return its workers in a campaign: its own, or as many as the campaign's."""
        return self.team or (campaign.as_ranks() if self.ranked else campaign)

    def on(self, team: Team) -> Module:
        """Return the same rung or peer on so many workers."""
        own = self.team_in(team)
        return replace(self, name=f"{self.name}, {own}", team=own)

    def words(self, mode: Literal["describe", "run"]) -> list[str]:
        """Return the command line of this module's driver."""
        variant = [] if self.variant is None else ["--variant", self.variant]
        return [*self.command, mode, "--module", str(self.file), *variant]


@dataclass(frozen=True)
class Found:
    """An experiment as found in the tree: its declaration, its ladder in order, and its peers by name.

    A lab's ladder are its variants.
    """

    name: str
    folder: Path
    declaration: Experiment
    rungs: tuple[Module, ...]
    peers: tuple[Module, ...]

    @property
    def group(self) -> str | None:
        """The folder between the experiments' and its own, such as labs; None: there is none."""
        return self.name.rpartition("/")[0] or None

    @property
    def modules(self) -> tuple[Module, ...]:
        """The ladder from the bottom up, then the peers."""
        return self.rungs + self.peers


def header_comment(source: str) -> str:
    """Return the first comment of a C++, Fortran or Python file, without its marks and the build's own lines."""
    lines: list[str] = []
    block = ""
    for raw in source.splitlines():
        line = raw.strip()
        if block:
            text, closing, _ = line.partition(block)
            lines.append(text.strip().lstrip("*").strip())
            if closing:
                break
        elif line.startswith("/*") or line[:3] == '"""':
            block = "*/" if line.startswith("/*") else '"""'
            text, closing, _ = line[len(block) if block == '"""' else 2 :].lstrip("*!").partition(block)
            lines.append(text.strip())
            if closing:
                break
        elif line.startswith(("//", "#", "!")) and not line.startswith(("#include", "#pragma", "#define", "#if")):
            lines.append(line.lstrip("/#!<").strip())
        elif line or lines:
            break
    kept = [line for line in lines if not _NOT_IDEAS.match(line)]
    return "\n".join(kept).strip()


def _noted(note: Path) -> str | None:
    """Return why the build left something out, as it noted beside where that would be; None: it did not."""
    if not note.is_file():
        return None
    return " ".join(note.read_text(encoding="utf-8", errors="replace").split()) or "not built here"


def _state(file: Path, note: Path, driver: Path, remedy: str) -> tuple[Status, str | None]:
    """Return whether a compiled module and its driver are there, and why not."""
    if not file.is_file() and (reason := _noted(note)) is not None:
        return "skipped", reason
    if not file.is_file() or not driver.is_file():
        return "not built", f"not built: {remedy}"
    return "built", None


def _read_module(source: Path, kind: Kind, built: Path, remedy: str) -> Module:
    name = source.stem
    match = _RUNG.fullmatch(name)
    if kind == "rung" and match is None:
        raise Misuse(
            f"{source}: a rung's file is named {source.name!r}, expected NN-idea[.isa].cpp such as 20-blocked.cpp"
        )
    isa = match["isa"] if match else (name.split(".", 1)[1] if "." in name else None)
    interpreted = source.suffix == ".py"
    folder = built / ("rungs" if kind == "rung" else "peers")
    text = source.read_text(encoding="utf-8", errors="replace")
    ranked = _RANKED.search(text) is not None
    driver = built / ("driver_mpi" if ranked else "driver")
    note = folder / f"{name}.skipped"
    file = source if interpreted else folder / f"{name}.so"
    command = (sys.executable, str(source)) if interpreted else (str(driver),)
    if interpreted:
        reason = _noted(note)
        status: Status = "built" if reason is None else "skipped"
    else:
        status, reason = _state(file, note, driver, remedy)
    return Module(name, kind, source, file, header_comment(text), isa, status, command, reason, ranked)


def _modules(folder: Path, kind: Kind, built: Path, remedy: str) -> tuple[Module, ...]:
    if not folder.is_dir():
        return ()
    sources = [file for file in folder.iterdir() if file.suffix in _SOURCES and not file.name.startswith((".", "_"))]
    found = [_read_module(source, kind, built, remedy) for source in sources]
    names = [module.name for module in found]
    for module in found:
        if names.count(module.name) > 1:
            raise Misuse(f"{folder}: two files are named {module.name!r}, expected each name once")

    def order(module: Module) -> tuple[int, str]:
        match = _RUNG.fullmatch(module.name) if kind == "rung" else None
        return (int(match["order"]) if match else 0, module.name)

    return tuple(sorted(found, key=order))


def _lab_source(folder: Path) -> Path | None:
    """Return the one source of a lab; None where it is no lab."""
    return next((file for file in (folder / SOURCE, folder / PYTHON_SOURCE) if file.is_file()), None)


def _read_lab(folder: Path, built: Path, remedy: str) -> tuple[Module, ...]:
    """Return the ladder of a lab: every variant that its source names, all in one file."""
    source = _lab_source(folder) or folder / SOURCE
    interpreted = source.suffix == ".py"
    text = source.read_text(encoding="utf-8", errors="replace")
    variants = read_variants(text)
    if not variants:
        table = "VARIANTS = (variant(NAME, IDEA, RUNG), …)" if interpreted else _TABLE
        raise Misuse(f"{source} names no variants, expected {table}")
    ranked = _RANKED.search(text) is not None
    driver = built / ("driver_mpi" if ranked else "driver")
    file = source if interpreted else built / f"{source.stem}.so"
    status, reason = ("built", None) if interpreted else _state(file, file.with_suffix(".skipped"), driver, remedy)
    command = (sys.executable, str(source)) if interpreted else (str(driver),)
    found: list[Module] = []
    for one in variants:
        match = _RUNG.fullmatch(one.name)
        if match is None or one.name in [module.name for module in found]:
            raise Misuse(f"{source}: a variant is named {one.name!r}, expected NN-idea[.isa], each name once")
        found.append(
            Module(
                name=one.name,
                kind="rung",
                source=source,
                file=file,
                header=one.idea,
                isa=match["isa"],
                status=status,
                command=command,
                reason=reason,
                ranked=ranked,
                variant=one.name,
            )
        )
    return tuple(found)


def load_declaration(file: Path) -> Experiment:
    """Run an ``experiment.py`` and give what it binds to ``experiment``. Raises Misuse naming the file.

    What it prints goes to standard error: standard output is the bench's.
    """
    require_code_of(file)
    spec = spec_from_file_location(f"rooftop_experiment_{abs(hash(file))}", file)
    if spec is None or spec.loader is None:
        raise Misuse(f"{file} cannot be loaded as Python")
    module = module_from_spec(spec)
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except RooftopError:
        raise
    except SystemExit as error:
        raise Misuse(f"{file} cannot be read: it leaves by SystemExit({error.code!r})") from error
    except Exception as error:
        raise Misuse(f"{file} cannot be read: {type(error).__name__}: {error}") from error
    declared: Any = getattr(module, "experiment", None)
    if not isinstance(declared, Experiment):
        raise Misuse(
            f"{file} binds 'experiment' to {type(declared).__name__}, expected rooftop.ladder.experiment.Experiment"
        )
    return declared


def require_code_of(place: Path) -> None:
    """Raise Misuse for a file or folder outside of the folder that `code_only_in` names."""
    trusted = _only_in.get()
    if trusted is not None and not place.resolve().is_relative_to(trusted.resolve()):
        raise Misuse(f"{place} is not in {trusted}, and the code of experiments of elsewhere is not run here")


@contextmanager
def code_only_in(folder: Path) -> Iterator[None]:
    """Let the block read experiments of a folder alone: to read one is to run its code. Others raise Misuse."""
    before = _only_in.set(folder)
    try:
        yield
    finally:
        _only_in.reset(before)


def find_names(experiments: Path, *, hidden: bool = False) -> list[str]:
    """Return the names of all experiments: folders with an ``experiment.py``, at most two deep (``labs/NAME``)."""
    if not experiments.is_dir():
        raise Misuse(
            f"there is no folder {experiments}, expected the one that holds experiments: set "
            "ROOFTOP_ROOT to a checkout of Rooftop, start within one, or name it by --from"
        )
    files = [*experiments.glob("*/experiment.py"), *experiments.glob("*/*/experiment.py")]
    names = sorted(file.parent.relative_to(experiments).as_posix() for file in files)
    return [name for name in names if hidden or not any(part.startswith(("_", ".")) for part in name.split("/"))]


def experiment_folder(experiments: Path, name: str) -> Path:
    """Return the folder of one experiment, a hidden one too if named. Raises Misuse when there is none of that name."""
    folder = experiments / name
    strays = Path(name).is_absolute() or ".." in Path(name).parts
    if not name or strays or not (folder / "experiment.py").is_file():
        told = nearest(name, find_names(experiments), "rooftop list")
        raise Misuse(f"there is no experiment {name!r} in {experiments}; {told}")
    return folder


def read_experiment(name: str, folder: Path, built: Path, remedy: str = _REMEDY) -> Found:
    """Read the experiment in a folder.

    built   folder with its driver and modules
    remedy  how a missing one is built, for messages
    """
    is_lab = _lab_source(folder) is not None
    return Found(
        name=name,
        folder=folder,
        declaration=load_declaration(folder / "experiment.py"),
        rungs=_read_lab(folder, built, remedy) if is_lab else _modules(folder / "rungs", "rung", built, remedy),
        peers=_modules(folder / "peers", "peer", built, remedy),
    )


def find_experiment(experiments: Path, build: Path, name: str) -> Found:
    """Read one experiment of those that BUILD builds, as BUILD/experiments/NAME. Raises Misuse as above."""
    return read_experiment(name, experiment_folder(experiments, name), build / "experiments" / name)


def build_description(build: Path) -> dict[str, Any]:
    """Return the contents of BUILD/build.json (compiler, version, flags, build type). Raises NotBuilt."""
    file = build / "build.json"
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise NotBuilt(f"{file} does not exist: {_REMEDY}") from error
    except (OSError, ValueError) as error:
        raise NotBuilt(f"{file} cannot be read ({error}): build again") from error
    return content if isinstance(content, dict) else {"build": content}
