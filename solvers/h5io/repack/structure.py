"""Create a new file's groups, links, named types, datasets and attributes, without values."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from h5py import h5d, h5f, h5g, h5o, h5p

from rooftop.solvers.h5io.repack.attributes import copy_attributes
from rooftop.solvers.h5io.repack.failures import told_of
from rooftop.solvers.h5io.repack.job import Job
from rooftop.solvers.h5io.repack.objects import Link, Object
from rooftop.solvers.h5io.repack.references import References
from rooftop.solvers.h5io.repack.types import NamedTypes
from rooftop.solvers.h5io.repack.user_links import create_user_link

#: The oldest library that reads a superblock of this version. Newer features are still used where a file needs them.
_OLDEST = {0: h5f.LIBVER_EARLIEST, 1: h5f.LIBVER_EARLIEST, 2: h5f.LIBVER_V18, 3: h5f.LIBVER_V110}


def created(path: Path, old: Any) -> Any:
    """Create a file with the creation properties of the old one, replacing an existing file."""
    properties = old.get_create_plist()
    _set_as_in(h5g.open(old, b"/"), properties)
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_fclose_degree(h5f.CLOSE_STRONG)
    access.set_libver_bounds(_OLDEST.get(properties.get_version()[0], h5f.LIBVER_LATEST), h5f.LIBVER_LATEST)
    return h5f.create(os.fsencode(path), h5f.ACC_TRUNC, properties, access)


def _set_as_in(group: Any, properties: Any) -> None:
    """Set how a group is created as another one was.

    That one's own list will not do: where it has more links than fit into its header, HDF5 puts into the list where in
    the old file they are, and looks for those of the new group there.
    """
    old = group.get_create_plist()
    properties.set_link_creation_order(old.get_link_creation_order())
    properties.set_attr_creation_order(old.get_attr_creation_order())
    properties.set_attr_phase_change(*old.get_attr_phase_change())
    properties.set_obj_track_times(old.get_obj_track_times())


class Structure:
    """Creates the objects of the old file in the new one, which h5py has open."""

    def __init__(self, job: Job, new: Any) -> None:
        self._job, self._old, self._new, self._objects = job, job.old, new, job.objects
        self.types = NamedTypes(job.old, new, job.objects)
        self.references = References(job.old, job.objects)
        self._made: set[int] = set()

    def make(self) -> None:
        """Create everything but the values of datasets. Raises H5FileError."""
        self._made.add(h5o.get_info(self._old).addr)
        for one in self._objects.values():
            if one.kind == "group":
                with told_of(f"group {one.name} cannot be copied"):
                    group = h5g.open(self._new, one.path)
                    for link in one.links:
                        self._make_link(group, link)
        for one in self._objects.values():
            with told_of(f"attributes of {one.name} cannot be copied"):
                owner, copy = h5o.open(self._old, one.path), h5o.open(self._new, one.path)
                copy_attributes(owner, copy, self.references, self._new, self.types)
            if one.comment is not None:
                with told_of(f"the comment of {one.name} cannot be copied"):
                    h5g.open(self._new, b"/").set_comment(one.path, one.comment)

    def _make_link(self, group: Any, link: Link) -> None:
        properties = h5p.create(h5p.LINK_CREATE)
        properties.set_char_encoding(link.set)
        links = group.links
        if link.kind == "soft":
            links.create_soft(link.name, link.value, properties)
        elif link.kind == "external":
            links.create_external(link.name, *link.value, properties)
        elif link.kind == "user":
            number, said = link.value
            create_user_link(group, link.name, number, said, properties)
        elif link.value in self._made:
            links.create_hard(link.name, self._new, self._objects[link.value].path, properties)
        else:
            self._made.add(link.value)
            self._make_object(group, link.name, self._objects[link.value], properties)

    def _make_object(self, group: Any, name: bytes, one: Object, properties: Any) -> None:
        if one.kind == "type":
            self.types.link(one.place, group, name, properties)
            return
        old = h5o.open(self._old, one.path)
        if one.kind == "group":
            alike = h5p.create(h5p.GROUP_CREATE)
            _set_as_in(old, alike)
            h5g.create(group, name, properties, alike)
            return
        if self._job.tasks[one.place].way == "copied":
            without_attributes = h5p.create(h5p.OBJECT_COPY)
            without_attributes.set_copy_object(h5o.COPY_WITHOUT_ATTR_FLAG)
            h5o.copy(self._old, one.path, group, name, without_attributes, properties)
            return
        rewriting = self._job.plan.rewritten.get(one.place)
        layout = old.get_create_plist() if rewriting is None else rewriting.properties
        h5d.create(group, name, self.types.in_new(old.get_type()), old.get_space(), layout, properties)
