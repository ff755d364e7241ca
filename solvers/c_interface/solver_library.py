"""Loading a solver's C library with ctypes, and the handles of its objects. ctypes releases the GIL in each call."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from rooftop.errors import Misuse, NotBuilt, RooftopError
from rooftop.settings import COMPILED, Settings
from rooftop.solvers.c_interface import calls_in_progress

# Name, result and arguments of a function, as ctypes has them.
Function = tuple[str, Any, list[Any]]

pointer, status = ctypes.c_void_p, ctypes.c_int


class NothingFound(RooftopError):
    """The time limit or a stop came before a solver had a result."""


def _built() -> Path:
    return Settings().build_folder / "solvers"


def _candidates(name: str) -> list[str]:
    """Where the library may be, the most particular place first."""
    if named := os.environ.get(f"ROOFTOP_{name.upper()}_LIBRARY"):
        return [named]
    file = f"librooftop_{name}.so"
    # The folder of a hidden solver, such as the template, is called _NAME.
    for above in (COMPILED / "solvers", _built()):
        for folder in (above / name, above / f"_{name}"):
            if (folder / file).is_file():
                return [str(folder / file)]
    installed = ctypes.util.find_library(f"rooftop_{name}")
    return [installed] if installed else []


def load(name: str, title: str, abi_version: int, functions: Iterable[Function]) -> ctypes.CDLL:
    """Return the library of ``solvers/NAME`` with its functions' types declared. Raises NotBuilt when none fits.

    `title` is what messages call the solver; `functions` are named without ``rooftop_NAME_``.
    """
    found = _candidates(name)
    if not found:
        folder = _built() / name
        raise NotBuilt(
            f"the {title} solver is not built: no librooftop_{name}.so in {folder}; "
            f"run 'make climb' in a checkout, or 'rooftop build', or name it in ROOFTOP_{name.upper()}_LIBRARY"
        )
    try:
        with brief_spinning():
            library = ctypes.CDLL(found[0])
        version = int(getattr(library, f"rooftop_{name}_abi_version")())
    except (OSError, AttributeError) as error:
        raise NotBuilt(f"{found[0]}: cannot be loaded: {error}; expected the {title} solver's library") from None
    if version != abi_version:
        raise NotBuilt(f"{found[0]}: its C interface is version {version}; expected {abi_version}: build it again")
    for function_name, result, arguments in (("last_error", ctypes.c_char_p, []), *functions):
        function = getattr(library, f"rooftop_{name}_{function_name}", None)
        if function is None:  # one of an older library of the same version, to which functions were added since
            raise NotBuilt(f"{found[0]}: it has no rooftop_{name}_{function_name}: build it again")
        function.restype = result
        function.argtypes = arguments
        if result is status:  # what may fail may last
            setattr(library, f"rooftop_{name}_{function_name}", calls_in_progress.noted(function))
    return library


def threads_of_caller(library: ctypes.CDLL) -> int:
    """Return how many threads OpenMP would use in the calling thread, whose settings others may not inherit."""
    return int(library.omp_get_max_threads())


def check(code: int, library: ctypes.CDLL, name: str, title: str, argument_error: type[Misuse]) -> None:
    """Raise the exception of a status other than 0, with the library's message."""
    if code == 0:
        return
    message = getattr(library, f"rooftop_{name}_last_error")().decode("utf-8", "replace")
    if code == 1:
        raise argument_error(message)
    if code == 2:
        raise MemoryError(message)
    if code == 4:
        raise NothingFound(message)
    raise RooftopError(f"the {title} solver failed: {message}")


ROUNDS = 1000  # 25 µs on an EPYC: longer than threads wait for each other when each has a processor
_ROUNDS_NAME = "GOMP_SPINCOUNT"
_USERS_CHOICE = ("OMP_WAIT_POLICY", _ROUNDS_NAME)


@contextmanager
def brief_spinning() -> Iterator[None]:
    """Let the OpenMP library that is loaded meanwhile spin briefly, unless the user has chosen how it waits.

    It reads its environment once, as it is loaded. What the process's children inherit stays as it was.
    """
    if any(name in os.environ for name in _USERS_CHOICE):
        yield
        return
    os.environ[_ROUNDS_NAME] = str(ROUNDS)
    try:
        yield
    finally:
        os.environ.pop(_ROUNDS_NAME, None)


class Handle:
    """Owns a pointer of a C library; whoever keeps the handle keeps what it points to.

    Goes where a function takes a pointer, and so does its `address`, which ctypes converts faster. The interpreter's
    end destroys nothing: threads may still be at work.
    """

    def __init__(self, pointer: ctypes.c_void_p, destroy: Callable[[ctypes.c_void_p], Any]) -> None:
        """Take over a pointer, and the function that destroys what it points to."""
        self._as_parameter_ = pointer
        self.address = pointer.value or 0
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
