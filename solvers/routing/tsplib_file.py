"""Text of TSPLIB 95 files, decompressed if gzipped."""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from rooftop.solvers.routing.library import RoutingArgumentError

_GZIP = b"\x1f\x8b"  # RFC 1952
_LEAST = 1 << 30  # bytes that any file may have decompressed
_TIMES = 64  # its own size: digits and blanks are compressed to a tenth, equal lines a thousandfold
_PIECE = 1 << 20


def _decompressed(path: str | os.PathLike[str], file: BufferedReader) -> bytes:
    """Return what a gzipped file holds. Raises RoutingArgumentError for more than an instance of its size has."""
    most = max(_LEAST, _TIMES * os.fstat(file.fileno()).st_size)
    text = bytearray()
    with gzip.GzipFile(fileobj=file) as packed:
        while piece := packed.read(_PIECE):
            text += piece
            if len(text) > most:
                raise RoutingArgumentError(
                    f"{os.fspath(path)}: the decompressed file has more than {most} bytes; expected a smaller file, or "
                    "one that gunzip has decompressed"
                )
    return bytes(text)


def text_of(path: str | os.PathLike[str], *, plain: bool = False) -> bytes | None:
    """Return the text of a gzipped file (recognized by its first bytes) or of a pipe.

    Return None for any other file, which the solver reads itself, and for a file that cannot be opened. With `plain`,
    return the text of any file. Raises RoutingArgumentError if gzip cannot decompress the file, and with `plain` if it
    cannot be read.
    """
    try:
        with Path(os.fsdecode(path)).open("rb") as file:
            if file.peek(len(_GZIP)).startswith(_GZIP):
                return _decompressed(path, file)
            return file.read() if plain or not file.seekable() else None
    except RoutingArgumentError:
        raise
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        reason = "it is truncated" if isinstance(error, EOFError) else str(error).lower()
        raise RoutingArgumentError(
            f"{os.fspath(path)}: the file cannot be decompressed: {reason}; expected a complete gzip file"
        ) from None
    except MemoryError:
        raise RoutingArgumentError(
            f"{os.fspath(path)}: the decompressed file does not fit into memory; expected a smaller file"
        ) from None
    except (OSError, ValueError) as error:
        if not plain:
            return None
        reason = getattr(error, "strerror", None) or str(error)
        raise RoutingArgumentError(f"{os.fspath(path)} cannot be opened: {reason}; expected a TSPLIB file") from None


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Yield an uncompressed file with the same text: the file itself, or a temporary one."""
    text = text_of(path)
    if text is None:
        yield path
        return
    with tempfile.NamedTemporaryFile(prefix="rooftop-", suffix=".tsp") as file:
        file.write(text)
        file.flush()
        yield Path(file.name)
