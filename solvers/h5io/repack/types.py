"""Classification of datatypes for copying, and named types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from h5py import h5g, h5o, h5p, h5t

from rooftop.solvers.h5io.repack.objects import Object

#: "bits" are copied unchanged; "variable" values are stored elsewhere in the file; "references" must be mapped.
Values = Literal["bits", "variable", "references"]


def _parts(kind: Any) -> list[Any]:
    number = kind.get_class()
    if number == h5t.COMPOUND:
        return [kind.get_member_type(i) for i in range(kind.get_nmembers())]
    return [kind.get_super()] if number in (h5t.VLEN, h5t.ARRAY) else []


def _has_regions(kind: Any) -> bool:
    if kind.get_class() == h5t.REFERENCE:
        return bool(kind.equal(h5t.STD_REF_DSETREG))
    return any(_has_regions(one) for one in _parts(kind))


def values_of(kind: Any) -> Values:
    """Return the class of a type. Raises TypeError for types that h5py does not read, or that crash it."""
    number = kind.get_class()
    if number == h5t.REFERENCE:
        if not (kind.equal(h5t.STD_REF_OBJ) or kind.equal(h5t.STD_REF_DSETREG)):
            told = "references of the kind that HDF5 1.12 brought, which h5py does not read"
            raise TypeError(f"{told}: copy the file with HDF5's h5repack")
        return "references"
    if number == h5t.VLEN and _has_regions(kind):
        told = "sequences of references to regions, which h5py does not read"
        raise TypeError(f"{told}: copy the file with HDF5's h5repack")
    parts = {values_of(one) for one in _parts(kind)}
    if "references" in parts:
        return "references"
    variable = number == h5t.VLEN or (number == h5t.STRING and kind.is_variable_str())
    return "variable" if variable or "variable" in parts else "bits"


class NamedTypes:
    """Copies of the old file's named types in the new file.

    They are created in an unnamed group, and so disappear if nothing links to them or uses them.
    """

    def __init__(self, old: Any, new: Any, objects: Mapping[int, Object]) -> None:
        self._group = h5g.create(new, None)
        self._names: dict[int, bytes] = {}
        without_attributes = h5p.create(h5p.OBJECT_COPY)
        without_attributes.set_copy_object(h5o.COPY_WITHOUT_ATTR_FLAG)
        for one in objects.values():
            if one.kind == "type":
                self._names[one.place] = b"%d" % len(self._names)
                h5o.copy(old, one.path, self._group, self._names[one.place], without_attributes)

    def link(self, place: int, group: Any, name: bytes, properties: Any) -> None:
        """Link the type with an address in the old file in a group of the new one."""
        links = group.links
        links.create_hard(name, self._group, self._names[place], properties)

    def in_new(self, kind: Any) -> Any:
        """Return the type in the new file for one of the old file."""
        if not kind.committed():
            return kind
        place = h5o.get_info(kind).addr
        name = self._names.get(place)
        if name is None:  # nothing links to it any more
            name = self._names[place] = b"%d" % len(self._names)
            h5o.copy(kind, b".", self._group, name)
        return h5o.open(self._group, name)
