"""Who sends how much to whom: the bytes of a recording's messages, by pairs of ranks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rooftop.simulate.recording import Operation, Recording

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def _sent(body: Sequence[Operation], times: float) -> Iterator[tuple[int, float]]:
    for one in body:
        if one["op"] == "send":
            yield one["to"], times * one["bytes"]
        elif one["op"] == "loop":
            yield from _sent(one["body"], times * one["times"])


def _programs(recording: Recording | Path) -> Iterator[tuple[Iterable[int], Sequence[Operation]]]:
    if isinstance(recording, Recording):
        yield from recording.programs
        return
    with recording.open(encoding="utf-8") as file:
        for line in file:
            content: dict[str, Any] = json.loads(line)
            if "body" in content:
                yield content["ranks"], content["body"]


def traffic(recording: Recording | Path, ranks: int) -> csr_array:
    """Return the bytes between each two ranks, in either direction: a symmetric matrix.

    Only messages between two ranks count. What collective calls send depends on their algorithms, and an all-to-all
    sends the same to all, so that no order of ranks is better for it than another.
    """
    from scipy.sparse import csr_array

    sources: list[int] = []
    targets: list[int] = []
    sizes: list[float] = []
    for members, body in _programs(recording):
        sent = list(_sent(body, 1.0))
        for rank in members:
            some = [(to, size) for to, size in sent if to != rank]
            sources += [rank] * len(some)
            targets += [to for to, _ in some]
            sizes += [size for _, size in some]
    one_way = csr_array((np.array(sizes, dtype=float), (sources, targets)), shape=(ranks, ranks))
    both = csr_array(one_way + one_way.T)
    both.eliminate_zeros()
    return both
