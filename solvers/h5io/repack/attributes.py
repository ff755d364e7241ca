"""Create and compare attributes of an object."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from h5py import h5, h5a, h5p, h5s
from numpy.typing import NDArray

from rooftop.solvers.h5io.repack.h5py_library import function
from rooftop.solvers.h5io.repack.references import References
from rooftop.solvers.h5io.repack.same import same_values
from rooftop.solvers.h5io.repack.stored import extent_of
from rooftop.solvers.h5io.repack.types import NamedTypes, values_of


def _names(owner: Any) -> list[bytes]:
    """Return the names of an object's attributes, in the object's order."""
    tracked = owner.get_create_plist().get_attr_creation_order() & h5p.CRT_ORDER_TRACKED
    names: list[bytes] = []
    h5a.iterate(owner, names.append, index_type=h5.INDEX_CRT_ORDER if tracked else h5.INDEX_NAME)
    return names


def _has_values(space: Any) -> bool:
    return bool(space.get_simple_extent_type() != h5s.NULL and space.get_simple_extent_npoints() > 0)


def _values(attribute: Any) -> NDArray[Any]:
    """Return the values; as bits if they contain no pointers and no references."""
    kind, shape = attribute.get_type(), attribute.get_space().get_simple_extent_dims()
    if values_of(kind) == "bits":
        values = np.empty(shape, f"V{kind.get_size()}")
        attribute.read(values, mtype=kind)
    else:
        values = np.empty(shape, attribute.dtype)
        attribute.read(values)
    return values


def copy_attributes(old: Any, new: Any, references: References, new_file: Any, types: NamedTypes) -> None:
    """Copy the attributes of an object in the old file to one in the new file. `references`: those of the old file."""
    for name in _names(old):
        attribute = h5a.open(old, name)
        kind, space = attribute.get_type(), attribute.get_space()
        made = h5a.create(new, name, types.in_new(kind), space)
        if not _has_values(space):
            continue
        what = values_of(kind)
        if what == "variable":
            _copy_as_in_memory(attribute, made)
        elif what == "bits":
            made.write(_values(attribute), mtype=made.get_type())
        else:
            made.write(references.of_other(_values(attribute), new_file))


def _copy_as_in_memory(old: Any, new: Any) -> None:
    """Copy values of variable length without conversion. NumPy's strings have no terminating null, and would lose their
    last letter to it.
    """
    kind, space = old.get_type(), old.get_space()
    values = ctypes.create_string_buffer(kind.get_size() * space.get_simple_extent_npoints())
    if function("H5Aread")(old.id, kind.id, values) < 0:
        raise ValueError("the HDF5 library cannot read its values in their own type")
    try:
        if function("H5Awrite")(new.id, kind.id, values) < 0:
            raise ValueError("the HDF5 library cannot write its values in their own type")
    finally:
        function("H5Dvlen_reclaim")(kind.id, space.id, 0, values)


def difference_of_attributes(old: Any, new: Any, of_old: References, of_new: References) -> str | None:
    """Return the first attribute that differs between two objects; None if none does."""
    names = _names(old)
    if names != _names(new):
        return "the names of its attributes"
    for name in names:
        one, other = h5a.open(old, name), h5a.open(new, name)
        same = one.get_type().equal(other.get_type()) and extent_of(one.get_space()) == extent_of(other.get_space())
        if same and _has_values(one.get_space()):
            same = same_values(of_old.named(_values(one)), of_new.named(_values(other)))
        if not same:
            return f"attribute {name.decode('utf-8', 'replace')}"
    return None
