"""Whatever happens to ranks and their launcher, a solver that waits for them ends."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import psutil
import pytest

from rooftop.errors import RooftopError
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


def result(words: Sequence[str] = RANK) -> dict[str, Any]:
    return ranks.result_of_ranks(words, 2, 1, Stop(), "the body", lambda *_: None)


def children() -> set[int]:
    return {one.pid for one in psutil.Process().children(recursive=True)}


def test_a_launcher_that_hangs_after_its_ranks_is_killed(launched_by: Callable[[str], None]) -> None:
    before = children()
    launched_by('"$@" & wait; echo it noticed something >&2; kill -STOP $$')
    with pytest.raises(RooftopError, match=r"launcher hung and was killed: it noticed"):
        result()
    assert children() <= before


def test_a_launcher_that_starts_no_rank_is_killed(
    launched_by: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hung_launcher, "START_S", 0.3)
    launched_by("kill -STOP $$")
    with pytest.raises(RooftopError, match="launcher hung and was killed: no message"):
        result()


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


def test_a_launcher_has_time_to_start_and_to_end() -> None:
    idle = hung_launcher.Idleness(100.0)
    for after_s, children, at_work, too_long in (
        (hung_launcher.START_S - 1, [], False, False),
        (hung_launcher.START_S + 1, [7], True, False),
        (1e6, [7], True, False),
        (1e6 + hung_launcher.GRACE_S - 0.1, [7], False, False),
        (2e6, None, False, False),  # the kernel did not tell
        (2e6 + hung_launcher.GRACE_S - 0.1, [], False, False),
        (2e6 + hung_launcher.GRACE_S + 0.1, [], False, True),
    ):
        assert idle.is_too_long(100 + after_s, children, at_work=at_work) is too_long, after_s
    never = hung_launcher.Idleness(0.0)
    assert not never.is_too_long(hung_launcher.GRACE_S + 1, [], at_work=False)
    assert never.is_too_long(hung_launcher.START_S + 1, [], at_work=False)


def test_ranks_have_all_the_time_they_need(launched_by: Callable[[str], None]) -> None:
    launched_by('"$@" & wait')
    assert result([*RANK[:-1], RANK[-1].replace("0.5", "2")]) == {}


def test_a_launcher_that_does_not_end_when_asked_is_killed(
    launched_by: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranks, "_LEAVE_S", 0.3)
    before = children()
    launched_by('trap "" TERM; echo "{}"; "$@"; "$@"')
    with (
        tempfile.TemporaryFile() as said,
        pytest.raises(KeyboardInterrupt),
        ranks.started_ranks(["sleep", "1000"], 2, 1, said, Stop()) as running,
    ):
        next(running.lines())
        raise KeyboardInterrupt
    assert children() <= before
