"""Text of TSPLIB 95 files, decompressed if gzipped."""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rooftop.solvers.routing.library import RoutingArgumentError

_GZIP = b"\x1f\x8b"  # RFC 1952


def text_of(path: str | os.PathLike[str], *, plain: bool = False) -> bytes | None:
    """Return the text of a file that is compressed by gzip, as its first bytes say, or is a pipe.

    None for another file, which the solver reads by itself, and for one that cannot be opened; with `plain` the text of
    any file. Raises RoutingArgumentError for what gzip cannot unpack, and with `plain` for what cannot be read.
    """
    try:
        with Path(os.fsdecode(path)).open("rb") as file:
            if file.peek(len(_GZIP)).startswith(_GZIP):
                return gzip.GzipFile(fileobj=file).read()
            return file.read() if plain or not file.seekable() else None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        reason = "it is cut off" if isinstance(error, EOFError) else str(error).lower()
        raise RoutingArgumentError(
            f"{os.fspath(path)}: gzip cannot unpack it: {reason}; expected a whole file"
        ) from None
    except MemoryError:
        raise RoutingArgumentError(f"{os.fspath(path)}: unpacked, it does not fit into memory") from None
    except (OSError, ValueError) as error:
        if not plain:
            return None
        reason = getattr(error, "strerror", None) or str(error)
        raise RoutingArgumentError(f"{os.fspath(path)} cannot be opened: {reason}; expected a TSPLIB file") from None


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Yield a file of the same text that is not compressed: the file itself, or one that is gone afterwards."""
    text = text_of(path)
    if text is None:
        yield path
        return
    with tempfile.NamedTemporaryFile(prefix="rooftop-", suffix=".tsp") as file:
        file.write(text)
        file.flush()
        yield Path(file.name)
