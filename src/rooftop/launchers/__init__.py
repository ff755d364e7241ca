"""The launchers, one file each: a file here binds ``launcher`` and ORDER, and its name is the launcher's.

Where none is named, the first that is installed is taken.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Protocol, TypeVar

from rooftop.errors import Misuse
from rooftop.launchers.launcher import Launcher
from rooftop.launchers.nodes import nodes_of_job
from rooftop.plugins import modules_of


@cache
def launchers() -> tuple[Launcher, ...]:
    """Return all launchers in their order."""
    return tuple(module.launcher for module in modules_of(__name__) if hasattr(module, "launcher"))


def names() -> list[str]:
    """Return the names of all launchers in their order."""
    return [one.name for one in launchers()]


def named(name: str) -> Launcher:
    """Return a launcher. Raises Misuse where there is none of that name."""
    for one in launchers():
        if one.name == name:
            return one
    raise Misuse(f"--launcher is {name!r}, expected {', '.join(names())}")


def chosen(asked: str | None, *, ranked: bool, library: str | None = None, by_name: bool = False) -> str | None:
    """Return the launcher that --launcher asks for, or the first that is installed. Raises Misuse.

    ranked   whether there are ranks to start: without, there is no launcher
    library  that the program is built with: its own launcher is taken where it is installed
    by_name  whether the hosts of the ranks are named
    """
    if asked is not None:
        if not ranked:
            raise Misuse(f"--launcher is {asked!r} and has no effect, expected --ranks with it")
        return named(asked).name
    if not ranked:
        return None
    for one in sorted(launchers(), key=lambda one: library is not None and library not in one.mpi):
        if one.missing() is None and (one.named_hosts or not by_name):
            return one.name
    programs = ", ".join(one.program for one in launchers())
    raise Misuse(f"--ranks needs one of {programs}, and none is here: see rooftop doctor")


def of_this_tree() -> Launcher:
    """Return the launcher of the MPI library that this tree's own programs are built with."""
    return next(one for one in launchers() if one.of_this_tree)


def of_batch(program: str) -> Launcher:
    """Return the launcher whose batch scripts a program takes."""
    return next(one for one in launchers() if one.batch == program)


def launcher_of(word: str, seen: str | None = None) -> Launcher | None:
    """Return which launcher a command's first word is, None where it is none.

    seen  who started the ranks that were seen, where several launchers have that name
    """

    def called(name: str) -> list[Launcher]:
        return [one for one in launchers() if name in (one.program, *one.names)]

    likely = called(Path(word).name)
    if len(likely) > 1:
        real = Path(os.path.realpath(shutil.which(word) or word)).name
        likely = [one for one in likely if one.name == seen] or called(real) or likely
    return likely[0] if likely else None


class _Started(Protocol):
    """The options of a campaign whose commands have ranks."""

    @property
    def launcher(self) -> str | None: ...
    @property
    def hosts(self) -> tuple[str, ...]: ...


StartedT = TypeVar("StartedT", bound=_Started)


def over_nodes(options: StartedT, *, ranked: bool, library: str | None) -> StartedT:
    """Return options with the launcher that is chosen, and the nodes of this process's job. See `chosen`."""
    if options.hosts and not ranked:
        raise Misuse(f"--hosts is {','.join(options.hosts)!r} and has no effect, expected --ranks with it")
    by_name = bool(options.hosts)
    launcher = chosen(options.launcher, ranked=ranked, library=library, by_name=by_name)
    if by_name and launcher is not None and not named(launcher).named_hosts:
        known = " or ".join(one.name for one in launchers() if one.named_hosts)
        raise Misuse(f"--launcher is {launcher!r}, whose nodes come from its job, expected {known} with --hosts")
    return replace(options, launcher=launcher, job_nodes=None if by_name else nodes_of_job())  # type: ignore[type-var]
