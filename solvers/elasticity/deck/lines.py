"""Lines of a deck, without comments and blank lines, with `*INCLUDE` files inserted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rooftop.errors import Misuse

_NESTED_MAX = 16  # levels of included files
_FILES_MAX = 10_000  # included files in all; files that each include another twice grow exponentially
_INCLUDE = re.compile(r"\*\s*INCLUDE\s*(,|$)", re.IGNORECASE)
_INPUT = re.compile(r",\s*INPUT\s*=\s*(\"[^\"]*\"|[^,]*)", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """A line of a file, counted from 1."""

    file: Path
    number: int
    text: str

    @property
    def where(self) -> str:
        """Return the file and the line for messages."""
        return f"{self.file}:{self.number}"


def _text(file: Path, where: str) -> str:
    """Return the text of a file, in UTF-8 or else Latin-1. Raises Misuse with a message that begins with `where`."""
    try:
        content = file.read_bytes()
    except (OSError, ValueError) as error:  # a name with a null character is a ValueError
        why = error.strerror or error if isinstance(error, OSError) else error
        raise Misuse(f"{where}{file}: {why}") from error
    if b"\0" in content:
        raise Misuse(f"{where}{file}: it contains null characters; expected an input deck in plain text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


@dataclass
class LineReader:
    """Read a deck and the files that it includes.

    Paths are relative to the including file or, if there is no such file, to the deck.
    """

    deck: Path
    _files: int = 0
    _open: list[Path] = field(default_factory=list)

    def lines(self) -> Iterator[Line]:
        """Yield all lines. Raises Misuse for files that cannot be read or include themselves."""
        yield from self.lines_of(self.deck)

    def lines_of(self, file: Path, by: Line | None = None) -> Iterator[Line]:
        """Yield the lines of a file and those that it includes; `by`: the line that names the file."""
        where = "" if by is None else f"{by.where}: "
        self._files += 1
        if file.absolute() in self._open:
            raise Misuse(f"{where}{file} includes itself; expected another file")
        if len(self._open) >= _NESTED_MAX or self._files > _FILES_MAX:
            most = f"{_NESTED_MAX} nested" if len(self._open) >= _NESTED_MAX else f"{_FILES_MAX}"
            raise Misuse(f"{where}{file} exceeds the limit of included files; expected at most {most}")
        if by is not None and _exists(file) and not file.is_file():  # a device may have no end
            raise Misuse(f"{where}{file} is no regular file; expected a file")
        self._open.append(file.absolute())
        for number, text in enumerate(re.split("\r\n|\n|\r", _text(file, where)), 1):
            if not text.strip() or text.lstrip().startswith("**"):
                continue
            line = Line(file, number, text)
            if _INCLUDE.match(text.strip()):
                yield from self.lines_of(self.named(_input_of(line), line), line)
            else:
                yield line
        self._open.pop()

    def named(self, name: str, by: Line) -> Path:
        """Return the path of a file named on a line."""
        beside = by.file.parent / name
        return beside if _exists(beside) else self.deck.parent / name


def _exists(file: Path) -> bool:
    try:
        return file.exists()
    except (OSError, ValueError):  # a name that is too long, or has a null character
        return False


def _input_of(line: Line) -> str:
    found = _INPUT.search(line.text)
    name = found[1].strip().strip('"') if found else ""
    if not name:
        raise Misuse(f"{line.where}: *INCLUDE names no file; expected INPUT=FILE")
    return name
