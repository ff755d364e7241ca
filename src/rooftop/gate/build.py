"""Build revisions, each in its own folder below the bench's home, and keep them for the next gate."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass
from pathlib import Path

from rooftop.campaign.bench import CommandWatcher
from rooftop.command.build import build_variables, named_in
from rooftop.command.process import Limits, left_behind, run
from rooftop.driver.error_output import ending
from rooftop.errors import Misuse, NotBuilt
from rooftop.files.atomic import write_whole
from rooftop.gate.revision import Repository, Revision, clean_environment, remove
from rooftop.text.durations import budget_text

_SHOWN_LINES = 20
_BUILD_LIMIT_S = 6 * 3600.0
_KEPT = 8  # builds; a gate needs two


def _used(command: str | None) -> str:
    """Return the message about a reused build."""
    if command is None:
        return "using the build of an earlier gate"
    alike = ", ".join(dict.fromkeys([*named_in(command), "PATH", "CC", "CFLAGS", "CXXFLAGS", "MAKEFLAGS"]))
    told = f"using the build of an earlier gate, whose command and {alike}, … were the same"
    return f"{told} (name any other variable that matters in --build)"


@dataclass(frozen=True)
class Builds:
    """The builds that a home holds: one folder for each, and beside it a file that says that it is complete."""

    home: Path
    watcher: CommandWatcher

    @property
    def _folder(self) -> Path:
        return self.home / "gate"

    def _tree(self, repository: Repository, revision: Revision, command: str | None) -> Path:
        # All names are of one length: the length of a path moves a program's stack, and with it its speed.
        variables = build_variables(command, clean_environment()) if command is not None else {}
        told = json.dumps([str(repository.common), str(repository.inside), command, variables])
        return self._folder / f"{revision.short}-{hashlib.sha256(told.encode()).hexdigest()[:8]}"

    def folder(self, repository: Repository, revision: Revision, command: str | None) -> Path:
        """Return the folder of a revision in which its commands run, checked out and built where it has not been.

        Raises NotBuilt with what the compiler said, and Misuse where there is no such folder in that revision.
        """
        tree = self._tree(repository, revision, command)
        complete = tree.with_suffix(".json")
        inside = tree / repository.inside
        if complete.is_file() and inside.is_dir():
            complete.touch()
            self.watcher.remark(f"{revision.name} ({revision.short}): {_used(command)}")
            return inside
        complete.unlink(missing_ok=True)
        remove(tree)  # what an interrupted gate has left
        repository.check_out(revision, tree)
        if not inside.is_dir():
            remove(tree)
            raise Misuse(f"revision {revision.name} ({revision.short}) has no folder {repository.inside}")
        if command is not None:
            self._build(revision, command, inside, tree.with_suffix(".log"))
        write_whole(complete, json.dumps({"commit": revision.commit, "build": command}) + "\n")
        return inside

    def _build(self, revision: Revision, command: str, folder: Path, log: Path) -> None:
        self.watcher.remark(f"{revision.name} ({revision.short}): building with {command!r}")
        began_s = time.monotonic()
        # One stream, so that what the compiler said stands where it was said.
        words = ("/bin/sh", "-c", f"exec 2>&1\n{command}")
        limits = Limits(_BUILD_LIMIT_S)
        finished = run(words, limits, capture="last", environment=clean_environment(), folder=folder)
        text = finished.output.decode("utf-8", "replace")
        if finished.truncated:
            text = f"[output truncated to the last {limits.output_bytes} bytes]\n{text}"
        write_whole(log, text)
        if finished.status == 0 and not finished.timed_out:
            took = budget_text(time.monotonic() - began_s)
            self.watcher.remark(f"{revision.name} ({revision.short}): built in {took}")
            if finished.left:
                self.watcher.remark(left_behind(f"{revision.name} ({revision.short}): the build", finished.left))
            return
        for line in text.splitlines()[-_SHOWN_LINES:]:
            self.watcher.remark(f"  {line}")
        how = f"took longer than {_BUILD_LIMIT_S:.0f} s" if finished.timed_out else ending(finished.status)
        raise NotBuilt(
            f"the build of {revision.name} ({revision.short}) with {command!r} {how}: its output is in {log}"
        )

    def drop_old(self) -> None:
        """Remove all but the most recently used builds."""
        complete = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
        for file in complete[_KEPT:]:
            file.unlink(missing_ok=True)
            file.with_suffix(".log").unlink(missing_ok=True)
            remove(file.with_suffix(""))
