"""Objects of a file: groups with their links, datasets and named types, each once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from h5py import h5, h5g, h5l, h5o, h5p

from rooftop.solvers.h5io.repack.failures import told_of
from rooftop.solvers.h5io.repack.user_links import FIRST, LAST, user_link_value

Kind = Literal["group", "dataset", "type"]
_KINDS: dict[int, Kind] = {h5o.TYPE_GROUP: "group", h5o.TYPE_DATASET: "dataset", h5o.TYPE_NAMED_DATATYPE: "type"}
_LINKS = {h5l.TYPE_HARD: "hard", h5l.TYPE_SOFT: "soft", h5l.TYPE_EXTERNAL: "external"}
_COMMENT = 1 << 13  # of the messages in an object's header


@dataclass(frozen=True, slots=True)
class Link:
    """A name in a group.

    kind   "hard", "soft", "external" or "user"
    set    of characters, by HDF5's number
    value  of a hard link: where the object lies; of the others, what they say; of a user's, its kind's number before
    """

    name: bytes
    kind: str
    set: int
    value: Any


@dataclass(slots=True)
class Object:
    """Something that has attributes.

    path     the first way to it that was found
    place    where it lies in the file
    links    of a group, in the group's order
    comment  what H5Oset_comment has put there
    """

    path: bytes
    place: int
    kind: Kind
    links: list[Link] = field(default_factory=list)
    comment: bytes | None = None

    @property
    def name(self) -> str:
        """For people."""
        return self.path.decode("utf-8", "replace").lstrip("/") or "/"


def in_order(properties: Any) -> bool:
    """Return whether a group's properties say that its links know in which order they were made."""
    return bool(properties.get_link_creation_order() & h5p.CRT_ORDER_TRACKED)


def _links_of(group: Any) -> Iterator[Link]:
    found: list[tuple[bytes, int, int]] = []
    order = h5.INDEX_CRT_ORDER if in_order(group.get_create_plist()) else h5.INDEX_NAME
    links = group.links
    # The next call changes the same `info`.
    links.iterate(lambda name, info: found.append((name, info.type, info.cset)), info=True, idx_type=order)
    for name, number, characters in found:
        kind = "user" if FIRST <= number <= LAST else _LINKS.get(number)
        if kind is None:
            raise ValueError(f"link {name.decode('utf-8', 'replace')} is of kind {number}, which HDF5 does not have")
        if kind == "user":
            value: Any = number, user_link_value(group, name, number)
        else:
            value = h5o.get_info(group, name).addr if kind == "hard" else links.get_val(name)
        yield Link(name, kind, characters, value)


def _comment_of(file: Any, path: bytes, info: Any) -> bytes | None:
    # h5o.get_comment gives other bytes than what is there.
    return h5g.open(file, b"/").get_comment(path) if info.hdr.mesg.present & _COMMENT else None


def objects_of(file: Any, path: str) -> dict[int, Object]:
    """Return all objects by where they lie, groups before what is in them. Raises H5FileError, which names `path`."""
    info = h5o.get_info(file)
    root = Object(b"/", info.addr, "group", comment=_comment_of(file, b"/", info))
    objects = {root.place: root}
    waiting = [root]
    for one in waiting:  # which grows meanwhile
        with told_of(f"{path}: group {one.name} cannot be read"):
            group = h5g.open(file, one.path)
            for link in _links_of(group):
                one.links.append(link)
                if link.kind != "hard" or link.value in objects:
                    continue
                info = h5o.get_info(group, link.name)
                found = Object(one.path.rstrip(b"/") + b"/" + link.name, info.addr, _KINDS[info.type])
                found.comment = _comment_of(file, found.path, info)
                objects[found.place] = found
                if found.kind == "group":
                    waiting.append(found)
    return objects
