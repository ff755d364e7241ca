"""Standard output and standard error that lose no verdict: neither to their encoding nor to a full disk.

What an encoding lacks is written with other characters. A stream that cannot be written ends neither a measurement nor
what is written elsewhere: the first failure is kept, and told when the command has ended.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

_HANDLER = "rooftop.plain"
_PLAIN = {"×": "x", "–": "-", "—": "-", "−": "-", "…": "...", "·": ".", "µ": "u", "→": "->", "±": "+-", "²": "2"}
_PLAIN |= {"✓": "+", "✗": "x", "€": "EUR"} | dict.fromkeys("▏▎▍▌▋▊▉█▁▂▃▄▅▆▇", "#")


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """Return what stands for characters that an encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    plain = (_PLAIN.get(one) or one.encode("ascii", "backslashreplace").decode("ascii") for one in lacking)
    return "".join(plain), error.end


codecs.register_error(_HANDLER, _plainly)


class Steady:
    """A text stream that takes everything. `failure` is why it could not be written, or None."""

    def __init__(self, stream: TextIO) -> None:
        """Write to this stream as long as that goes well."""
        self._stream = stream
        self.failure: OSError | None = None

    def write(self, text: str) -> int:
        """See TextIO."""
        if self.failure is None:
            try:
                self._stream.write(text)
            except OSError as error:
                self._fail(error)
        return len(text)

    def flush(self) -> None:
        """See TextIO."""
        if self.failure is None:
            try:
                self._stream.flush()
            except OSError as error:
                self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.failure = error
        # What its buffer still holds would be tried again, and complained of, when Python ends.
        with contextlib.suppress(OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self._stream.fileno())
            os.close(null)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Closed:
    """Stands for a stream that was closed before Python began."""

    encoding, errors = "utf-8", "strict"

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "it is closed")

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        raise OSError(errno.EBADF, "it is closed")


def occupy_closed() -> None:
    """Let the null device take the places of closed standard streams, which files opened later would take else."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            if os.open(os.devnull, os.O_RDWR) == number:
                os.set_inheritable(number, True)


@contextmanager
def steady_streams() -> Iterator[Steady]:
    """Make standard output and standard error steady in the block; gives standard output."""
    before = sys.stdout, sys.stderr
    errors: list[tuple[Any, Any]] = []
    for stream in before:
        if hasattr(stream, "reconfigure"):
            errors.append((stream, stream.errors))
            stream.reconfigure(errors=_HANDLER)
    # Typed as streams that are always there, though Python sets them to None where they are closed.
    steady = [Steady(cast(TextIO, _Closed() if cast(Any, stream) is None else stream)) for stream in before]
    sys.stdout, sys.stderr = (cast(TextIO, one) for one in steady)
    try:
        yield steady[0]
    finally:
        sys.stdout, sys.stderr = before
        for stream, kept in errors:
            with contextlib.suppress(OSError, ValueError):
                stream.reconfigure(errors=kept)


def speaks_unicode(stream: TextIO) -> bool:
    """Whether a stream's encoding has all characters."""
    return (stream.encoding or "").lower().replace("_", "-").startswith("utf")
