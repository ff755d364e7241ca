"""The benchmarks that a file of h5bench's asks for: one, as lines of KEY=VALUE, or a workflow in JSON."""

from __future__ import annotations

import json
import re
from configparser import ConfigParser, Error
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rooftop.errors import Misuse
from rooftop.solvers.h5io.h5bench.configuration import Configuration, configured

_DONE = {"write": "WRITE", "read": "READ"}


@dataclass(frozen=True)
class Benchmark:
    """A configuration, and the name of the HDF5 file that it writes or reads."""

    configuration: Configuration
    file: str


@dataclass(frozen=True)
class Workflow:
    """Benchmarks in their order.

    ranks    that the file asks for; None: it does not say
    folder   for the HDF5 files; None: it does not say
    remarks  what of the file is left out
    """

    benchmarks: list[Benchmark]
    ranks: int | None = None
    folder: str | None = None
    remarks: list[str] = field(default_factory=list)


class _Launch(BaseModel):
    command: str = "mpirun"
    ranks: str | int | None = None
    configuration: str | None = None

    def count(self) -> int | None:
        """Return the number of ranks: that of the launcher's own options comes first, as in h5bench."""
        match = re.search(r"(?:^|\s)(?:-n|-np|--ntasks)[ =]*(\d+)", self.configuration or "")
        return int(match[1]) if match is not None else None if self.ranks is None else int(self.ranks)


class _Entry(BaseModel):
    benchmark: str
    file: str = "h5bench.h5"
    configuration: dict[str, str | int | float] = Field(default_factory=dict)


class _Setup(BaseModel):
    model_config = ConfigDict(extra="allow")

    mpi: _Launch = Field(default_factory=_Launch)
    directory: str | None = None
    benchmarks: list[_Entry] = Field(min_length=1)


def _workflow(path: Path, text: str) -> Workflow:
    try:
        setup = _Setup.model_validate(json.loads(text))
        ranks = setup.mpi.count()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise Misuse(f"{path}: {' '.join(map(str, first['loc']))}: {first['msg']}") from error
    except ValueError as error:
        raise Misuse(f"{path} is not JSON: {error}") from error
    benchmarks, remarks = [], []
    for number, entry in enumerate(setup.benchmarks, start=1):
        if entry.benchmark not in _DONE:
            remarks.append(f"benchmark {number}, {entry.benchmark}, is left out: write and read are run")
            continue
        if Path(entry.file).name != entry.file:
            raise Misuse(f"{path}: file is {entry.file!r}, expected a name without a folder")
        where = f"{path}, benchmark {number}"
        benchmarks.append(
            Benchmark(configured(entry.configuration, where, IO_OPERATION=_DONE[entry.benchmark]), entry.file)
        )
    if not benchmarks:
        raise Misuse(f"{path}: it has no write and no read benchmark")
    return Workflow(benchmarks, ranks, setup.directory, remarks)


def _single(path: Path, text: str) -> Workflow:
    lines = ConfigParser(
        delimiters=("=",), comment_prefixes=("#",), inline_comment_prefixes=("#",), strict=False, interpolation=None
    )
    lines.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        lines.read_string(f"[h5bench]\n{text}", str(path))
    except Error as error:
        told = " ".join(str(error).split())
        raise Misuse(f"{path}: expected lines of KEY=VALUE: {told}") from error
    keys = dict(lines["h5bench"])
    operation = "READ" if "READ_OPTION" in keys else "WRITE"
    return Workflow([Benchmark(configured(keys, str(path), IO_OPERATION=operation), "h5bench.h5")])


def read_workflow(path: Path) -> Workflow:
    """Return what a file asks for: JSON if it begins with a brace, KEY=VALUE otherwise. Raises Misuse."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Misuse(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return _workflow(path, text) if text.lstrip().startswith("{") else _single(path, text)
