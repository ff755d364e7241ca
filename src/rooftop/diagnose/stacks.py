"""Samples in the document: stacks of calls, folded, of which the rare ones are merged, and the time of each thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pydantic import Field

from rooftop.files.document import Document
from rooftop.observe.stacks import KERNEL, Stack

MOST = 2000  # stacks
OTHER = "other"


class Stacks(Document):
    """Samples by folded stack, "program;main;function", of which the rarest are merged as "other"."""

    taken_by: str
    hz: int
    folded: dict[str, int] = Field(default_factory=dict)

    @property
    def samples(self) -> int:
        """All samples."""
        return sum(self.folded.values())


class SampledThread(Document):
    """One thread by perf's samples; seconds.

    first_s, last_s  its first and its last sample, from the first one of all
    run_s            on a core
    inside_s         of them, waiting in a runtime: OpenMP, a BLAS, MPI
    """

    process: int
    name: str
    first_s: float
    last_s: float
    run_s: float
    inside_s: float

    @property
    def useful_s(self) -> float:
        """Time on a core outside the runtimes."""
        return self.run_s - self.inside_s


def folded(stacks: Mapping[Stack, int], most: int = MOST) -> dict[str, int]:
    """Return the stacks with most samples; `most` with the one that all others are merged into."""
    ordered = Counter({";".join(stack): samples for stack, samples in stacks.items()}).most_common()
    kept, others = (ordered, []) if len(ordered) <= most else (ordered[: most - 1], ordered[most - 1 :])
    found = dict(kept)
    if others:
        found[OTHER] = found.get(OTHER, 0) + sum(samples for _, samples in others)
    return found


def callers(stacks: Stacks, function: str) -> tuple[list[str], float] | None:
    """Return the commonest chain of callers of a function, outermost first, and its share of the function's samples.

    None where no caller is known. Samples in the kernel are those of the function that called it.
    """
    found: Counter[tuple[str, ...]] = Counter()
    for stack, samples in stacks.folded.items():
        names = [name for name in stack.split(";")[1:] if not name.endswith(KERNEL)]
        if names and names[-1] == function:
            found[tuple(names[:-1])] += samples
    known = [chain for chain in found if chain]  # not every stack can be unwound
    if not known:
        return None
    chain = max(known, key=found.__getitem__)
    return list(chain), found[chain] / found.total()
