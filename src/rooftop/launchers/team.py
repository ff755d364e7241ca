"""How many nodes, ranks and threads a program runs on, and OpenMP's variables (OpenMP 5.2, chapter 21)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from rooftop.errors import Misuse
from rooftop.machine.identity import cores_now


@cache
def usable_cores() -> int:
    """Count the cores that this process can keep busy."""
    return cores_now()


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


@dataclass(frozen=True, kw_only=True)
class Team:
    """The workers of a program. Raises Misuse where a number is not a whole one from 1.

    nodes    that the ranks are spread over
    ranks    processes that a launcher starts, on all nodes together; None: one process that no launcher starts
    threads  of each process
    hosts    names of the nodes; none: the launcher knows them
    of_several  whether its job has more nodes than these
    here        whether it stays on the node where the launcher is, however many nodes and tasks the job has
    """

    nodes: int = 1
    ranks: int | None = None
    threads: int = 1
    hosts: tuple[str, ...] = ()
    of_several: bool = False
    here: bool = False

    def __post_init__(self) -> None:
        """Check the numbers."""
        for name, count in (("nodes", self.nodes), ("ranks", self.processes), ("threads", self.threads)):
            if isinstance(count, bool) or not isinstance(count, int) or count < 1:
                raise Misuse(f"a team's {name} is {count!r}, expected a whole number from 1")
        if self.nodes > self.processes:
            raise Misuse(f"a team's nodes is {self.nodes}, expected at most its {_counted(self.processes, 'rank')}")

    @property
    def processes(self) -> int:
        """Its processes: the ranks, or one."""
        return 1 if self.ranks is None else self.ranks

    @property
    def ranks_per_node(self) -> int:
        """The most ranks on a node."""
        return -(-self.processes // self.nodes)

    @property
    def workers(self) -> int:
        """The threads of all processes."""
        return self.processes * self.threads

    @property
    def crowded(self) -> bool:
        """Whether its workers are more than the cores of so many nodes like this one."""
        return self.workers > usable_cores() * self.nodes

    def as_ranks(self) -> Team:
        """Return as many workers, each of them a rank."""
        return replace(self, ranks=self.workers, threads=1)

    def __str__(self) -> str:
        """Return it in words, such as "2 ranks of 4 threads"."""
        threads = _counted(self.threads, "thread")
        if self.ranks is None:
            return threads
        of = f" of {threads}" if self.threads > 1 else ""
        on = f" on {_counted(self.nodes, 'node')}" if self.nodes > 1 else ""
        return f"{_counted(self.ranks, 'rank')}{of}{on}"


def openmp(threads: int | None = None, bind: str | None = None) -> dict[str, str]:
    """Return the variables for so many threads, bound as asked (close, spread, none); None leaves one unset."""
    found: dict[str, str] = {}
    if threads is not None:
        found["OMP_NUM_THREADS"] = str(threads)
    if bind is not None:
        found["OMP_PROC_BIND"] = "false" if bind == "none" else bind
        if bind != "none":
            found["OMP_PLACES"] = "cores"
    return found


def unbound(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables with OpenMP's binding switched off."""
    return {name: value for name, value in variables.items() if name != "OMP_PLACES"} | openmp(bind="none")
