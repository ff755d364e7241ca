"""A temporary folder for trial files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rooftop.errors import Misuse


@contextmanager
def scratch_folder(above: Path) -> Iterator[Path]:
    """Make a temporary folder. Raises Misuse if it cannot be made."""
    try:
        made = tempfile.TemporaryDirectory(prefix=".rooftop-h5-", dir=above)
    except OSError as error:
        raise Misuse(f"{above} cannot be written: {error.strerror}: give a writable folder with --scratch") from None
    with made as name:
        yield Path(name)
