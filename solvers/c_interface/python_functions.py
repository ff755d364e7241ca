"""Functions of Python's own that lie beside a solver's library; see ``solvers/cmake/add_python_functions.cmake``.

Such a function is asked first. It does what is brief, and answers None to all else, which is left to the way through
ctypes: that has all checks and messages. Where it is not built, all calls take that way.
"""

from __future__ import annotations

import ctypes
import dataclasses
import os
import sys
import sysconfig
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import get_ident, main_thread
from typing import Any

# Not a WeakSet: to copy a set is one step, so that another thread may add to it meanwhile.
_asked: set[weakref.ref[AskedFirst]] = set()
_left_out = False  # within `left_out`


def beside(library: ctypes.CDLL, name: str) -> ctypes.PyDLL | None:
    """Return the library of a solver's functions; None where there is none, or it is not for this interpreter."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return None
    file = Path(library._name).with_name(f"librooftop_{name}_python.so")
    if not file.is_absolute() or not file.is_file():
        return None
    try:
        return ctypes.PyDLL(str(file))
    except OSError:
        return None


def left_to_others(*_: Any) -> None:
    """Do nothing, as such a function does with what it leaves to others."""


class AskedFirst:
    """A function of Python's own, once it is found.

    run  the function, of positional arguments; it returns None for what it leaves to others
    """

    __slots__ = ("__weakref__", "_function", "run")

    def __init__(self, function: Callable[..., Any] = left_to_others) -> None:
        self._function = self.run = left_to_others
        _asked.add(weakref.ref(self, _asked.discard))  # before it looks whether a `left_out` block runs
        self.use(function)

    def use(self, function: Callable[..., Any]) -> None:
        """Ask this function from now on, but not within a `left_out` block."""
        self._function = function
        self.run = left_to_others if _left_out else function

    def look_again(self) -> None:
        """Ask the function, or leave it out, as it now is."""
        self.use(self._function)


def all_left_out() -> bool:
    """Return whether a `left_out` block runs."""
    return _left_out


def _leave_out(*, yes: bool) -> None:
    global _left_out  # noqa: PLW0603 - one state of the process
    _left_out = yes
    for known in _asked.copy():
        if (one := known()) is not None:
            one.look_again()


@contextmanager
def left_out() -> Iterator[None]:
    """Let all calls within the block take the way through ctypes: it must give the same, and is measured.

    It holds for what was made before, such as plans, and ends for what is made within the block.
    """
    try:
        _leave_out(yes=True)
        yield
    finally:
        _leave_out(yes=False)


def function_addresses(library: ctypes.CDLL, names: Sequence[str]) -> Any:
    """Return the addresses of a library's functions, as an array for C."""
    found = [ctypes.cast(library[name], ctypes.c_void_p).value for name in names]
    return (ctypes.c_void_p * len(found))(*found)


def field_names(kind: type) -> tuple[str, ...]:
    """Return the names of a dataclass's fields, in order, as attributes have them."""
    return tuple(sys.intern(field.name) for field in dataclasses.fields(kind))


class BriefFunction(AskedFirst):
    """A function beside a solver's library, once it is found.

    name       of the solver
    functions  of its library that it calls
    known      returns the Python objects that it needs
    maker      makes it: ``rooftop_NAME_python_MAKER``
    """

    def __init__(
        self, name: str, functions: Sequence[str], known: Callable[[], tuple[Any, ...]], maker: str = "brief"
    ) -> None:
        super().__init__()
        self._name, self._functions, self._known, self._maker = name, functions, known, maker
        self._looked_for = False

    def find(self, library: ctypes.CDLL) -> None:
        """Find the function beside the solver's library, if it was not looked for before."""
        if self._looked_for:
            return
        self._looked_for = True
        found = beside(library, self._name)
        if found is None:
            return
        make, set_main_thread = (
            getattr(found, f"rooftop_{self._name}_python_{name}") for name in (self._maker, "main_thread")
        )
        make.argtypes, make.restype = [ctypes.py_object, ctypes.c_void_p], ctypes.py_object
        set_main_thread.argtypes, set_main_thread.restype = [ctypes.c_ulong], None
        # Calls of other threads are registered while they run, for the interpreter's exit.
        set_main_thread(main_thread().ident or 0)
        os.register_at_fork(after_in_child=lambda: set_main_thread(get_ident()))
        names = [f"rooftop_{self._name}_{name}" for name in self._functions]
        self.use(make(self._known(), function_addresses(library, names)))
