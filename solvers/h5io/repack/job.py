"""Everything that is known before the first write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rooftop.solvers.h5io import File
from rooftop.solvers.h5io.repack.objects import Object
from rooftop.solvers.h5io.repack.plan import Plan
from rooftop.solvers.h5io.repack.progress import Watch
from rooftop.solvers.h5io.repack.ways import Task


@dataclass(frozen=True)
class Job:
    """A rewrite of a file.

    old          h5py's file
    reading      h5io's file; None if h5io cannot read it
    objects      by address in the old file
    tasks        of all datasets, by address
    block_bytes  maximum bytes of values in memory, unless a chunk is larger
    """

    old: Any
    reading: File | None
    objects: Mapping[int, Object]
    plan: Plan
    tasks: Mapping[int, Task]
    threads: int
    block_bytes: int
    watch: Watch
