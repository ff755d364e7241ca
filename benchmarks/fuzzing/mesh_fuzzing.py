"""Feed the readers of meshes inputs that keep the structure of good ones."""

from __future__ import annotations

import random
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from benchmarks.form import PageOption
from benchmarks.fuzzing.fed_runs import KEPT, LONGEST_INPUT_S, Run, keep_run, read_record
from benchmarks.fuzzing.fuzzing import PAGE
from benchmarks.fuzzing.fuzzing_page import write_fuzzing
from rooftop.errors import Misuse
from rooftop.machine.processor import processor
from rooftop.machine.system_files import SystemFiles
from rooftop.solvers.elasticity.files import gmsh_conversion

Kind = Literal["deck", "msh"]
SEEDS = Path(__file__).parent / "mesh_seeds"
_MOST_BYTES = 6 << 30  # of addresses, of which NumPy's and OpenMP's libraries take one
_ROOM = 1 << 30  # bytes that a body may take
_REPORT_EVERY = 20_000
_IN_MEMORY = Path("/dev/shm")  # on a disk, half of the time goes to emptying the file for each input

_NUMBERS = [
    "0",
    "-1",
    "1",
    "2",
    "8",
    "9",
    "1.5",
    "-0.",
    "1e300",
    "1e-300",
    "nan",
    "inf",
    "2147483647",
    "99999999999",
    "1.D0",
    "1+3",
    "x",
    "0x1",
    "1e999",
    "S2",
    "P1",
    "*",
    "**",
    "=",
    "٣",
    "A-1.1",
    '"',
    '"AB"',
]
_NUMBERS += ["", " ", "1 2", '"A B"', "\ud800"]
_CARDS = [
    "*NODE",
    "*ELEMENT",
    "*NSET",
    "*ELSET",
    "*SURFACE",
    "*BOUNDARY",
    "*CLOAD",
    "*DLOAD",
    "*DSLOAD",
    "*MATERIAL",
    "*ELASTIC",
    "*DENSITY",
    "*STEP",
    "*STATIC",
    "*PART",
    "*INSTANCE",
    "*ASSEMBLY",
    "*NGEN",
    "*NFILL",
    "*ELGEN",
    "*AMPLITUDE",
    "*TRANSFORM",
    "*INCLUDE",
    "*EQUATION",
    "*ENDPART",
    "*ENDINSTANCE",
    "*ENDASSEMBLY",
    "*ENDSTEP",
    "*SOLIDSECTION",
    "*SHELLSECTION",
]
_PARAMETERS = [
    "GENERATE",
    "INTERNAL",
    "NSET=A",
    "ELSET=EALL",
    "NAME=A",
    "TYPE=C3D8",
    "TYPE=C3D4",
    "TYPE=S4",
    "TYPE=ELEMENT",
    "TYPE=NODE",
    "INSTANCE=A-1",
    "PART=A",
    "OP=NEW",
    "AMPLITUDE=A",
    "MATERIAL=STEEL",
    "INPUT=deck.inp",
    "SYSTEM=C",
    "NLGEOM",
    "UNSORTED",
    "ELSET=",
    "=1",
]


def _field(random_: random.Random, words: list[str]) -> str:
    return random_.choice(_NUMBERS if random_.random() < 0.6 else words)


def _of_line(random_: random.Random, line: str, lines: list[str], separator: str) -> str:
    """Return a line with one field changed, left out, doubled or taken from elsewhere."""
    fields = line.split(separator)
    others = random_.choice(lines).split(separator)
    at = random_.randrange(len(fields))
    kind = random_.randrange(7)
    if kind == 0:
        del fields[at]
    elif kind == 1:
        fields.insert(at, fields[at])
    elif kind == 2:
        fields[at] = random_.choice(others)
    elif kind == 3 and line.startswith("*"):
        fields.append(random_.choice(_PARAMETERS))
    elif kind == 4:
        fields[at] = fields[at].swapcase()
    elif kind == 5:
        letters = list(fields[at]) or [" "]
        code = random_.choice([random_.randrange(32, 127), random_.randrange(0x250)])
        letters[random_.randrange(len(letters))] = chr(code)
        fields[at] = "".join(letters)
    else:
        fields[at] = _field(random_, others)
    return separator.join(fields)


def mutated(random_: random.Random, kind: Kind, seeds: list[str]) -> str:
    """Return one of the seeds with one to six changes: of a field, of a line, of a block of lines."""
    lines = random_.choice(seeds).split("\n")
    separator = "," if kind == "deck" else " "
    for _ in range(random_.choice([1, 1, 1, 2, 3, 6])):
        at = random_.randrange(len(lines))
        end = min(len(lines), at + random_.choice([1, 1, 2, 5, 12]))
        change = random_.randrange(10)
        if change < 5:
            lines[at] = _of_line(random_, lines[at], lines, separator)
        elif change == 5:
            del lines[at:end]
        elif change == 6:
            lines[at:at] = lines[at:end]
        elif change == 7:
            other = random_.choice(seeds).split("\n")
            start = random_.randrange(len(other))
            lines[at:at] = other[start : start + random_.choice([1, 2, 5, 12])]
        elif change == 8 and kind == "deck":
            lines.insert(at, ",".join([random_.choice(_CARDS), *random_.sample(_PARAMETERS, random_.randrange(3))]))
        else:
            del lines[random_.randrange(len(lines) + 1) :]
        lines = lines or [""]
    return "\n".join(lines)


@contextmanager
def _limited() -> Iterator[None]:
    """Raise TimeoutError in what takes too long."""

    def late(*_: Any) -> None:
        raise TimeoutError(f"it took more than {LONGEST_INPUT_S} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(LONGEST_INPUT_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def read(path: Path) -> None:
    """Read a file as the command does, with options for files that have no step."""
    from rooftop.solvers.elasticity.deck.reading import read_deck
    from rooftop.solvers.elasticity.files.mesh_file import problem_of_mesh_deck, problem_of_step, read_mesh_file

    pulls = [("x-max", (1.0, 0.0, 0.0))]
    if path.suffix == ".inp":
        deck = read_deck(path)
        if deck.steps:
            problem_of_step(deck, _ROOM, unstructured=False)
        else:
            problem_of_mesh_deck(deck, ["x-min"], [], pulls, None, None, _ROOM)
    else:
        read_mesh_file(path, ["x-min"], [], pulls, 1.0, 0.3, _ROOM)


def finding(path: Path, call: Callable[[Path], None] = read) -> str:
    """Return what is wrong with how a file is read: "" if it gave a problem, or one line of misuse."""
    try:
        with _limited():
            call(path)
    except Misuse as error:
        line = str(error)
        return "" if line and "\n" not in line else f"misuse of more than a line, or of none: {line!r}"
    except (Exception, SystemExit) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def main(
    kind: Annotated[str, typer.Argument(help="deck or msh.")] = "deck",
    inputs: Annotated[int, typer.Option(min=1)] = 100_000,
    seed: Annotated[int, typer.Option()] = 1,
    seconds: Annotated[int, typer.Option(min=1, help="The most that it takes.")] = 3600,
    to: PageOption = PAGE,
) -> None:
    """Feed so many inputs, keep those with a finding, and write the page."""
    which: Kind = "deck" if kind == "deck" else "msh"
    suffix = ".inp" if which == "deck" else ".msh"
    seeds = [file.read_text(encoding="utf-8") for file in sorted(SEEDS.glob(f"*{suffix}"))]
    if which == "msh":  # what Gmsh itself would make of each takes half a second
        gmsh_conversion.is_installed = lambda: False
    warnings.simplefilter("error", RuntimeWarning)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    name = f"mesh_files.{which}"
    finds = KEPT / f"{name}-found"
    finds.mkdir(parents=True, exist_ok=True)
    random_ = random.Random(seed + 1_000_003 * read_record().inputs(name))
    began, fed, found = time.monotonic(), 0, ""
    where = _IN_MEMORY if _IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="rooftop-mesh-fuzzing-", dir=where) as folder:
        path = Path(folder) / f"deck{suffix}"
        while fed < inputs and time.monotonic() - began < seconds:
            text = mutated(random_, which, seeds)
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
            fed += 1
            if what := finding(path):
                found = f"{seed}-{fed}{suffix}"
                (finds / found).write_bytes(path.read_bytes())
                print(f"{found}: {what}", file=sys.stderr, flush=True)
            if fed % _REPORT_EVERY == 0:
                print(f"{fed} inputs in {time.monotonic() - began:.0f} s", flush=True)
    run = Run(name, fed, round(time.monotonic() - began, 1), len(seeds), found, processor(SystemFiles()).name)
    keep_run(run)
    write_fuzzing(to, read_record())
    print(f"{name}: {fed} inputs in {run.seconds} s, {found or 'nothing found'}")
    raise typer.Exit(1 if found else 0)
