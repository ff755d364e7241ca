"""A start without privileges and without perf: as another user, without any capability, with a PATH that lacks perf."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.form import ROOT

_NOBODY = 65534
_LEFT_OUT = "perf"
_NO_CAPABILITY = ("--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--no-new-privs")
_OTHER = ("setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups", *_NO_CAPABILITY)
# Root's files without root's rights, where the bench lies in a folder that others cannot enter.
_BARE_ROOT = ("setpriv", "--securebits=+noroot,+noroot_locked", *_NO_CAPABILITY)


@dataclass(frozen=True)
class Started:
    """What stands before the command line, the variables, and who runs it."""

    words: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    who: str = "the same user"


def path_without(folder: Path, path: str, left_out: str = _LEFT_OUT) -> str:
    """Link all programs of a PATH but those that begin with a name into a folder, and return it as a PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    for place in map(Path, filter(None, path.split(os.pathsep))):
        files = sorted(place.iterdir()) if place.is_dir() else []
        for file in files:
            link = folder / file.name
            if not file.name.startswith(left_out) and not link.is_symlink():
                link.symlink_to(file)
    return str(folder)


def _works(words: Sequence[str]) -> bool:
    line = [*words, str(ROOT / "rooftop"), "--version"]
    return subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


def unprivileged(folder: Path) -> Started:
    """Return how a command is started without privileges. Links and a home of its own go below a folder.

    Raises RuntimeError where privileges cannot be dropped.
    """
    home = folder / "unprivileged"
    home.mkdir()
    variables = {
        "PATH": path_without(folder / "bin", os.environ["PATH"]),
        "HOME": str(home),
        "ROOFTOP_HOME": str(home / "home"),
    }
    if os.geteuid():
        return Started((), variables)
    folder.chmod(0o755)
    if _works(_OTHER):
        os.chown(home, _NOBODY, _NOBODY)
        return Started(_OTHER, variables, "another user")
    if _works(_BARE_ROOT):
        return Started(_BARE_ROOT, variables, "root without capabilities")
    raise RuntimeError("privileges cannot be dropped: setpriv is missing, or the bench does not start without them")
