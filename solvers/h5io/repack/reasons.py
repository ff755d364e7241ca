"""Reasons why datasets are copied unchanged, grouped for messages."""

from __future__ import annotations

from collections.abc import Iterable


def by_reason(left: Iterable[tuple[str, str]]) -> list[str]:
    """Return a sentence for each reason, from pairs of a name and a reason."""
    names: dict[str, list[str]] = {}
    for name, reason in left:
        names.setdefault(reason, []).append(name)
    return [
        f"{some[0]} {reason}" if len(some) == 1 else f"{len(some)} datasets, such as {some[0]}: each {reason}"
        for reason, some in names.items()
    ]
