"""Finds the shared libraries that a program is linked with, as its loader does, without running it."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from rooftop.command.not_started import loader_of
from rooftop.files.contents import FileState, state_of
from rooftop.ladder.discovery import Module

ELF = b"\x7fELF"
HEAD_BYTES = 4096
_LIMIT_S = 10.0
_LISTED = re.compile(r"^\s+(?:\S+ => )?(/.*) \(0x[0-9a-f]+\)$", re.MULTILINE)
_RUNS_CODE = ("LD_AUDIT", "LD_DEBUG", "LD_DEBUG_OUTPUT", "LD_PROFILE", "LD_BIND_NOW")


def libraries_of(file: Path, environment: Mapping[str, str] | None = None) -> list[Path]:
    """Return the libraries of a program, or of a library; none where they cannot be told.

    The loader lists them (`ld.so --list`): it maps the program and runs nothing of it. A loader that others than root
    may have put there is not asked.
    """
    state = state_of(file)
    if state is None:
        return []
    variables = os.environ if environment is None else environment
    kept = {name: value for name, value in variables.items() if name.startswith("LD_") and name not in _RUNS_CODE}
    return [Path(one) for one in _listed(str(file), state, tuple(sorted(kept.items())))]


def module_files(modules: Iterable[Module]) -> list[Path]:
    """Return what is run of rungs and peers, each file once: their files, drivers and libraries."""
    files = dict.fromkeys(file for module in modules for file in module.files)
    for file in list(files):
        files |= dict.fromkeys(libraries_of(file))
    return list(files)


@lru_cache(maxsize=4096)
def _listed(file: str, state: FileState, variables: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    del state  # it tells one file of a name from another
    try:
        with Path(file).open("rb") as opened:
            head = opened.read(HEAD_BYTES)
    except OSError:
        return ()
    loader = (loader_of(head) or _own_loader()) if head.startswith(ELF) else None
    if loader is None or not _of_root(loader):
        return ()
    try:
        done = subprocess.run(
            [loader, "--list", file],
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ()
    return tuple(_LISTED.findall(done.stdout.decode("utf-8", "surrogateescape")))


@lru_cache(maxsize=1)
def _own_loader() -> str | None:
    """Return this process's loader: a library names none."""
    try:
        with Path(os.path.realpath("/proc/self/exe")).open("rb") as opened:
            return loader_of(opened.read(HEAD_BYTES))
    except OSError:
        return None


def _of_root(loader: str) -> bool:
    file = Path(os.path.realpath(loader))
    try:
        states = [file.stat(), file.parent.stat()]
    except OSError:
        return False
    return all(state.st_uid == 0 and not state.st_mode & (stat.S_IWGRP | stat.S_IWOTH) for state in states)
