"""Whether the code in a folder of experiments may run: what is neither the bench's nor the user's own is asked about.

To read an experiment runs its ``experiment.py``, and to climb it compiles and runs the rest. The user is asked before
that, once: the answer is kept by a digest of all files of the experiment. Folders that ``rooftop new`` has made are the
user's own, and may change.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rooftop.errors import Misuse, RooftopError
from rooftop.files.atomic import write_whole
from rooftop.text.plural import plural, some

SOURCES = (".cpp", ".cc", ".cxx", ".c", ".f90", ".cu", ".hpp", ".h", ".hh", ".cmake")
BUILT = "build"
_NO_CODE = (BUILT, ".git")  # at the top; what is built there is named in the question
_MOST_FILES = 20_000
_SHOWN = 12  # hexadecimal digits of a digest


class Untrusted(Misuse):
    """Nobody has said that this code may run."""


@dataclass(frozen=True)
class Pack:
    """An experiment of others, before any of it runs.

    digest    of the names, kinds and contents of its files
    compiled  files that are compiled, by their names in it
    python    files that Python runs
    built     whether it brings a folder of built files, which would be used as they are
    """

    folder: Path
    digest: str
    compiled: tuple[str, ...]
    python: tuple[str, ...]
    built: bool

    @property
    def lines(self) -> list[str]:
        """What a question shows: the folder and its digest, and what would run."""
        told = [f"{self.folder}, with the digest {self.digest[:_SHOWN]}"]
        if self.compiled:
            told.append(f"  compiled, then run: {some(self.compiled)}")
        if self.python:
            told.append(f"  run by Python: {some(self.python)}")
        if self.built:
            told.append(f"  run as they are: the files that it brings in {BUILT}/")
        return told

    @property
    def summary(self) -> str:
        """The same on one line."""
        brought = f", and built files in {BUILT}/" if self.built else ""
        counts = f"{plural(len(self.compiled), 'file')} to compile, {len(self.python)} of Python{brought}"
        return f"{self.folder} (digest {self.digest[:_SHOWN]}; {counts})"


Answer = Callable[[Sequence[Pack]], bool]
_answer: ContextVar[Answer | None] = ContextVar("answer", default=None)


def answered_by(answer: Answer | None) -> None:
    """Let this say from now on whether packs may run; None: those that are not known may not."""
    _answer.set(answer)


def _entries(folder: Path, top: bool = True) -> Iterator[Path]:
    """Yield everything in a folder and below it, in the order of names; links are not followed."""
    for entry in sorted(folder.iterdir(), key=lambda path: os.fsencode(path.name)):
        if top and entry.name in _NO_CODE:
            continue
        yield entry
        if entry.is_dir() and not entry.is_symlink():
            yield from _entries(entry, top=False)


def _content(pack: Path, entry: Path) -> tuple[bytes, bytes]:
    """Return the kind of an entry, and a digest of its contents. Raises Misuse for what no experiment consists of."""
    mode = entry.lstat().st_mode
    if stat.S_ISLNK(mode):
        if not entry.resolve().is_relative_to(pack):
            raise Misuse(f"{entry} is a link that leads out of {pack}, to {entry.readlink()}: expected a file there")
        return b"link", os.fsencode(entry.readlink())
    if stat.S_ISDIR(mode):
        return b"folder", b""
    if not stat.S_ISREG(mode):
        raise Misuse(f"{entry} is neither a file, nor a folder, nor a link: expected an experiment's files")
    with entry.open("rb") as file:
        return b"program" if mode & 0o111 else b"file", hashlib.file_digest(file, "sha256").digest()


def read_pack(folder: Path) -> Pack:
    """Return what an experiment's folder holds; none of it runs. Raises Misuse."""
    whole, compiled, python = hashlib.sha256(), [], []
    try:
        for number, entry in enumerate(_entries(folder)):
            if number == _MOST_FILES:
                raise Misuse(f"{folder} holds more than {_MOST_FILES} files: expected the folder of an experiment")
            name = entry.relative_to(folder)
            for part in (os.fsencode(name), *_content(folder, entry)):
                whole.update(len(part).to_bytes(8, "big") + part)
            if entry.suffix == ".py":
                python.append(str(name))
            elif entry.suffix in SOURCES or entry.name == "CMakeLists.txt":
                compiled.append(str(name))
    except RecursionError as error:
        raise Misuse(f"{folder} has folders in folders, too deep to look at") from error
    except OSError as error:
        raise Misuse(f"{error.filename or folder} cannot be read: {error.strerror or error}") from error
    return Pack(folder, whole.hexdigest(), tuple(compiled), tuple(python), (folder / BUILT).exists())


class Known:
    """What the user has said, in a file of the user's folder for state: a tree may bring a .rooftop of its own."""

    def __init__(self) -> None:
        from platformdirs import user_state_path

        self._file = user_state_path("rooftop") / "trusted.json"
        try:
            content = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            content = None
        kept: dict[str, Any] = content if isinstance(content, dict) else {}
        packs, own = kept.get("packs"), kept.get("own")
        self._packs: dict[str, str] = packs if isinstance(packs, dict) else {}
        self._own: dict[str, list[int]] = own if isinstance(own, dict) else {}

    def is_own(self, folder: Path) -> bool:
        """Whether `rooftop new` has made this very folder."""
        found = folder.stat()
        return self._own.get(str(folder)) == [found.st_dev, found.st_ino]

    def has(self, pack: Pack) -> bool:
        """Whether the user has agreed to a pack."""
        return pack.digest in self._packs

    def add(self, packs: Sequence[Pack]) -> None:
        """Keep that the user has agreed. Raises RooftopError."""
        self._packs |= {pack.digest: str(pack.folder) for pack in packs}
        self._write()

    def add_own(self, folder: Path) -> None:
        """Keep that a folder is the user's own. Raises RooftopError."""
        found = folder.stat()
        self._own[str(folder)] = [found.st_dev, found.st_ino]
        self._write()

    def _write(self) -> None:
        try:
            write_whole(self._file, json.dumps({"packs": self._packs, "own": self._own}, indent=1) + "\n")
        except OSError as error:
            raise RooftopError(f"{self._file} cannot be written: {error.strerror or error}") from error


@contextmanager
def without_caches() -> Iterator[None]:
    """Let Python read no compiled modules, which would run in the place of what the user sees, and write none."""
    before = sys.pycache_prefix, sys.dont_write_bytecode
    sys.pycache_prefix, sys.dont_write_bytecode = os.devnull, True
    try:
        yield
    finally:
        sys.pycache_prefix, sys.dont_write_bytecode = before


def agree(folders: Sequence[Path]) -> None:
    """Keep that experiments may run as they are now. Raises Misuse and RooftopError."""
    known = Known()
    known.add([read_pack(folder) for folder in folders if not known.is_own(folder)])


def require_trusted(folders: Sequence[Path]) -> None:
    """Ask about experiments that are not known, and keep the answer. Raises Misuse where they may not run."""
    known = Known()
    packs = [read_pack(folder) for folder in folders if not known.is_own(folder)]
    asked = [pack for pack in packs if not known.has(pack)]
    if not asked:
        return
    answer = _answer.get()
    if answer is None or not answer(asked):
        raise Untrusted(
            f"code of others has not run here as it is now: {'; '.join(pack.summary for pack in asked)}. Look at it, "
            "then agree by --trust with --from, as in 'rooftop show --from DIR --trust'"
        )
    known.add(asked)
