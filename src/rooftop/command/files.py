"""Find the files that a command runs, by its words: programs, their libraries, scripts and what they name, inputs.

Nothing is run. The search finds too much rather than too little: a word that happens to name a file does no harm while
that file stays unchanged. Files that show only while a program runs are found by `SeenFiles`.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import stat
import subprocess
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from rooftop.command.not_started import loader_of
from rooftop.files.contents import FileState, state_of
from rooftop.ladder.discovery import Module

_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "ash")
_READERS = (*_SHELLS, ".", "source")
_MOST_FILES = 1000
_TEXT_BYTES = 1 << 20  # a longer script is not read
OF_THE_SYSTEM = ("/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/")  # what scripts there name is not read
_PUNCTUATION = frozenset("();<>|&")
_INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"\n]+)"', re.MULTILINE)
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".cu", ".h", ".hh", ".hpp", ".hxx", ".f90", ".F90", ".inc")
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_SHELL_COMMAND = re.compile(r"-\w*c")


def files_of(
    words: Sequence[str], folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> list[Path]:
    """Return the files that a command runs or names, each once, as absolute paths; links are not resolved.

    folder       in which the command runs; None for the current folder
    environment  whose PATH, PYTHONPATH and loader variables are used; None for the current one
    """
    search = FileSearch(folder, environment)
    search.command(words)
    return list(search.found)


def _present_folder() -> Path:
    """Return the current folder; if it was removed, its former name."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path(os.environ.get("PWD") or "/")


class FileSearch:
    """A search for the files of commands.

    found    files found so far
    on_path  programs found on PATH, by name; links in the folder are resolved, a link to the program is not
    """

    def __init__(self, folder: Path | None = None, environment: Mapping[str, str] | None = None) -> None:
        self._environment = os.environ if environment is None else environment
        self._folders = [_present_folder() if folder is None else folder.absolute()]
        self.found: dict[Path, None] = {}
        self.on_path: dict[str, str] = {}
        self._waiting: list[tuple[Path, bool]] = []

    def command(self, words: Sequence[str]) -> None:
        """Find the files of a command's words."""
        self.line(words)
        while self._waiting:
            self._read(*self._waiting.pop())

    def line(self, words: Sequence[str]) -> None:
        """Find the files that the words of a command name directly."""
        shell = python = False
        for place, word in enumerate(words):
            before = words[place - 1] if place else ""
            if shell and _SHELL_COMMAND.fullmatch(before):
                self._text(word)
            elif python and before == "-c":
                self._imported(_imports(word), self._folders[0])
            elif python and before == "-m":
                self._module(word.split("."), self._python_folders(self._folders[0]))
            else:
                self._word(word, script=shell and (before.startswith("-") or Path(before).name in _READERS))
            name = Path(word).name
            shell, python = shell or name in _READERS, python or name.startswith("python")
            if name.endswith("make"):
                self._makefiles(words)

    # --- words -----------------------------------------------------------------------------------------------------

    def _word(self, word: str, *, script: bool = False) -> None:
        """Find the file of a word: a file, a program on PATH, or a file after = or @."""
        if not word or "\0" in word or "\n" in word:
            return
        for text in dict.fromkeys((word, word.rpartition("=")[2], word.removeprefix("@"))):
            if not text or text in (".", "/") or len(text) > os.pathconf("/", "PC_PATH_MAX"):
                continue
            for folder in self._folders:
                self._file(folder / text, script=script)
            if "/" not in text and not text.startswith("-"):
                self._on_path(text)

    def _on_path(self, name: str) -> None:
        found = shutil.which(name, path=self._environment.get("PATH"))
        if found is not None:
            file = self._folders[0] / found
            self.on_path[name] = str(file.parent.resolve() / file.name)
            self._file(file)

    def _text(self, text: str) -> None:
        """Find the files of a shell text. Redirected output is not an input; `cd` adds a folder to search."""
        words: list[str] = []
        before = ""
        for word in [*_shell_words(text[:_TEXT_BYTES]), ";"]:
            if word and set(word) <= _PUNCTUATION:
                if not set(word) & {"<", ">"}:
                    self.line(words)
                    words = []
            elif before == "cd" and (folder := self._folders[-1] / word).is_dir():
                self._folders += [folder] if folder not in self._folders else []
            elif ">" not in before:
                words.append(word)
            before = word

    def _makefiles(self, words: Sequence[str]) -> None:
        for place, word in enumerate(words[:-1]):
            if word in ("-C", "--directory") and (folder := self._folders[0] / words[place + 1]).is_dir():
                self._folders.append(folder)
        for folder in list(self._folders):
            for name in _MAKEFILES:
                self._file(folder / name)

    # --- files -----------------------------------------------------------------------------------------------------

    def _file(self, file: Path, *, script: bool = False) -> None:
        """Add a file, to be read later."""
        try:
            if file not in self.found and len(self.found) < _MOST_FILES and state_of(file) is not None:
                self.found[file] = None
                self._waiting.append((file, script))
        except ValueError:
            return

    def _read(self, file: Path, script: bool) -> None:
        """Find the files that a file needs: its libraries, its interpreter, and what it runs as a script."""
        try:
            with file.open("rb") as opened:
                head = opened.read(HEAD_BYTES)
                if head.startswith(ELF):
                    self.found |= dict.fromkeys(libraries_of(file, self._environment))
                    return
                content = head + opened.read(_TEXT_BYTES) if b"\0" not in head else b""
        except OSError:  # it may be executed and not read
            return
        if len(content) > _TEXT_BYTES:
            return
        interpreter = ""
        if content.startswith(b"#!"):
            words = os.fsdecode(content[2:].split(b"\n", 1)[0]).split()
            for word in words:
                self._word(word)
            interpreter = next((name for word in words if (name := Path(word).name) != "env" and "=" not in word), "")
        if str(file).startswith(OF_THE_SYSTEM):
            return
        if interpreter in _SHELLS or (not interpreter and (script or file.suffix == ".sh" or os.access(file, os.X_OK))):
            self._text(content.decode("utf-8", "surrogateescape"))
        elif interpreter.startswith("python") or file.suffix == ".py":
            self._imported(_imports_of(file, state_of(file)), file.parent)
        elif file.suffix in _SOURCES:
            for name in _INCLUDE.findall(content):
                self._file(file.parent / os.fsdecode(name))

    # --- Python ----------------------------------------------------------------------------------------------------

    def _python_folders(self, beside: Path) -> list[Path]:
        more = self._environment.get("PYTHONPATH", "").split(os.pathsep)
        return [beside, *(self._folders[0] / folder for folder in more if folder)]

    def _imported(self, imports: Sequence[tuple[Sequence[str], int]], beside: Path) -> None:
        """Find the imported modules that lie beside the script or on PYTHONPATH."""
        for parts, level in imports:
            above = beside.joinpath(*[".."] * (level - 1)) if level else beside
            self._module(parts, [above] if level else self._python_folders(beside))

    def _module(self, parts: Sequence[str], folders: Sequence[Path]) -> None:
        for folder in folders:
            if not (folder / parts[0]).is_dir() and not (folder / f"{parts[0]}.py").is_file():
                continue
            for count in range(1, len(parts) + 1):
                place = folder.joinpath(*parts[:count])
                for file in (place / "__init__.py", place / "__main__.py", place.with_name(f"{place.name}.py")):
                    self._file(file)
            return


def _shell_words(text: str) -> Iterator[str]:
    """Yield the words of a shell text; if a quote is not closed, split at blanks and punctuation."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    try:
        yield from lexer
    except ValueError:
        yield from re.split(r"[\s;&|()<>\"'`$]+", text)


@lru_cache(maxsize=4096)
def _imports_of(file: Path, state: FileState | None) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Return the imports of a script, see `_imports`. `state` is part of the cache key."""
    del state
    try:
        return _imports(file.read_bytes())
    except OSError:
        return ()


def _imports(text: str | bytes) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Return the imports of a Python text: the parts of each name, and the level of a relative import."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of the user's own text
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found: list[tuple[tuple[str, ...], int]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(tuple(one.name.split(".")), 0) for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = tuple(node.module.split(".")) if node.module else ()
            found += [((*module, one.name), node.level) for one in node.names]
    return tuple(found)


ELF = b"\x7fELF"
HEAD_BYTES = 4096
_LIMIT_S = 10.0
_LISTED = re.compile(r"^\s+(?:\S+ => )?(/.*) \(0x[0-9a-f]+\)$", re.MULTILINE)
_RUNS_CODE = ("LD_AUDIT", "LD_DEBUG", "LD_DEBUG_OUTPUT", "LD_PROFILE", "LD_BIND_NOW")


def libraries_of(file: Path, environment: Mapping[str, str] | None = None) -> list[Path]:
    """Return the shared libraries of a program or library; none if they are unknown.

    The loader lists them (`ld.so --list`): it maps the program and runs none of its code. A loader is used only if
    root alone can have installed it.
    """
    state = state_of(file)
    if state is None:
        return []
    variables = os.environ if environment is None else environment
    kept = {name: value for name, value in variables.items() if name.startswith("LD_") and name not in _RUNS_CODE}
    return [Path(one) for one in _listed(str(file), state, tuple(sorted(kept.items())))]


def module_files(modules: Iterable[Module]) -> list[Path]:
    """Return the files that rungs and peers run, each once: modules, drivers and libraries."""
    files = dict.fromkeys(file for module in modules for file in module.files)
    for file in list(files):
        files |= dict.fromkeys(libraries_of(file))
    return list(files)


@lru_cache(maxsize=4096)
def _listed(file: str, state: FileState, variables: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    del state  # it tells one file of a name from another
    try:
        with Path(file).open("rb") as opened:
            head = opened.read(HEAD_BYTES)
    except OSError:
        return ()
    loader = (loader_of(head) or _own_loader()) if head.startswith(ELF) else None
    if loader is None or not _of_root(loader):
        return ()
    try:
        done = subprocess.run(
            [loader, "--list", file],
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ()
    return tuple(_LISTED.findall(done.stdout.decode("utf-8", "surrogateescape")))


@lru_cache(maxsize=1)
def _own_loader() -> str | None:
    """Return the loader of this process, for libraries, which name none."""
    try:
        with Path(os.path.realpath("/proc/self/exe")).open("rb") as opened:
            return loader_of(opened.read(HEAD_BYTES))
    except OSError:
        return None


def _of_root(loader: str) -> bool:
    file = Path(os.path.realpath(loader))
    try:
        states = [file.stat(), file.parent.stat()]
    except OSError:
        return False
    return all(state.st_uid == 0 and not state.st_mode & (stat.S_IWGRP | stat.S_IWOTH) for state in states)
