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
_DEEPEST = 1000  # each path is looked up from the root on
_COMMENT = 1 << 13  # flag of the message in an object's header


@dataclass(frozen=True, slots=True)
class Link:
    """A name in a group.

    kind   "hard", "soft", "external" or "user" (user-defined)
    set    number of the character set in HDF5
    value  address of the object of a hard link; value of a soft or external link; class number and value of a
           user-defined link
    """

    name: bytes
    kind: str
    set: int
    value: Any


@dataclass(slots=True)
class Object:
    """A group, dataset or named type.

    path     the first path to it that was found
    place    its address in the file
    links    links of a group, in its order
    comment  comment set by H5Oset_comment
    """

    path: bytes
    place: int
    kind: Kind
    links: list[Link] = field(default_factory=list)
    comment: bytes | None = None

    @property
    def name(self) -> str:
        """The path for messages."""
        return self.path.decode("utf-8", "replace").lstrip("/") or "/"


def in_order(properties: Any) -> bool:
    """Return whether a group tracks the creation order of its links."""
    return bool(properties.get_link_creation_order() & h5p.CRT_ORDER_TRACKED)


def _links_of(group: Any) -> Iterator[Link]:
    found: list[tuple[bytes, int, int]] = []
    order = h5.INDEX_CRT_ORDER if in_order(group.get_create_plist()) else h5.INDEX_NAME
    links = group.links
    # h5py reuses `info` for the next link.
    links.iterate(lambda name, info: found.append((name, info.type, info.cset)), info=True, idx_type=order)
    for name, number, characters in found:
        kind = "user" if FIRST <= number <= LAST else _LINKS.get(number)
        if kind is None:
            raise ValueError(f"link {name.decode('utf-8', 'replace')} has the unknown type {number}")
        if kind == "user":
            value: Any = number, user_link_value(group, name, number)
        else:
            value = h5o.get_info(group, name).addr if kind == "hard" else links.get_val(name)
        yield Link(name, kind, characters, value)


def _comment_of(file: Any, path: bytes, info: Any) -> bytes | None:
    # h5o.get_comment returns wrong bytes.
    return h5g.open(file, b"/").get_comment(path) if info.hdr.mesg.present & _COMMENT else None


def objects_of(file: Any, path: str) -> dict[int, Object]:
    """Return all objects by address, groups before their members. Raises H5FileError, which names `path`."""
    info = h5o.get_info(file)
    root = Object(b"/", info.addr, "group", comment=_comment_of(file, b"/", info))
    objects = {root.place: root}
    waiting = [root]
    for one in waiting:  # grows during the loop
        with told_of(f"{path}: group {one.name} cannot be read"):
            group = h5g.open(file, one.path)
            for link in _links_of(group):
                one.links.append(link)
                if link.kind != "hard" or link.value in objects:
                    continue
                info = h5o.get_info(group, link.name)
                found = Object(one.path.rstrip(b"/") + b"/" + link.name, info.addr, _KINDS[info.type])
                if found.path.count(b"/") > _DEEPEST:
                    raise ValueError(f"groups are nested more than {_DEEPEST} deep: is it damaged?")
                found.comment = _comment_of(file, found.path, info)
                objects[found.place] = found
                if found.kind == "group":
                    waiting.append(found)
    return objects
