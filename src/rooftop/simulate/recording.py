"""A recording: what each rank of a program does, in the order in which it does it.

A file of JSON lines. The first is the head, each other one a program with the ranks that run it::

    {"format": "rooftop/recording/1", "ranks": 4, "groups": {"odd": [1, 3]}}
    {"ranks": [0, 1, 2, 3], "body": [{"op": "loop", "times": 1000, "body": [
        {"op": "alltoall", "bytes": 524288, "request": 1},
        {"op": "work", "flops": 1e9, "bytes": 2e8, "threads": 64},
        {"op": "wait", "requests": [1]}]}]}

====================  ==================================================================================================
operation             fields
====================  ==================================================================================================
work                  ``flops`` (of a ``kind``), ``bytes`` of memory, ``seconds``: the longest counts; ``threads``;
                      ``polls``: calls of MPI_Test in it. With ``schedule`` (static, dynamic), ``pieces`` and
                      ``fetch_s``: how threads share it out; ``waits``: requests that the first of them awaits before
                      it joins
send, recv            ``to`` or ``from`` a rank of all, ``bytes``, ``tag``
barrier               nothing
bcast, reduce,        ``bytes`` of the array, ``root``
allreduce, scan
alltoall, allgather,  ``bytes`` of the block of each rank; ``counts`` instead of it are the bytes of each rank's block,
gather, scatter,      or of an alltoall the bytes to each (not of gather and scatter)
reduce_scatter
gatherv               ``bytes`` of the own block, ``root``
scatterv              ``counts`` at the ``root``: bytes to each
wait                  ``requests``
loop                  ``times``, ``body``
====================  ==================================================================================================

A message or collective call with a ``request`` is not waited for until a ``wait`` names that number. Collective calls
are of a ``group`` of the head, or of all ranks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FORMAT = "rooftop/recording/1"
Operation = dict[str, Any]


@dataclass(frozen=True)
class Recording:
    """Programs, each with the ranks that run it, and groups of ranks by name."""

    ranks: int
    programs: Sequence[tuple[Sequence[int], Sequence[Operation]]]
    groups: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def lines(self) -> Iterable[str]:
        """Yield the lines of the file."""
        head: dict[str, Any] = {"format": FORMAT, "ranks": self.ranks}
        if self.groups:
            head["groups"] = {name: list(members) for name, members in self.groups.items()}
        yield json.dumps(head)
        for ranks, body in self.programs:
            yield json.dumps({"ranks": list(ranks), "body": list(body)})

    def write(self, path: Path) -> None:
        """Write the file."""
        path.write_text("".join(f"{line}\n" for line in self.lines()), encoding="utf-8")
