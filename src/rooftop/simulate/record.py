"""Recording a program's own MPI calls, by a library that is loaded before it: see native/mpi_record.

What lies between two calls is work, of so many seconds. What makes a communicator is recorded as a barrier, and
neighbourhood collectives as their messages. Calls that are not simulated, and calls of several threads, are named.
Calls of MPI that exchange nothing count as work.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rooftop.command.environment import own_environment
from rooftop.command.preload import preloaded
from rooftop.command.process import Limits, run
from rooftop.errors import Misuse, NotBuilt
from rooftop.launchers import launcher_of
from rooftop.launchers.launcher import Launcher
from rooftop.settings import Settings
from rooftop.simulate.recording import Operation, Recording

_FOLDER = "ROOFTOP_MPI_RECORD"


def library(launcher: Launcher) -> Path | None:
    """Return the library for the MPI of a launcher's programs; None where it is not built."""
    folder = Settings().build_folder / "native"
    return next((path for mpi in launcher.mpi if (path := folder / f"libmpi_record_{mpi}.so").is_file()), None)


def record(words: Sequence[str], timeout_s: float = 3600.0) -> Recording:
    """Run an MPI program, ``mpirun -np 4 ./app``, and return what its ranks did. Raises Misuse and NotBuilt."""
    launcher = launcher_of(words[0]) if words else None
    if launcher is None:
        raise Misuse(f"{' '.join(words)!r} starts no ranks: expected a launcher of MPI with its program")
    loaded = library(launcher)
    if loaded is None:
        raise NotBuilt(f"what records MPI calls is not built: install lib{launcher.mpi[0]}-dev, then 'rooftop build'")
    with tempfile.TemporaryDirectory(prefix="rooftop-record-") as name:
        environment = own_environment()
        environment |= preloaded([loaded], environment) | {_FOLDER: name}
        try:
            ended = run(words, Limits(timeout_s=timeout_s), environment=environment)
        except OSError as error:
            raise Misuse(f"{words[0]} cannot be started: {error.strerror}") from error
        if ended.status != 0:
            raise Misuse(f"the program ended with status {ended.status}: {ended.said}")
        return assembled({int(file.name): file.read_text(encoding="ascii") for file in Path(name).iterdir()})


def assembled(texts: dict[int, str]) -> Recording:
    """Return the recording of what each rank wrote, by rank. Raises Misuse where a call is not simulated."""
    if not texts or sorted(texts) != list(range(len(texts))):
        raise Misuse(
            f"{len(texts)} ranks wrote what they did: expected an MPI program that calls MPI_Finalize, and that is "
            "linked dynamically with the MPI of its launcher"
        )
    groups = _Groups(len(texts))
    programs: list[tuple[Sequence[int], Sequence[Operation]]] = []
    for rank in range(len(texts)):
        try:
            head, *lines, end = (json.loads(line) for line in texts[rank].splitlines())
            own = [groups.name_of(one["name"], tuple(one["ranks"])) for one in head["groups"]]
            programs.append(([rank], [_operation(line, own) for line in lines]))
            whole = end == {"op": "end"}
        except (ValueError, LookupError, TypeError):
            whole = False
        if not whole:
            raise Misuse(
                f"what rank {rank} wrote is not whole: expected room for it in {tempfile.gettempdir()}; TMPDIR names "
                "another folder"
            )
    return Recording(len(texts), programs, groups.others())


class _Groups:
    """Groups of all ranks: those of one name and the same ranks are one. Parts of a communicator have its name."""

    def __init__(self, ranks: int) -> None:
        self._names: dict[tuple[str, tuple[int, ...]], str] = {("world", tuple(range(ranks))): "world"}

    def name_of(self, name: str, members: tuple[int, ...]) -> str:
        return self._names.setdefault((name, members), f"group {len(self._names)}")

    def others(self) -> dict[str, Sequence[int]]:
        return {name: members for (_, members), name in self._names.items() if name != "world"}


def _operation(line: dict[str, Any], groups: Sequence[str]) -> Operation:
    if line["op"] == "not_simulated":
        raise Misuse(f"the program calls {line['name']}, which is not simulated")
    if line["op"] == "too_many":
        raise Misuse(
            f"a rank has more than {line['most']} pieces of work and MPI calls, which is all that is kept: expected "
            "fewer steps of the program, or fewer ranks"
        )
    if "group" in line:
        line["group"] = groups[line["group"]]
    return line
