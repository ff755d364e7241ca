"""Whatever happens to ranks and their launcher, a solver that waits for them ends."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from rooftop.errors import RooftopError
from rooftop.launchers import of_this_tree
from rooftop.launchers.launcher import Launch
from rooftop.solvers.running import hung_launcher, ranks
from rooftop.solvers.running.stop import Stop

RANK = ["sh", "-c", 'echo "{\\"result\\": {}}"; sleep 0.5']


@pytest.fixture
def launched_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that sets the shell script, with a rank's words as its arguments, that is the launcher."""

    def use(script: str) -> None:
        class Fake:
            def started(self, words: Sequence[str], _variables: Mapping[str, str], *_: Any) -> Launch:
                return Launch(("sh", "-c", script, "launcher", *words), {})

        monkeypatch.setattr(ranks, "of_this_tree", Fake)

    monkeypatch.setattr(hung_launcher, "GRACE_S", 0.6)
    monkeypatch.setattr(hung_launcher, "_LOOK_S", 0.1)
    return use


def result(words: Sequence[str] = RANK, hear: Callable[..., None] = lambda *_: None) -> dict[str, Any]:
    return ranks.result_of_ranks(words, 2, 1, Stop(), "the body", hear)


def script(path: Path, text: str) -> Path:
    """Write a program of the shell."""
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def none_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], bool]:
    """Return a function that waits for the end of all that the test has started, and says whether all have ended."""
    monkeypatch.setenv("STARTED_BY_TEST", str(tmp_path))

    def at_work() -> bool:
        return any(
            (one.info["environ"] or {}).get("STARTED_BY_TEST") == str(tmp_path)
            for one in psutil.process_iter(["environ"])
        )

    def wait() -> bool:
        deadline = time.monotonic() + 60
        while at_work() and time.monotonic() < deadline:
            time.sleep(0.05)
        return not at_work()

    return wait


def test_a_launcher_that_hangs_after_its_ranks_is_killed(
    launched_by: Callable[[str], None], none_left: Callable[[], bool]
) -> None:
    launched_by('"$@" & wait; echo it noticed something >&2; kill -STOP $$')
    with pytest.raises(RooftopError, match=r"launcher hung and was killed: it noticed"):
        result()
    assert none_left()


def test_what_a_launcher_leaves_behind_is_killed(launched_by: Callable[[str], None]) -> None:
    """It holds the output, which nobody would read to its end otherwise."""
    launched_by('"$@"; sleep 1000 & exit 7')
    with pytest.raises(RooftopError, match="the ranks ended with exit code 7"):
        result()
    launched_by('"$@"; sleep 1000 &')
    assert result() == {}


def test_a_launcher_that_closes_its_output_and_hangs_is_killed(launched_by: Callable[[str], None]) -> None:
    launched_by('"$@" & wait; exec >&-; kill -STOP $$')
    with pytest.raises(RooftopError, match="hung"):
        result()


def idle_after(steps: Sequence[tuple[float, bool, bool]]) -> list[bool]:
    """Return what follows from looks: the seconds since the one before, whether a rank was seen, and one at work."""
    now_s = 100.0
    idle = hung_launcher.Idleness(now_s)
    told = []
    for passed_s, began, at_work in steps:
        now_s += passed_s
        told.append(idle.is_too_long(now_s, began=began, at_work=at_work))
    return told


def test_a_launcher_has_time_to_end() -> None:
    look_s = hung_launcher.GRACE_S / 4
    running, idle = (look_s, True, True), (look_s, False, False)
    assert idle_after([running] * 100 + [idle] * 5) == [False] * 104 + [True]
    assert not any(idle_after([running, *[idle] * 4] * 3))  # others begin


def test_a_launcher_whose_ranks_were_not_seen_has_all_the_time() -> None:
    """They may be on other hosts, or be about to start."""
    look_s = hung_launcher.GRACE_S / 4
    assert not any(idle_after([(look_s, False, True), *[(look_s, False, False)] * 1000]))
    assert not any(idle_after([*[(look_s, False, False)] * 1000, *[(look_s, True, False)] * 4]))


def test_time_in_which_nobody_looked_does_not_count() -> None:
    """The bench was stopped, as by Ctrl-Z."""
    look_s = hung_launcher.GRACE_S / 4
    idle, late = (look_s, False, False), (1e4, False, False)
    begun = (look_s, True, True)
    assert not any(idle_after([begun, late, *[idle] * 4, late, *[idle] * 4]))
    assert idle_after([begun, late, *[idle] * 5])[-1]


def test_ranks_have_all_the_time_they_need(launched_by: Callable[[str], None]) -> None:
    launched_by('"$@" & wait')
    assert result([*RANK[:-1], RANK[-1].replace("0.5", "2")]) == {}


def test_a_launcher_whose_output_is_not_read_is_left_alone(launched_by: Callable[[str], None]) -> None:
    """Its ranks have ended, and it waits for room in the pipe."""
    launched_by('"$@"; i=0; while [ $i -lt 9000 ]; do echo "{\\"line\\": $i}"; i=$((i + 1)); done')

    def hear(_: ranks.Ranks, told: dict[str, Any]) -> None:
        if "result" in told:
            time.sleep(4 * hung_launcher.GRACE_S)

    assert result(hear=hear) == {}


@pytest.mark.parametrize("starter", ["ssh", "start"])
def test_a_launcher_of_ranks_on_other_hosts_is_left_alone(
    launched_by: Callable[[str], None], tmp_path: Path, starter: str
) -> None:
    """What starts them ends at once, so that no child is left."""
    rank = script(tmp_path / "rank", "echo '{\"result\": {}}'; sleep 2")
    other = script(tmp_path / starter, f'("$@"; echo > {tmp_path}/ended) & sleep 0.3')
    launched_by(f'mkfifo {tmp_path}/ended; {other} "$@"; read _ < {tmp_path}/ended')
    assert result([str(rank)]) == {}


def test_once_other_hosts_are_seen_nothing_is_ended(launched_by: Callable[[str], None], tmp_path: Path) -> None:
    """A rank on this host may end before those on others."""
    here = script(tmp_path / "rank", "sleep 0.5")
    there = script(tmp_path / "there", f"sleep 2.5; echo '{{\"result\": {{}}}}'; echo > {tmp_path}/ended")
    ssh = script(tmp_path / "ssh", f"sleep 0.3; {there} &")
    launched_by(f'mkfifo {tmp_path}/ended; {ssh}; "$@"; read _ < {tmp_path}/ended')
    assert result([str(here)]) == {}


@pytest.mark.skipif(of_this_tree().missing() is not None, reason="no launcher of ranks")
def test_the_real_launcher_is_killed_where_it_hangs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, none_left: Callable[[], bool]
) -> None:
    """Its ranks are known by their program, of whose long name the kernel keeps the beginning."""
    monkeypatch.setattr(hung_launcher, "GRACE_S", 0.6)
    rank = script(tmp_path / "a_program_of_ranks", "sleep 0.5; echo 'went away' >&2; kill -STOP $PPID")
    with pytest.raises(RooftopError, match="launcher hung and was killed"):
        result([str(rank)])
    assert none_left()


def test_ranks_that_cannot_be_watched_are_ended(
    launched_by: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    none_left: Callable[[], bool],
) -> None:
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    launched_by(f"sleep 10; echo > {tmp_path}/lived_on")
    with pytest.raises(RuntimeError, match="new thread"):
        result()
    assert none_left()
    assert not (tmp_path / "lived_on").exists()


def test_a_launcher_that_does_not_end_when_asked_is_killed(
    launched_by: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, none_left: Callable[[], bool]
) -> None:
    monkeypatch.setattr(ranks, "_LEAVE_S", 0.3)
    launched_by('trap "" TERM; echo "{}"; "$@"; "$@"')
    with (
        tempfile.TemporaryFile() as said,
        pytest.raises(KeyboardInterrupt),
        ranks.started_ranks(["sleep", "1000"], 2, 1, said, Stop()) as running,
    ):
        next(running.lines())
        raise KeyboardInterrupt
    assert none_left()
