"""Plan how datasets are rewritten, and which are copied unchanged, with the reasons."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from h5py import h5d, h5f, h5o, h5p, h5z

from rooftop.errors import Misuse
from rooftop.solvers.h5io.advice.layouts import Layout, balanced
from rooftop.solvers.h5io.filters import filter_step
from rooftop.solvers.h5io.repack.failures import FAILURES, reason, told_of
from rooftop.solvers.h5io.repack.objects import Object
from rooftop.solvers.h5io.repack.reasons import by_reason
from rooftop.solvers.h5io.repack.stored import Extent, Step, Stored, extent_of, layout_of
from rooftop.solvers.h5io.repack.target import Target
from rooftop.solvers.h5io.repack.types import values_of

_MOST_CHUNK_BYTES = (4 << 30) - 1  # HDF5's own limit
_CHUNK_BYTES = 1 << 20  # of new chunks, if filters are given and the dataset has no chunks
_FEW_BYTES = 64 << 10  # smaller datasets get no chunks unless they are named
_SHOWN = 10


@dataclass(frozen=True)
class Rewriting:
    """A dataset to rewrite.

    name        its name as given
    properties  the new creation properties
    after       the layout that results from them
    words       that layout for messages, with the filter levels as given
    """

    object: Object
    name: str
    extent: Extent
    itemsize: int
    dtype: str
    before: Stored
    after: Stored
    properties: Any
    words: Layout


@dataclass
class Plan:
    """The datasets to rewrite, by address, and the reasons why others are left unchanged."""

    rewritten: dict[int, Rewriting] = field(default_factory=dict)
    left: list[tuple[str, str]] = field(default_factory=list)


class Unfit(Exception):
    """A dataset cannot have the requested layout, or has it already. The message goes after the name of the dataset."""


def _require_filters(steps: Sequence[Step], encoding: bool) -> None:
    """Raise Unfit for a filter that is not installed, or that cannot encode if `encoding`."""
    for step in steps:
        known = f"{step.id}, {step.word}" if step.word != str(step.id) else str(step.id)
        if not h5z.filter_avail(step.id):
            raise Unfit(
                f"uses filter {known}, which is not installed: 'pip install hdf5plugin', or set HDF5_PLUGIN_PATH to "
                "the folder of its plugin"
            )
        if encoding and not h5z.get_filter_info(step.id) & h5z.FILTER_CONFIG_ENCODE_ENABLED:
            raise Unfit(f"uses filter {known}, which can only decode here: give other filters with --filter")


def _require_rewritable(kind: Any, extent: Extent, before: Stored) -> None:
    if extent.null:
        raise Unfit("has no values")
    if not extent.shape:
        raise Unfit("is a single value, which cannot have chunks")
    if before.kind == "virtual":
        raise Unfit("is virtual: its values are in other datasets")
    if before.kind == "external":
        raise Unfit("is external: its values are in other files")
    values = values_of(kind)
    if values == "variable":
        raise Unfit("has values of variable length")
    if values == "references":
        raise Unfit("has references")


def _chunk(target: Target, extent: Extent, itemsize: int, before: Stored, asked: bool) -> tuple[int, ...] | None:
    """Return the new chunk shape, None for contiguous. Raises Unfit."""
    if target.in_one_piece:
        if extent.most != extent.shape:
            raise Unfit("is extendible and needs chunks")
        return None
    if target.chunks is None:
        if before.chunk is not None or not target.filters:
            return before.chunk
        if not asked and extent.elements * itemsize < _FEW_BYTES:
            raise Unfit("is small, and has no chunks")
        return balanced(extent.shape, max(1, _CHUNK_BYTES // itemsize))
    chunk, shown = target.chunks, "x".join(map(str, target.chunks))
    if len(chunk) != len(extent.shape):
        raise Unfit(f"has {len(extent.shape)} dimension{'s'[: len(extent.shape) - 1]}, the chunks {shown} {len(chunk)}")
    if math.prod(chunk) * itemsize > _MOST_CHUNK_BYTES:
        raise Unfit(f"would have chunks {shown} of {math.prod(chunk) * itemsize} bytes, expected less than 4 GiB")
    for length, most in zip(chunk, extent.most, strict=True):
        if most is not None and length > max(most, 1):
            shape = "x".join("unlimited" if one is None else str(one) for one in extent.most)
            raise Unfit(f"has a maximum shape of {shape}, smaller than the chunks {shown}")
    return chunk


def _new_properties(old: Any, chunk: tuple[int, ...] | None, filters: tuple[str, ...] | None, has_data: bool) -> Any:
    """Return creation properties with another layout. `filters` None: unchanged."""
    new = old.copy()
    if chunk is None:
        new.remove_filter(h5z.FILTER_ALL)
        new.set_layout(h5d.CONTIGUOUS)
        # Allocate now: the data is written to its address without the library. Without data no space is needed.
        new.set_alloc_time(h5d.ALLOC_TIME_EARLY if has_data else h5d.ALLOC_TIME_LATE)
        return new
    new.set_chunk(chunk)
    if layout_of(old).kind != "chunked":
        new.set_alloc_time(h5d.ALLOC_TIME_INCR)
    if filters is not None:
        new.remove_filter(h5z.FILTER_ALL)
        for one in filters:
            number, parameters = filter_step(one)
            if number == h5z.FILTER_FLETCHER32:
                new.set_fletcher32()
            else:
                new.set_filter(number, h5z.FLAG_OPTIONAL, parameters)
    return new


class _Trial:
    """A file in memory that shows which layout results from creation properties."""

    def __init__(self) -> None:
        self._made = 0
        access = h5p.create(h5p.FILE_ACCESS)
        access.set_fapl_core(backing_store=False)
        access.set_fclose_degree(h5f.CLOSE_STRONG)
        self._file = h5f.create(b"trial", h5f.ACC_TRUNC, None, access)

    def layout(self, kind: Any, space: Any, properties: Any) -> Stored:
        if properties.get_layout() != h5d.CHUNKED:  # the library changes nothing then
            return layout_of(properties)
        late = properties.copy()
        late.set_alloc_time(h5d.ALLOC_TIME_INCR)
        # Create it with a name: closing an unnamed dataset deletes it, and the library crashes when it deletes
        # properties that refer to shared messages of the old file.
        self._made += 1
        try:
            return layout_of(h5d.create(self._file, b"%d" % self._made, kind.copy(), space, late).get_create_plist())
        except FAILURES as error:
            raise Unfit(f"cannot have this layout: {reason(error)}") from None

    def close(self) -> None:
        self._file.close()


def _rewriting(dataset: Any, one: Object, name: str, target: Target, trial: _Trial, asked: bool) -> Rewriting:
    """Return how a dataset is rewritten. Raises Unfit. `asked`: the dataset was given by name."""
    kind, space, old = dataset.get_type(), dataset.get_space(), dataset.get_create_plist()
    extent, before, itemsize = extent_of(space), layout_of(old), kind.get_size()
    _require_rewritable(kind, extent, before)
    chunk = _chunk(target, extent, itemsize, before, asked)
    if chunk == before.chunk and target.filters is None and before.kind != "compact":
        raise Unfit("has this layout already")
    _require_filters(before.filters, encoding=target.filters is None and chunk is not None)
    words: tuple[str, ...] = ()
    if chunk is not None:
        words = tuple(step.word for step in before.filters) if target.filters is None else target.filters
        _require_filters([Step(filter_step(word)[0], (), word) for word in target.filters or ()], encoding=True)
    properties = _new_properties(old, chunk, target.filters, dataset.get_storage_size() > 0)
    after = trial.layout(kind, space, properties)
    same = [(step.id, step.parameters) for step in before.filters] == [
        (step.id, step.parameters) for step in after.filters
    ]
    if after.kind == before.kind and after.chunk == before.chunk and same:
        raise Unfit("has this layout already")
    try:
        dtype = str(dataset.dtype)
    except FAILURES:
        dtype = f"{itemsize} bytes"
    return Rewriting(one, name, extent, itemsize, dtype, before, after, properties, Layout(chunk, words))


def _chosen(file: Any, path: str, objects: Mapping[int, Object], names: Sequence[str]) -> list[tuple[str, Object]]:
    """Return the datasets of these names, or all. Raises Misuse."""
    there = [one for one in objects.values() if one.kind == "dataset"]
    if not there:
        raise Misuse(f"{path} has no datasets")
    found: dict[int, tuple[str, Object]] = {}
    for name in names:
        try:
            info = h5o.get_info(file, name.encode("utf-8", "surrogateescape"))
        except FAILURES:
            shown = ", ".join(sorted(one.name for one in there)[:_SHOWN]) + (" …" if len(there) > _SHOWN else "")
            raise Misuse(f"{path}: no dataset {name}, expected one of: {shown}") from None
        one = objects.get(info.addr) if info.fileno == h5o.get_info(file).fileno else None
        if one is None:
            other = os.fsdecode(h5f.get_name(h5o.open(file, name.encode("utf-8", "surrogateescape"))))
            raise Misuse(f"{path}: dataset {name} is in another file, expected one of this file: repack {other}")
        if one.kind != "dataset":
            raise Misuse(f"{path}: {name} is a {one.kind}, expected a dataset")
        found.setdefault(one.place, (name.strip("/"), one))
    return list(found.values()) or [(one.name, one) for one in there]


def planned(file: Any, path: str, objects: Mapping[int, Object], names: Sequence[str], target: Target) -> Plan:
    """Return the plan. Raises Misuse if a dataset given by name cannot have the layout, or if nothing would change."""
    chosen = _chosen(file, path, objects, names)
    asked = bool(names) or len(chosen) == 1
    plan, trial = Plan(), _Trial()
    try:
        for name, one in chosen:
            with told_of(f"{path}: dataset {name} cannot be described"):
                dataset = h5o.open(file, one.path)
                try:
                    plan.rewritten[one.place] = _rewriting(dataset, one, name, target, trial, asked)
                except Unfit as why:
                    plan.left.append((name, str(why)))
    finally:
        trial.close()
    refused = [(name, why) for name, why in plan.left if why != "has this layout already"]
    if asked and refused:
        raise Misuse(f"{path}: dataset {refused[0][0]} {refused[0][1]}")
    if not plan.rewritten:
        shown = "; ".join(by_reason(plan.left))
        raise Misuse(f"{path}: nothing would change: {shown}")
    return plan
