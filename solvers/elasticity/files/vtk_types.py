"""Names of number types in VTK's legacy files that meshio does not know."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# VTK writes identifiers as numbers of 32 bits, whatever it computes with.
_IN_4 = {b"vtktypeint64": b"long", b"vtktypeint32": b"int", b"vtkidtype": b"int"}
_IN_5 = {b"vtkidtype": b"vtktypeint32"}
_VERSION = re.compile(rb"# vtk DataFile Version ([0-9])")


@contextmanager
def with_known_types(path: Path) -> Iterator[Path]:
    """Yield a path of the same file whose types meshio knows: of a copy where it does not. Raises OSError."""
    content = path.read_bytes()
    version = _VERSION.match(content)
    names = _IN_5 if version is not None and version[1] >= b"5" else _IN_4
    unknown = re.compile(rb"\b(" + b"|".join(names) + rb")\b", re.IGNORECASE)
    if version is None or unknown.search(content) is None:
        yield path
        return
    with tempfile.NamedTemporaryFile(suffix=path.suffix) as copy:
        copy.write(unknown.sub(lambda found: names[found[1].lower()], content))
        copy.flush()
        yield Path(copy.name)
