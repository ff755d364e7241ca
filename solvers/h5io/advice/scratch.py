"""A temporary folder for trial files."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rooftop.errors import Misuse
from rooftop.text.quantities import size


@contextmanager
def scratch_folder(above: Path, needed_bytes: int = 0) -> Iterator[Path]:
    """Make a temporary folder. Raises Misuse if it cannot be made, or has too little space."""
    try:
        free_bytes = shutil.disk_usage(above).free
        made = tempfile.TemporaryDirectory(prefix=".rooftop-h5-", dir=above)
    except OSError as error:
        raise Misuse(f"{above} cannot be written: {error.strerror}: give a writable folder with --scratch") from None
    with made as name:
        if free_bytes < needed_bytes:
            raise Misuse(
                f"{above} has {size(free_bytes)} left, expected {size(needed_bytes)} for trial files: "
                "give another folder with --scratch, or a smaller --sample"
            )
        yield Path(name)
