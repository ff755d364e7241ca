"""Builds are done once, in folders of their own, and their failures are told to all that need them."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import pytest

from rooftop.command import build as building
from rooftop.command.build import Builds
from rooftop.command.process import Limits
from rooftop.driver.executor import DriverFailed
from rooftop.errors import Misuse

QUICK = Limits(timeout_s=20.0)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a folder of sources with something that is not to be copied."""
    folder = tmp_path / "source"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "file").write_text("text")
    (folder / ".git").mkdir()
    return folder


def test_without_a_folder_of_its_own_it_works_in_a_copy(source: Path, tmp_path: Path) -> None:
    builds = Builds(tmp_path / "builds", source)
    build = builds.build("sh -c 'cat inner/file >>made'")
    assert builds.build("sh -c 'cat inner/file >>made'") is build
    for _ in range(3):
        build.ensure(QUICK)
    assert build.working_folder == build.folder
    assert (build.folder / "made").read_text() == "text"
    assert not (build.folder / ".git").exists()
    assert not (source / "made").exists()


@pytest.mark.case("commands.H2")
def test_pipes_sockets_and_devices_are_not_copied(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(source / "inner" / "pipe")
    monkeypatch.chdir(source)  # the name of a socket is at most 107 bytes long
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket")
    (source / "link").symlink_to("nowhere")
    build = Builds(tmp_path / "builds", source).build("true")
    build.ensure(QUICK)
    assert sorted(file.name for file in build.folder.iterdir()) == ["inner", "link"]
    assert [file.name for file in (build.folder / "inner").iterdir()] == ["file"]


@pytest.mark.case("commands.H2.told")
def test_file_that_cannot_be_copied_is_named(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise shutil.Error([("from", "to", "[Errno 13] Permission denied"), ("more", "to", "no")])

    monkeypatch.setattr("rooftop.command.build.shutil.copytree", refused)
    with pytest.raises(
        DriverFailed, match=r"^build: from cannot be copied: \[Errno 13\] Permission denied, and 1 more$"
    ):
        Builds(tmp_path / "builds", source).build("true").ensure(QUICK)


def test_a_named_folder_is_its_own_and_empty(source: Path, tmp_path: Path) -> None:
    build = Builds(tmp_path / "a folder" / "builds", source).build(f"cp {source}/inner/file {{build}}/made")
    build.ensure(QUICK)
    assert build.working_folder is None
    assert [file.name for file in build.folder.iterdir()] == ["made"]


def test_what_was_built_is_known_in_the_next_session(source: Path, tmp_path: Path) -> None:
    text = "sh -c 'echo x >>{build}/made'"
    Builds(tmp_path / "builds", source).build(text).ensure(QUICK)
    again = Builds(tmp_path / "builds", source)
    again.build(text).ensure(QUICK)
    assert (again.build(text).folder / "made").read_text() == "x\n"
    again.clear()
    again.build(text).ensure(QUICK)
    assert (again.build(text).folder / "made").read_text() == "x\n"


def test_builds_beside_their_sources_are_not_copied_into_each_other(source: Path) -> None:
    builds = Builds(source / "home" / "builds", source)
    for name in ("one", "two"):
        builds.build(f"touch {name}").ensure(QUICK)
    assert not list(builds.build("touch two").folder.rglob("one"))


def test_a_failure_is_told_to_all_and_happens_once(source: Path, tmp_path: Path) -> None:
    build = Builds(tmp_path / "builds", source).build("sh -c 'echo again >>../count; echo no such flag >&2; exit 2'")
    for _ in range(2):
        with pytest.raises(DriverFailed, match="no such flag") as told:
            build.ensure(QUICK)
        assert told.value.stage == "build"
    assert (tmp_path / "builds" / "count").read_text() == "again\n"


def test_a_missing_compiler_and_a_build_that_hangs(source: Path, tmp_path: Path) -> None:
    builds = Builds(tmp_path / "builds", source)
    with pytest.raises(DriverFailed, match="cannot be started"):
        builds.build("no-such-compiler").ensure(QUICK)
    with pytest.raises(DriverFailed, match="took longer than"):
        builds.build("sleep 60").ensure(Limits(timeout_s=0.2))


def test_what_cannot_be_copied_is_refused(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "_MOST_COPIED_BYTES", 3)
    builds = Builds(tmp_path / "builds", source)
    with pytest.raises(Misuse, match="holds more than"):
        builds.check("make")
    builds.check("make -C {build}")
    with pytest.raises(Misuse, match="cannot be read"):
        builds.check("make 'open")


@pytest.mark.case("commands.G11")
def test_a_build_has_its_variables(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for value in ("1", "2"):
        monkeypatch.setenv("X", value)
        build = Builds(tmp_path / "builds", source).build("sh -c 'echo $X > made'")
        build.ensure(QUICK)
        found.append((build.folder / "made").read_text())
    assert found == ["1\n", "2\n"]


@pytest.mark.case("commands.G1.builds")
def test_the_benchs_own_folder_is_no_source(source: Path) -> None:
    home = source / "home"
    home.mkdir()
    (home / "store.sqlite").write_text("")
    build = Builds(home / "builds" / "tune", source, home).build("true")
    build.ensure(QUICK)
    assert build.sources() == [source / "inner" / "file"]
    assert not (build.folder / "home").exists()
