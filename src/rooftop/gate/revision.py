"""Resolve revisions of the user's git repository and check them out; the working tree is never touched."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rooftop.command.environment import own_environment
from rooftop.errors import Misuse

WORKING_TREE = (".", "WORKTREE")
# A hook of git's sets these, and they would send git to the wrong place.
_NOT_INHERITED = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR")
_NOBODY = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "rooftop"), ("EMAIL", "rooftop@localhost"))
}


_NO_HOOKS = "core.hooksPath=/dev/null"  # the user's are not meant for these folders


@dataclass(frozen=True)
class Revision:
    """A revision as the user named it, its commit, and the tree of its files: commits with one tree are the same."""

    name: str
    commit: str
    tree: str

    @property
    def short(self) -> str:
        """The abbreviated commit."""
        return self.commit[:12]


def clean_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the user's environment without the variables that git sets for hooks."""
    return {key: value for key, value in own_environment().items() if key not in _NOT_INHERITED} | dict(more or {})


def _git(folder: Path, *words: str, environment: Mapping[str, str] | None = None) -> str:
    """Return the output of a git command. Raises Misuse with git's error message."""
    try:
        done = subprocess.run(
            ["git", *words],
            cwd=folder,
            env=clean_environment(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise Misuse("comparing revisions needs git, which is not installed: see 'rooftop doctor'") from error
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        name = next(word for word in words if word not in ("-c", _NO_HOOKS))
        raise Misuse(f"git {name}: {said or f'exited with code {done.returncode}'}")
    return done.stdout.decode("utf-8", "surrogateescape").strip()


@dataclass(frozen=True)
class Repository:
    """The user's repository.

    top     the folder of its working tree
    inside  the present folder within it: what is built and run, is so in the same folder of a revision
    common  its git directory
    """

    top: Path
    inside: Path
    common: Path

    @staticmethod
    def around(folder: Path) -> Repository:
        """Return the repository that contains a folder. Raises Misuse."""
        try:
            top = Path(_git(folder, "rev-parse", "--show-toplevel"))
        except Misuse as error:
            raise Misuse(f"{folder} is not in a git working tree, which comparing revisions needs ({error})") from error
        inside = _git(folder, "rev-parse", "--show-prefix")
        return Repository(top, Path(inside), (folder / _git(folder, "rev-parse", "--git-common-dir")).resolve())

    def revision(self, name: str, home: Path) -> Revision:
        """Return the commit that a name means; for the working tree, one made of what lies in it. Raises Misuse.

        home  the bench's own folder, which is no part of the working tree
        """
        if name in WORKING_TREE:
            commit = self._snapshot(home)
        else:
            asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
            try:
                commit = _git(self.top, *asked)
            except Misuse as error:
                expected = "expected a branch, a tag or a commit that is fetched"
                raise Misuse(f"there is no revision {name!r} in {self.top}, {expected}") from error
        return Revision(name, commit, _git(self.top, "rev-parse", f"{commit}^{{tree}}"))

    def _snapshot(self, home: Path) -> str:
        """Return a commit of the working tree: tracked files as they are, and new ones that are not ignored.

        It is made with an index of its own and belongs to no branch. The same content gives the same commit.
        """
        head = _git(self.top, "rev-parse", "HEAD")
        with tempfile.TemporaryDirectory() as folder:
            index = Path(folder) / "index"
            own = self.top / _git(self.top, "rev-parse", "--git-path", "index")
            if own.is_file():
                shutil.copyfile(own, index)
            environment = {"GIT_INDEX_FILE": str(index)}
            left_out = [f":(exclude){home.relative_to(self.top)}"] if home.is_relative_to(self.top) else []
            _git(self.top, "add", "--all", "--", ".", *left_out, environment=environment)
            tree = _git(self.top, "write-tree", environment=environment)
        if tree == _git(self.top, "rev-parse", "HEAD^{tree}"):
            return head
        when = _git(self.top, "show", "--no-patch", "--format=%cI", head)
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        return _git(
            self.top, "commit-tree", tree, "-p", head, "-m", "The working tree", environment={**_NOBODY, **dates}
        )

    def check_out(self, revision: Revision, folder: Path) -> None:
        """Check a revision out into a new folder. Raises Misuse."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        _git(self.top, "-c", _NO_HOOKS, "worktree", "add", "--force", "--detach", str(folder), revision.commit)


def remove(folder: Path) -> None:
    """Remove a checkout, complete or not, of any repository."""
    if (folder / ".git").exists():
        with contextlib.suppress(Misuse):  # its repository may be gone
            common = (folder / _git(folder, "rev-parse", "--git-common-dir")).resolve()
            _git(common, "worktree", "remove", "--force", "--force", str(folder))
    shutil.rmtree(folder, ignore_errors=True)
