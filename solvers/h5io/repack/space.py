"""Check that the disk has space for the new file."""

from __future__ import annotations

import math
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from h5py import h5o, h5z

from rooftop.solvers.h5io.advice.layouts import padded_share
from rooftop.solvers.h5io.library import H5FileError
from rooftop.solvers.h5io.repack.plan import Plan, Rewriting
from rooftop.solvers.h5io.repack.ways import Task
from rooftop.text.quantities import size

_SHUFFLES = (h5z.FILTER_SHUFFLE, h5z.FILTER_FLETCHER32)  # filters that do not compress


def _is_compressed(filters: Any) -> bool:
    return any(step.id not in _SHUFFLES for step in filters)


def _least_of(rewriting: Rewriting, stored: int) -> float:
    """Return a lower bound of the size of a dataset in the new file."""
    if _is_compressed(rewriting.after.filters):
        return stored / 2 if _is_compressed(rewriting.before.filters) else 0
    shape, chunk = rewriting.extent.shape, rewriting.after.chunk
    whole = math.prod(shape) * rewriting.itemsize
    if chunk is None or whole == 0:
        return whole
    if stored < whole and not _is_compressed(rewriting.before.filters):  # some chunks do not exist
        return stored
    return whole * padded_share(chunk, shape)


def require_space(folder: Path, old: Any, plan: Plan, tasks: Mapping[int, Task]) -> None:
    """Raise H5FileError if the new file certainly does not fit. Compressed sizes are not known in advance."""
    needed = 0.0
    for place, task in tasks.items():
        stored = h5o.open(old, task.object.path).get_storage_size() if task.way != "nothing" else 0
        rewriting = plan.rewritten.get(place)
        needed += stored if rewriting is None or stored == 0 else _least_of(rewriting, stored)
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise H5FileError(
            f"{folder} has {size(free)} free, and the new file takes {size(needed)} or more: make room, or give --out "
            "with a file on another disk"
        )
