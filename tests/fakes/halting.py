"""Commands that halt in the middle of a campaign, so that it is interrupted there however fast the machine is."""

from __future__ import annotations

from pathlib import Path

RUNS = 30  # in all, before they halt
_SCRIPT = """#!/bin/sh
echo >> {runs}
while [ "$(wc -l < {runs})" -gt {limit} ] && [ ! -e {further} ]; do sleep 0.02; done
sleep "$1"
"""


class Halting:
    """Two commands that sleep for different times."""

    def __init__(self, folder: Path) -> None:
        self._further = folder / "further"
        program = folder / "halting.sh"
        program.write_text(_SCRIPT.format(runs=folder / "runs", limit=RUNS, further=self._further), encoding="utf-8")
        program.chmod(0o755)
        self.words = ["--", str(program), "0.02", ":::", str(program), "0.03"]

    def let_on(self) -> None:
        """Let them run to their ends from now on."""
        self._further.touch()
