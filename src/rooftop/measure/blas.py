"""Small products by one thread of NumPy's BLAS.

OpenBLAS shares even small products among all cores, and its threads then wait in a loop: processor time that the next
sample, which runs beside them, does not get.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


@cache
def _libraries() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_thread() -> AbstractContextManager[Any]:
    """Return a context in which BLAS libraries use one thread. NumPy is to be loaded before the first."""
    limits: AbstractContextManager[Any] = _libraries().limit(limits=1, user_api="blas")
    return limits
