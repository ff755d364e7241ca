"""Which interrupted campaign is gone on with, and what is told where none can be."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from still_machine import StillMachine
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.cli.app import main
from rooftop.compare.options import Options
from rooftop.compare.run import Comparing
from rooftop.documents import Machine
from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.errors import Misuse
from rooftop.probe import surroundings
from rooftop.settings import Settings
from rooftop.store import database
from rooftop.store.database import opened_database
from rooftop.store.interrupted import Resume, Said, campaigns
from rooftop.terminal.resume import spelled

A, B = (Options(commands=((("old", one), f"old {one}"), (("new", one), f"new {one}")), seed=7) for one in "ab")


class OtherPlace(Place):
    """Another machine, or the same with other CPUs."""

    def identity(self) -> Machine:
        return super().identity().model_copy(update={"id": "0123456789abcdef"})

    def conditions(self) -> dict[str, object]:
        return super().conditions() | {"affinity": "1"}


def bench(settings: Settings, place: Place, watching: Watching) -> Bench:
    recordings = {f"{side} {one}": Recording([2e7, 2.1e7]) for side in ("old", "new") for one in "ab"}
    return Bench(settings, place, watching, ReplayExecutor(recordings, recordings))


def interrupt(settings: Settings, options: Options, place: Place | None = None) -> str:
    """Interrupt a comparison; give its campaign."""
    ended = Comparing(bench(settings, place or Place(), Watching("block 3"))).compare(options)
    assert ended.interrupted
    return ended.document.campaign


def resume(settings: Settings, wanted: Resume, watching: Watching | None = None) -> str:
    ended = Comparing(bench(settings, Place(), watching or Watching())).compare(Options(()), resume=wanted)
    return ended.document.campaign


@pytest.mark.case("commands.B2", "commands.B2.id")
def test_what_cannot_be_gone_on_with_here_blocks_no_older_one(settings: Settings) -> None:
    first, second = interrupt(settings, A), interrupt(settings, B, OtherPlace())
    with pytest.raises(Misuse, match=r"its machine was Paper, CPUs 1 \(01234567\), now it is Paper \(still\).*taskset"):
        resume(settings, Resume(second))
    watching = Watching()
    assert resume(settings, Resume(), watching) == first
    assert watching.remarks[0].startswith(f"passed over: campaign {second} (old b ::: new b) cannot be resumed")
    with pytest.raises(Misuse, match=rf"campaign {first} \(old a ::: new a\) is finished"):
        resume(settings, Resume(first))
    with pytest.raises(Misuse, match=rf"campaign {second} .* cannot be resumed: its machine was"):
        resume(settings, Resume())


@pytest.mark.case("commands.B2.id")
def test_a_campaign_is_named_by_its_id_or_the_beginning_of_it(settings: Settings) -> None:
    first, second = interrupt(settings, A), interrupt(settings, B)
    with pytest.raises(Misuse, match=r"--resume 2 matches .*: give more of the id"):
        resume(settings, Resume("2"))
    with pytest.raises(Misuse, match="--resume 19990101: there is no such campaign; 'rooftop list --campaigns'"):
        resume(settings, Resume("19990101"))
    assert resume(settings, Resume(first)) == first
    assert resume(settings, Resume(second)) == second


@pytest.mark.case("commands.B3")
def test_other_words_beside_resume_are_misuse_that_names_both(settings: Settings) -> None:
    first = interrupt(settings, A)
    other = Said("the commands", "commands", B.stored()["commands"])
    with pytest.raises(
        Misuse, match=rf"{first} was started with the commands 'old a ::: new a', but 'old b ::: new b'"
    ):
        resume(settings, Resume(None, (other,)))
    with pytest.raises(Misuse, match="was started with --max-pairs 200, but 9 is given now: leave it out"):
        resume(settings, Resume(first, (Said("--max-pairs", "max_pairs", 9),)))
    second = interrupt(settings, B)
    same = Said("the commands", "commands", A.stored()["commands"])
    assert resume(settings, Resume(None, (same,))) == first  # of two, the one that was said
    assert resume(settings, Resume()) == second


@pytest.mark.case("commands.B1.stored")
def test_a_campaign_that_is_misuse_by_now_blocks_no_other(settings: Settings) -> None:
    first = interrupt(settings, A)
    interrupt(settings, replace(B, prepares=("true",)))
    with opened_database(settings.home_folder / "store.sqlite") as connection:
        for old, new in (('"metric": "wall"', '"metric": "gone"'), ('"warmup": 0', '"warmth": 0')):
            connection.execute("UPDATE campaign SET request = replace(request, ?, ?) WHERE id != ?", (old, new, first))
    watching = Watching()
    assert resume(settings, Resume(), watching) == first
    assert "--metric is 'gone'" in watching.remarks[0]


@pytest.mark.case("commands.B1.late")
def test_misuse_that_shows_late_leaves_no_campaign(settings: Settings) -> None:
    class Late(Watching):
        def progressed(self, *_: object) -> None:
            raise Misuse("it cannot be")

    with pytest.raises(Misuse, match="it cannot be"):
        Comparing(bench(settings, Place(), Late())).compare(A)
    with opened_database(settings.home_folder / "store.sqlite") as connection:
        assert campaigns(connection) == []


def test_words_that_look_like_an_id_are_one() -> None:
    newest = ["--resume", "newest"]
    assert spelled(["--resume"]) == newest
    assert spelled(["--resume", "true", "false"]) == [*newest, "true", "false"]
    assert spelled(["--resume", "--json"]) == [*newest, "--json"]
    assert spelled(["--resume", "20261126-1402"]) == ["--resume", "20261126-1402"]
    assert spelled(["--resume=20261126-140201-ab12"]) == ["--resume=20261126-140201-ab12"]


# --- on the command line ----------------------------------------------------------------------------------------------


@pytest.mark.case("commands.B2.list")
def test_campaigns_are_listed(
    scratch: None, settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", "--campaigns"]) == 0
    assert capsys.readouterr().out == ""
    assert not (tmp_path / "home").exists()  # nothing is made to look into it
    first = interrupt(settings, A)
    assert main(["list", "--campaigns"]) == 0
    out = capsys.readouterr().out
    assert all(word in out for word in (first, "compare", "interrupted", "old a ::: new a"))
    assert main(["list", "--campaigns", "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["campaigns"]
    assert (one["id"], one["kind"], one["finished"], one["subject"]) == (first, "compare", None, "old a ::: new a")
    assert one["samples"] > 0


@pytest.mark.case("commands.B3", "commands.B3.kinds", "commands.B2.kinds")
@pytest.mark.parametrize(
    ("command", "other", "told"),
    [
        (["compare", "--max-pairs", "6", "true", "true ''"], ["true", "false"], "the commands"),
        (["tune", "--param", "N=1,2", "--", "true", "{N}"], ["--param", "N=1,3", "--", "true", "{N}"], "--param"),
        (["scale", "--threads", "1,2", "--", "true"], ["--threads", "1,2", "--", "false"], "the command 'true'"),
        (
            ["gate", "--", "true", ":::", "true", "x"],
            ["--threshold", "9%", "--", "true", ":::", "true", "x"],
            "--thres",
        ),
    ],
)
def test_every_kind_checks_what_is_said_beside_resume(
    command: list[str],
    other: list[str],
    told: str,
    scratch: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("rooftop.command.driver.run", interrupted)
        assert main(command) == 130
        capsys.readouterr()
        assert main([command[0], "--resume", *other]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert f"was started with {told}" in said
        assert main([command[0], "--resume", "19990101"]) == 2
        assert "there is no such campaign" in capsys.readouterr().err
        assert main([command[0], "--resume", *command[1:]]) == 130  # with the same words it goes on
        assert f"resuming '{command[0]}'" in capsys.readouterr().err


@pytest.mark.case("commands.F28", "commands.F28.kinds")
@pytest.mark.parametrize(
    ("command", "files"),
    [
        (["compare", "--export", "csv:a", "--export-markdown", "b", "true", "true x"], ["a", "b"]),
        (["tune", "--picture", "a", "--sbatch", "b", "--param", "N=1,2", "--", "true", "{N}"], ["a", "b"]),
        (["scale", "--picture", "a", "--threads", "1", "--", "true"], ["a"]),
        (
            ["gate", "--allow-unresolved", "--junit", "a", "--markdown", "b", "--", "true", ":::", "true", "x"],
            ["a", "b"],
        ),
    ],
)
def test_a_resumed_campaign_writes_the_files_that_it_was_begun_with(
    command: list[str], files: list[str], scratch: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    begun, other = tmp_path / "begun", tmp_path / "other"
    for folder in (begun, other):
        folder.mkdir()
    monkeypatch.chdir(begun)
    with monkeypatch.context() as patched:
        patched.setattr("rooftop.command.driver.run", interrupted)
        assert main([command[0], "--max-pairs", "1", *command[1:]]) == 130
    for name in files:
        (begun / name).unlink(missing_ok=True)
    monkeypatch.chdir(other)
    more = ["--allow-unresolved"] if command[0] == "gate" else []
    assert main([command[0], "--resume", "--budget", "60s", *more]) == 0
    assert sorted(one.name for one in begun.iterdir()) == files
    assert list(other.iterdir()) == []


@pytest.mark.case("commands.F27")
@pytest.mark.parametrize("command", ["climb", "compare", "tune", "scale", "gate", "pin"])
def test_nothing_to_resume_is_said_in_one_line(
    command: str, scratch: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surroundings, "ThisMachine", StillMachine)
    assert main([command, "--resume"]) == 2
    seen = capsys.readouterr()
    assert (seen.out, seen.err.count("\n")) == ("", 1)
    assert "there is no" in seen.err


def test_an_interrupt_waits_until_the_store_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []

    class Interrupted:
        def close(self) -> None:
            signal.raise_signal(signal.SIGINT)
            closed.append(True)

    monkeypatch.setattr(database, "open_database", lambda _: Interrupted())
    with pytest.raises(KeyboardInterrupt), opened_database(tmp_path / "store.sqlite"):
        pass
    assert closed
