"""Read an h5bench file: KEY=VALUE lines of one benchmark, or a JSON workflow."""

from __future__ import annotations

import json
import re
from configparser import ConfigParser, Error
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rooftop.errors import Misuse
from rooftop.solvers.h5io.h5bench.configuration import Configuration, configured
from rooftop.solvers.h5io.h5bench.knobs import (
    connector_without_effect,
    file_system_without_effect,
    keys_without_effect,
    launch_without_effect,
    unknown_without_effect,
)

#: h5bench's front end has another name for the normal distribution than its samples.
_DONE = {
    "write": "WRITE",
    "read": "READ",
    "write-unlimited": "WRITE_UNLIMITED",
    "write_normal_dist": "WRITE_NORMAL_DIST",
    "write_var_normal_dist": "WRITE_NORMAL_DIST",
    "overwrite": "OVERWRITE",
    "append": "APPEND",
}


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: a configuration, and the name of the HDF5 file that it writes or reads."""

    configuration: Configuration
    file: str


@dataclass(frozen=True)
class Workflow:
    """Benchmarks in the order of execution.

    ranks    number of ranks; None: not given by the file
    folder   folder of the HDF5 files; None: not given by the file
    remarks  parts of the file that are left out or have no effect
    """

    benchmarks: list[Benchmark]
    ranks: int | None = None
    folder: str | None = None
    remarks: list[str] = field(default_factory=list)


class _Launch(BaseModel):
    model_config = ConfigDict(extra="allow")

    command: str = "mpirun"
    ranks: str | int | None = None
    configuration: str | None = None

    def count(self) -> int | None:
        """Return the number of ranks. As in h5bench, the launcher's own options take precedence."""
        match = re.search(r"(?:^|\s)(?:-n|-np|--ntasks)[ =]*(\d+)", self.configuration or "")
        return int(match[1]) if match is not None else None if self.ranks is None else int(self.ranks)


class _Entry(BaseModel):
    model_config = ConfigDict(extra="allow")

    benchmark: str
    file: str = "h5bench.h5"
    configuration: dict[str, str | int | float] = Field(default_factory=dict)


class _Setup(BaseModel):
    model_config = ConfigDict(extra="allow")

    mpi: _Launch = Field(default_factory=_Launch)
    vol: dict[str, Any] = Field(default_factory=dict)
    file_system: dict[str, Any] = Field(default_factory=dict, alias="file-system")
    directory: str | None = None
    benchmarks: list[_Entry] = Field(min_length=1)


def _remarks(setup: _Setup) -> list[str]:
    """Return remarks on settings without effect, except keys of benchmarks."""
    unknown = [*(setup.model_extra or {}), *(f"mpi.{name}" for name in setup.mpi.model_extra or {})]
    for number, entry in enumerate(setup.benchmarks, start=1):
        unknown += [f"benchmark {number}'s {name}" for name in entry.model_extra or {}]
    return [
        *launch_without_effect(setup.mpi.command, setup.mpi.configuration or ""),
        *connector_without_effect(setup.vol),
        *file_system_without_effect(setup.file_system),
        *unknown_without_effect(unknown),
    ]


def _require_no_connector(settings: dict[str, Any], asked: Configuration, where: str) -> None:
    """Raise Misuse if the file uses a VOL connector other than the asynchronous one."""
    connector = str(settings.get("connector", "")).strip()
    if asked.mode == "ASYNC" and connector and connector.split()[0] != "async":
        raise Misuse(
            f"{where}: vol.connector is {connector!r}, which is not loaded: expected async, or MODE=SYNC without it"
        )


def _workflow(path: Path, text: str) -> Workflow:
    try:
        setup = _Setup.model_validate(json.loads(text))
        ranks = setup.mpi.count()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise Misuse(f"{path}: {' '.join(map(str, first['loc']))}: {first['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise Misuse(f"{path} is not JSON: {error}") from error
    benchmarks, remarks = [], _remarks(setup)
    for number, entry in enumerate(setup.benchmarks, start=1):
        if entry.benchmark not in _DONE:
            remarks.append(f"benchmark {number}, {entry.benchmark}, is left out: {', '.join(_DONE)} are run")
            continue
        if Path(entry.file).name != entry.file:
            raise Misuse(f"{path}: file is {entry.file!r}, expected a name without a folder")
        where = f"{path}, benchmark {number}"
        asked = configured(entry.configuration, where, IO_OPERATION=_DONE[entry.benchmark])
        _require_no_connector(setup.vol, asked, where)
        remarks += [
            f"benchmark {number}, {entry.benchmark}: {told}" for told in keys_without_effect(entry.configuration, asked)
        ]
        benchmarks.append(Benchmark(asked, entry.file))
    if not benchmarks:
        names = ", ".join(dict.fromkeys(entry.benchmark for entry in setup.benchmarks))
        raise Misuse(f"{path}: it has no benchmark of {', '.join(_DONE)}: expected one beside {names}")
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
    asked = configured(keys, str(path), IO_OPERATION=operation)
    return Workflow([Benchmark(asked, "h5bench.h5")], remarks=keys_without_effect(keys, asked))


def read_workflow(path: Path) -> Workflow:
    """Read an h5bench file: JSON if it begins with a brace, otherwise KEY=VALUE lines. Raises Misuse."""
    if path.exists() and not path.is_file():
        raise Misuse(f"{path} is no regular file, expected an h5bench file")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Misuse(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return _workflow(path, text) if text.lstrip().startswith("{") else _single(path, text)
