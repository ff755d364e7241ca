"""Errors of the HDF5 library, raised through h5py, as one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from rooftop.errors import RooftopError
from rooftop.solvers.h5io.library import H5FileError

#: What h5py makes of the library's errors, and of types that it does not have.
FAILURES = (OSError, RuntimeError, KeyError, ValueError, TypeError, NotImplementedError)

_OF_SYSTEM = re.compile(r"error message = '([^']*)'")
_OF_LIBRARY = re.compile(r"\((.*)\)\s*$", re.DOTALL)


def reason(error: Exception) -> str:
    """Return the reason in an error, without h5py's description of the call."""
    text = str(error.args[0] if len(error.args) == 1 else error)
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror
    found = _OF_SYSTEM.search(text) or _OF_LIBRARY.search(text)
    return found[1] if found is not None else text or type(error).__name__


@contextmanager
def told_of(what: str) -> Iterator[None]:
    """Raise H5FileError, whose message begins with `what`, if the library fails in the ``with`` block."""
    try:
        yield
    except RooftopError:
        raise
    except FAILURES as error:
        raise H5FileError(f"{what}: {reason(error)}") from error
