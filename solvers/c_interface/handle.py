"""What a C interface made, destroyed once nothing refers to it any more."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from typing import Any, Self


class Handle:
    """Owns a pointer of a C library; whoever keeps the handle keeps what it points to.

    Goes where a function takes a pointer. The interpreter's end destroys nothing: threads may still be at work.
    """

    def __init__(self, pointer: ctypes.c_void_p, destroy: Callable[[ctypes.c_void_p], Any]) -> None:
        """Take over a pointer, and the function that destroys what it points to."""
        self._as_parameter_ = pointer
        weakref.finalize(self, destroy, pointer).atexit = False


class SharedByCopies:
    """Base of what owns a handle and does not change: copies, deep ones too, share the handle."""

    def __copy__(self) -> Self:
        """Return another object with the same handle."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return a copy as `copy.copy` does: nothing behind the handle ever changes."""
        return self.__copy__()
