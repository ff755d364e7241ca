"""An observer looks at a command while it runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from rooftop.command.process import Limits, run

QUICK = Limits(timeout_s=20.0)


class Counting:
    """Remembers what it was shown; lets the command go on once it has seen enough."""

    interval_s = 0.001

    def __init__(self, go: Path, enough: int) -> None:
        self.seen: list[set[int]] = []
        self._go = go
        self._enough = enough

    def look(self, roots: Iterable[int]) -> None:
        self.seen.append(set(roots))
        if len(self.seen) == self._enough:
            self._go.touch()


def waiting_for(go: Path) -> str:
    return f"import os, time\nwhile not os.path.exists({str(go)!r}): time.sleep(0.001)\n"


def test_the_command_is_shown_until_it_ends(tmp_path: Path) -> None:
    observer = Counting(tmp_path / "go", 5)
    done = run([sys.executable, "-c", waiting_for(tmp_path / "go")], QUICK, observer=observer)
    assert done.status == 0
    assert len(observer.seen) >= 5
    assert observer.seen[0] == observer.seen[3]
    assert len(observer.seen[0]) == 1


def test_a_child_that_lost_its_parent_is_shown(tmp_path: Path) -> None:
    class Adopted(Counting):
        def look(self, roots: Iterable[int]) -> None:
            self.seen.append(set(roots))
            if len(self.seen[-1]) == 2:
                self._go.touch()

    source = f"""
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
{waiting_for(tmp_path / "go")}
"""
    observer = Adopted(tmp_path / "go", 0)
    assert run([sys.executable, "-c", source], QUICK, observer=observer).status == 0


def test_an_observer_that_fails_leaves_no_process_behind() -> None:
    class Failing:
        interval_s = 0.0

        def look(self, roots: Iterable[int]) -> None:
            (self.pid,) = roots
            raise RuntimeError("it cannot look")

    observer = Failing()
    with pytest.raises(RuntimeError, match="cannot look"):
        run(["sleep", "600"], QUICK, observer=observer)
    assert not Path(f"/proc/{observer.pid}").exists()
