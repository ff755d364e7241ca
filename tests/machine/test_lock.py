"""The locks that campaigns hold: one of the machine, whoever runs them, and one of each home."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.cli.app import main
from rooftop.compare.options import Options
from rooftop.compare.run import Comparing
from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.errors import Busy
from rooftop.machine import lock as machine_lock
from rooftop.machine.lock import campaign_under_way, machine_to_itself, shared_folder
from rooftop.settings import Settings


@pytest.fixture(name="lock")
def lock_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROOFTOP_LOCKS", str(tmp_path / "locks"))
    (tmp_path / "locks").mkdir()
    return tmp_path / "locks" / "rooftop.lock"


@pytest.fixture(name="quick")
def quick_fixture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_lock, "_BETWEEN_S", 0.0)


def of_home(folder: Path) -> Settings:
    return Settings(home=folder)


def unexpected(message: str) -> None:
    raise AssertionError(message)


HOLD = """
import sys
from pathlib import Path
from rooftop.machine.lock import machine_to_itself
from rooftop.settings import Settings
with machine_to_itself(Settings(home=Path(sys.argv[1])), print):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_process(home: Path) -> Iterator[int]:
    """Hold the machine from another process and home; yield its number."""
    words = [sys.executable, "-c", HOLD, str(home)]
    environment = os.environ | {"PYTHONPATH": str(Path(machine_lock.__file__).parents[2])}
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process.pid
        process.communicate("")


@pytest.mark.case("commands.I2")
@pytest.mark.parametrize(
    "words",
    [
        ["compare", "true", "true"],
        ["tune", "--param", "N=1,2", "--", "true", "{N}"],
        ["scale", "--threads", "1,2", "--", "true"],
        ["gate", "--", "true", ":::", "true"],
        ["pin", "--", "true"],
    ],
)
def test_two_homes_on_one_machine_know_of_each_other(
    words: list[str], tmp_path: Path, lock: Path, quick: None, scratch: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with another_process(tmp_path / "other") as process:
        assert main(words) == 5
    said = f"rooftop: another campaign is running on this machine (process {process}): wait for it, or stop it\n"
    assert capsys.readouterr() == ("", said)


@pytest.mark.case("commands.I2")
def test_one_home_is_held_by_one(tmp_path: Path, lock: Path, quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with machine_to_itself(of_home(tmp_path), unexpected):
        monkeypatch.setenv("ROOFTOP_LOCKS", str(tmp_path / "of another machine"))
        told = rf"another campaign is running in {tmp_path} \(process {os.getpid()}\): wait"
        with pytest.raises(Busy, match=told), machine_to_itself(of_home(tmp_path), unexpected):
            pass


def test_it_is_free_again_afterwards(tmp_path: Path, lock: Path) -> None:
    for home in ("a", "b", "a"):
        with machine_to_itself(of_home(tmp_path / home), unexpected):
            assert stat.S_IMODE(lock.stat().st_mode) == 0o444
    assert lock.read_bytes() == b""


@pytest.mark.case("commands.I2")
def test_what_is_killed_holds_nothing(tmp_path: Path, lock: Path) -> None:
    with another_process(tmp_path / "other") as process:
        os.kill(process, 9)
        os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
        with machine_to_itself(of_home(tmp_path), unexpected):
            pass


@pytest.mark.case("commands.I2.users")
@pytest.mark.skipif(os.geteuid() != 0, reason="needs to be another user")
def test_another_users_campaign_is_seen_and_named(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = 65534
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are root's alone
        for folder in (place := Path(name), place / "theirs"):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o1777)
        monkeypatch.setenv("ROOFTOP_LOCKS", name)
        with machine_to_itself(of_home(place / "mine"), unexpected):
            pass  # the file is root's now
        with _forked_holder(place / "theirs", nobody) as process:
            told = rf"on this machine \(process {process} of user nobody\)"
            with pytest.raises(Busy, match=told), machine_to_itself(of_home(place / "mine"), unexpected):
                pass


@contextmanager
def _forked_holder(home: Path, user: int) -> Iterator[int]:
    """Hold the machine from a process of another user, which could not import anything; yield its number."""
    told, telling = os.pipe()
    going, end = os.pipe()
    if (process := os.fork()) == 0:
        try:
            os.close(end)
            os.umask(0o077)
            os.setresuid(user, user, user)
            with machine_to_itself(of_home(home), unexpected):
                os.write(telling, b"x")
                os.read(going, 1)
        finally:
            os._exit(0)
    os.close(telling)
    try:
        assert os.read(told, 1) == b"x"
        yield process
    finally:
        os.close(end)
        os.waitpid(process, 0)


def _link(file: Path) -> None:
    (file.parent / "target").write_text("precious", encoding="utf-8")
    file.symlink_to(file.parent / "target")


@pytest.mark.case("commands.I2.users")
@pytest.mark.parametrize(
    "put",
    [_link, os.mkfifo, Path.mkdir, lambda file: file.symlink_to(file.parent / "nothing")],
    ids=["link", "pipe", "folder", "link to nothing"],
)
def test_what_others_put_in_its_place_is_not_followed(
    put: Callable[[Path], None], tmp_path: Path, lock: Path, scratch: None, capsys: pytest.CaptureFixture[str]
) -> None:
    put(lock)
    remarks: list[str] = []
    with machine_to_itself(of_home(tmp_path / "home"), remarks.append):
        pass
    (remark,) = remarks
    assert remark.startswith(f"campaigns of other homes on this machine cannot be detected: {lock} cannot be used: ")
    assert not lock.is_symlink() or not lock.exists() or lock.read_text(encoding="utf-8") == "precious"
    assert not (lock.parent / "nothing").exists()


def test_a_machine_without_such_a_folder_is_remarked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROOFTOP_LOCKS")
    (tmp_path / "mine").mkdir()
    monkeypatch.setattr(machine_lock, "_SHARED", (str(tmp_path / "none"), str(tmp_path / "mine")))
    remarks: list[str] = []
    with machine_to_itself(of_home(tmp_path), remarks.append):
        pass
    assert len(remarks) == 1
    assert remarks[0].endswith("/mine is writable by all users; set ROOFTOP_LOCKS")


def test_all_users_find_the_same_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, mode in (("root's", 0o755), ("group's", 0o1775), ("all's", 0o777), ("right", 0o1777), ("later", 0o1777)):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(mode)
    names = ("none", "root's", "group's", "all's", "right", "later")
    monkeypatch.setattr(machine_lock, "_SHARED", tuple(str(tmp_path / name) for name in names))
    assert shared_folder() == tmp_path / "right"


@pytest.mark.case("commands.I2")
def test_a_lock_that_was_removed_meanwhile_is_taken_anew(
    tmp_path: Path, lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []
    take = machine_lock._take

    def removed_first(file: int, where: str) -> None:
        if where == "on this machine" and where not in taken:
            lock.unlink()
        taken.append(where)
        take(file, where)

    monkeypatch.setattr(machine_lock, "_take", removed_first)
    with machine_to_itself(of_home(tmp_path / "a"), unexpected):
        assert taken[1:] == ["on this machine"] * 2
        monkeypatch.setattr(machine_lock, "_BETWEEN_S", 0.0)
        with pytest.raises(Busy), machine_to_itself(of_home(tmp_path / "b"), unexpected):
            pass


@pytest.mark.case("commands.I2.list")
def test_a_campaign_that_runs_is_not_called_interrupted(
    tmp_path: Path, scratch: None, capsys: pytest.CaptureFixture[str]
) -> None:
    def listed() -> list[str]:
        assert main(["list", "--campaigns", "--json"]) == 0
        return [one["state"] for one in json.loads(capsys.readouterr().out)["campaigns"]]

    recordings = {name: Recording([2e7, 2.1e7]) for name in ("old", "new")}

    class Looking(Watching):
        def progressed(self, case: object, doing: str) -> None:
            if doing == "block 3":
                seen.extend(listed())
                raise KeyboardInterrupt

    seen: list[str] = []
    settings = Settings(root=tmp_path, home=tmp_path / "home")
    options = Options(commands=((("old",), "old"), (("new",), "new")), seed=7)
    for _ in range(2):
        Comparing(Bench(settings, Place(), Looking(), ReplayExecutor(recordings, recordings))).compare(options)
    assert seen == ["running", "running", "interrupted"]
    assert listed() == ["interrupted", "interrupted"]
    assert main(["list", "--campaigns"]) == 0
    assert "goes on with one that was interrupted" in capsys.readouterr().err


def test_looking_whether_one_runs_never_makes_it_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    with machine_to_itself(of_home(tmp_path), unexpected) as home:
        home.under_way("20260101-000000-abcd")
        assert campaign_under_way(tmp_path) == "20260101-000000-abcd"
    assert campaign_under_way(tmp_path) is None
    with (tmp_path / "climb.lock").open() as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        monkeypatch.setattr(time, "sleep", lambda seconds: fcntl.flock(looking, fcntl.LOCK_UN))
        with machine_to_itself(of_home(tmp_path), unexpected):
            pass
