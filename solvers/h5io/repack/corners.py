"""Offsets of the chunks of a dataset."""

from __future__ import annotations

import itertools
import re
from typing import Any

from h5py import h5s

from rooftop.solvers.h5io.repack.failures import FAILURES

Corner = tuple[int, ...]

_NEVER_WRITTEN = re.compile("chunk storage is not allocated|chunk address isn't defined")


def are_told(dataset: Any) -> bool:
    """Return whether the library iterates over a dataset's chunks rightly.

    HDF5 1.10 to 2.0 do not if exactly one dimension is unlimited and it is not the first. H5Ocopy then fails as well.
    """
    most = dataset.get_space().get_simple_extent_dims(True)
    return bool(most.count(h5s.UNLIMITED) != 1 or most[0] == h5s.UNLIMITED)


def corners_of_chunks(dataset: Any) -> list[Corner]:
    """Return the first elements of all chunks that exist. Raises the errors of h5py."""
    if not are_told(dataset):
        return _asked_for(dataset)
    found: list[Corner] = []
    dataset.chunk_iter(lambda info: found.append(tuple(info.chunk_offset)))
    return found


def _asked_for(dataset: Any) -> list[Corner]:
    shape, chunk = dataset.shape, dataset.get_create_plist().get_chunk()
    found = []
    for corner in itertools.product(*(range(0, extent, length) for extent, length in zip(shape, chunk, strict=True))):
        try:
            dataset.read_direct_chunk(corner)
        except FAILURES as error:
            if not _NEVER_WRITTEN.search(str(error)):
                raise
            continue
        found.append(corner)
    return found
