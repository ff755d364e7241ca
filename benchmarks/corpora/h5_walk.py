"""Two HDF5 files held against each other by h5py alone: all that a reader of the file could see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from h5py import h5a, h5d, h5g, h5l, h5o, h5p, h5r, h5s, h5t

from benchmarks.corpora.h5_values import unlike

_MOST_BYTES = 256 << 20
_OF_H5PY = (OSError, RuntimeError, KeyError, ValueError, TypeError, NotImplementedError)


@dataclass
class _Walk:
    """Objects that were met, by their place in the old file: the place in the new one, and the first name."""

    old: Any
    new: Any
    places: dict[int, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    references: list[tuple[str, Any, Any]] = field(default_factory=list)


def file_unlike(old: Path, new: Path) -> str:
    """Return the first difference between two files, "" where there is none."""
    with h5py.File(old, "r") as first, h5py.File(new, "r") as second:
        blocks = first.userblock_size, second.userblock_size
        if blocks[0] != blocks[1]:
            return f"the user block has {blocks[1]} bytes, expected {blocks[0]}"
        if old.open("rb").read(blocks[0]) != new.open("rb").read(blocks[1]):
            return "the user block is another one"
        walk = _Walk(first.id, second.id)
        return next(_objects(walk, "/", h5o.open(first.id, b"/"), h5o.open(second.id, b"/")), "") or next(
            _references(walk), ""
        )


def _place(object_id: Any) -> int:
    return int(h5o.get_info(object_id).addr)


def _objects(walk: _Walk, name: str, old: Any, new: Any) -> Iterator[str]:
    here = _place(old)
    if here in walk.places:
        if walk.places[here] != _place(new):
            yield f"{name} and {walk.names[here]} are two objects, and were one"
        return
    if _place(new) in walk.places.values():
        yield f"{name} is one object with another one, and was an object of its own"
    walk.places[here], walk.names[here] = _place(new), name
    if type(old) is not type(new):
        yield f"{name} is a {type(new).__name__}, expected {type(old).__name__}"
        return
    yield from _attributes(walk, name, old, new)
    if isinstance(old, h5g.GroupID):
        yield from _group(walk, name, old, new)
    elif isinstance(old, h5d.DatasetID):
        yield from _dataset(walk, name, old, new)
    elif isinstance(old, h5t.TypeID) and not old.equal(new):
        yield f"{name}: another type"


def _order(properties: Any) -> tuple[Any, ...]:
    tracked = properties.get_link_creation_order() if isinstance(properties, h5p.PropGCID) else None
    return tracked, properties.get_attr_creation_order()


def _group(walk: _Walk, name: str, old: Any, new: Any) -> Iterator[str]:
    orders = _order(old.get_create_plist()), _order(new.get_create_plist())
    if orders[0] != orders[1]:
        yield f"{name}: creation order {orders[1]}, expected {orders[0]}"
        return
    by_creation = bool((orders[0][0] or 0) & h5p.CRT_ORDER_TRACKED)
    words = [_link_names(one, by_creation) for one in (old, new)]
    if words[0] != words[1]:
        yield f"{name}: links {words[1][:5]}, expected {words[0][:5]}"
        return
    for word in words[0]:
        path = f"{name.rstrip('/')}/{word.decode('utf-8', 'replace')}"
        links = old.links.get_info(word), new.links.get_info(word)
        if (links[0].type, links[0].cset) != (links[1].type, links[1].cset):
            yield f"{path}: another kind of link"
        elif links[0].type in (h5l.TYPE_SOFT, h5l.TYPE_EXTERNAL):
            if old.links.get_val(word) != new.links.get_val(word):
                yield f"{path}: the link leads to {new.links.get_val(word)!r}, expected {old.links.get_val(word)!r}"
        elif links[0].type == h5l.TYPE_HARD:
            yield from _objects(walk, path, h5o.open(old, word), h5o.open(new, word))


def _link_names(group: Any, by_creation: bool) -> list[bytes]:
    names: list[bytes] = []
    index = h5py.h5.INDEX_CRT_ORDER if by_creation else h5py.h5.INDEX_NAME
    group.links.iterate(names.append, idx_type=index)
    return names


def _attributes(walk: _Walk, name: str, old: Any, new: Any) -> Iterator[str]:
    names = []
    for one in (old, new):
        own: list[bytes] = []
        h5a.iterate(one, lambda word, _=None, own=own: own.append(word))
        names.append(sorted(own))
    if names[0] != names[1]:
        yield f"{name}: attributes {names[1][:5]}, expected {names[0][:5]}"
        return
    for word in names[0]:
        pair = h5a.open(old, word), h5a.open(new, word)
        where = f"{name}, attribute {word.decode('utf-8', 'replace')}"
        yield from _same_form(where, *pair)
        yield from _same_values(walk, where, *pair)


def _same_form(where: str, old: Any, new: Any) -> Iterator[str]:
    if not old.get_type().equal(new.get_type()):
        yield f"{where}: another type"
    spaces = old.get_space(), new.get_space()
    kinds = [one.get_simple_extent_type() for one in spaces]
    if kinds[0] != kinds[1]:
        yield f"{where}: another kind of dataspace"
    elif kinds[0] == h5s.SIMPLE:
        shapes = [(one.get_simple_extent_dims(), one.get_simple_extent_dims(True)) for one in spaces]
        if shapes[0] != shapes[1]:
            yield f"{where}: shape {shapes[1]}, expected {shapes[0]}"


def _dataset(walk: _Walk, name: str, old: Any, new: Any) -> Iterator[str]:
    yield from _same_form(name, old, new)
    fills = _fill(old), _fill(new)
    if fills[0] != fills[1]:
        yield f"{name}: fill value {fills[1]}, expected {fills[0]}"
    if _order(old.get_create_plist())[1] != _order(new.get_create_plist())[1]:
        yield f"{name}: creation order of attributes"
    yield from _same_values(walk, name, old, new)


def _fill(dataset: Any) -> tuple[int, bytes]:
    """Return whether there is a fill value, and what it is; (-1, b"") where h5py has no such type."""
    properties = dataset.get_create_plist()
    try:
        fill = np.zeros((), dataset.get_type().dtype)
        defined = properties.fill_value_defined()
        if defined != h5d.FILL_VALUE_USER_DEFINED or fill.dtype.hasobject:
            return defined, b""
        properties.get_fill_value(fill)
    except _OF_H5PY:
        return -1, b""
    return defined, fill.tobytes()


def _values(one: Any) -> Any:
    kind = one.get_type()
    shape = one.get_space().get_simple_extent_dims() if one.get_space().get_simple_extent_type() != h5s.NULL else None
    if shape is None:
        return None
    if int(np.prod(shape, dtype=np.float64)) * kind.get_size() > _MOST_BYTES:
        return None
    dtype = kind.dtype
    if dtype.subdtype is not None and isinstance(one, h5a.AttrID):
        shape, dtype = (*shape, *dtype.subdtype[1]), dtype.subdtype[0]
    values = np.zeros(shape, dtype)
    if isinstance(one, h5a.AttrID):
        one.read(values, mtype=h5t.py_create(kind.dtype))
    else:
        one.read(h5s.ALL, h5s.ALL, values, mtype=h5t.py_create(kind.dtype))
    return values


def _same_values(walk: _Walk, where: str, old: Any, new: Any) -> Iterator[str]:
    try:
        right = _values(old)
    except _OF_H5PY:
        return  # h5py has no such type, or the old file is damaged
    try:
        given = _values(new)
    except _OF_H5PY as error:
        yield f"{where} cannot be read any more: {error}"
        return
    if right is None or given is None:
        return
    if _has_references(right.dtype):
        walk.references.append((where, right, given))
    elif told := unlike(given, right):
        yield f"{where}: {told}"


def _has_references(dtype: np.dtype[Any]) -> bool:
    if dtype.subdtype is not None:
        return _has_references(dtype.subdtype[0])
    if dtype.names is not None:
        return any(_has_references(dtype[name]) for name in dtype.names)
    inner = h5py.check_vlen_dtype(dtype) if dtype.hasobject else None
    if isinstance(inner, np.dtype):
        return _has_references(inner)
    return dtype.hasobject and h5py.check_ref_dtype(dtype) is not None


def _references(walk: _Walk) -> Iterator[str]:
    """Yield references that lead to another object."""
    for where, right, given in walk.references:
        yield from _same_targets(walk, where, right, given)


def _same_targets(walk: _Walk, where: str, right: Any, given: Any) -> Iterator[str]:
    if right.dtype.names is not None:
        for name in right.dtype.names:
            yield from _same_targets(walk, f"{where}, field {name}", right[name], given[name])
        return
    references = _has_references(right.dtype) or any(isinstance(one, h5r.Reference) for one in right.ravel())
    if not references:
        if told := unlike(given, right):
            yield f"{where}: {told}"
        return
    for one, other in zip(right.ravel(), given.ravel(), strict=True):
        if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
            if one.shape != other.shape:
                yield f"{where}: a sequence has another length"
                return
            yield from _same_targets(walk, where, one, other)
            continue
        leads = [_target(file, reference) for file, reference in ((walk.old, one), (walk.new, other))]
        if leads[0] is None and leads[1] is None:
            continue
        if leads[0] is None or leads[1] is None or walk.places.get(leads[0][0], leads[1][0]) != leads[1][0]:
            yield f"{where}: a reference leads elsewhere"
            return
        if leads[0][1] != leads[1][1]:
            yield f"{where}: a reference has another region"
            return


def _target(file: Any, reference: Any) -> tuple[int, Any] | None:
    if not reference:
        return None
    try:
        found = _place(h5r.dereference(reference, file))
        region = None
        if isinstance(reference, h5r.RegionReference):
            space = h5r.get_region(reference, file)
            region = space.get_select_type(), space.get_select_npoints(), space.get_select_bounds()
    except _OF_H5PY:
        return None
    return found, region
