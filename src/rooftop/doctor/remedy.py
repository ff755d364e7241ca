"""The exact command that provides what is missing, for the user who is asking and the system that he is on."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from rooftop.doctor.surroundings import Surroundings


@dataclass(frozen=True)
class Remedy:
    """Debian packages, PyPI packages, a command, or a remark where no command helps; the first that is set counts."""

    debian: tuple[str, ...] = ()
    pypi: tuple[str, ...] = ()
    command: str = ""
    root: bool = False  # whether ``command`` needs root; packages of the system always do
    remark: str = ""

    @property
    def needs_root(self) -> bool:
        """Return whether an ordinary user cannot do it."""
        return bool(self.debian) or (bool(self.command) and not self.pypi and self.root)

    def text(self, here: Surroundings) -> str | None:
        """Return the command line, with sudo where it is needed and the user is not root."""
        if self.debian:
            packages = " ".join(self.debian)
            if here.which("apt-get") is None:
                return f"install with this system's package manager what Debian calls: {packages}"
            return self._as_root(f"apt-get install {packages}", here)
        if self.pypi:
            return f"{shlex.quote(here.python)} -m pip install {' '.join(self.pypi)}"
        if self.command:
            return self._as_root(self.command, here) if self.root else self.command
        return None

    def _as_root(self, command: str, here: Surroundings) -> str:
        if here.is_root:
            return command
        return f"sudo sh -c {shlex.quote(command)}" if ">" in command or "|" in command else f"sudo {command}"
