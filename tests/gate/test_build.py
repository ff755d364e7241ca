"""Revisions are built once each, beside the user's working tree, which stays as it is."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from still_place import Watching

from rooftop.errors import Misuse, NotBuilt
from rooftop.gate import build as builds
from rooftop.gate.build import Builds
from rooftop.gate.revision import Repository

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

BUILD = "cp source built && echo made >> ../made"


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository with two commits: its file says 'first', then 'second'."""
    top = tmp_path / "repository"
    top.mkdir()
    git(top, "init", "-q", "-b", "main")
    git(top, "config", "user.name", "A")
    git(top, "config", "user.email", "a@localhost")
    for content in ("first", "second"):
        (top / "source").write_text(content, encoding="utf-8")
        git(top, "add", ".")
        git(top, "commit", "-q", "-m", content)
    return Repository.around(top)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def state(repository: Repository) -> tuple[str, str, str]:
    """Return what must not change: HEAD, the index and the files."""
    return (
        git(repository.top, "rev-parse", "HEAD"),
        git(repository.top, "status", "--porcelain=v2", "--branch"),
        git(repository.top, "stash", "list") + git(repository.top, "for-each-ref"),
    )


@pytest.mark.case("commands.D2.build")
def test_end_of_a_long_build_is_kept(repository: Repository, home: Path) -> None:
    watching = Watching()
    with pytest.raises(NotBuilt):
        Builds(home, watching).folder(
            repository,
            repository.revision("HEAD", home),
            "yes 'a warning of a compiler' | head -c 17000000; echo; echo error; exit 1",
        )
    assert watching.remarks[-1] == "  error"
    (log,) = (home / "gate").glob("*.log")
    text = log.read_text(encoding="utf-8")
    assert text.startswith("[output truncated to the last 16777216 bytes]\n")
    assert text.endswith("error\n")


def test_both_revisions_are_built_and_the_next_gate_uses_them(repository: Repository, home: Path) -> None:
    before = state(repository)
    for _ in range(2):
        found = []
        for name, content in (("HEAD~1", "first"), ("HEAD", "second")):
            watching = Watching()
            folder = Builds(home, watching).folder(repository, repository.revision(name, home), BUILD)
            assert (folder / "built").read_text(encoding="utf-8") == content
            found.append(folder)
        assert len({len(str(folder)) for folder in found}) == 1
    assert (home / "gate" / "made").read_text(encoding="utf-8").split() == ["made", "made"]
    assert "using the build of an earlier gate" in watching.remarks[0]
    assert state(repository) == before


def test_another_build_command_is_another_build(repository: Repository, home: Path) -> None:
    revision = repository.revision("HEAD", home)
    one = Builds(home, Watching()).folder(repository, revision, BUILD)
    assert Builds(home, Watching()).folder(repository, revision, None) != one


@pytest.mark.parametrize("name", [".", "WORKTREE"])
def test_the_working_tree_is_built_as_it_lies_there(name: str, repository: Repository, home: Path) -> None:
    assert repository.revision(name, home).commit == repository.revision("HEAD", home).commit
    (repository.top / ".gitignore").write_text("ignored\n", encoding="utf-8")
    for file in ("source", "new", "ignored"):
        (repository.top / file).write_text("third", encoding="utf-8")
    before = state(repository)
    revision = repository.revision(name, home)
    assert revision.commit not in git(repository.top, "rev-list", "--all").split()
    assert repository.revision(name, home) == revision  # the same content is the same commit
    folder = Builds(home, Watching()).folder(repository, revision, BUILD)
    assert (folder / "built").read_text(encoding="utf-8") == "third"
    assert (folder / "new").is_file()
    assert not (folder / "ignored").exists()
    assert state(repository) == before


def test_a_home_within_the_working_tree_is_no_part_of_it(repository: Repository) -> None:
    home = repository.top / ".rooftop"
    home.mkdir()
    (home / "store").write_text("x", encoding="utf-8")
    assert repository.revision(".", home).commit == repository.revision("HEAD", home).commit


def test_a_failing_build_says_what_the_compiler_said(repository: Repository, home: Path) -> None:
    revision = repository.revision("HEAD", home)
    for _ in range(2):  # a failed build is not kept as one
        watching = Watching()
        with pytest.raises(NotBuilt, match=r"HEAD \(.*\) with '.*' exited with code 3: its output is in .*\.log"):
            Builds(home, watching).folder(repository, revision, "echo source:1: error: no >&2; exit 3")
        assert watching.remarks[-1] == "  source:1: error: no"


def test_what_an_interrupted_build_has_left_is_made_anew(repository: Repository, home: Path) -> None:
    revision = repository.revision("HEAD", home)
    folder = Builds(home, Watching()).folder(repository, revision, BUILD)
    folder.with_suffix(".json").unlink()
    (folder / "half").touch()
    assert Builds(home, Watching()).folder(repository, revision, BUILD) == folder
    assert not (folder / "half").exists()


def test_a_folder_within_the_repository(repository: Repository, home: Path) -> None:
    inside = repository.top / "bench"
    inside.mkdir()
    (inside / "source").write_text("deep", encoding="utf-8")
    here = Repository.around(inside)
    git(inside, "add", ".")
    git(inside, "commit", "-q", "-m", "deep")
    folder = Builds(home, Watching()).folder(here, here.revision("HEAD", home), "cp source built")
    assert (folder.name, (folder / "built").read_text(encoding="utf-8")) == ("bench", "deep")
    with pytest.raises(Misuse, match="has no folder bench"):
        Builds(home, Watching()).folder(here, here.revision("HEAD~1", home), None)


def test_old_builds_are_removed(repository: Repository, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builds, "_KEPT", 1)
    made = Builds(home, Watching())
    old = made.folder(repository, repository.revision("HEAD~1", home), None)
    new = made.folder(repository, repository.revision("HEAD", home), None)
    made.drop_old()
    assert (old.exists(), new.exists()) == (False, True)
    assert str(old) not in git(repository.top, "worktree", "list")


def test_misuse(repository: Repository, home: Path, tmp_path: Path) -> None:
    with pytest.raises(Misuse, match=r"there is no revision 'nought' in .*, expected a branch, a tag or a commit"):
        repository.revision("nought", home)
    with pytest.raises(Misuse, match="there is no revision '--all'"):
        repository.revision("--all", home)
    with pytest.raises(Misuse, match="is not in a git working tree"):
        Repository.around(tmp_path)


def test_a_hook_of_git_leads_nowhere_else(repository: Repository, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    assert len(Repository.around(repository.top).revision("HEAD", home).commit) == 40


@pytest.mark.case("commands.G11")
def test_a_build_is_found_again_only_with_its_variables(
    repository: Repository, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    revision = repository.revision("HEAD", home)
    for value in ("1", "2", "1"):
        monkeypatch.setenv("X", value)
        watching = Watching()
        folder = Builds(home, watching).folder(repository, revision, "echo $X > built")
        assert (folder / "built").read_text(encoding="utf-8") == f"{value}\n"
    assert watching.remarks == [
        f"HEAD ({revision.short}): using the build of an earlier gate, whose command and X, PATH, CC, CFLAGS, "
        "CXXFLAGS, MAKEFLAGS, … were the same (name any other variable that matters in --build)"
    ]


@pytest.mark.case("commands.G11")
@pytest.mark.parametrize(
    ("name", "again"), [("CFLAGS", False), ("CMAKE_BUILD_TYPE", False), ("PATH", False), ("TERM", True)]
)
def test_variables_of_compilers_are_known(
    name: str, again: bool, repository: Repository, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    revision = repository.revision("HEAD", home)
    folders = []
    for value in (os.environ["PATH"], f"{os.environ['PATH']}:/none"):
        monkeypatch.setenv(name, value)
        folders.append(Builds(home, Watching()).folder(repository, revision, "true"))
    assert (folders[0] == folders[1]) == again
