"""Libraries that are loaded before a program's own: all that want to be, in one variable."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

VARIABLE = "LD_PRELOAD"
_BETWEEN = re.compile(r"[:\s]+")  # as ld.so(8) has it


def preloaded(libraries: Iterable[str | os.PathLike[str]], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variable that loads these libraries before those that the environment loads already.

    An allocator replaces one that is loaded after it. A library that observes calls should be given first, too.
    """
    wanted = [os.fspath(one) for one in libraries]
    before = [one for one in _BETWEEN.split(environment.get(VARIABLE, "")) if one]
    return {VARIABLE: ":".join(dict.fromkeys([*wanted, *before]))}
