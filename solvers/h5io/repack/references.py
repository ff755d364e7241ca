"""References to objects and regions: mapping to another file, and comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from h5py import h5o, h5r, h5s
from numpy.typing import NDArray

from rooftop.solvers.h5io.repack.failures import FAILURES
from rooftop.solvers.h5io.repack.objects import Object
from rooftop.solvers.h5io.repack.stored import extent_of


def _mapped(values: NDArray[Any], each: Callable[[Any], Any]) -> NDArray[Any]:
    """Return values with every reference, also within compounds and sequences, replaced by the result of `each`."""
    if values.dtype.names is not None:
        result = np.empty(values.shape, values.dtype)
        for name in values.dtype.names:
            result[name] = _mapped(values[name], each)
        return result
    if values.dtype.kind != "O":
        return values
    result = np.empty(values.size, values.dtype)
    for i, one in enumerate(values.ravel()):
        if isinstance(one, h5r.Reference):
            result[i] = each(one)
        elif isinstance(one, np.ndarray):
            result[i] = _mapped(one, each)
        else:
            result[i] = one
    return result.reshape(values.shape)


def _meaning(region: Any) -> Any:
    """Return the extent and the selection of a region, independent of the library's encoding."""
    extent, kind = extent_of(region), region.get_select_type()
    if kind == h5s.SEL_POINTS:
        return extent, kind, region.get_select_elem_pointlist().tobytes()
    if kind == h5s.SEL_HYPERSLABS:
        blocks = region.get_select_hyper_blocklist().reshape(-1, 2 * len(extent.shape))
        return extent, kind, blocks[np.lexsort(blocks.T[::-1])].tobytes()
    return extent, kind


class References:
    """The references of a file."""

    def __init__(self, file: Any, objects: Mapping[int, Object]) -> None:
        self._file, self._objects = file, objects

    def _path(self, reference: Any) -> bytes | None:
        """Return the path of the referenced object; None for a null reference, or if the object no longer exists."""
        if not reference:
            return None
        try:
            named = h5r.dereference(reference, self._file)
            found = None if named is None else self._objects.get(h5o.get_info(named).addr)
        except FAILURES:
            return None
        return None if found is None else found.path

    def of_other(self, values: NDArray[Any], other: Any) -> NDArray[Any]:
        """Return values with references to the objects of the same paths in another file."""

        def each(reference: Any) -> Any:
            path = self._path(reference)
            if isinstance(reference, h5r.RegionReference):
                if path is None:
                    return h5r.RegionReference()
                return h5r.create(other, path, h5r.DATASET_REGION, h5r.get_region(reference, self._file))
            return h5r.Reference() if path is None else h5r.create(other, path, h5r.OBJECT)

        return _mapped(values, each)

    def named(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values with references replaced by paths and selections of regions."""

        def each(reference: Any) -> Any:
            path = self._path(reference)
            if path is None or not isinstance(reference, h5r.RegionReference):
                return path
            return path, _meaning(h5r.get_region(reference, self._file))

        return _mapped(values, each)
