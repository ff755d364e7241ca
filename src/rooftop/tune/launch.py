"""Make the command line and the environment of a configuration."""

from __future__ import annotations

import ctypes.util
from collections.abc import Mapping, Sequence

from rooftop.command.environment import own_environment
from rooftop.command.line import substituted
from rooftop.command.preload import preloaded
from rooftop.launchers import named
from rooftop.launchers.launcher import Launch
from rooftop.launchers.nodes import ONE_NODE, Nodes
from rooftop.launchers.team import Team, openmp
from rooftop.parameters.space import Configuration, Space

# By what users call them, the likeliest to help first.
ALLOCATORS = {"mimalloc": "mimalloc", "jemalloc": "jemalloc", "tbb": "tbbmalloc_proxy"}


def allocator_library(name: str) -> str | None:
    """Return the value of LD_PRELOAD for an allocator: "" for the C library's, None if it is not installed."""
    return "" if name == "glibc" else ctypes.util.find_library(ALLOCATORS[name])


def variables(space: Space, configuration: Configuration) -> dict[str, str]:
    """Return the environment variables that a configuration sets for the program."""
    found: dict[str, str] = {}
    for name, value in configuration.items():
        kind, text = space.kind(name), str(value)
        if kind == "threads":
            found |= openmp(threads=int(value))
        elif kind == "bind":
            found |= openmp(bind=text)
        elif kind == "schedule":
            found["OMP_SCHEDULE"] = text.replace(":", ",")
        elif kind == "malloc" and (library := allocator_library(text)):
            found |= preloaded([library], own_environment())
        elif kind == "env":
            found[name] = text
    return found


def placement(space: Space, configuration: Configuration, nodes: Nodes) -> tuple[Team, str | None]:
    """Return the team of a configuration, and its binding."""
    by_kind = {space.kind(name): value for name, value in configuration.items()}
    ranks, threads, bind = by_kind.get("ranks"), by_kind.get("threads", 1), by_kind.get("bind")
    team = nodes.team(None if ranks is None else int(ranks), int(threads))
    return team, None if bind is None else str(bind)


def launch(
    space: Space,
    configuration: Configuration,
    words: Sequence[str],
    launcher: str | None,
    more: Mapping[str, object] | None = None,
    nodes: Nodes = ONE_NODE,
) -> Launch:
    """Return how to start a configuration; a launcher is used if ranks are among its parameters.

    more   values of other placeholders in the words, by name
    nodes  that ranks are spread over
    """
    program = substituted(words, {**configuration, **(more or {})})
    own = variables(space, configuration)
    team, bind = placement(space, configuration, nodes)
    if team.ranks is None or launcher is None:
        return Launch(program, own)
    return named(launcher).started(program, own, team, bind)
