"""Merges looks at the same fact: the best one counts, because everything else only ever slows a machine down."""

from __future__ import annotations

from collections.abc import Iterable

from rooftop.documents import Roof

_MORE_IS_BETTER = {"flop/s", "byte/s", "Hz", "reads/s"}
# What tells two figures of the same metric apart, beyond the fields of a roof.
_DISTINCTIONS = ("from", "to", "page_bytes", "stride_bytes", "work", "library", "file_system", "message_bytes")

Key = tuple[object, ...]


def fact(roof: Roof) -> Key:
    """Return what the figure is about: two figures with the same key are two looks at one fact."""
    size = roof.bytes if roof.level is None and "stride_bytes" in roof.detail else None
    return (
        roof.metric,
        roof.unit,
        roof.threads,
        roof.level,
        roof.isa,
        roof.precision,
        size,
        *(str(roof.detail.get(name)) for name in _DISTINCTIONS),
    )


def is_better(roof: Roof, other: Roof) -> bool:
    """Return whether ``roof`` is the better look: the higher rate, or the shorter time or smaller noise."""
    return roof.value > other.value if roof.unit in _MORE_IS_BETTER else roof.value < other.value


def best(*looks: Iterable[Roof]) -> list[Roof]:
    """Return the best look at each fact, in the order in which the facts first appear."""
    found: dict[Key, Roof] = {}
    for roofs in looks:
        for roof in roofs:
            key = fact(roof)
            if key not in found or is_better(roof, found[key]):
                found[key] = roof
    return list(found.values())
