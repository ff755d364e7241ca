"""The environment of the user's commands: the user's own, without the variables that start the bench.

The program `rooftop` names in ROOFTOP_ADDED the variables that it has set, and puts the bench's sources before what the
user had in PYTHONPATH. Python itself sets LC_CTYPE where the locale is C (PEP 538), and programs that sort or search
text are slower by that.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ADDED = "ROOFTOP_ADDED"
_PREFIXED = "PYTHONPATH"
_COERCED = "LC_CTYPE"
_COERCED_TO = ("C.UTF-8", "C.utf8", "UTF-8")


@cache
def _names_at_start() -> frozenset[str]:
    """Return the names of the variables that this process started with."""
    try:
        content = Path("/proc/self/environ").read_bytes()
    except OSError:
        return frozenset(os.environ)
    return frozenset(os.fsdecode(one.partition(b"=")[0]) for one in content.split(b"\0"))


def own_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the user's own environment, with `more` on top of it."""
    found = dict(os.environ)
    for name in found.pop(ADDED, "").split():
        value = found.pop(name, "")
        if name == _PREFIXED and (own := value.partition(os.pathsep)[2]):
            found[name] = own
    if _COERCED not in _names_at_start() and found.get(_COERCED) in _COERCED_TO:
        del found[_COERCED]
    return found | dict(more or {})
